/** A row of the table. */
export interface BenchRow {
  readonly what: string;
  readonly ours: string;
  /** The native program's figure and command, or the limit to compare with. */
  readonly native: string;
  /** Our figure divided by the native one; undefined when there is nothing to compare with. */
  readonly ratio: number | undefined;
  readonly target: string;
  /** Undefined when there is no target. */
  readonly met: boolean | undefined;
}

/** A claim about speed or size, measured by one command: `npm run bench -- <name>`. */
export interface Bench {
  readonly name: string;
  run(): Promise<BenchRow[]>;
}
