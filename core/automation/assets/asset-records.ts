import type { ConcreteKind } from '@quire/registry';
import { openSealedFile, sealedFile } from '../../secrets/index.js';
import type { Blobs, Records, Store } from '../../store/index.js';
import type { Owned } from '../team-records.js';

/** A stored file that steps receive beside the file they work on. Times are milliseconds since 1970. */
export interface Asset extends Owned {
  /** Also the id of its content: 32 hexadecimal digits. */
  readonly id: string;
  readonly fileName: string;
  readonly kind: ConcreteKind;
  readonly contentType: string | null;
  /** In bytes. */
  readonly size: number;
  /** Of its content, by which an import finds it. */
  readonly sha256: string;
  readonly createdAt: number;
  /** Since when nothing has referred to it that did before; null otherwise. */
  readonly releasedAt: number | null;
}

/** Content without a record is of an upload that was interrupted, once it is older than this. */
const ORPHAN_MS = 3_600_000;

/** The stored assets. Contents are sealed, because certificates are among them. */
export class AssetRecords {
  readonly #records: Records<Asset>;
  readonly #contents: Blobs;

  constructor(
    store: Pick<Store, 'records' | 'blobs'>,
    private readonly secretKey: Buffer,
  ) {
    this.#records = store.records<Asset>('automation_assets', { keys: ['teamId', 'ownerId'] });
    this.#contents = store.blobs.area('assets');
  }

  /** The oldest first. */
  all(): Promise<readonly Asset[]> {
    return this.#records.find({}, { sort: [{ field: 'createdAt', order: 'ascending' }] });
  }

  get(id: string): Promise<Asset | undefined> {
    return this.#records.get(id);
  }

  /** Stores the file at this path, whole or not at all. */
  async add(asset: Asset, path: string): Promise<void> {
    await this.#contents.put(sealedFile(this.secretKey, asset.id, path), asset.id);
    try {
      await this.#records.insert(asset);
    } catch (error) {
      await this.#contents.delete(asset.id).catch(() => undefined);
      throw error;
    }
  }

  /** Writes the content to a new path; false when it was removed. */
  async copyTo(id: string, path: string): Promise<boolean> {
    const content = await this.#contents.get(id);
    if (content === undefined) return false;
    await openSealedFile(this.secretKey, id, content.stream, path);
    return true;
  }

  async setReleased(id: string, releasedAt: number | null): Promise<void> {
    await this.#records.update(id, { set: { releasedAt } });
  }

  /** Content that cannot be deleted now is deleted by a sweep. */
  async remove(id: string): Promise<void> {
    await this.#records.delete(id);
    await this.#contents.delete(id).catch(() => undefined);
  }

  /** Deletes content that no record names. */
  async sweepContents(now: number): Promise<void> {
    await this.#contents.sweepUnfinished(ORPHAN_MS);
    for await (const { id, modifiedAt } of this.#contents.list())
      if (modifiedAt.getTime() < now - ORPHAN_MS && (await this.#records.get(id)) === undefined)
        await this.#contents.delete(id);
  }
}
