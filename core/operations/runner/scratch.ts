import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** One private folder on disk that is removed as a whole: a request's, a job's or a run's. */
export class Scratch {
  #count = 0;
  #disposed = false;
  private constructor(readonly root: string) {}

  /** Makes a folder with an unguessable name under `parent`. */
  static async create(parent: string): Promise<Scratch> {
    const root = join(parent, randomUUID());
    await mkdir(root, { recursive: true, mode: 0o700 });
    return new Scratch(root);
  }

  /** A new empty folder inside. */
  async folder(): Promise<string> {
    const path = join(this.root, String(this.#count++));
    await mkdir(path, { mode: 0o700 });
    return path;
  }

  /** A path inside for a new file; the name is ours, never the client's. */
  filePath(): string {
    return join(this.root, `f${this.#count++}`);
  }

  /** Removes everything; safe to call twice. */
  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    await rm(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Removes what a dead process left behind. Called once, before the server listens; the folder belongs to this server
 * alone.
 */
export async function sweepScratch(parent: string): Promise<number> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const left = await readdir(parent);
  await Promise.all(left.map((name) => rm(join(parent, name), { recursive: true, force: true })));
  return left.length;
}
