import { join } from 'node:path';
import { pooledCalls, type DiskCalls } from './disk-calls.js';
import { statsOf } from './durable-files.js';
import type { FreeNames } from './free-names.js';

/** Error codes of file systems that do not support hard links. */
const LINKLESS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Gives a file another name, in addition to its own, unless something has that name: false then, also if another server
 * creates it at this moment. On file systems without hard links the file loses its own name.
 */
export async function placeAt(from: Buffer | string, path: string, disk: DiskCalls = pooledCalls): Promise<boolean> {
  try {
    await disk.link(from, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!LINKLESS.has(code)) throw error;
  }
  // Without hard links, checking first and then renaming is the best available.
  if ((await statsOf(path, disk)) !== undefined) return false;
  await disk.rename(from, path);
  return true;
}

/** Gives a file this name in the folder, or a similar one that is free. */
export async function placeFree(names: FreeNames, from: Buffer | string, folder: string, name: string): Promise<void> {
  for (;;) {
    const free = await names.reserve(folder, name);
    try {
      if (await placeAt(from, join(folder, free))) return;
    } finally {
      names.release(folder, free);
    }
  }
}
