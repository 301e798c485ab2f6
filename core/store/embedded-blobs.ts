import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fdatasync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { copyFile, constants, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { checkName } from './records.js';
import {
  clampRange,
  isBlobId,
  newBlobId,
  type BlobRange,
  type Blobs,
  type ListedBlob,
  type OpenBlob,
  type StoredBlob,
} from './blobs.js';
import { withStoreErrors } from './store-errors.js';

/**
 * Opens blobs as files below the folder: `<area>/<2 digits>/<id>`. Those of older versions are in
 * `<area>/<2 digits>/<2 digits>/<id>`: 65,536 folders, of which most blobs of a job needed a new one.
 */
export function openEmbeddedBlobs(folder: string, area = 'files'): Blobs {
  return new EmbeddedBlobs(folder, area);
}

class EmbeddedBlobs implements Blobs {
  readonly #folder: string;
  readonly #root: string;
  readonly #unfinished: string;
  /** Folders that exist, by their digits; `unfinished` among them. */
  readonly #folders = new Map<string, Promise<unknown>>();
  /** Whether files can get a second name here: not when they come from another disk. */
  #links = true;

  constructor(folder: string, area: string) {
    this.#folder = folder;
    this.#root = join(folder, checkName(area));
    this.#unfinished = join(this.#root, 'unfinished');
  }

  put(source: string | Readable, id: string = newBlobId()): Promise<StoredBlob> {
    return this.#put(source, id, true);
  }

  putCached(path: string): Promise<StoredBlob> {
    return this.#put(path, newBlobId(), false);
  }

  #put(source: string | Readable, id: string, flushed: boolean): Promise<StoredBlob> {
    return withStoreErrors(async () => {
      if (!isBlobId(id)) throw new TypeError('a blob id has 32 hexadecimal digits');
      const target = this.#pathOf(id);
      const unfinished = join(this.#unfinished, id);
      try {
        await this.#made(dirname(target));
        const linked =
          typeof source === 'string' && this.#links ? await this.#link(source, target, flushed) : undefined;
        if (linked !== undefined) return { id, size: linked };
        await this.#made(this.#unfinished);
        if (typeof source === 'string')
          await copyFile(source, unfinished, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
        else await pipeline(source, createWriteStream(unfinished, { flags: 'wx', mode: 0o600 }));
        const size = flushed ? await flush(unfinished) : (await stat(unfinished)).size;
        await rename(unfinished, target);
        return { id, size };
      } catch (error) {
        // Somebody may have removed them.
        this.#folders.clear();
        await rm(unfinished, { force: true }).catch(() => undefined);
        throw error;
      }
    });
  }

  get(id: string, range?: BlobRange): Promise<OpenBlob | undefined> {
    return withStoreErrors(async () => {
      if (!isBlobId(id)) return undefined;
      const file = await this.#first(id, (path) => open(path, 'r'));
      if (!file) return undefined;
      try {
        const { size } = await file.stat();
        const { start, end } = clampRange(range, size);
        if (end < start) {
          await file.close();
          return { stream: Readable.from([]), size };
        }
        return { stream: createReadStream('', { fd: file, start, end }), size };
      } catch (error) {
        await file.close().catch(() => undefined);
        throw error;
      }
    });
  }

  path(id: string): string | undefined {
    if (!isBlobId(id)) return undefined;
    const older = this.#olderPathOf(id);
    return existsSync(older) ? older : this.#pathOf(id);
  }

  delete(id: string): Promise<boolean> {
    return withStoreErrors(async () => isBlobId(id) && (await this.#first(id, remove)) === true);
  }

  exists(id: string): Promise<boolean> {
    const there = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
    return withStoreErrors(() => isBlobId(id) && (there(this.#pathOf(id)) || there(this.#olderPathOf(id))));
  }

  async *list(): AsyncIterable<ListedBlob> {
    for (const first of await names(this.#root)) {
      if (first.length !== 2) continue;
      const folder = join(this.#root, first);
      for (const name of await names(folder)) {
        if (isBlobId(name)) yield* listed(folder, name);
        else if (name.length === 2)
          for (const id of await names(join(folder, name))) if (isBlobId(id)) yield* listed(join(folder, name), id);
      }
    }
  }

  sweepUnfinished(olderThanMs: number): Promise<number> {
    return withStoreErrors(async () => {
      let removed = 0;
      for (const name of await names(this.#unfinished)) {
        const path = join(this.#unfinished, name);
        const facts = await stat(path).catch(absent);
        if (!facts || Date.now() - facts.ctimeMs < olderThanMs) continue;
        await rm(path, { force: true });
        removed += 1;
      }
      return removed;
    });
  }

  area(name: string): Blobs {
    return new EmbeddedBlobs(this.#folder, name);
  }

  /**
   * Gives a file a second name, and returns its size in bytes; undefined where that is not possible. What takes
   * microseconds is synchronous, as the database in the same folder: a turn in the thread pool costs more.
   */
  async #link(source: string, target: string, flushed: boolean): Promise<number | undefined> {
    const stats = lstatSync(source);
    // A symbolic link would be linked itself and dangle later.
    if (!stats.isFile()) return undefined;
    const size = flushed ? await flush(source) : stats.size;
    try {
      linkSync(source, target);
      return size;
    } catch (error) {
      if (NEVER_LINKS.has((error as NodeJS.ErrnoException).code)) this.#links = false;
      return undefined;
    }
  }

  /** Does something with a blob where it is; undefined when it is nowhere. */
  async #first<T>(id: string, work: (path: string) => Promise<T>): Promise<T | undefined> {
    return (await work(this.#pathOf(id)).catch(absent)) ?? (await work(this.#olderPathOf(id)).catch(absent));
  }

  async #made(folder: string): Promise<void> {
    let made = this.#folders.get(folder);
    if (made === undefined) {
      made = mkdir(folder, { recursive: true, mode: 0o700 });
      this.#folders.set(folder, made);
    }
    await made;
  }

  #pathOf(id: string): string {
    return join(this.#root, id.slice(0, 2), id);
  }

  #olderPathOf(id: string): string {
    return join(this.#root, id.slice(0, 2), id.slice(2, 4), id);
  }
}

async function* listed(folder: string, id: string): AsyncIterable<ListedBlob> {
  const facts = await stat(join(folder, id)).catch(absent);
  if (facts) yield { id, size: facts.size, modifiedAt: facts.ctime };
}

/** Error codes that any other file from the same place would get too. */
const NEVER_LINKS: ReadonlySet<unknown> = new Set(['EXDEV', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

const dataSync = promisify(fdatasync);

/** Brings the bytes to the disk before the name appears, so that a name always means a whole file. Returns its size. */
async function flush(path: string): Promise<number> {
  const file = openSync(path, 'r');
  try {
    await dataSync(file);
    return fstatSync(file).size;
  } finally {
    closeSync(file);
  }
}

/** A file that has another name loses this one at once; to free the blocks of a file takes a disk long. */
async function remove(path: string): Promise<true> {
  if (lstatSync(path).nlink > 1) unlinkSync(path);
  else await unlink(path);
  return true;
}

async function names(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(absent)) ?? [];
}

function absent(error: unknown): undefined {
  const code = (error as { code?: unknown }).code;
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  throw error;
}
