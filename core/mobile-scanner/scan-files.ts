import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { SteadyClock } from '../jobs/cluster/index.js';
import { isDuplicateRecord, type Blobs, type Records, type Store } from '../store/index.js';
import type { FileRecord, ScanUpload, SessionRecord } from './scan-model.js';
import { listedType, numberedName, scanName } from './scan-names.js';

/** A file that is being downloaded. */
export interface OpenScan {
  readonly file: FileRecord;
  readonly stream: Readable;
  /**
   * Ends the download; `sent` is true if everything was sent. Returns the record if the content was deleted because of
   * it.
   */
  close(sent: boolean): Promise<FileRecord | undefined>;
}

/** A download that started longer ago died with its server, ms. */
const READ_MS = 3_600_000;
/** Age from which content that no record names was certainly left by a server that died, ms. */
const ORPHAN_MS = 3_600_000;
const PAGE = 500;

/**
 * Files of sessions. A file can be downloaded until it was sent completely once; its content is deleted when its last
 * reader has finished.
 */
export class ScanFiles {
  readonly #records: Records<FileRecord>;
  readonly #blobs: Blobs;

  constructor(
    store: Pick<Store, 'records' | 'blobs'>,
    private readonly steady: Pick<SteadyClock, 'now'>,
  ) {
    this.#records = store.records<FileRecord>('scan_files', { keys: ['run', 'readers'], unique: [['run', 'name']] });
    this.#blobs = store.blobs.area('scans');
  }

  /** Stores all files in a session, or none. */
  async keep({ id: session, run }: SessionRecord, uploads: readonly ScanUpload[]): Promise<void> {
    const blobs: string[] = [];
    const kept: string[] = [];
    try {
      for (const { path } of uploads) blobs.push((await this.#blobs.put(path)).id);
      const there = await this.#records.find({ run });
      const names = new Set(there.map(({ name }) => name));
      let order = there.reduce((last, file) => Math.max(last, file.order), 0);
      for (const [i, { name, size, mediaType }] of uploads.entries()) {
        const given = scanName(name);
        const id = randomUUID();
        order += 1;
        await this.#insert(
          {
            id,
            session,
            run,
            order,
            name: given,
            size,
            contentType: listedType(mediaType, given),
            blobId: blobs[i] ?? '',
            state: 'here',
            readers: 0,
            readAtMs: 0,
            sent: false,
          },
          names,
        );
        kept.push(id);
      }
    } catch (error) {
      for (const id of kept) await this.#records.delete(id).catch(() => false);
      for (const id of blobs) await this.#drop(id);
      throw error;
    }
  }

  /** Returns the files of a session in order of arrival. */
  list(run: string): Promise<FileRecord[]> {
    return this.#records.find(
      { run },
      {
        sort: [
          { field: 'order', order: 'ascending' },
          { field: 'name', order: 'ascending' },
        ],
      },
    );
  }

  /** Opens a file that was not downloaded yet; undefined for any other. */
  async open(run: string, name: string): Promise<OpenScan | undefined> {
    const found = await this.#records.findOne({ run, name });
    if (found === undefined) return undefined;
    // Count the reader before opening the file: a download that ends meanwhile then leaves the content.
    const file = await this.#records.update(
      found.id,
      { inc: { readers: 1 }, set: { readAtMs: this.steady.now() } },
      { state: 'here' },
    );
    if (file === undefined) return undefined;
    const close = async (sent: boolean): Promise<FileRecord | undefined> => {
      const after = await this.#records.update(
        file.id,
        { inc: { readers: -1 }, ...(sent ? { set: { sent: true } } : {}) },
        { state: 'here' },
      );
      return after === undefined ? undefined : this.#fetched(after);
    };
    try {
      const open = await this.#blobs.get(file.blobId);
      if (open !== undefined) return { file, stream: open.stream, close };
    } catch (error) {
      await close(false).catch(() => undefined);
      throw error;
    }
    await close(false);
    return undefined;
  }

  /** Removes all files of a run. */
  async remove(run: string): Promise<void> {
    for (const { id, blobId } of await this.#records.find({ run })) {
      await this.#records.delete(id);
      await this.#drop(blobId);
    }
  }

  /** Returns true while a file of a run is being downloaded. */
  async isRead(run: string): Promise<boolean> {
    const since = this.steady.now() - READ_MS;
    return (await this.#records.find({ run })).some(({ readers, readAtMs }) => readers > 0 && readAtMs > since);
  }

  /** Ends the downloads of a dead process; only for an embedded store. */
  async forgetReaders(): Promise<void> {
    for (const { id, readers } of await this.#records.find())
      if (readers !== 0) await this.#records.update(id, { set: { readers: 0 } });
  }

  /**
   * Removes files whose session no longer exists, and content without a file; `isThere` checks a session. Returns the
   * files that were sent completely by a server that died before it could record that.
   */
  async sweep(isThere: (session: string, run: string) => Promise<boolean>): Promise<FileRecord[]> {
    await this.#blobs.sweepUnfinished(ORPHAN_MS);
    // Listed before the records are read: content that is stored later is younger than any of these.
    const old: string[] = [];
    for await (const { id, modifiedAt } of this.#blobs.list())
      if (modifiedAt.getTime() < Date.now() - ORPHAN_MS) old.push(id);
    const [known, named, fetched] = [new Map<string, boolean>(), new Set<string>(), [] as FileRecord[]];
    for await (const file of this.#all()) {
      const there = known.get(file.run) ?? (await isThere(file.session, file.run));
      known.set(file.run, there);
      if (!there) continue;
      if (file.state === 'here') named.add(file.blobId);
      const after = file.sent ? await this.#fetched(file) : undefined;
      if (after !== undefined) fetched.push(after);
    }
    for (const [run, there] of known) if (!there) await this.remove(run);
    for (const id of old) if (!named.has(id)) await this.#drop(id);
    return fetched;
  }

  /**
   * Deletes the content of a file that was sent completely and has no reader. Returns the record to the caller whose
   * update did this.
   */
  async #fetched(file: FileRecord): Promise<FileRecord | undefined> {
    const { id, state, sent, readers, readAtMs } = file;
    if (state !== 'here' || !sent || (readers > 0 && readAtMs > this.steady.now() - READ_MS)) return undefined;
    const gone = await this.#records.update(id, { set: { state: 'fetched' } }, { state: 'here', readers, sent: true });
    if (gone !== undefined) await this.#drop(gone.blobId);
    return gone;
  }

  /** Inserts a file under the first free name: `a.jpg`, `a-1.jpg`. */
  async #insert(file: FileRecord, taken: Set<string>): Promise<void> {
    for (let n = 0; ; n += 1) {
      const name = numberedName(file.name, n);
      if (taken.has(name)) continue;
      taken.add(name);
      try {
        await this.#records.insert({ ...file, name });
        return;
      } catch (error) {
        // Another call to the same session used the name first.
        if (!isDuplicateRecord(error)) throw error;
      }
    }
  }

  async *#all(): AsyncGenerator<FileRecord> {
    for (let skip = 0; ; skip += PAGE) {
      const page = await this.#records.find({}, { sort: [{ field: 'id', order: 'ascending' }], limit: PAGE, skip });
      yield* page;
      if (page.length < PAGE) return;
    }
  }

  /** Deletes content; a later sweep deletes it if this fails. */
  async #drop(blobId: string): Promise<void> {
    await this.#blobs.delete(blobId).catch(() => undefined);
  }
}
