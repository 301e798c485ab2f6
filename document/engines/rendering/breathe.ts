/**
 * Lets the process handle pending events (send progress, receive a cancellation) between two pieces of synchronous
 * work. Throws the signal's reason when it is aborted.
 */
export async function breathe(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
}
