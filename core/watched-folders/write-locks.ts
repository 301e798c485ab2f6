import type { BigIntStats } from 'node:fs';
import { readFile, readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The files that some process holds locked for writing; on systems without `/proc/locks` nobody says. */
export async function lockedFiles(table = '/proc/locks'): Promise<ReadonlySet<string>> {
  const text = await readFile(table, 'latin1').catch(() => '');
  const locked = new Set<string>();
  // `1: POSIX  ADVISORY  WRITE 708 08:01:131 0 EOF` (proc_locks(5)); a line with an arrow only waits.
  for (const [, major, minor, inode] of text.matchAll(
    /^\d+: (?:FLOCK|POSIX|OFDLCK)\s+\S+\s+WRITE\s+\S+ ([0-9a-f]+):([0-9a-f]+):(\d+) /gm,
  ))
    locked.add(`${parseInt(major ?? '', 16)}:${parseInt(minor ?? '', 16)}:${inode}`);
  return locked;
}

/** A file as the table of locks names it. */
export function lockKey({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  // makedev(3): twelve bits of major and twenty of minor, interleaved.
  const major = (dev >> 8n) & 0xfffn;
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xfff00n);
  return `${major}:${minor}:${ino}`;
}

/** Descriptors that one look reads at most: on a machine with more, the settle time alone must do. */
const MOST_DESCRIPTORS = 20_000;
const WRITING = 0o3;

/**
 * The files of a folder that some process of this machine holds open for writing: a copy that pauses is not complete,
 * however long it pauses. Only processes that this one may look at say so (proc(5)); on other systems, and for writers
 * on other machines, nobody does. `folder` is its real path.
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
