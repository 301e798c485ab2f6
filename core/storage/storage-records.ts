import { isDuplicateRecord, type Records, type Store } from '../store/index.js';
import type {
  AccessRecord,
  EndedLinkRecord,
  FileRecord,
  FolderRecord,
  LinkRecord,
  OpenedRecord,
  ReservationRecord,
  ShareRecord,
  UsageRecord,
} from './model.js';

interface NumberRecord {
  readonly id: string;
  readonly last: number;
}

const INSERT_TRIES = 100;

/** All record sets of storage. */
export interface StorageRecords {
  readonly files: Records<FileRecord>;
  readonly folders: Records<FolderRecord>;
  readonly shares: Records<ShareRecord>;
  readonly links: Records<LinkRecord>;
  readonly ended: Records<EndedLinkRecord>;
  readonly accesses: Records<AccessRecord>;
  readonly opened: Records<OpenedRecord>;
  readonly usage: Records<UsageRecord>;
  readonly reservations: Records<ReservationRecord>;
  /** Stores a file under the next number: 1, 2, 3 …, never the same one twice. */
  insertFile(file: Omit<FileRecord, 'id' | 'number'>): Promise<FileRecord>;
}

/** Deletes all but the newest uses of a link; those in the same millisecond as the oldest are deleted with it. */
export async function forgetOldUses(
  { accesses }: Pick<StorageRecords, 'accesses'>,
  token: string,
  newest: number,
): Promise<void> {
  if ((await accesses.count({ token })) <= newest) return;
  const [oldest] = await accesses.find(
    { token },
    { sort: [{ field: 'at', order: 'descending' }], skip: newest, limit: 1 },
  );
  if (oldest !== undefined) await accesses.deleteMany({ token }, { atMost: { at: oldest.at } });
}

/** Opens all record sets of storage. */
export function openStorageRecords(store: Pick<Store, 'records'>): StorageRecords {
  const numbers = store.records<NumberRecord>('storage_numbers');
  const count = () => numbers.update('file', { inc: { last: 1 } });
  const files = store.records<FileRecord>('storage_files', { keys: ['ownerId', 'folderId', 'number'] });
  return {
    files,
    folders: store.records<FolderRecord>('storage_folders', { keys: ['ownerId'] }),
    shares: store.records<ShareRecord>('storage_shares', { keys: ['fileId', 'ownerId', 'userId'] }),
    links: store.records<LinkRecord>('storage_links', { keys: ['fileId', 'ownerId', 'expiresAt'] }),
    ended: store.records<EndedLinkRecord>('storage_ended_links', { keys: ['forgetAt'] }),
    accesses: store.records<AccessRecord>('storage_accesses', { keys: ['token', 'userId'] }),
    opened: store.records<OpenedRecord>('storage_opened', { keys: ['token', 'userId'] }),
    usage: store.records<UsageRecord>('storage_usage'),
    reservations: store.records<ReservationRecord>('storage_reservations', { keys: ['ownerId'] }),
    async insertFile(file) {
      for (let tries = 1; ; tries += 1) {
        const counted = (await count()) ?? (await openCounter(), await count());
        if (counted === undefined) throw new Error('the counter of stored files does not exist');
        try {
          return await files.insert({ id: String(counted.last), number: counted.last, ...file });
        } catch (error) {
          // Some servers with MongoDB's protocol count every call but return the same count to two of them.
          if (!isDuplicateRecord(error) || tries === INSERT_TRIES) throw error;
        }
      }
    },
  };

  async function openCounter(): Promise<void> {
    await numbers.insert({ id: 'file', last: 0 }).catch((error: unknown) => {
      if (!isDuplicateRecord(error)) throw error;
    });
  }
}
