import { closeSync, readdirSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { heldPath, holdFolder, removeTree, renameFile } from './place-files.js';

/** More files than these are moved with their folder. */
export const FEW = 16;

/** Name of the first folder that a run makes among its results; it is kept for the next run of the same worker. */
const firstFolder = 'folder0';

let count = 0;

/** Returns a path in the folder of a run that nothing has: operations name their files in another way. */
export function newResultPath(folder: string): string {
  return join(folder, `result-${count++}`);
}

/**
 * Moves files out of a worker's folder and empties it. `places`: where each goes, by its path in the folder. Throws if
 * one of them is not a file, or in a folder that is a link: the worker may put links there.
 */
export function returnFiles(from: string, places: ReadonlyMap<string, string>): void {
  const open: number[] = [];
  const held = new Map<string, string>();
  const hold = (path: string): string => {
    const descriptor = holdFolder(path);
    open.push(descriptor);
    return heldPath(descriptor, path);
  };
  /** Opens a folder inside, one name after the other. */
  const heldFolder = (name: string): string => {
    let path = held.get(name);
    if (path === undefined) {
      path = name === '.' ? hold(from) : hold(join(heldFolder(dirname(name)), basename(name)));
      held.set(name, path);
    }
    return path;
  };
  try {
    for (const [name, to] of places) renameFile(join(heldFolder(dirname(name)), basename(name)), to);
    const outer = heldFolder('.');
    for (const entry of readdirSync(outer, { withFileTypes: true })) {
      if (entry.name !== firstFolder || !entry.isDirectory()) removeTree(join(outer, entry.name));
      else for (const name of readdirSync(heldFolder(firstFolder))) removeTree(heldFolder(firstFolder) + sep + name);
    }
  } finally {
    for (const descriptor of open) closeSync(descriptor);
  }
}
