import { closeSync, openSync, readSync } from 'node:fs';

const PAGE_BYTES = 4096;
const buffer = Buffer.alloc(128);

/** The resident size of a process (Linux). Its file stays open, since it is looked at after each task. */
export class ResidentBytes {
  #file: number | undefined;

  constructor(readonly pid: number) {}

  /** Returns bytes; 0 if the system does not report them, or the process has ended. */
  read(): number {
    try {
      this.#file ??= openSync(`/proc/${this.pid}/statm`, 'r');
      return pagesIn(this.#file) * PAGE_BYTES;
    } catch {
      return 0;
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

/** Returns the resident size in bytes of a process that is looked at once. */
export function residentBytesOf(pid: number): number {
  const process = new ResidentBytes(pid);
  try {
    return process.read();
  } finally {
    process.close();
  }
}

/** The second number of `/proc/<pid>/statm` (proc(5)). */
function pagesIn(file: number): number {
  return Number(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)).split(' ')[1] ?? 0);
}
