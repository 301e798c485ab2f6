/**
 * In MB. V8 otherwise begins with a few and collects the whole heap at every small step up to it, several times in a
 * call: a quarter to a third of a worker's time, for 10 to 25 MB of memory. `worker-entry.ts` takes the flag back.
 */
const INITIAL_HEAP_MB = 48;

/**
 * Returns V8's flags for a worker with this memory limit. Small space for new objects: most objects of an operation
 * live until it ends, so a larger one saves no time and costs every worker ten megabytes. One thread for V8's own work,
 * because there is a worker for each core.
 */
export function workerFlags(memoryMb: number): string[] {
  return [
    `--max-old-space-size=${Math.max(256, Math.floor(memoryMb * 0.75))}`,
    '--max-semi-space-size=2',
    `--initial-heap-size=${INITIAL_HEAP_MB}`,
    '--v8-pool-size=1',
  ];
}

/**
 * How the C library of a worker allocates (glibc; others ignore it). One arena, because memory that is free in one is
 * of no use to another and a worker computes in one thread; and what is free at the end of it goes back to the system.
 * It saves five megabytes of a worker, and costs no time.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };

/** The whole environment of a worker; `folder`: its own. */
export function workerEnvironment(folder: string): NodeJS.ProcessEnv {
  return {
    TMPDIR: folder,
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'production',
    LANG: 'C.UTF-8',
    ...ALLOCATOR,
    // Without it, the worker would not use the same time zone as this process.
    ...(process.env['TZ'] === undefined ? {} : { TZ: process.env['TZ'] }),
  };
}
