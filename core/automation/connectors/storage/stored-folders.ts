import type { Principal } from '@quire/registry';
import type { Storage } from '../../../storage/index.js';
import type { ConnectorDeps } from '../deps.js';
import { invalid, type Side } from '../faults.js';

/** The kind of source that takes files from the file storage. */
export const STORAGE_SOURCE = 'storage-folder';

/** Returns the file storage. Throws SOURCE_INVALID or DESTINATION_INVALID while there is none. */
export function requireStorage(side: Side, { storage }: Pick<ConnectorDeps, 'storage'>): Storage {
  if (storage === undefined) throw invalid(side, '', 'the file storage is off; it needs login and storage.enabled');
  return storage;
}

/** Rejects with SOURCE_INVALID or DESTINATION_INVALID unless the folder is one of the user's own. */
export async function requireFolder(
  side: Side,
  storage: Storage,
  { id }: Principal,
  folderId: string | null,
): Promise<void> {
  if (folderId === null || (await storage.folders.list(id)).some((folder) => folder.id === folderId)) return;
  throw invalid(side, 'folderId', 'is not the id of a folder in the file storage of the owner');
}
