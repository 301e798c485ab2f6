import { createHash } from 'node:crypto';

/** A watched folder, the same on every node whose settings name the same roots in the same order. */
export interface FolderPlace {
  /** Index of its root in the settings. */
  readonly root: number;
  /** Path relative to the root. */
  readonly path: string;
}

/** What ids of watched folders look like. */
export const folderIdPattern = /^[0-9a-f]{24}$/;

/** Returns the id of a watched folder in addresses and in the store. */
export function folderIdOf({ root, path }: FolderPlace): string {
  return createHash('sha256').update(`${root} ${path}`).digest('hex').slice(0, 24);
}
