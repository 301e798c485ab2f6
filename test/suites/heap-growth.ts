import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Megabytes of reachable heap and buffers, after garbage collection. */
export function memoryInUseMb(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1024 / 1024;
}

/**
 * Megabytes of heap and buffers that stay reachable after some work. Garbage is collected before and after, so the
 * number is the same on every machine.
 */
export function heapGrowthMb(work: () => void): number {
  const before = memoryInUseMb();
  work();
  return memoryInUseMb() - before;
}
