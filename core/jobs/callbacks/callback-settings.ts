/** The settings `jobs.callbacks`. */
export interface CallbackSettings {
  /** The server's own key; '' for none. */
  readonly secret: string;
  readonly timeoutMs: number;
  /** The wait before each further attempt, ms. */
  readonly retryMs: readonly number[];
  readonly maxPendingPerOwner: number;
}
