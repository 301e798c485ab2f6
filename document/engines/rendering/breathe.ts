/**
 * Lets the process do what waits (progress is sent, a cancel comes in) between two pieces of work that never wait by
 * themselves, and throws the signal's reason when it is aborted.
 */
export async function breathe(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
}
