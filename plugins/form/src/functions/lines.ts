/** Largest distance between the tops of fields on one line, in points. */
export const LINE = 10;

/**
 * Orders what is sorted across its lines: line by line, and within each by `place`. "Near" cannot order by itself,
 * since it does not carry over from one pair to the next: a line begins with the first item that no line has yet, and
 * `together` says whether another is on the line of that first one.
 */
export function inLines<T>(
  sorted: readonly T[],
  together: (first: T, one: T) => boolean,
  place: (one: T) => number,
): T[] {
  const lines: T[][] = [];
  for (const one of sorted) {
    const first = lines.at(-1)?.[0];
    if (first !== undefined && together(first, one)) lines.at(-1)?.push(one);
    else lines.push([one]);
  }
  return lines.flatMap((line) => line.sort((a, b) => place(a) - place(b)));
}
