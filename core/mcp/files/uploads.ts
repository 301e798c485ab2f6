import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { AccessError, InputError } from '@quire/registry';
import type { Blobs, Records, Store } from '../../store/index.js';

/** A file that an agent announced, and its content once it was uploaded. */
interface UploadRecord {
  readonly id: string;
  /** User id, '' while login is off. */
  readonly owner: string;
  readonly state: 'expected' | 'receiving' | 'here';
  readonly name: string;
  readonly size: number;
  readonly mediaType: string | null;
  readonly blobId: string | null;
  readonly expiresAtMs: number;
}

/** An uploaded file as it is opened. */
export interface OpenUpload {
  readonly name: string;
  readonly size: number;
  readonly mediaType?: string;
  readonly stream: Readable;
}

export interface UploadsDeps {
  readonly store: Pick<Store, 'records' | 'blobs'>;
  now(): number;
  /** How long an upload is expected, and a file kept, in milliseconds. */
  readonly keptMs: number;
}

/** Uploads that one owner may have at a time; with login off, all callers are one owner. */
const MAX_UPLOADS = 500;
const PREFIX = 'upload-';
/** Content that no record names was certainly left by a server that died after this time, ms. */
const ORPHAN_MS = 3_600_000;

/** Files that agents upload by one-time addresses. They are kept as long as results of jobs. */
export class Uploads {
  readonly #records: Records<UploadRecord>;
  readonly #blobs: Blobs;

  constructor(private readonly deps: UploadsDeps) {
    this.#records = deps.store.records<UploadRecord>('mcp_uploads', { keys: ['owner', 'expiresAtMs'] });
    this.#blobs = deps.store.blobs.area('mcp');
  }

  /** Announces a file. Throws INPUT_INVALID while the owner has too many. */
  async expect(owner: string, name: string): Promise<{ readonly fileId: string; readonly expiresAtMs: number }> {
    if ((await this.#records.count({ owner })) >= MAX_UPLOADS) await this.sweep();
    if ((await this.#records.count({ owner })) >= MAX_UPLOADS)
      throw new InputError('INPUT_INVALID', {
        detail: `there are ${MAX_UPLOADS} uploads already; the first ones are removed as they expire`,
      });
    const record: UploadRecord = {
      id: `${PREFIX}${randomUUID()}`,
      owner,
      state: 'expected',
      name,
      size: 0,
      mediaType: null,
      blobId: null,
      expiresAtMs: this.deps.now() + this.deps.keptMs,
    };
    await this.#records.insert(record);
    return { fileId: record.id, expiresAtMs: record.expiresAtMs };
  }

  /** Throws LINK_EXPIRED for a file that is not expected any more. */
  async refuseUsed(fileId: string): Promise<void> {
    const record = await this.#records.get(fileId);
    if (record?.state !== 'expected' || record.expiresAtMs <= this.deps.now()) throw new AccessError('LINK_EXPIRED');
  }

  /** Stores the content, once, and returns the name of the file. Throws LINK_EXPIRED for a file that came already. */
  async receive(
    fileId: string,
    file: {
      readonly path: string;
      readonly size: number;
      readonly name: string;
      readonly mediaType: string | undefined;
    },
  ): Promise<{ readonly name: string }> {
    const expected = await this.#records.update(fileId, { set: { state: 'receiving' } }, { state: 'expected' });
    if (expected === undefined) throw new AccessError('LINK_EXPIRED');
    try {
      const { id: blobId } = await this.#blobs.put(file.path);
      const name = expected.name === '' ? file.name : expected.name;
      await this.#records.update(fileId, {
        set: {
          state: 'here',
          blobId,
          size: file.size,
          mediaType: file.mediaType ?? null,
          name,
        },
      });
      return { name };
    } catch (error) {
      await this.#records.update(fileId, { set: { state: 'expected' } }).catch(() => undefined);
      throw error;
    }
  }

  /** Opens a file of this owner; undefined for an unknown, foreign, expired or missing one. */
  async open(fileId: string, owner: string): Promise<OpenUpload | undefined> {
    if (!fileId.startsWith(PREFIX)) return undefined;
    const record = await this.#records.get(fileId);
    const isHis = record?.owner === owner && record.expiresAtMs > this.deps.now();
    if (!isHis || record.blobId === null) return undefined;
    const blob = await this.#blobs.get(record.blobId);
    if (blob === undefined) return undefined;
    const { name, size, mediaType } = record;
    return { name, size, stream: blob.stream, ...(mediaType === null ? {} : { mediaType }) };
  }

  /** Returns whether a file of this owner is announced but not uploaded yet. */
  async isExpected(fileId: string, owner: string): Promise<boolean> {
    if (!fileId.startsWith(PREFIX)) return false;
    const record = await this.#records.get(fileId);
    return record?.owner === owner && record.blobId === null && record.expiresAtMs > this.deps.now();
  }

  /** Removes what has expired, and content that no record names. */
  async sweep(): Promise<void> {
    await this.#blobs.sweepUnfinished(ORPHAN_MS);
    // Listed before the records are read: content that is stored later is younger than any of these.
    const old: string[] = [];
    for await (const { id, modifiedAt } of this.#blobs.list())
      if (modifiedAt.getTime() < Date.now() - ORPHAN_MS) old.push(id);
    for (const { id, blobId } of await this.#records.find({}, { atMost: { expiresAtMs: this.deps.now() } })) {
      await this.#records.delete(id);
      if (blobId !== null) await this.#blobs.delete(blobId);
    }
    if (old.length === 0) return;
    const named = new Set((await this.#records.find()).map(({ blobId }) => blobId));
    for (const id of old) if (!named.has(id)) await this.#blobs.delete(id);
  }
}
