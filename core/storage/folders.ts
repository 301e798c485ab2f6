import { randomUUID } from 'node:crypto';
import { InputError } from '@quire/registry';
import { isDuplicateRecord } from '../store/index.js';
import type { FolderRecord } from './model.js';
import type { StorageRecords } from './storage-records.js';

/** Most folders of one user, and most levels below the root (`docs/interface/storage.yml`, folders). */
export const folderLimits = { count: 5000, depth: 64 } as const;

/** A folder to create. The name is trimmed and not blank; ids are UUIDs in lower case. */
export interface NewFolder {
  readonly id?: string | undefined;
  readonly name: string;
  readonly parentFolderId: string | null;
  readonly color: string | null;
  readonly icon: string | null;
}

/** Changes of a folder; undefined members stay as they are. */
export interface FolderChange {
  readonly name?: string | undefined;
  /** The new parent, null for the root. */
  readonly parentFolderId?: string | null | undefined;
  readonly color?: string | null | undefined;
  readonly icon?: string | null | undefined;
}

export interface FoldersDeps {
  readonly records: StorageRecords;
  now(): number;
  /** Runs work on one user's tree while no other work on it runs, on any server. */
  alone<T>(ownerId: string, work: () => Promise<T>): Promise<T>;
}

/** Told about folders by the server that changes them. */
export interface FolderListener {
  /** A folder has another name. Never rejects. */
  renamed(folder: FolderRecord): Promise<void>;
  /** These folders are about to be deleted; they stay if it rejects. */
  removing(ownerId: string, ids: readonly string[]): Promise<void>;
}

/**
 * The folder tree of each user. It never has a cycle and is never too deep: every change of its shape is checked and
 * made exclusively.
 */
export class Folders {
  readonly #listeners: FolderListener[] = [];

  constructor(private readonly deps: FoldersDeps) {}

  listen(listener: FolderListener): void {
    this.#listeners.push(listener);
  }

  /** Returns a folder of the user. Throws NOT_FOUND. */
  async own(ownerId: string, id: string): Promise<FolderRecord> {
    const folder = await this.deps.records.folders.get(id);
    if (folder?.ownerId !== ownerId) throw new InputError('NOT_FOUND');
    return folder;
  }

  /** Returns all folders of a user, by name. */
  async list(ownerId: string): Promise<FolderRecord[]> {
    return (await this.deps.records.folders.find({ ownerId })).sort(
      (a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1),
    );
  }

  /**
   * Creates a folder; returns the existing one if the same user has created one with this id before. Throws
   * INPUT_INVALID and STORAGE_CONFLICT.
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
      if (parentFolderId === id) throw wrong('parentFolderId', 'is the id of the folder itself');
      if (tree.size >= folderLimits.count)
        throw new InputError('STORAGE_CONFLICT', {
          detail: `You already have ${folderLimits.count} folders, which is the maximum`,
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
      if (parentFolderId === id) throw wrong('parentFolderId', 'is the id of the folder itself');
      if (parentFolderId !== undefined) {
        const below = subtreeOf(tree, id);
        if (parentFolderId !== null && below.ids.includes(parentFolderId))
          throw wrong('parentFolderId', 'is inside the folder to move');
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
      if (name !== undefined) for (const listener of this.#listeners) await listener.renamed(changed);
      return changed;
    });
  }

  /**
   * Deletes a folder and its subfolders, and moves their files to the root. Returns the ids of all deleted folders.
   * Throws NOT_FOUND.
   */
  remove(ownerId: string, id: string): Promise<string[]> {
    const { records } = this.deps;
    return this.deps.alone(ownerId, async () => {
      const tree = await this.#tree(ownerId);
      if (!tree.has(id)) throw new InputError('NOT_FOUND');
      const { ids } = subtreeOf(tree, id);
      for (const listener of this.#listeners) await listener.removing(ownerId, ids);
      // The deepest first, so that a crash leaves a smaller but valid tree.
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

/** Folder id to parent id. */
type Tree = ReadonlyMap<string, string | null>;

function mine(ownerId: string, folder: FolderRecord): FolderRecord {
  if (folder.ownerId !== ownerId)
    throw new InputError('STORAGE_CONFLICT', { detail: 'The id of the folder is already in use' });
  return folder;
}

/** Returns the level of a folder; 0 for the root. Throws INPUT_INVALID for a folder that is not in the tree. */
function depthOf(tree: Tree, folderId: string | null): number {
  let depth = 0;
  for (let at = folderId; at !== null; depth += 1) {
    const above = tree.get(at);
    if (above === undefined && depth === 0) throw wrong('parentFolderId', 'is not the id of a folder of the caller');
    // Stop at a missing parent or a cycle of a damaged tree, instead of failing or looping for ever.
    if (above === undefined || depth > folderLimits.depth) break;
    at = above;
  }
  return depth;
}

/** Returns a folder and all below it, parents before children, and their number of levels. */
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
      `would create ${above + levels} levels of folders; at most ${folderLimits.depth} are allowed`,
    );
}

function wrong(field: string, detail: string): InputError {
  return new InputError('INPUT_INVALID', { detail: `"${field}" ${detail}` }, [{ pointer: `/${field}`, detail }]);
}
