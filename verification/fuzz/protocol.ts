/** Task for a worker process: the inputs from `from` (inclusive) to `to` (exclusive), or one file. */
export interface Task {
  readonly from: number;
  readonly to: number;
  readonly file?: string;
}

/** Result of one input: an outcome (`read`, or an error code), or a fault with its stack. */
export interface Answer {
  readonly input: number;
  readonly size: number;
  /** Milliseconds of CPU time. */
  readonly milliseconds: number;
  readonly preparation: number;
  readonly peakMb: number;
  readonly outcome?: string;
  readonly fault?: string;
  readonly stack?: string;
}
