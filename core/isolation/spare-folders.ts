import { mkdirSync, renameSync } from 'node:fs';
import { mkdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

/**
 * Empty folders that are used again. Making one takes ext4 up to a millisecond, because it looks for a group of blocks
 * with room; giving one another name takes microseconds. A folder never keeps its name, so that late writes to the old
 * one fail.
 */
export class SpareFolders {
  readonly #spare: string[] = [];
  #count = 0;

  /** `root`: folder on the same volume, in which at most `most` spare folders are kept; `prefix`: of their names. */
  constructor(
    private readonly root: string,
    private readonly prefix: string,
    private readonly most: number,
  ) {}

  /** Creates a folder, with what a kept one has in it. Returns true if it is new, and empty. */
  make(path: string): boolean {
    const spare = this.#spare.pop();
    if (spare !== undefined && renamed(spare, path)) return false;
    mkdirSync(path, { mode: 0o700 });
    return true;
  }

  /** Keeps a folder for `make`, or removes it if it is empty. */
  async put(path: string): Promise<void> {
    const spare = join(this.root, `${this.prefix}-${this.#count++}`);
    if (this.#spare.length < this.most && renamed(path, spare)) this.#spare.push(spare);
    else await rmdir(path);
  }
}

function renamed(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

/** The most that many calls at once leave; a spare folder takes 4 KB. */
const MOST_SPARE = 256;
const spares = new Map<string, SpareFolders>();
/** Folders of runs that no confined process has had: one that had a folder may hold it open. */
const unseen = new Map<string, SpareFolders>();

const folderOfSpares = (root: string): string => join(dirname(root), 'spare');

/** Keeps folders of runs for further ones. `root`: the folder in which `makeFolder` makes the folder of each run. */
export async function keepSpareFolders(root: string): Promise<void> {
  const folder = folderOfSpares(root);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  spares.set(root, new SpareFolders(folder, 'run', MOST_SPARE));
}

/** Removes them. */
export async function removeSpareFolders(root: string): Promise<void> {
  if (spares.delete(root)) await rm(folderOfSpares(root), { recursive: true, force: true });
}

/** Creates the folder of a run, or one in it. */
export function makeFolder(path: string): void {
  const parent = dirname(path);
  const kept = spares.get(parent) ?? unseen.get(parent);
  if (kept === undefined) {
    mkdirSync(path, { mode: 0o700 });
    return;
  }
  kept.make(path);
  unseen.set(path, kept);
}

/** Removes an empty folder that `makeFolder` may have made. */
export async function dropFolder(path: string): Promise<void> {
  const kept = unseen.get(path);
  unseen.delete(path);
  await (kept === undefined ? rmdir(path) : kept.put(path));
}

/** Notes that a folder, with those in it, must not be used again: a confined process has had it, or it is gone. */
export function useOnce(path: string): void {
  unseen.delete(path);
  for (const other of unseen.keys()) if (other.startsWith(path + sep)) unseen.delete(other);
}
