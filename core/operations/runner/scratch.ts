import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from './remove-folder.js';

/** A private folder on disk that is removed as a whole, for a request, a job or a run. */
export class Scratch {
  #count = 0;
  #disposed = false;
  private constructor(readonly root: string) {}

  /** Creates a folder with a random name in `parent`. */
  static async create(parent: string): Promise<Scratch> {
    const root = join(parent, randomUUID());
    mkdirSync(root, { recursive: true, mode: 0o700 });
    return new Scratch(root);
  }

  /** Creates a new empty folder inside. */
  async folder(): Promise<string> {
    const path = join(this.root, String(this.#count++));
    mkdirSync(path, { mode: 0o700 });
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
 * Removes the folders of a server process that died. Called once before the server listens; no other server uses this
 * folder.
 */
export async function sweepScratch(parent: string): Promise<number> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const left = await readdir(parent);
  await Promise.all(left.map((name) => rm(join(parent, name), { recursive: true, force: true })));
  return left.length;
}
