import { readFile, writeFile } from 'node:fs/promises';

/** Resets the peak resident size of a process to its current size (Linux, /proc/<pid>/clear_refs). */
export async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}

/** Peak resident size in MB since the last reset (VmHWM). */
export async function peakOf(pid: number): Promise<number> {
  return Number(/^VmHWM:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;
}
