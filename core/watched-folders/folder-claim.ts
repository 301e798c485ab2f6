import { createHash, randomUUID } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDuplicateRecord, type Records, type Store } from '../store/index.js';
import type { FolderClaim } from './folder-run-deps.js';
import { ownFolder } from './moves.js';

/** Which node works on a watched folder. */
interface FolderClaimRecord {
  /** Digest of the folder's id and path. */
  readonly id: string;
  /** Id of the node. */
  readonly node: string;
  /** Random; another one when another process has taken the folder. */
  readonly claim: string;
}

export interface FolderClaimsDeps {
  readonly store: Pick<Store, 'records'>;
  /** Id of this node; it may change while the server starts. */
  node(): string;
  /** Ids of the nodes that are running. */
  living(): Promise<ReadonlySet<string>>;
}

/**
 * The claims of nodes on folders, as records of the store. A claim does not expire: it counts while its node sends
 * heartbeats, and every change of it is a conditional update.
 */
export class FolderClaims {
  readonly #records: Records<FolderClaimRecord>;

  constructor(private readonly deps: FolderClaimsDeps) {
    this.#records = deps.store.records<FolderClaimRecord>('folder_claims');
  }

  /** Claims a folder; undefined while another node has it. Rejects with STORE_DOWN. */
  async take(folder: string): Promise<FolderClaim | undefined> {
    const id = createHash('sha256').update(folder).digest('hex');
    const node = this.deps.node();
    const claim = randomUUID();
    const known = await this.#records.get(id);
    if (known === undefined) {
      try {
        await this.#records.insert({ id, node, claim });
      } catch (error) {
        if (isDuplicateRecord(error)) return undefined;
        throw error;
      }
    } else {
      // A claim of this node was left by its last process.
      if (known.node !== node && (await this.deps.living()).has(known.node)) return undefined;
      if ((await this.#records.update(id, { set: { node, claim } }, { claim: known.claim })) === undefined)
        return undefined;
    }
    return {
      isHeld: async () => (await this.#records.get(id))?.claim === claim,
      release: async () => void (await this.#records.delete(id, { claim }).catch(() => undefined)),
    };
  }

  /** Removes the claims of nodes that are gone, also of folders that nobody watches any more. */
  async sweep(): Promise<void> {
    const claims = await this.#records.find();
    const living = claims.length === 0 ? new Set<string>() : await this.deps.living();
    for (const { id, node, claim } of claims) if (!living.has(node)) await this.#records.delete(id, { claim });
  }
}

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

/** The claim of this process on a watched folder. Without `claim` there is no other node, so it is always held. */
export class HeldFolder {
  #held: FolderClaim | undefined;

  /** `fromRoot`: the path relative to the watched root. */
  constructor(
    private readonly path: string,
    private readonly fromRoot: string,
    private readonly claim: ((key: string) => Promise<FolderClaim | undefined>) | undefined,
  ) {}

  /** Resolves to true if this node has the folder, or could claim it. */
  async take(): Promise<boolean> {
    if (this.claim === undefined) return true;
    if (await this.#held?.isHeld().catch(() => false)) return true;
    await this.release();
    this.#held = await this.claim(`${await folderId(await ownFolder(join(this.path, 'processing')))} ${this.fromRoot}`);
    return this.#held !== undefined;
  }

  /** Resolves to false when another node may have taken the folder. */
  async isHeld(): Promise<boolean> {
    return this.claim === undefined || (await this.#held?.isHeld().catch(() => false)) === true;
  }

  async release(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    await held?.release();
  }
}
