import { randomUUID } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderLease } from './folder-run-deps.js';
import { ownFolder } from './moves.js';

const ID_FILE = '.quire-folder';

/**
 * Returns the id of a watched folder, the same for every server that sees it under any path. The id is created once and
 * stored in `processing/`.
 */
async function folderId(processing: string): Promise<string> {
  const path = join(processing, ID_FILE);
  const known = await readFile(path, 'utf8').catch(() => '');
  if (known.trim() !== '') return known.trim();
  const id = randomUUID();
  const mine = join(processing, `${ID_FILE}-${id}`);
  await writeFile(mine, `${id}\n`, { flag: 'wx', mode: 0o600 });
  try {
    // The first server that links its file sets the id; a half-written id is never visible.
    await link(mine, path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  } finally {
    await unlink(mine);
  }
  return (await readFile(path, 'utf8')).trim();
}

/** The lease of this process on a watched folder. Without `takeLease` there is no other node, so it is always held. */
export class HeldLease {
  #lease: FolderLease | undefined;

  /** `fromRoot`: the path relative to the watched root. */
  constructor(
    private readonly path: string,
    private readonly fromRoot: string,
    private readonly takeLease: ((key: string) => Promise<FolderLease | undefined>) | undefined,
  ) {}

  /** Resolves to true if this node has the lease, or could take it. */
  async take(): Promise<boolean> {
    if (this.takeLease === undefined) return true;
    if (this.#lease !== undefined && (await this.#lease.renew().catch(() => false))) return true;
    // Release a lost lease as well, or its timer would keep running.
    await this.release();
    this.#lease = await this.takeLease(
      `${await folderId(await ownFolder(join(this.path, 'processing')))} ${this.fromRoot}`,
    );
    return this.#lease !== undefined;
  }

  /** Renews the lease; resolves to false when another node may have taken it. */
  async isHeld(): Promise<boolean> {
    return this.takeLease === undefined || (await this.#lease?.renew().catch(() => false)) === true;
  }

  async release(): Promise<void> {
    const lease = this.#lease;
    this.#lease = undefined;
    await lease?.release();
  }
}
