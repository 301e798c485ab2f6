import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '@quire/registry';
import { isDuplicateRecord, type Blobs, type OpenBlob, type Records, type Store } from '../../../store/index.js';

/** A file that was delivered to a webhook. */
export interface SpooledFile {
  readonly id: string;
  readonly webhookId: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Its content; null once it was taken: the record stays for a day, so that a repeated delivery is recognised. */
  readonly blob: string | null;
  readonly waiting: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A delivery that has arrived completely. */
export interface NewDelivery {
  readonly webhookId: string;
  /** Its `webhook-id`, the same for every attempt of the sender; undefined for a delivery without one. */
  readonly messageId: string | undefined;
  readonly name: string;
  readonly size: number;
  /** Absolute path of the content. */
  readonly path: string;
}

const REMEMBERED_MS = 86_400_000;
/** Content without a record may belong to a delivery that is arriving; after this time it cannot. */
const ORPHAN_MS = 3_600_000;
const CLEAN_MS = 600_000;

/** Deliveries to webhooks, in the store until their results are delivered. All servers on the store share them. */
export class WebhookSpool {
  readonly #files: Records<SpooledFile>;
  readonly #blobs: Blobs;
  readonly #listeners = new Set<(webhookId: string) => void>();
  #cleanedAt = 0;

  constructor(
    store: Pick<Store, 'records' | 'blobs'>,
    private readonly clock: Clock,
  ) {
    this.#files = store.records<SpooledFile>('webhook_files', { keys: ['webhookId', 'waiting', 'at'] });
    this.#blobs = store.blobs.area('webhooks');
  }

  /** Stores a delivery durably. Returns false for one that is known: nothing is stored then. */
  async keep({ webhookId, messageId, name, size, path }: NewDelivery): Promise<boolean> {
    const at = this.clock.now().getTime();
    await this.#clean(at);
    const id = messageId === undefined ? randomUUID() : messageKey(webhookId, messageId);
    if (messageId !== undefined && (await this.#files.get(id)) !== undefined) return false;
    // First the content: a record never names one that is not there.
    const { id: blob } = await this.#blobs.put(path);
    try {
      await this.#files.insert({ id, webhookId, name, size, blob, waiting: true, at });
    } catch (error) {
      // If the store did not answer, the record may be there all the same: the sweep removes content without one.
      if (!isDuplicateRecord(error)) throw error;
      if ((await this.#files.get(id))?.blob !== blob) {
        await this.#blobs.delete(blob).catch(() => false);
        return false;
      }
      // A repeated attempt of the store's driver met the first one.
    }
    for (const arrived of this.#listeners) arrived(webhookId);
    return true;
  }

  /** Returns the files of a webhook that wait, oldest first. */
  waiting(webhookId: string): Promise<SpooledFile[]> {
    return this.#files.find({ webhookId, waiting: true }, { sort: [{ field: 'at', order: 'ascending' }] });
  }

  /** Opens the content of a file; undefined when it was taken. */
  async open(id: string): Promise<OpenBlob | undefined> {
    const file = await this.#files.get(id);
    return file === undefined || file.blob === null ? undefined : this.#blobs.get(file.blob);
  }

  /** Removes a file whose results are delivered. */
  async take(id: string): Promise<void> {
    const file = await this.#files.get(id);
    if (file === undefined || file.blob === null) return;
    await this.#files.update(id, { set: { waiting: false, blob: null } });
    await this.#blobs.delete(file.blob);
  }

  /** Calls back, on this server only, when files arrive for webhooks. Returns a function that ends that. */
  onArrival(arrived: (webhookId: string) => void): () => void {
    const listener = (webhookId: string): void => arrived(webhookId);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Removes what a crash has left, and all of webhooks that no longer exist. Returns the number of files removed. */
  async sweep(exists: (webhookId: string) => Promise<boolean>): Promise<number> {
    let removed = 0;
    for (const { id, webhookId } of await this.#files.find({ waiting: true }))
      if (!(await exists(webhookId))) {
        await this.take(id);
        removed += 1;
      }
    const used = new Set((await this.#files.find({ waiting: true })).map(({ blob }) => blob));
    const old = this.clock.now().getTime() - ORPHAN_MS;
    for await (const { id, modifiedAt } of this.#blobs.list())
      if (!used.has(id) && modifiedAt.getTime() < old && (await this.#blobs.delete(id))) removed += 1;
    return removed;
  }

  /** Forgets deliveries that were taken and are so old that no sender repeats them. */
  async #clean(now: number): Promise<void> {
    if (now - this.#cleanedAt < CLEAN_MS) return;
    this.#cleanedAt = now;
    await this.#files.deleteMany({ waiting: false }, { atMost: { at: now - REMEMBERED_MS } });
  }
}

function messageKey(webhookId: string, messageId: string): string {
  return createHash('sha256').update(`${webhookId}\0${messageId}`).digest('hex');
}
