import type { Flowing } from './run-step.js';

/** A result in the place of the file that it was made from. */
export function inPlaceOf(input: Flowing | undefined, file: Flowing): Flowing {
  return input?.place === undefined ? file : { ...file, place: input.place };
}

/** Merges the results of branches by the places of their inputs; the order within a branch stays. */
export function inOrder(ways: readonly (readonly Flowing[])[]): Flowing[] {
  const heads = ways.map(() => 0);
  const merged: Flowing[] = [];
  for (;;) {
    let next: number | undefined;
    for (const [way, files] of ways.entries()) {
      const place = files[heads[way] ?? 0]?.place;
      const least = next === undefined ? undefined : ways[next]?.[heads[next] ?? 0]?.place;
      if (place !== undefined && (least === undefined || place < least)) next = way;
    }
    const file = next === undefined ? undefined : ways[next]?.[heads[next] ?? 0];
    if (next === undefined || file === undefined) return merged;
    merged.push(file);
    heads[next] = (heads[next] ?? 0) + 1;
  }
}
