import { readFile } from 'node:fs/promises';
import { processTree } from '../../semaphore/index.js';

/** A process and the memory that it uses. */
export interface MemoryUse {
  readonly pid: number;
  /** Resident memory in MB. */
  readonly mb: number;
}

/**
 * Returns the memory of a process and of all processes it started, the process itself first; empty where the system
 * does not report it.
 */
export async function memoryOfTree(pid: number): Promise<MemoryUse[]> {
  const uses = await Promise.all(
    processTree(pid).map(async (one) => {
      const status = await readFile(`/proc/${one}/status`, 'utf8').catch(() => '');
      const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
      return kilobytes === undefined ? [] : [{ pid: one, mb: Number(kilobytes) / 1024 }];
    }),
  );
  return uses.flat();
}
