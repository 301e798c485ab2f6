import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Clock, SharedFile, SharedFiles } from '@quire/registry';
import { DefectError } from '@quire/registry/errors';
import type { Blobs } from './blobs.js';
import { isDuplicateRecord, type Identified, type Records } from './records.js';
import type { Store } from './store.js';

/** Encrypts for one purpose and one context; a seal that was changed or moved does not open. */
export interface Sealer {
  seal(purpose: string, context: string, value: unknown): string;
  open(purpose: string, context: string, sealed: string): unknown;
}

interface FileRecord extends Identified {
  /** The path. */
  readonly id: string;
  readonly folder: string;
  readonly name: string;
  /** The content: a blob that is never changed. */
  readonly blobId: string;
  readonly size: number;
  readonly time: number;
}

const PURPOSE = 'shared-files';
const MAX_BYTES = 16 * 1024 * 1024;
/** A blob that no record names may be of a write that is under way; after this time it cannot, ms. */
const ORPHAN_MS = 3_600_000;

/** The path as it is looked up. */
function keyOf(path: string): string {
  const end = path.lastIndexOf('/');
  return path.slice(0, end).toLowerCase() + path.slice(end);
}

/** Keeps shared files as a record each, which names a sealed blob: a change is one write of the record. */
export class StoredFiles implements SharedFiles {
  readonly #records: Records<FileRecord>;
  readonly #blobs: Blobs;

  constructor(
    store: Pick<Store, 'records' | 'blobs'>,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
    readonly shared: boolean,
  ) {
    this.#records = store.records<FileRecord>('shared_files', { keys: ['folder'] });
    this.#blobs = store.blobs.area('shared');
  }

  async list(folder: string): Promise<readonly SharedFile[]> {
    const found = await this.#records.find(
      { folder: folder.toLowerCase() },
      { sort: [{ field: 'id', order: 'ascending' }] },
    );
    return found.map(({ name, size, time }) => ({ name, size, time }));
  }

  async read(given: string): Promise<Uint8Array | undefined> {
    const path = keyOf(given);
    // It may be replaced between the two questions, and then its old content is gone.
    for (let attempt = 1; ; attempt++) {
      const record = await this.#records.get(path);
      if (record === undefined) return undefined;
      const blob = await this.#blobs.get(record.blobId);
      if (blob !== undefined)
        return Buffer.from(
          this.sealer.open(PURPOSE, path, (await buffer(blob.stream)).toString('latin1')) as string,
          'base64',
        );
      if (attempt === 3) return undefined;
    }
  }

  async write(given: string, bytes: Uint8Array): Promise<void> {
    const path = keyOf(given);
    const record = await this.#keep(path, bytes);
    const before = await this.#records.get(path);
    await this.#records.put(record);
    if (before !== undefined) await this.#drop(before.blobId);
  }

  async create(given: string, bytes: Uint8Array): Promise<boolean> {
    const path = keyOf(given);
    if ((await this.#records.get(path)) !== undefined) return false;
    const record = await this.#keep(path, bytes);
    try {
      await this.#records.insert(record);
      return true;
    } catch (error) {
      await this.#drop(record.blobId);
      if (isDuplicateRecord(error)) return false;
      throw error;
    }
  }

  async remove(given: string): Promise<boolean> {
    const path = keyOf(given);
    const record = await this.#records.get(path);
    if (record === undefined || !(await this.#records.delete(path))) return false;
    await this.#drop(record.blobId);
    return true;
  }

  /** Deletes content that no file has any more. */
  async sweep(): Promise<void> {
    const before = this.clock.now().getTime() - ORPHAN_MS;
    await this.#blobs.sweepUnfinished(ORPHAN_MS);
    const old: string[] = [];
    for await (const { id, modifiedAt } of this.#blobs.list()) if (modifiedAt.getTime() < before) old.push(id);
    if (old.length === 0) return;
    const named = new Set((await this.#records.find()).map(({ blobId }) => blobId));
    for (const id of old) if (!named.has(id)) await this.#drop(id);
  }

  async #keep(path: string, bytes: Uint8Array): Promise<FileRecord> {
    const parts = path.split('/');
    if (
      bytes.length > MAX_BYTES ||
      parts.length < 2 ||
      parts.some((part) => part === '' || part === '.' || part === '..')
    )
      throw new DefectError('CONTRACT_BROKEN', {
        detail: `a shared file has a path below the base folder and at most ${MAX_BYTES} bytes`,
      });
    const { id: blobId } = await this.#blobs.put(
      Readable.from([Buffer.from(this.sealer.seal(PURPOSE, path, Buffer.from(bytes).toString('base64')), 'latin1')]),
    );
    return {
      id: path,
      folder: parts.slice(0, -1).join('/'),
      name: parts.at(-1) ?? '',
      blobId,
      size: bytes.length,
      time: this.clock.now().getTime(),
    };
  }

  /** Files that cannot be deleted now are deleted later. */
  async #drop(blobId: string): Promise<void> {
    await this.#blobs.delete(blobId).catch(() => undefined);
  }
}
