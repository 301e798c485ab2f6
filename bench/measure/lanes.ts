import { timed } from './statistics.js';

/** Repeats an action on several lanes for some seconds; returns the milliseconds of each. */
export async function lanes(
  count: number,
  seconds: number,
  action: (lane: number) => Promise<unknown>,
): Promise<number[]> {
  const end = performance.now() + seconds * 1000;
  const found: number[] = [];
  await Promise.all(
    Array.from({ length: count }, async (_, lane) => {
      while (performance.now() < end) found.push(await timed(() => action(lane)));
    }),
  );
  return found;
}
