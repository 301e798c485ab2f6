import type { JobOutcome } from './job-executor.js';

/**
 * Returns the outcome of an executor. After an abort the executor has `graceMs` to settle; then it is no longer
 * awaited, and this rejects with the signal's reason. `isResult` decides whether an outcome counts: work that ends
 * after a cancel or timeout does not.
 */
export async function runUntilAborted(
  work: Promise<JobOutcome>,
  { signal, graceMs, isResult }: { readonly signal: AbortSignal; readonly graceMs: number; isResult(): boolean },
): Promise<JobOutcome> {
  const aborted = new Promise<never>((_resolve, reject) => {
    const giveUp = (): void => {
      setTimeout(() => reject(signal.reason), graceMs).unref();
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
  // An executor that settles after the grace time must neither cause an unhandled rejection nor leave a folder behind.
  let waiting = true;
  work
    .then(
      (late) => (waiting ? undefined : late.release?.()),
      () => undefined,
    )
    .catch(() => undefined);
  aborted.catch(() => undefined);
  try {
    const outcome = await Promise.race([work, aborted]);
    if (isResult()) return outcome;
    await outcome.release?.().catch(() => undefined);
    throw signal.reason;
  } finally {
    waiting = false;
  }
}
