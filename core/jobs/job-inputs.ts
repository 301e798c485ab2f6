import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperationalError } from '@quire/registry/errors';
import { fileDigest, saveBlob, withStoreErrors, type Blobs } from '../store/index.js';
import type { JobInput } from './job-executor.js';
import type { StoredInput } from './job-record.js';

/** The uploads of a job as files on disk. */
export interface LaidOutInputs {
  readonly inputs: readonly JobInput[];
  remove(): Promise<void>;
}

export interface LayOutOptions {
  /** Files that were not brought to the disk are as this process has got them. */
  readonly isCached: boolean;
  readonly temporaryFolder?: string | undefined;
}

/**
 * Provides the uploads as paths: directly from the store if it is a folder, otherwise copied to a temporary folder.
 * Rejects with STORE_DOWN or STORAGE_FULL, and with JOB_FILE_LOST if an upload is missing, or was lost with
 * the machine.
 */
export async function layOutInputs(
  blobs: Pick<Blobs, 'get' | 'path' | 'save'>,
  stored: readonly StoredInput[],
  { isCached, temporaryFolder = tmpdir() }: LayOutOptions,
): Promise<LaidOutInputs> {
  let folder: string | undefined;
  const remove = async (): Promise<void> => {
    if (folder) await rm(folder, { recursive: true, force: true });
  };
  const inputs: JobInput[] = [];
  try {
    for (const { field, name, kind, mediaType, blobId, sha256 } of stored) {
      let path = blobs.path(blobId);
      if (path === undefined) {
        // A full disk is no defect: the job is tried again.
        folder ??= await withStoreErrors(() => mkdtemp(join(temporaryFolder, 'job-')));
        path = join(folder, blobId);
        // The store is reachable but does not have it, so waiting would not help.
        if (!(await saveBlob(blobs, blobId, path))) throw new OperationalError('JOB_FILE_LOST', { name });
      }
      if (sha256 !== undefined && !isCached && (await fileDigest(path)) !== sha256)
        throw new OperationalError('JOB_FILE_LOST', { name });
      inputs.push({ field, name, kind, path, ...(mediaType === undefined ? {} : { mediaType }) });
    }
    return { inputs, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
