import { randomUUID } from 'node:crypto';
import { InputError } from '@quire/registry';
import { isDuplicateRecord } from '../store/index.js';
import type { FolderRecord } from './model.js';
import type { StorageRecords } from './storage-records.js';

/** Folders of one user, and levels below the root, at most (`docs/interface/storage.yml`, folders). */
export const folderLimits = { count: 5000, depth: 64 } as const;

/** A folder that is to be made. Names are trimmed and not blank; ids are UUIDs in small letters. */
export interface NewFolder {
  readonly id?: string | undefined;
  readonly name: string;
  readonly parentFolderId: string | null;
  readonly color: string | null;
  readonly icon: string | null;
}

/** What changes in a folder; what is undefined stays. */
export interface FolderChange {
  readonly name?: string | undefined;
  /** The new parent, null for the root. */
  readonly parentFolderId?: string | null | undefined;
  readonly color?: string | null | undefined;
  readonly icon?: string | null | undefined;
}

/** What folders stand on. */
export interface FoldersDeps {
  readonly records: StorageRecords;
  now(): number;
  /** Does work on one user's tree while nobody else does, on any server. */
  alone<T>(ownerId: string, work: () => Promise<T>): Promise<T>;
}

/**
 * The tree of folders of each user. It has no ring and is never too deep: every change of its shape is checked and made
 * while no other is.
 */
export class Folders {
  constructor(private readonly deps: FoldersDeps) {}

  /** All folders of a user by name. */
  async list(ownerId: string): Promise<FolderRecord[]> {
    return (await this.deps.records.folders.find({ ownerId })).sort(
      (a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1),
    );
  }

  /**
   * Makes a folder; gives the one that is there when its id was sent before by the same user. Throws INPUT_INVALID and
   * STORAGE_CONFLICT.
   */
  create(ownerId: string, { id = randomUUID(), name, parentFolderId, color, icon }: NewFolder): Promise<FolderRecord> {
    const {
      records: { folders },
      now,
    } = this.deps;
    return this.deps.alone(ownerId, async () => {
      const present = await folders.get(id);
      if (present !== undefined) return mine(ownerId, present);
      const tree = await this.#tree(ownerId);
      if (parentFolderId === id) throw wrong('parentFolderId', 'names the folder itself');
      if (tree.size >= folderLimits.count)
        throw new InputError('STORAGE_CONFLICT', {
          detail: `There are ${folderLimits.count} folders already, which is the most`,
        });
      checkDepth(depthOf(tree, parentFolderId), 1);
      const at = now();
      return folders
        .insert({ id, ownerId, name, parentFolderId, color, icon, version: 1, createdAt: at, updatedAt: at })
        .catch(async (error: unknown) => {
          const other = isDuplicateRecord(error) ? await folders.get(id) : undefined;
          if (other === undefined) throw error;
          return mine(ownerId, other);
        });
    });
  }

  /** Changes a folder of the user. Throws NOT_FOUND and INPUT_INVALID. */
  change(ownerId: string, id: string, change: FolderChange): Promise<FolderRecord> {
    const {
      records: { folders },
      now,
    } = this.deps;
    return this.deps.alone(ownerId, async () => {
      const tree = await this.#tree(ownerId);
      if (!tree.has(id)) throw new InputError('NOT_FOUND');
      const { parentFolderId } = change;
      if (parentFolderId === id) throw wrong('parentFolderId', 'names the folder itself');
      if (parentFolderId !== undefined) {
        const below = subtreeOf(tree, id);
        if (parentFolderId !== null && below.ids.includes(parentFolderId))
          throw wrong('parentFolderId', 'lies in the folder that is moved');
        checkDepth(depthOf(tree, parentFolderId), below.height);
      }
      const { name, color, icon } = change;
      const set = {
        ...(name === undefined ? {} : { name }),
        ...(parentFolderId === undefined ? {} : { parentFolderId }),
        ...(color === undefined ? {} : { color }),
        ...(icon === undefined ? {} : { icon }),
        updatedAt: now(),
      };
      const changed = await folders.update(id, { set, inc: { version: 1 } }, { ownerId });
      if (changed === undefined) throw new InputError('NOT_FOUND');
      return changed;
    });
  }

  /**
   * Deletes a folder with those in it, and puts their files at the root. Gives the ids of all that went. Throws
   * NOT_FOUND.
   */
  remove(ownerId: string, id: string): Promise<string[]> {
    const { records } = this.deps;
    return this.deps.alone(ownerId, async () => {
      const tree = await this.#tree(ownerId);
      if (!tree.has(id)) throw new InputError('NOT_FOUND');
      const { ids } = subtreeOf(tree, id);
      // The deepest first: what a crash leaves is a smaller tree.
      for (const one of ids.toReversed()) {
        await records.folders.delete(one, { ownerId });
        for (const file of await records.files.find({ ownerId, folderId: one }))
          await records.files.update(file.id, { set: { folderId: null } }, { folderId: one });
      }
      return ids;
    });
  }

  async #tree(ownerId: string): Promise<Tree> {
    return new Map(
      (await this.deps.records.folders.find({ ownerId })).map(({ id, parentFolderId }) => [id, parentFolderId]),
    );
  }
}

/** Parents by id. */
type Tree = ReadonlyMap<string, string | null>;

function mine(ownerId: string, folder: FolderRecord): FolderRecord {
  if (folder.ownerId !== ownerId) throw new InputError('STORAGE_CONFLICT', { detail: 'The id of the folder is taken' });
  return folder;
}

/** Levels from the root to this folder; 0 for the root. Throws INPUT_INVALID for a folder that is not in the tree. */
function depthOf(tree: Tree, folderId: string | null): number {
  let depth = 0;
  for (let at = folderId; at !== null; depth += 1) {
    const above = tree.get(at);
    if (above === undefined && depth === 0) throw wrong('parentFolderId', 'names no folder of the caller');
    // A damaged tree is no reason to walk for ever, nor to give up.
    if (above === undefined || depth > folderLimits.depth) break;
    at = above;
  }
  return depth;
}

/** A folder and all below it, parents before children, and how many levels they are. */
function subtreeOf(tree: Tree, id: string): { readonly ids: string[]; readonly height: number } {
  const children = new Map<string, string[]>();
  for (const [child, parent] of tree) {
    if (parent === null) continue;
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [child]);
    else known.push(child);
  }
  const found = new Set([id]);
  let height = 0;
  for (let level = [id]; level.length > 0; height += 1) {
    level = level.flatMap((one) => children.get(one) ?? []).filter((one) => !found.has(one));
    for (const one of level) found.add(one);
  }
  return { ids: [...found], height };
}

function checkDepth(above: number, levels: number): void {
  if (above + levels > folderLimits.depth)
    throw wrong(
      'parentFolderId',
      `would lead to ${above + levels} levels of folders; the most is ${folderLimits.depth}`,
    );
}

function wrong(field: string, detail: string): InputError {
  return new InputError('INPUT_INVALID', { detail: `"${field}" ${detail}` }, [{ pointer: `/${field}`, detail }]);
}
