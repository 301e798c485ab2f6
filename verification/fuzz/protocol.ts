/** What a fuzzing process is told to do: the inputs from `from` to before `to`, or one file. */
export interface Task {
  readonly from: number;
  readonly to: number;
  readonly file?: string;
}

/** What became of one input: an outcome (`read`, or the code of the refusal), or a fault with its stack. */
export interface Answer {
  readonly input: number;
  readonly size: number;
  /** Milliseconds at work. */
  readonly milliseconds: number;
  readonly preparation: number;
  readonly peakMb: number;
  readonly outcome?: string;
  readonly fault?: string;
  readonly stack?: string;
}
