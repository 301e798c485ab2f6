import { constants, lstatSync, mkdirSync, realpathSync, rmSync, type Stats } from 'node:fs';
import { copyFile, rmdir } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import { DefectError } from '@quire/registry';
import { emptyFolder, giveTo, linkOrCopy, move } from './place-files.js';

/**
 * Members of a plugin task's input by which files are passed: `path` and `paths` are read, `target` is written,
 * `folder` takes new files (`WorkerTask` of the registry).
 */
const reading = new Set(['path', 'paths']);

/**
 * The files of one task in the worker's own folder: folders are moved there, inputs are linked (copied if they are kept
 * beyond the call), and `takeBack` returns folders and results to their places. Links and renames are synchronous:
 * each takes microseconds, and a hop to the thread pool for each would cost a call more than all of them.
 */
export class TaskFiles {
  readonly #moved: { readonly from: string; readonly to: string; readonly kind: 'folder' | 'target' | 'input' }[] = [];
  #count = 0;

  private constructor(
    private readonly root: string,
    private readonly temporary: string,
    private readonly uid: number | undefined,
  ) {}

  /**
   * `root`: new folder inside the worker's own; `temporary`: files below it live no longer than a call; `uid`: the
   * worker's user number if it is not the server's.
   */
  static create(root: string, temporary: string, uid: number | undefined): TaskFiles {
    mkdirSync(root, { mode: 0o700 });
    return new TaskFiles(root, temporary, uid);
  }

  /** Moves a folder in and returns its new path. Repeated calls with one folder return the same. */
  async folder(path: string): Promise<string> {
    const known = this.#moved.find(({ from }) => from === path);
    if (known !== undefined) return known.to;
    const to = this.#next();
    await move(path, to);
    this.#moved.push({ from: path, to, kind: 'folder' });
    return to;
  }

  /** Returns a path in the folder by which an existing file can be read; a missing file keeps its path. */
  async input(path: string): Promise<string> {
    const inside = this.#moved.find(({ from, kind }) => kind === 'folder' && path.startsWith(from + sep));
    if (inside !== undefined) return inside.to + path.slice(inside.from.length);
    const known = this.#moved.find(({ from }) => from === path);
    if (known !== undefined) return known.to;
    const to = this.#next();
    try {
      const real = realpathSync.native(path);
      if (real.startsWith(this.temporary + sep)) await linkOrCopy(real, to);
      else await copyFile(real, to, constants.COPYFILE_FICLONE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return path;
      throw error;
    }
    this.#moved.push({ from: path, to, kind: 'input' });
    return to;
  }

  /** Returns a path in the folder for a new file, which `takeBack` moves to `path`. */
  target(path: string): string {
    const inside = this.#moved.find(({ from, kind }) => kind === 'folder' && path.startsWith(from + sep));
    if (inside !== undefined) return inside.to + path.slice(inside.from.length);
    const to = this.#next();
    this.#moved.push({ from: path, to, kind: 'target' });
    return to;
  }

  /** Places every file that a JSON value names, and returns the value with the new paths. */
  async value(value: unknown, name = ''): Promise<unknown> {
    if (typeof value === 'string' && isAbsolute(value)) {
      if (reading.has(name)) return this.input(value);
      if (name === 'target') return this.target(value);
      return name === 'folder' ? this.folder(value) : value;
    }
    if (Array.isArray(value)) return Promise.all(value.map((item) => this.value(item, name)));
    if (typeof value !== 'object' || value === null) return value;
    const placed: Record<string, unknown> = {};
    // Folders first: files inside move with them.
    const entries = Object.entries(value).sort(([a], [b]) => Number(b === 'folder') - Number(a === 'folder'));
    for (const [key, member] of entries) placed[key] = await this.value(member, key);
    return placed;
  }

  /** Gives the worker what was placed, and files that the server wrote since. */
  admit(): void {
    if (this.uid !== undefined) giveTo(this.root, this.uid);
  }

  /** Returns a JSON value with the original paths in place of those in the worker's folder. */
  original<T>(value: T): T {
    if (typeof value === 'string') {
      const found = this.#moved.find(({ to }) => value === to || value.startsWith(to + sep));
      return (found === undefined ? value : found.from + value.slice(found.to.length)) as T;
    }
    if (Array.isArray(value)) return value.map((item: unknown) => this.original(item)) as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.original(member)])) as T;
  }

  /**
   * Returns the original path of a file that the worker reports as its result. Throws CONTRACT_BROKEN for anything but
   * a file in the worker's folder: a worker that was taken over could name, or link to, any file of the server.
   */
  result(path: string): string {
    const root = realpathSync.native(this.root);
    const real = unlessMissing(() => realpathSync.native(path));
    if (real === undefined || !real.startsWith(root + sep) || real !== root + path.slice(this.root.length))
      throw new DefectError('CONTRACT_BROKEN', { detail: 'a worker named a result outside its own folder' });
    return this.original(path);
  }

  /** Moves folders and written files to their places and removes everything else. */
  async takeBack(): Promise<void> {
    for (const { from, to, kind } of this.#moved)
      if (kind === 'folder' || (kind === 'target' && isFile(to))) await move(to, from);
    emptyFolder(this.root);
    // Not waited for: the next task has another folder, and all are removed with the worker's own.
    void rmdir(this.root).catch(() => rmSync(this.root, { recursive: true, force: true, maxRetries: 3 }));
  }

  #next(): string {
    return join(this.root, String(this.#count++));
  }
}

function isFile(path: string): boolean {
  return factsOf(path)?.isFile() === true;
}

function factsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function unlessMissing<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
