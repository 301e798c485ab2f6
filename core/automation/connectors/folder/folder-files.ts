import { createHash } from 'node:crypto';
import { readlinkSync, type BigIntStats } from 'node:fs';
import { constants, readdir, realpath, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  FreeNames,
  listFiles,
  markOf,
  placeFree,
  statsOrGone,
  syncFolder,
  unlessMissing,
  type DiskCalls,
  type OpenOnDisk,
} from '../../../folders/index.js';
import { measured } from '../copied-file.js';

/** A file of a folder source as it was found. */
export interface SeenFile {
  /** Path relative to the folder: as text, or `bytes:` and hexadecimal digits when it is not UTF-8. */
  readonly key: string;
  readonly name: string;
  readonly stats: BigIntStats;
}

/** Shared by all folders, so that two deliveries at once do not try the same names. */
export const freeNames = new FreeNames();

const DEEPEST = 50;
/** Files that are looked at in one turn of the event loop. */
const IN_ONE_TURN = 100;
const BYTES = 'bytes:';

/** Yields the folder and, with `recursive`, those in it; hidden ones and links are left out. */
export async function* foldersIn(root: string, recursive: boolean): AsyncGenerator<string> {
  const pending = [{ path: root, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield next.path;
    if (!recursive || next.depth >= DEEPEST) continue;
    for (const entry of await readdir(next.path, { withFileTypes: true }).catch(unlessGone(next.path === root)))
      if (entry.isDirectory() && !entry.name.startsWith('.'))
        pending.push({ path: join(next.path, entry.name), depth: next.depth + 1 });
  }
}

/** Yields the regular files of one folder that may be inputs. */
export async function* filesOf(root: string, folder: string, disk: DiskCalls): AsyncGenerator<SeenFile> {
  const inside = folder === root ? '' : `${folder.slice(root.length + 1)}/`;
  let looked = 0;
  for (const { raw, name } of await listFiles(folder).catch(unlessGone(folder === root))) {
    const stats = await statsOrGone(Buffer.concat([Buffer.from(`${folder}/`), raw]), disk);
    if (++looked % IN_ONE_TURN === 0) await nextTurn();
    if (stats?.isFile() === true) yield { key: keyOf(Buffer.concat([Buffer.from(inside), raw])), name, stats };
  }
}

/** A folder in the folder may be removed while it is read; without the folder itself nothing can be read. */
function unlessGone(isRoot: boolean): (error: unknown) => [] {
  return (error) => {
    if (isRoot || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  };
}

function keyOf(path: Buffer): string {
  const text = path.toString('utf8');
  return Buffer.from(text).equals(path) && !text.startsWith(BYTES) ? text : BYTES + path.toString('hex');
}

/** The absolute path of a key, as bytes. */
function pathOf(root: string, key: string): Buffer {
  const inside = key.startsWith(BYTES) ? Buffer.from(key.slice(BYTES.length), 'hex') : Buffer.from(key);
  return Buffer.concat([Buffer.from(`${root}/`), inside]);
}

/**
 * Opens a file of the folder for reading, and proves that neither it nor a folder on the way is a link. Undefined when
 * it is not there or is not such a file.
 */
export async function openInside(
  root: string,
  key: string,
  disk: DiskCalls,
): Promise<{ readonly file: OpenOnDisk; readonly stats: BigIntStats } | undefined> {
  const path = pathOf(root, key);
  const file = await disk
    .open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    .catch((error: unknown) => {
      if (/^(ENOENT|ENOTDIR|ELOOP|ENXIO)$/.test(String((error as NodeJS.ErrnoException).code))) return undefined;
      throw error;
    });
  if (file === undefined) return undefined;
  const stats = await file.stats();
  if (stats.isFile() && isOpenAt(file.fd, path)) return { file, stats };
  const real = await realpath(path, 'buffer').catch(() => undefined);
  const there = real === undefined ? undefined : await statsOrGone(real);
  if (stats.isFile() && real?.equals(path) === true && there?.ino === stats.ino && there.dev === stats.dev)
    return { file, stats };
  await file.close();
  return undefined;
}

/** Whether the kernel says that an open file has this path, without links; false where it says nothing. */
function isOpenAt(descriptor: number, path: Buffer): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`, 'buffer').equals(path);
  } catch {
    return false;
  }
}

/** How a change of a file is seen: by size and time, or by its content. */
export type Identity = 'stat' | 'hash';

/** Versions of files; contents are read once for each size and time. */
export class Versions {
  readonly #hashes = new Map<string, { readonly mark: string; readonly sha256: string }>();

  constructor(private readonly identity: Identity) {}

  async of(root: string, key: string, stats: BigIntStats): Promise<string> {
    const mark = markOf(stats);
    if (this.identity === 'stat') return mark;
    const known = this.#hashes.get(key);
    if (known?.mark === mark) return known.sha256;
    const { sha256 } = await measured(pathOf(root, key));
    this.#hashes.set(key, { mark, sha256 });
    return sha256;
  }

  /** Forgets files that are no longer there. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#hashes.keys()) if (!keys.has(key)) this.#hashes.delete(key);
  }
}

/**
 * Deletes a file if it still has this version. It is renamed first, so that a file that takes its place meanwhile is
 * never the one that is deleted. The hidden name follows from key and version: a repeated call after a crash finishes
 * what the first has begun.
 */
export async function removeVersion(
  root: string,
  key: string,
  version: string,
  versionOf: (path: Buffer | string, stats: BigIntStats) => Promise<string>,
  disk: DiskCalls,
): Promise<void> {
  const path = pathOf(root, key).toString('latin1');
  const bytes = Buffer.from(path, 'latin1');
  const folder = Buffer.from(dirname(path), 'latin1');
  const id = createHash('sha256').update(`${key}\0${version}`).digest('hex').slice(0, 32);
  const hidden = Buffer.concat([folder, Buffer.from(`/.quire-done-${id}`)]);
  if ((await statsOrGone(hidden, disk)) === undefined) {
    const stats = await statsOrGone(bytes, disk);
    if (stats?.isFile() !== true || (await versionOf(bytes, stats)) !== version) return;
    await unlessMissing(disk.rename(bytes, hidden));
  }
  const taken = await statsOrGone(hidden, disk);
  if (taken === undefined) return;
  if ((await versionOf(hidden, taken)) !== version)
    await placeFree(freeNames, hidden, folder.toString('utf8'), basename(key));
  await unlessMissing(unlink(hidden));
  await syncFolder(folder.toString('utf8'), disk);
}
