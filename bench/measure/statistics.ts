/** The value below which a share of the values lies (0 to 1); the nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN;
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Times an action in ms. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await action();
  return performance.now() - begin;
}

/** Times an action several times and gives every time in ms. */
export async function times(count: number, action: () => Promise<unknown>): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < count; i++) found.push(await timed(action));
  return found;
}

/** Milliseconds for a table. */
export const ms = (value: number): string => (value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`);

/** Megabytes (MiB) for a table. */
export const mb = (value: number): string => `${Math.round(value)} MB`;
