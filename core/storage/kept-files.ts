import { InputError, isQuireError } from '@quire/registry';
import { newBlobId, type BlobRange, type OpenBlob } from '../store/index.js';
import type { Contents } from './contents.js';
import { dropLink } from './ended-links.js';
import type { FileRecord, ShareRole, StorageSettings, Upload, UploadSet } from './model.js';
import type { Quotas } from './quotas.js';
import type { StorageRecords } from './storage-records.js';

export interface KeptFilesDeps {
  readonly records: StorageRecords;
  readonly contents: Contents;
  readonly quotas: Quotas;
  readonly settings: Pick<StorageSettings, 'place' | 'sharing'>;
  now(): number;
}

/** Content types of executable files, which are not stored (`docs/interface/storage.yml`, storage rules). */
const refusedTypes: ReadonlySet<string> = new Set([
  'application/x-msdownload',
  'application/x-executable',
  'application/x-sh',
  'application/x-bat',
  'application/x-msdos-program',
  'application/x-msi',
  'application/x-java-archive',
  'application/java-archive',
]);
const REPLACE_TRIES = 20;
const AT_ONCE = 16;

/** The contents of an upload after they were stored. */
type Kept = Pick<
  FileRecord,
  'blob' | 'sizeBytes' | 'historyBlob' | 'historyBytes' | 'auditBlob' | 'auditBytes' | 'totalBytes'
>;

/** Where a new file is put, and the id of its content if the caller has chosen one (`newBlobId`). */
export interface Placing {
  readonly blob?: string;
  /** A folder of the owner; the root by default. */
  readonly folderId?: string | null;
}

/** Called when a folder (null: the root) of a user has a new file or a file with a new content. */
type Arrival = (ownerId: string, folderId: string | null) => void;

/** Files and permissions to read them. Ids are decimal numbers as text; an invalid id is treated as an unknown one. */
export class KeptFiles {
  readonly #arrivals = new Set<Arrival>();

  constructor(private readonly deps: KeptFilesDeps) {}

  /**
   * Rejects an upload that is too large before its body arrives; `file` is the least number of bytes that it has,
   * `replaces` the id of the file that it will replace. All other errors are reported when the body has arrived. Throws
   * STORAGE_QUOTA.
   */
  async admit(ownerId: string, file: number, replaces?: string): Promise<void> {
    if (file === 0) return;
    const before = replaces === undefined ? undefined : await this.byId(replaces);
    if (replaces !== undefined && before?.ownerId !== ownerId) return;
    await this.deps.quotas.foresee({ ownerId, file, bytes: file - (before?.totalBytes ?? 0) });
  }

  /**
   * Stores a new file. Throws INPUT_FILE_EMPTY, FILE_TYPE_REFUSED, STORAGE_QUOTA, and INPUT_INVALID for an unknown
   * folder; on failure nothing stays. STORAGE_CONFLICT: the folder was deleted meanwhile, and the file is in the root.
   */
  async add(
    ownerId: string,
    upload: UploadSet,
    signal?: AbortSignal,
    { blob = newBlobId(), folderId = null }: Placing = {},
  ): Promise<FileRecord> {
    checkUpload(upload);
    await this.#requireFolder(ownerId, folderId);
    const { records, quotas, settings, now } = this.deps;
    const total = sizeOf(upload);
    const file = await quotas.within({ id: blob, ownerId, bytes: total, file: total }, () =>
      this.#withContents(upload, blob, signal, (kept) =>
        records.insertFile({
          ownerId,
          fileName: upload.fileName,
          contentType: upload.contentType,
          place: settings.place,
          ...kept,
          purpose: 'generic',
          folderId,
          createdAt: now(),
          updatedAt: null,
          revision: 1,
        }),
      ),
    );
    await this.#requireKept(folderId, [file.id]);
    this.#announce(ownerId, folderId);
    return file;
  }

  /**
   * Replaces the content of the owner's file, including history and audit log, because they belong to the old content;
   * with `revision` only while it has that one. Throws NOT_FOUND, STORAGE_CONFLICT and what `add` throws.
   */
  async replace(
    ownerId: string,
    id: string,
    upload: UploadSet,
    signal?: AbortSignal,
    { blob: chosen, revision }: Pick<Placing, 'blob'> & { readonly revision?: number } = {},
  ): Promise<FileRecord> {
    const { records, quotas, settings, now } = this.deps;
    await this.own(ownerId, id);
    checkUpload(upload);
    const total = sizeOf(upload);
    for (let tries = 0; tries < REPLACE_TRIES; tries += 1) {
      const before = await this.own(ownerId, id);
      if (revision !== undefined && before.revision !== revision)
        throw new InputError('STORAGE_CONFLICT', { detail: 'The file has another content in the meantime' });
      const blob = chosen ?? newBlobId();
      const after = await quotas
        .within({ id: blob, ownerId, bytes: total - before.totalBytes, file: total }, () =>
          this.#withContents(upload, blob, signal, async (kept) => {
            const { fileName, contentType } = upload;
            const changed = await records.files.update(
              id,
              {
                set: { fileName, contentType, place: settings.place, ...kept, updatedAt: now() },
                inc: { revision: 1 },
              },
              { revision: before.revision },
            );
            if (changed === undefined) throw new Overtaken();
            return changed;
          }),
        )
        .catch((error: unknown) => {
          if (error instanceof Overtaken) return undefined;
          throw error;
        });
      if (after === undefined) continue;
      await this.#drop(before.place, contentIds(before));
      this.#announce(ownerId, after.folderId);
      return after;
    }
    throw new InputError('STORAGE_CONFLICT', { detail: 'The file was replaced by others repeatedly; try again' });
  }

  /** Returns a file of the user. Throws NOT_FOUND. */
  async own(ownerId: string, id: string): Promise<FileRecord> {
    const file = await this.byId(id);
    if (file?.ownerId !== ownerId) throw new InputError('NOT_FOUND');
    return file;
  }

  /**
   * Returns the file and the user's role. Throws NOT_FOUND, the same for a missing file and one that is not shared with
   * the user: ids are numbered, so a different answer would show which exist.
   */
  async readable(userId: string, id: string): Promise<{ readonly file: FileRecord; readonly role: ShareRole }> {
    const file = await this.byId(id);
    if (file === undefined) throw new InputError('NOT_FOUND');
    if (file.ownerId === userId) return { file, role: 'editor' };
    const share = this.deps.settings.sharing ? await this.deps.records.shares.get(`${file.id}@${userId}`) : undefined;
    if (share === undefined) throw new InputError('NOT_FOUND');
    return { file, role: share.role };
  }

  /** Returns undefined for an unknown or invalid id. */
  async byId(id: string): Promise<FileRecord | undefined> {
    return /^[1-9]\d{0,14}$/.test(id) ? this.deps.records.files.get(id) : undefined;
  }

  /** Returns the files that a user owns and those shared with the user, newest first. */
  async list(userId: string): Promise<{ readonly file: FileRecord; readonly role: ShareRole }[]> {
    const { records, settings } = this.deps;
    const own = (await records.files.find({ ownerId: userId })).map((file) => ({ file, role: 'editor' as ShareRole }));
    const shares = settings.sharing ? await records.shares.find({ userId }) : [];
    const given: { readonly file: FileRecord; readonly role: ShareRole }[] = [];
    for (let at = 0; at < shares.length; at += AT_ONCE) {
      await Promise.all(
        shares.slice(at, at + AT_ONCE).map(async ({ fileId, role }) => {
          const file = await records.files.get(fileId);
          if (file !== undefined) given.push({ file, role });
        }),
      );
    }
    return [...own, ...given].sort((a, b) => b.file.createdAt - a.file.createdAt || b.file.number - a.file.number);
  }

  /** Returns the user's own files in a folder (null: the root), oldest first. */
  async inFolder(ownerId: string, folderId: string | null): Promise<FileRecord[]> {
    return this.deps.records.files.find({ ownerId, folderId }, { sort: [{ field: 'number', order: 'ascending' }] });
  }

  /** Calls back, on this server only, when files arrive in folders. Returns a function that ends that. */
  onArrival(arrival: Arrival): () => void {
    const listener: Arrival = (ownerId, folderId) => arrival(ownerId, folderId);
    this.#arrivals.add(listener);
    return () => void this.#arrivals.delete(listener);
  }

  #announce(ownerId: string, folderId: string | null): void {
    for (const arrival of this.#arrivals) arrival(ownerId, folderId);
  }

  /**
   * Runs `work` on a file that was just read, and again if its content was replaced meanwhile. Throws what `work`
   * throws; NOT_FOUND of `open` only for a file that was deleted or is replaced again and again.
   */
  async current<T>(file: FileRecord, work: (file: FileRecord) => Promise<T>): Promise<T> {
    for (let [at, tries] = [file, 1]; ; tries += 1) {
      try {
        return await work(at);
      } catch (error) {
        const after =
          isQuireError(error) && error.code === 'NOT_FOUND' && tries < REPLACE_TRIES
            ? await this.byId(at.id)
            : undefined;
        if (after === undefined || after.revision === at.revision) throw error;
        at = after;
      }
    }
  }

  /** Opens the content. Throws NOT_FOUND if it was deleted meanwhile, and RangeError. */
  async open(file: FileRecord, range?: BlobRange, signal?: AbortSignal): Promise<OpenBlob> {
    const open = await this.deps.contents.at(file.place).get(file.blob, range, signal);
    if (open === undefined) throw new InputError('NOT_FOUND');
    return open;
  }

  /**
   * Deletes the owner's file with its shares and links; with `revision` only while it has that one. Throws NOT_FOUND.
   */
  async remove(ownerId: string, id: string, revision?: number): Promise<void> {
    const { records, quotas } = this.deps;
    for (;;) {
      const file = await this.own(ownerId, id);
      if (revision !== undefined && file.revision !== revision) return;
      // Delete the record first, so that it never refers to deleted contents.
      if (!(await records.files.delete(file.id, { revision: file.revision }))) continue;
      await this.forget(file.id);
      await quotas.release(ownerId, file.totalBytes);
      await this.#drop(file.place, contentIds(file));
      return;
    }
  }

  /** Deletes shares and links of a deleted file. */
  async forget(fileId: string): Promise<void> {
    const { records, now } = this.deps;
    await records.shares.deleteMany({ fileId });
    for (const link of await records.links.find({ fileId })) await dropLink(records, link, 'revoked', now());
  }

  /**
   * Moves the owner's file to a folder or to the root. Throws NOT_FOUND, INPUT_INVALID for an unknown folder,
   * STORAGE_CONFLICT if the folder is deleted meanwhile.
   */
  async place(ownerId: string, id: string, folderId: string | null): Promise<void> {
    await this.own(ownerId, id);
    await this.#requireFolder(ownerId, folderId);
    const placed = await this.#placed(ownerId, [id], folderId);
    if (placed.length === 0) throw new InputError('NOT_FOUND');
  }

  /** Moves several files to a folder; skips those of other owners. Throws as `place` does. */
  async placeAll(
    ownerId: string,
    ids: readonly string[],
    folderId: string | null,
  ): Promise<{ readonly moved: string[]; readonly skipped: string[] }> {
    await this.#requireFolder(ownerId, folderId);
    const moved = await this.#placed(ownerId, ids, folderId);
    const there = new Set(moved);
    return { moved, skipped: ids.filter((id) => !there.has(id)) };
  }

  async #placed(ownerId: string, ids: readonly string[], folderId: string | null): Promise<string[]> {
    const { records } = this.deps;
    const moved: string[] = [];
    for (const id of ids)
      if ((await records.files.update(id, { set: { folderId } }, { ownerId })) !== undefined) moved.push(id);
    await this.#requireKept(folderId, moved);
    this.#announce(ownerId, folderId);
    return moved;
  }

  /** Throws STORAGE_CONFLICT if the folder of these files was deleted; they are in the root then. */
  async #requireKept(folderId: string | null, ids: readonly string[]): Promise<void> {
    const { records } = this.deps;
    if (folderId === null || (await records.folders.get(folderId)) !== undefined) return;
    // The call that deleted the folder may have looked for its files before these were there.
    for (const id of ids) await records.files.update(id, { set: { folderId: null } }, { folderId });
    throw new InputError('STORAGE_CONFLICT', { detail: 'The folder was deleted meanwhile; the files are in the root' });
  }

  async #requireFolder(ownerId: string, folderId: string | null): Promise<void> {
    if (folderId === null || (await this.deps.records.folders.get(folderId))?.ownerId === ownerId) return;
    throw new InputError('INPUT_INVALID', { detail: '"folderId" is not the id of a folder of the caller' }, [
      { pointer: '/folderId', detail: 'is not the id of a folder of the caller' },
    ]);
  }

  /** Stores the contents, then calls `keep`; removes the new contents if either fails. */
  async #withContents<T>(
    upload: UploadSet,
    blob: string,
    signal: AbortSignal | undefined,
    keep: (kept: Kept) => Promise<T>,
  ): Promise<T> {
    const { place } = this.deps.settings;
    const store = this.deps.contents.at(place);
    const put: string[] = [];
    const take = async (
      part: Upload | undefined,
      id: string,
    ): Promise<{ readonly id: string; readonly size: number } | undefined> => {
      if (part === undefined) return undefined;
      signal?.throwIfAborted();
      put.push(id);
      return store.put(part.path, id, signal);
    };
    try {
      const main = await take(upload.main, blob);
      const history = await take(upload.history, newBlobId());
      const audit = await take(upload.audit, newBlobId());
      const sizes = { sizeBytes: main?.size ?? 0, historyBytes: history?.size ?? 0, auditBytes: audit?.size ?? 0 };
      return await keep({
        blob,
        ...sizes,
        historyBlob: history?.id ?? null,
        auditBlob: audit?.id ?? null,
        totalBytes: sizes.sizeBytes + sizes.historyBytes + sizes.auditBytes,
      });
    } catch (error) {
      await this.#drop(place, put);
      throw error;
    }
  }

  /** Deletes contents; a later sweep deletes those that fail now. */
  async #drop(place: FileRecord['place'], ids: readonly string[]): Promise<void> {
    for (const id of ids) await (async () => this.deps.contents.at(place).delete(id))().catch(() => undefined);
  }
}

/** Returns the blob ids of all contents of a file. */
export function contentIds({
  blob,
  historyBlob,
  auditBlob,
}: Pick<FileRecord, 'blob' | 'historyBlob' | 'auditBlob'>): string[] {
  return [blob, historyBlob, auditBlob].filter((id) => id !== null);
}

function sizeOf({ main, history, audit }: UploadSet): number {
  return main.size + (history?.size ?? 0) + (audit?.size ?? 0);
}

function checkUpload({ main, contentType }: UploadSet): void {
  if (main.size === 0)
    throw new InputError('INPUT_FILE_EMPTY', { field: 'file' }, [{ pointer: '/file', detail: 'the file is empty' }]);
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (refusedTypes.has(type))
    throw new InputError('FILE_TYPE_REFUSED', { found: type, field: 'file' }, [
      { pointer: '/file', detail: `is an executable file (${type}), which cannot be stored` },
    ]);
}

/** Another call has changed the file since it was read. */
class Overtaken extends Error {}
