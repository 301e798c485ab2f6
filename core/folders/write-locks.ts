import { readdirSync, readFileSync, readlinkSync, statSync, type BigIntStats } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turnOfOthers } from 'node:timers/promises';

/** Returns the files that a process has locked for writing; empty on systems without `/proc/locks`. */
export async function lockedFiles(table = '/proc/locks'): Promise<ReadonlySet<string>> {
  const text = await readFile(table, 'latin1').catch(() => '');
  const locked = new Set<string>();
  // `1: POSIX  ADVISORY  WRITE 708 08:01:131 0 EOF` (proc_locks(5)); a line with an arrow is only waiting.
  for (const [, major, minor, inode] of text.matchAll(
    /^\d+: (?:FLOCK|POSIX|OFDLCK)\s+\S+\s+WRITE\s+\S+ ([0-9a-f]+):([0-9a-f]+):(\d+) /gm,
  ))
    locked.add(`${parseInt(major ?? '', 16)}:${parseInt(minor ?? '', 16)}:${inode}`);
  return locked;
}

/** Returns the key of a file in the table of locks. */
export function lockKey({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  // makedev(3): twelve bits of major and twenty of minor, interleaved.
  const major = (dev >> 8n) & 0xfffn;
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xfff00n);
  return `${major}:${minor}:${ino}`;
}

/** Limit for the descriptors that one look reads: on a machine with more, only the settle time applies. */
const MOST_DESCRIPTORS = 20_000;
const WRITING = 0o3;
/** How long a look may keep this thread from other work, ms. */
const SLICE_MS = 2;

/**
 * Returns the files of a folder that a process of this machine has open for writing: a copy that pauses is not
 * complete, however long the pause. Finds only processes that this one may inspect (proc(5)), and none on other systems
 * or machines. `folder` is the resolved path. One look serves all who have asked before its begin.
 */
export async function openForWriting(folder: string): Promise<ReadonlySet<string>> {
  const look = (next ??= planLook());
  look.folders.add(folder);
  return (await look.found).get(folder) ?? new Set();
}

interface DescriptorLook {
  readonly folders: Set<string>;
  /** Files by folder. */
  readonly found: Promise<ReadonlyMap<string, ReadonlySet<string>>>;
}

/** The look that has not begun. */
let next: DescriptorLook | undefined;
let last: Promise<unknown> = Promise.resolve();

function planLook(): DescriptorLook {
  const folders = new Set<string>();
  const found = last.then(() => {
    next = undefined;
    return lookAtDescriptors(folders);
  });
  last = found.catch(() => undefined);
  return { folders, found };
}

/** Synchronous calls, a few at a time: /proc never waits for a disk, and the thread pool would cost twice as much. */
async function lookAtDescriptors(folders: ReadonlySet<string>): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const open = new Map<string, Set<string>>();
  let looked = 0;
  let sliceEnds = performance.now() + SLICE_MS;
  for (const pid of namesIn('/proc').filter((name) => /^\d+$/.test(name))) {
    const descriptors = namesIn(join('/proc', pid, 'fd'));
    looked += descriptors.length;
    if (looked > MOST_DESCRIPTORS) break;
    for (const descriptor of descriptors) {
      if (performance.now() > sliceEnds) {
        await turnOfOthers();
        sliceEnds = performance.now() + SLICE_MS;
      }
      const path = unlessGone(() => readlinkSync(join('/proc', pid, 'fd', descriptor))) ?? '';
      const within = foldersOf(path).filter((folder) => folders.has(folder));
      const key = within.length === 0 ? undefined : unlessGone(() => keyIfWritten(pid, descriptor));
      if (key !== undefined)
        for (const folder of within) open.set(folder, (open.get(folder) ?? new Set<string>()).add(key));
    }
  }
  return open;
}

/** The folders that contain this path, at any depth. */
function foldersOf(path: string): readonly string[] {
  const found: string[] = [];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) found.push(path.slice(0, at));
  return found;
}

/** The key of the file that a descriptor may write; undefined if it only reads. */
function keyIfWritten(pid: string, descriptor: string): string | undefined {
  const info = readFileSync(join('/proc', pid, 'fdinfo', descriptor), 'latin1');
  const flags = /^flags:\s*([0-7]+)/m.exec(info)?.[1];
  if (flags === undefined || (parseInt(flags, 8) & WRITING) === 0) return undefined;
  return lockKey(statSync(join('/proc', pid, 'fd', descriptor), { bigint: true }));
}

/** Names in a folder of /proc; none if it is gone or not for this process. */
function namesIn(folder: string): readonly string[] {
  return unlessGone(() => readdirSync(folder)) ?? [];
}

function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Returns the keys (`lockKey`) of the files of a folder that a process of this machine is writing, or may write. */
export async function filesInUse(folder: string): Promise<ReadonlySet<string>> {
  const [locked, open] = await Promise.all([lockedFiles(), openForWriting(folder)]);
  return new Set([...locked, ...open]);
}
