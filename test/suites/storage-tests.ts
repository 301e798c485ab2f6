import { isQuireError } from '@quire/registry';
import type { FileRecord, Storage, StorageSettings } from '../../core/storage/index.js';
import { openStorageForTest, type StorageForTest } from './storage.js';
import type { TemporaryStore } from './temporary-store.js';

/** The code of the error that the work rejects with. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'nothing';
  } catch (error) {
    return isQuireError(error) ? error.code : String(error);
  }
}

/** Registers the hooks that close the storage after each test; call it in a describe block. */
export function useStorage(make: () => Promise<TemporaryStore>) {
  let opened: StorageForTest;
  let remove: () => Promise<void>;
  const begin = async (settings: Partial<StorageSettings> = {}): Promise<Storage> => {
    const temporary = await make();
    remove = temporary.remove;
    opened = await openStorageForTest(temporary, settings);
    return opened.storage;
  };
  const add = async (
    storage: Storage,
    owner: string,
    bytes: number | Uint8Array,
    more: { readonly history?: number; readonly audit?: number; readonly type?: string } = {},
  ): Promise<FileRecord> =>
    storage.files.add(owner, {
      fileName: 'a.pdf',
      contentType: more.type ?? 'application/pdf',
      main: await opened.upload(bytes),
      history: more.history === undefined ? undefined : await opened.upload(more.history),
      audit: more.audit === undefined ? undefined : await opened.upload(more.audit),
    });
  const read = async (storage: Storage, file: FileRecord): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of (await storage.files.open(file)).stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  };
  const blobCount = async (): Promise<number> => {
    let count = 0;
    for await (const _blob of opened.blobs.list()) count += 1;
    return count;
  };
  afterEach(async () => {
    await opened.close();
    await remove();
  });

  return {
    begin,
    add,
    read,
    blobCount,
    /** The storage of the running test, with its store. */
    opened: () => opened,
  };
}
