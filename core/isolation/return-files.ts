import { closeSync, readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { heldPath, holdFolder, removeTree, renameFile } from './place-files.js';
import { makeFolder } from './spare-folders.js';

/** More files than these are moved with their folder. */
const FEW = 16;

/** Name of the first folder that a run makes among its results; it is kept for the next run of the same worker. */
const firstFolder = 'folder0';

/** A folder of a worker; `held`: a path by which no link can lead elsewhere, while `descriptor` is open. */
interface Held {
  readonly name: string;
  readonly descriptor: number;
  readonly held: string;
  readonly entries: readonly Dirent[];
}

/**
 * Moves files from a worker's folder, and from folders in it, to a folder of the run, and empties it. Does nothing and
 * returns false if there are many, or deeper folders. Throws if there is a link: the worker may put some there.
 */
export function returnFew(from: string, to: string): boolean {
  const open: Held[] = [];
  const hold = (path: string, name: string): Held => {
    const descriptor = holdFolder(path);
    const held = heldPath(descriptor, path);
    const folder = { name, descriptor, held, entries: [] };
    open.push(folder);
    return { ...folder, entries: readdirSync(held, { withFileTypes: true }) };
  };
  try {
    const outer = hold(from, '');
    const inner = outer.entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => hold(join(outer.held, name), name));
    const files = [outer, ...inner].reduce((sum, { entries }) => sum + entries.length, 0) - inner.length;
    if (files > FEW || inner.some(({ entries }) => entries.some((entry) => entry.isDirectory()))) return false;
    for (const entry of outer.entries)
      if (!entry.isDirectory()) renameFile(join(outer.held, entry.name), join(to, entry.name));
    for (const { name, held, entries } of inner) {
      makeFolder(join(to, name));
      for (const entry of entries) renameFile(join(held, entry.name), join(to, name, entry.name));
      if (name !== firstFolder) removeTree(join(outer.held, name));
    }
    return true;
  } finally {
    for (const { descriptor } of open) closeSync(descriptor);
  }
}
