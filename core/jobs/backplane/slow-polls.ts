import type { Backplane } from './backplane.js';
import { atMostEvery } from './listeners.js';

/** How often a node asks the store for what nobody has announced, other than jobs, while the backplane is connected. */
const SLOW_MS = 30_000;
/** Shortest time between two looks that announcements cause, ms. */
const BURST_MS = 100;

/** Runs `look` every `ms`, or less often while the backplane is connected; and when told by it, but not in a burst. */
export function pollOrListen(
  backplane: Backplane,
  topic: Parameters<Backplane['on']>[0],
  { ms, look }: { readonly ms: number; look(): void },
): () => void {
  let lookedAt = performance.now();
  const now = (): void => {
    lookedAt = performance.now();
    look();
  };
  const timer = setInterval(() => {
    // A tenth, because timers are early by a millisecond.
    if (!backplane.connected || performance.now() - lookedAt >= SLOW_MS - ms / 10) now();
  }, ms).unref();
  const end = backplane.on(topic, atMostEvery(BURST_MS, now));
  return () => {
    clearInterval(timer);
    end();
  };
}
