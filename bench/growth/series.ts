/** A point of a line: the argument, milliseconds, and the memory of all processes at its highest. */
export interface Point {
  readonly x: number;
  /** Milliseconds, median. */
  readonly ms: number;
  /** Peaks of all processes together, in mebibytes. */
  readonly mb: number;
}

/** One operation, measured with growing arguments. */
export interface Line {
  readonly name: string;
  readonly points: readonly Point[];
}

/** What grows: pages, megabytes, clients, parts or waiting jobs. */
export interface Axis {
  /** Name on the command line and of the plot. */
  readonly name: string;
  readonly title: string;
  /** Caption below the plot. */
  readonly unit: string;
  measure(): Promise<readonly Line[]>;
}

/**
 * The exponent k for which the values grow as x^k from the last but one point to the last: 1 is a straight line through
 * zero, 0 a constant. Undefined with fewer than two points above zero.
 */
export function growthOf(line: Line, value: 'ms' | 'mb'): number | undefined {
  const points = line.points.filter(({ x }) => x > 0);
  const [before, last] = [points.at(-2), points.at(-1)];
  if (before === undefined || last === undefined) return undefined;
  return Math.log(last[value] / before[value]) / Math.log(last.x / before.x);
}
