/** Returns the value below which a share (0 to 1) of the values lies, by nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Returns the milliseconds that an action takes. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await action();
  return performance.now() - begin;
}

/** Runs an action `count` times and returns the milliseconds of each. */
export async function times(count: number, action: () => Promise<unknown>): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < count; i++) found.push(await timed(action));
  return found;
}

/** Formats milliseconds for a table. */
export const ms = (value: number): string => (value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`);

/** Formats mebibytes for a table. */
export const mb = (value: number): string => `${Math.round(value)} MB`;
