import type { BigIntStats } from 'node:fs';
import { constants, copyFile, open, readdir, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pooledCalls, type DiskCalls } from './disk-calls.js';

/** Returns `value` for an ENOENT error; throws any other error. */
export function whenMissing<T>(error: unknown, value: T): T {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return value;
  throw error;
}

/** Waits for `work`; ignores that something does not exist. */
export async function unlessMissing(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => whenMissing(error, undefined));
}

/**
 * Returns the names in a folder; empty if it does not exist. Rejects when the disk does not respond: files that cannot
 * be seen are not gone.
 */
export function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => whenMissing(error, []));
}

/**
 * Returns the stats of a path without following a link; undefined if nothing is there. Rejects when the disk does not
 * respond.
 */
export function statsOf(path: string | Buffer, disk: DiskCalls = pooledCalls): Promise<BigIntStats | undefined> {
  return disk.lstat(path).catch((error: unknown) => whenMissing(error, undefined));
}

/** As `statsOf`; undefined too if a file has taken the place of a folder on the way. */
export function statsOrGone(path: string | Buffer, disk?: DiskCalls): Promise<BigIntStats | undefined> {
  return statsOf(path, disk).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  });
}

/** Returns the path that `writeDurably` writes first: hidden, so that it is never an input. */
export function besideOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.new`);
}

/** Writes a small file so that after a crash it is either the old or the new one. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const beside = besideOf(path);
  // Remove a leftover first, or a link that somebody put there: it must not be written through.
  await unlessMissing(unlink(beside));
  const handle = await open(beside, 'wx', 0o600);
  try {
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, path);
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw error;
  }
}

/** Flushes a file that others have written. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Copies a file to a new path and flushes the copy. Rejects with EEXIST when something has that path. */
export async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await flush(to);
}

/** Flushes of folders that have not begun, by path. */
const coming = new Map<string, Promise<void>>();
const last = new Map<string, Promise<void>>();

/**
 * Flushes renames in a folder to disk; does nothing on file systems that cannot. Who calls while a flush of the same
 * folder is under way shares the next one with all others that do: many files that are placed at once cost two.
 */
export function syncFolder(path: string, disk: DiskCalls = pooledCalls): Promise<void> {
  const shared = coming.get(path);
  if (shared !== undefined) return shared;
  const before = last.get(path) ?? Promise.resolve();
  const flushed = before.then(() => {
    coming.delete(path);
    return flushFolder(path, disk);
  });
  coming.set(path, flushed);
  last.set(path, flushed);
  void flushed.finally(() => (last.get(path) === flushed ? last.delete(path) : undefined));
  return flushed;
}

async function flushFolder(path: string, disk: DiskCalls): Promise<void> {
  const handle = await disk.open(path, constants.O_RDONLY).catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
