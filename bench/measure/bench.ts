/** One measured line. */
export interface BenchRow {
  readonly what: string;
  readonly ours: string;
  /** The native program's number and its command, or the floor it is compared with. */
  readonly native: string;
  /** Ours divided by the native number; undefined where there is nothing to compare with. */
  readonly ratio: number | undefined;
  readonly target: string;
  /** Undefined where no target is set. */
  readonly met: boolean | undefined;
}

/** One claim about speed or size, measured by one command: `npm run bench -- <name>`. */
export interface Bench {
  readonly name: string;
  run(): Promise<BenchRow[]>;
}
