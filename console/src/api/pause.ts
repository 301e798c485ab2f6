/** Waits: shorter when the signal is aborted, or the browser says that the network is back. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
    // The network is back: no reason to wait longer.
    addEventListener('online', stop, { once: true, signal });
  });
}
