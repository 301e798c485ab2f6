import { readFile, readdir } from 'node:fs/promises';

/** A process and the memory that it uses. */
export interface MemoryUse {
  readonly pid: number;
  /** Resident memory in MB. */
  readonly mb: number;
}

const DEEPEST = 6;

/**
 * Returns the memory of a process and of all processes it started, the process itself first; empty where the system
 * does not report it.
 */
export async function memoryOfTree(pid: number, depth = 0): Promise<MemoryUse[]> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kilobytes === undefined || depth > DEEPEST) return [];
  // Children are listed under the thread that started them.
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  const children = lists
    .join(' ')
    .split(' ')
    .filter((text) => text !== '')
    .map(Number);
  const below = await Promise.all(children.map((child) => memoryOfTree(child, depth + 1)));
  return [{ pid, mb: Number(kilobytes) / 1024 }, ...below.flat()];
}
