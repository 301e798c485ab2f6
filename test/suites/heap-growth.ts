import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Megabytes of heap and buffers that stay reachable after some work. Garbage is collected before and after, so the number is the same on every machine. */
export function heapGrowthMb(work: () => void): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = (): number => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = used();
  work();
  return (used() - before) / 1024 / 1024;
}
