import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperationalError } from '@quire/registry/errors';
import { fileDigest, saveBlob, withStoreErrors, type Blobs, type FileContents } from '../../store/index.js';
import type { JobInput } from '../job-executor.js';
import type { StoredInput } from '../job-record.js';

/** The uploads of a job as files on disk. */
export interface LaidOutInputs {
  readonly inputs: readonly JobInput[];
  remove(): Promise<void>;
}

export interface LayOutOptions {
  /** Files that were not brought to the disk are as this process has got them. */
  readonly isCached: boolean;
  readonly temporaryFolder?: string | undefined;
  /** Returns the files that are in the record of the job. */
  attached?(): Promise<FileContents>;
}

/**
 * Provides the uploads as paths: directly from the store if it is a folder, otherwise copied to a temporary folder.
 * Rejects with STORE_DOWN or STORAGE_FULL, and with JOB_FILE_LOST if an upload is missing, or was lost with
 * the machine.
 */
export async function layOutInputs(
  blobs: Pick<Blobs, 'get' | 'path' | 'save'>,
  stored: readonly StoredInput[],
  { isCached, temporaryFolder = tmpdir(), attached = noFiles }: LayOutOptions,
): Promise<LaidOutInputs> {
  let folder: string | undefined;
  const remove = async (): Promise<void> => {
    if (folder) await rm(folder, { recursive: true, force: true });
  };
  const inputs: JobInput[] = [];
  try {
    for (const input of stored) {
      const { field, name, kind, mediaType, blobId, sha256 } = input;
      let path = input.attached === true ? undefined : blobs.path(blobId);
      if (path === undefined) {
        // A full disk is no defect: the job is tried again.
        folder ??= await withStoreErrors(() => mkdtemp(join(temporaryFolder, 'job-')));
        path = join(folder, blobId);
        // The store is reachable but does not have it, so waiting would not help.
        const isSaved = await (input.attached === true
          ? writeContent(await attached(), blobId, path)
          : saveBlob(blobs, blobId, path));
        if (!isSaved) throw new OperationalError('JOB_FILE_LOST', { name });
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

const noFiles = async (): Promise<FileContents> => new Map<string, Buffer>();

/** Writes a file of a record to a new path; false when the record does not have it. */
export async function writeContent(files: FileContents, id: string, path: string): Promise<boolean> {
  const content = files.get(id);
  if (content === undefined) return false;
  await withStoreErrors(() => writeFile(path, content, { flag: 'wx', mode: 0o600 }));
  return true;
}
