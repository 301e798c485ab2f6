import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface ReleaseTiming {
  /** How often the server is looked at, ms. */
  readonly lookMs: number;
  /** How many looks in a row have to find it idle after work. */
  readonly quietLooks: number;
}

/** After work the wait is longer: pauses of some seconds are part of a load. */
const usualTiming: ReleaseTiming = { lookMs: 1500, quietLooks: 14 };
/** Share of the time between two looks in which the event loop of an idle server may run. */
const IDLE_SHARE = 0.05;
/** What a collection has to be worth, MB. */
const WORTH_MB = 24;

/**
 * Gives memory back that only the start needed, as soon as the server has nothing to do, and again what a load has left
 * behind, twenty seconds after its end. V8 does not do it by itself, because an idle server allocates nothing. It takes
 * 0.2 s. Returns what ends it.
 */
export function releaseMemoryWhenIdle(
  { lookMs, quietLooks }: ReleaseTiming = usualTiming,
  release: () => void = collectAll,
): () => void {
  let before = performance.eventLoopUtilization();
  let [looks, quiet] = [0, 0];
  let releasedMb: number | undefined;
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    looks += 1;
    // The first look sees the end of the start.
    quiet = looks === 1 || utilization > IDLE_SHARE ? 0 : quiet + 1;
    if (quiet !== (releasedMb === undefined ? 1 : quietLooks)) return;
    if (releasedMb !== undefined && residentMb() < releasedMb + WORTH_MB) return;
    release();
    releasedMb = residentMb();
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}

const residentMb = (): number => process.memoryUsage.rss() / 1024 / 1024;

/** Collects garbage so that pages get free, and frees them; an ordinary collection keeps them for new objects. */
function collectAll(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NonNullable<typeof globalThis.gc>;
  setFlagsFromString('--no-expose-gc');
  void collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
