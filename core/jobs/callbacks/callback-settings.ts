/** The settings `jobs.callbacks`. */
export interface CallbackSettings {
  /** The server's signing key; '' for none. */
  readonly secret: string;
  readonly timeoutMs: number;
  /** The delay before each retry, ms. */
  readonly retryMs: readonly number[];
  readonly maxPendingPerOwner: number;
}
