import { closeSync, lchownSync, lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { DefectError } from '@quire/registry';
import {
  chownUnless,
  copy,
  emptyFolder,
  giveTo,
  heldPath,
  holdFolder,
  linkOrCopy,
  move,
  removeLinks,
} from './place-files.js';
import { FEW, newResultPath, returnFiles } from './return-files.js';
import { useOnce, type SpareFolders } from './spare-folders.js';

/**
 * Members of a plugin task's input by which files are passed: `path` and `paths` are read, `target` is written,
 * `folder` takes new files (`WorkerTask` of the registry).
 */
const reading = new Set(['path', 'paths']);

interface Placed {
  readonly from: string;
  /** Its path for the worker. */
  readonly to: string;
  /** The same, by which no link can lead elsewhere: the worker may replace the folder meanwhile. */
  readonly held: string;
  /** A `lent` folder is the worker's own and takes the new files for one of the run. */
  readonly kind: 'folder' | 'lent' | 'target' | 'input';
}

export interface TaskPlace {
  /** New folder inside the worker's own. */
  readonly root: string;
  /** Files below it live no longer than a call. */
  readonly temporary: string;
  /** The worker's user number if it is not the server's. */
  readonly uid: number | undefined;
  /** Folders of this worker, which no other one gets; each has an empty folder for results in it. */
  readonly spares: SpareFolders;
}

/** Name of the folder for results. Whatever else is placed has a number. */
const RESULTS = 'results';

/**
 * The files of one task in the worker's own folder: folders are moved there, inputs are linked (copied if they are kept
 * beyond the call), and `takeBack` returns folders and results to their places. Links and renames are synchronous:
 * each takes microseconds, and a hop to the thread pool for each would cost a call more than all of them.
 */
export class TaskFiles {
  readonly #placed: Placed[] = [];
  /** Where results go, by their path in the lent folder. */
  #results: ReadonlyMap<string, string> = new Map();
  /** Where the lent folder goes as a whole, with many results. */
  #moved: string | undefined;
  /** By this path no link can lead elsewhere. */
  readonly #held: string;
  #count = 0;

  private constructor(
    private readonly place: TaskPlace,
    /** The open folder. */
    private readonly descriptor: number,
  ) {
    this.#held = heldPath(descriptor, place.root);
  }

  /** Creates the folder. */
  static create(place: TaskPlace): TaskFiles {
    const isNew = place.spares.make(place.root);
    const files = new TaskFiles(place, holdFolder(place.root));
    if (isNew) {
      files.#give(place.root);
      files.#makeResults();
    }
    return files;
  }

  /** Moves a folder in and returns its new path. Repeated calls with one folder return the same. */
  async folder(path: string): Promise<string> {
    const known = this.#placed.find(({ from }) => from === path);
    if (known !== undefined) return known.to;
    const { to, held } = this.#next();
    useOnce(path);
    await move(path, held);
    this.#placed.push({ from: path, to, held, kind: 'folder' });
    return to;
  }

  /** Lends a folder for the results of a run, which `takeBack` moves into the folder `path`, and returns its path. */
  outputs(path: string): string {
    const to = join(this.place.root, RESULTS);
    this.#placed.push({ from: path, to, held: join(this.#held, RESULTS), kind: 'lent' });
    return to;
  }

  /** Returns a path in the folder by which an existing file can be read; a missing file keeps its path. */
  async input(path: string): Promise<string> {
    const inside = this.#inFolder(path);
    if (inside !== undefined) return inside;
    const known = this.#placed.find(({ from }) => from === path);
    if (known !== undefined) return known.to;
    const { to, held } = this.#next();
    try {
      const real = realpathSync.native(path);
      if (real.startsWith(this.place.temporary + sep)) await linkOrCopy(real, held);
      else await copy(real, held);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return path;
      throw error;
    }
    this.#placed.push({ from: path, to, held, kind: 'input' });
    return to;
  }

  /** Returns a path in the folder for a new file, which `takeBack` moves to `path`. */
  target(path: string): string {
    const inside = this.#inFolder(path);
    if (inside !== undefined) return inside;
    const { to, held } = this.#next();
    this.#placed.push({ from: path, to, held, kind: 'target' });
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

  /** Gives the worker what was placed. */
  admit(): void {
    const { uid } = this.place;
    if (uid === undefined) return;
    for (const { held, kind } of this.#placed) {
      if (kind === 'folder') giveTo(held, uid);
      else if (kind === 'input') chownUnless(held, uid);
    }
  }

  /** Gives the worker files that the server wrote since. */
  admitNew(): void {
    if (this.place.uid !== undefined) giveTo(this.place.root, this.place.uid);
  }

  /** Returns a JSON value with the original paths in place of those in the worker's folder. */
  original<T>(value: T): T {
    if (typeof value === 'string') {
      const found = this.#placed.find(({ to }) => value === to || value.startsWith(to + sep));
      return (found === undefined ? value : found.from + value.slice(found.to.length)) as T;
    }
    if (Array.isArray(value)) return value.map((item: unknown) => this.original(item)) as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.original(member)])) as T;
  }

  /**
   * Returns where `takeBack` puts the files that the worker reports as its results. Throws CONTRACT_BROKEN for anything
   * but a file in the worker's folder: a worker that was taken over could name, or link to, any file of the server.
   */
  results(paths: readonly string[]): readonly string[] {
    const lent = this.#placed.find(({ kind }) => kind === 'lent');
    const moved = lent !== undefined && paths.length > FEW ? newResultPath(lent.from) : undefined;
    const places = new Map<string, string>();
    const placeOf = (path: string): string => {
      if (lent === undefined || normalize(path) !== path || !path.startsWith(lent.to + sep)) return this.#ownFile(path);
      const name = path.slice(lent.to.length + 1);
      // Links are refused, or removed, when its files are returned.
      if (moved === undefined) return placedIn(places, name, lent.from);
      if (!isFile(join(lent.held, name))) throw notOwn();
      return join(moved, name);
    };
    const found = paths.map(placeOf);
    this.#results = places;
    this.#moved = moved;
    return found;
  }

  /** Moves folders, results and targets to their places and removes everything else. */
  async takeBack(): Promise<void> {
    const { root, spares } = this.place;
    try {
      for (const { from, held, kind } of this.#placed) {
        if (kind === 'lent') await this.#returnResults(held);
        else if (kind === 'folder' || (kind === 'target' && isFile(held))) await move(held, from);
      }
      emptyFolder(this.#held, RESULTS);
    } finally {
      closeSync(this.descriptor);
    }
    // Not waited for: the next task has another folder, and all are removed with the worker's own.
    void spares.put(root).catch(() => undefined);
  }

  /** Moves the reported files of the lent folder to the run, one by one or with the folder. */
  async #returnResults(held: string): Promise<void> {
    if (this.#moved === undefined) return returnFiles(held, this.#results);
    await move(held, this.#moved);
    removeLinks(this.#moved);
    this.#makeResults();
  }

  #makeResults(): void {
    const held = join(this.#held, RESULTS);
    mkdirSync(held, { mode: 0o700 });
    this.#give(held);
  }

  #give(path: string): void {
    const { uid } = this.place;
    if (uid !== undefined) lchownSync(path, uid, uid);
  }

  /** Returns the original path of a file that was placed, or is in a folder that was. */
  #ownFile(path: string): string {
    if (!this.#isOwn(path)) throw notOwn();
    return this.original(path);
  }

  #isOwn(path: string): boolean {
    const { root } = this.place;
    if (normalize(path) !== path) return false;
    const real = unlessMissing(() => realpathSync.native(path));
    const realRoot = realpathSync.native(root);
    return real?.startsWith(realRoot + sep) === true && real === realRoot + path.slice(root.length) && isFile(real);
  }

  /** The path of a file in a folder that was placed. */
  #inFolder(path: string): string | undefined {
    const folder = this.#placed.find(({ from, kind }) => kind === 'folder' && path.startsWith(from + sep));
    return folder === undefined ? undefined : folder.to + path.slice(folder.from.length);
  }

  #next(): Pick<Placed, 'to' | 'held'> {
    const name = String(this.#count++);
    return { to: join(this.place.root, name), held: join(this.#held, name) };
  }
}

const notOwn = (): DefectError =>
  new DefectError('CONTRACT_BROKEN', { detail: 'a worker named a result outside its own folder' });

/** A file that is reported twice has one place. */
function placedIn(places: Map<string, string>, name: string, folder: string): string {
  const place = places.get(name) ?? newResultPath(folder);
  places.set(name, place);
  return place;
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
