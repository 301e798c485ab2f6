import { link, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { FreeNames } from '../../../watched-folders/index.js';
import { statsOf } from './stats-of.js';

/** Shared by all destinations, so that two deliveries at once do not try the same names. */
const names = new FreeNames();

/** Reserves an unused name in a folder; `release` when the file is there, or will not be. */
export const freeNames: Pick<FreeNames, 'reserve' | 'release'> = names;

/**
 * Gives a file another name, in addition to its own, unless something has that name: false then. On file systems
 * without hard links the file loses its own name.
 */
export async function placeAt(from: Buffer | string, path: string): Promise<boolean> {
  try {
    await link(from, path);
    return true;
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    if (code === 'EEXIST') return false;
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(code)) throw error;
  }
  if ((await statsOf(path)) !== undefined) return false;
  await rename(from, path);
  return true;
}

/** Gives a file this name in the folder, or a similar one that is free. */
export async function placeFree(from: Buffer | string, folder: string, name: string): Promise<void> {
  for (;;) {
    const free = await names.reserve(folder, name);
    try {
      if (await placeAt(from, join(folder, free))) return;
    } finally {
      names.release(folder, free);
    }
  }
}
