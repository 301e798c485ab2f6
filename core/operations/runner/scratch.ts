import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { keepSpareFolders, makeFolder, removeSpareFolders } from '../../isolation/index.js';
import { removeFolder } from './remove-folder.js';

/** A private folder on disk that is removed as a whole, for a request, a job or a run. */
export class Scratch {
  #count = 0;
  #disposed = false;
  private constructor(readonly root: string) {}

  /** Creates a folder with a random name in `parent`. */
  static async create(parent: string): Promise<Scratch> {
    const root = join(parent, randomUUID());
    try {
      makeFolder(root);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await mkdir(parent, { recursive: true, mode: 0o700 });
      makeFolder(root);
    }
    return new Scratch(root);
  }

  /** Creates a new empty folder inside. */
  async folder(): Promise<string> {
    const path = join(this.root, String(this.#count++));
    makeFolder(path);
    return path;
  }

  /** Returns a path inside for a new file; the name is generated, never the client's. */
  filePath(): string {
    return join(this.root, `f${this.#count++}`);
  }

  /** Removes the folder; safe to call twice. */
  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    await removeFolder(this.root);
  }
}

/**
 * Removes the folders of a server process that died, and keeps folders for further runs from now on. Called once before
 * the server listens; no other server uses this folder.
 */
export async function sweepScratch(parent: string): Promise<number> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const left = await readdir(parent);
  await Promise.all(left.map((name) => rm(join(parent, name), { recursive: true, force: true })));
  await keepSpareFolders(parent);
  return left.length;
}

/** Removes all folders when the server stops. */
export async function removeScratch(parent: string): Promise<void> {
  await Promise.all([rm(parent, { recursive: true, force: true }), removeSpareFolders(parent)]);
}
