import { closeSync, openSync, readFileSync, readdirSync, readSync } from 'node:fs';

/** A running process, as Linux shows it in /proc. */
export interface SeenProcess {
  readonly pid: number;
  /** Program and arguments, separated by spaces. */
  readonly command: string;
  /** The environment that it was started with, as it is now; one `NAME=value` after the other. */
  readonly environment: string;
}

/** Returns the processes that this one has started, and those that they have started. */
export function descendants(pid: number): readonly SeenProcess[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOf(Number(name)) : undefined;
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const below = (child: number): boolean => {
    const parent = parents.get(child);
    return parent !== undefined && (parent === pid || below(parent));
  };
  return [...parents.keys()].filter(below).flatMap((child) => seen(child) ?? []);
}

/** Returns a process; undefined when it has ended. */
export function seen(pid: number): SeenProcess | undefined {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim();
    return { pid, command, environment: readFileSync(`/proc/${pid}/environ`, 'latin1').replaceAll('\0', '\n') };
  } catch {
    return undefined;
  }
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

const CHUNK = 4 * 1024 * 1024;

/** Returns which of these byte sequences the writable memory of a process contains. */
export function foundInMemory(pid: number, wanted: ReadonlyMap<string, Buffer>): readonly string[] {
  const found = new Set<string>();
  const overlap = Math.max(...[...wanted.values()].map(({ length }) => length));
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK + overlap);
    for (const line of readFileSync(`/proc/${pid}/maps`, 'latin1').split('\n')) {
      const [, from = '', to = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      for (let at = Number.parseInt(from, 16); at < Number.parseInt(to, 16); at += CHUNK) {
        const size = Math.min(chunk.length, Number.parseInt(to, 16) - at);
        const bytes = chunk.subarray(0, readable(memory, chunk, size, at));
        for (const [name, sequence] of wanted) if (bytes.includes(sequence)) found.add(name);
      }
    }
  } finally {
    closeSync(memory);
  }
  return [...found];
}

/** Reads memory; 0 bytes where the system shows none, as of its own pages. */
function readable(memory: number, into: Buffer, size: number, at: number): number {
  try {
    return readSync(memory, into, 0, size, at);
  } catch {
    return 0;
  }
}
