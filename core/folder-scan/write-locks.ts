import type { BigIntStats } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The files that some process holds locked for writing; on systems without `/proc/locks` nobody says. */
export async function lockedFiles(table = '/proc/locks'): Promise<ReadonlySet<string>> {
  const text = await readFile(table, 'latin1').catch(() => '');
  const locked = new Set<string>();
  // `1: POSIX  ADVISORY  WRITE 708 08:01:131 0 EOF` (proc_locks(5)); a line with an arrow only waits.
  for (const [, major, minor, inode] of text.matchAll(/^\d+: (?:FLOCK|POSIX|OFDLCK)\s+\S+\s+WRITE\s+\S+ ([0-9a-f]+):([0-9a-f]+):(\d+) /gm)) locked.add(`${parseInt(major ?? '', 16)}:${parseInt(minor ?? '', 16)}:${inode}`);
  return locked;
}

/** A file as the table of locks names it. */
export function lockKey({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  // makedev(3): twelve bits of major and twenty of minor, interleaved.
  const major = (dev >> 8n) & 0xfffn;
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xfff00n);
  return `${major}:${minor}:${ino}`;
}
