import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperationalError } from '@quire/registry/errors';
import { saveBlob, withStoreErrors, type Blobs } from '../store/index.js';
import type { JobInput } from './job-executor.js';
import type { StoredInput } from './job-record.js';

/** The uploads of a job as files on disk. */
export interface LaidOutInputs {
  readonly inputs: readonly JobInput[];
  remove(): Promise<void>;
}

/**
 * Provides the uploads as paths: directly from the store if it is a folder, otherwise copied to a temporary folder.
 * Rejects with STORE_DOWN or STORAGE_FULL, and with JOB_FILE_LOST if an upload is missing.
 */
export async function layOutInputs(
  blobs: Pick<Blobs, 'get' | 'path' | 'save'>,
  stored: readonly StoredInput[],
  temporaryFolder: string = tmpdir(),
): Promise<LaidOutInputs> {
  let folder: string | undefined;
  const remove = async (): Promise<void> => {
    if (folder) await rm(folder, { recursive: true, force: true });
  };
  const inputs: JobInput[] = [];
  try {
    for (const { field, name, kind, mediaType, blobId } of stored) {
      let path = blobs.path(blobId);
      if (path === undefined) {
        // A full disk is no defect: the job is tried again.
        folder ??= await withStoreErrors(() => mkdtemp(join(temporaryFolder, 'job-')));
        path = join(folder, blobId);
        // The store is reachable but does not have it, so waiting would not help.
        if (!(await saveBlob(blobs, blobId, path))) throw new OperationalError('JOB_FILE_LOST', { name });
      }
      inputs.push({ field, name, kind, path, ...(mediaType === undefined ? {} : { mediaType }) });
    }
    return { inputs, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
