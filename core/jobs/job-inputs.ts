import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { OperationalError } from '@quire/registry/errors';
import type { Blobs } from '../store/index.js';
import type { JobInput } from './job-executor.js';
import type { StoredInput } from './job-record.js';

/** The uploads of a job as files. */
export interface LaidOutInputs {
  readonly inputs: readonly JobInput[];
  remove(): Promise<void>;
}

/** Gives the uploads as paths: straight from the store when it is a folder, else written to a private folder. */
export async function layOutInputs(blobs: Blobs, stored: readonly StoredInput[], temporaryFolder: string = tmpdir()): Promise<LaidOutInputs> {
  let folder: string | undefined;
  const remove = async (): Promise<void> => {
    if (folder) await rm(folder, { recursive: true, force: true });
  };
  const inputs: JobInput[] = [];
  try {
    for (const { field, name, kind, mediaType, blobId } of stored) {
      let path = blobs.path(blobId);
      if (path === undefined) {
        folder ??= await mkdtemp(join(temporaryFolder, 'job-'));
        path = join(folder, blobId);
        const blob = await blobs.get(blobId);
        if (!blob) throw new OperationalError('STORE_DOWN');
        await pipeline(blob.stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      }
      inputs.push({ field, name, kind, path, ...(mediaType === undefined ? {} : { mediaType }) });
    }
    return { inputs, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
