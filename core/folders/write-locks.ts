import type { BigIntStats } from 'node:fs';
import { readFile, readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';

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

/**
 * Returns the files of a folder that a process of this machine has open for writing: a copy that pauses is not
 * complete, however long the pause. Finds only processes that this one may inspect (proc(5)), and none on other systems
 * or machines. `folder` is the resolved path.
 */
export async function openForWriting(folder: string, processes = '/proc'): Promise<ReadonlySet<string>> {
  const open = new Set<string>();
  let looked = 0;
  for (const pid of (await readdir(processes).catch(() => [])).filter((name) => /^\d+$/.test(name))) {
    const descriptors = await readdir(join(processes, pid, 'fd')).catch(() => []);
    looked += descriptors.length;
    if (looked > MOST_DESCRIPTORS) break;
    await Promise.all(
      descriptors.map(async (fd) => {
        const path = join(processes, pid, 'fd', fd);
        if (!(await readlink(path).catch(() => '')).startsWith(`${folder}/`)) return;
        const flags = /^flags:\s*([0-7]+)/m.exec(
          await readFile(join(processes, pid, 'fdinfo', fd), 'latin1').catch(() => ''),
        )?.[1];
        if (flags === undefined || (parseInt(flags, 8) & WRITING) === 0) return;
        const stats = await stat(path, { bigint: true }).catch(() => undefined);
        if (stats !== undefined) open.add(lockKey(stats));
      }),
    );
  }
  return open;
}

/** Returns the keys (`lockKey`) of the files of a folder that a process of this machine is writing, or may write. */
export async function filesInUse(folder: string): Promise<ReadonlySet<string>> {
  const [locked, open] = await Promise.all([lockedFiles(), openForWriting(folder)]);
  return new Set([...locked, ...open]);
}
