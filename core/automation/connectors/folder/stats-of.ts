import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';

/** Stats without following a link; undefined when nothing is there. */
export async function statsOf(path: Buffer | string): Promise<BigIntStats | undefined> {
  return lstat(path, { bigint: true }).catch((error: unknown) => {
    if (/^(ENOENT|ENOTDIR)$/.test(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw error;
  });
}
