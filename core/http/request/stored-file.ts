import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InputError, isQuireError, sniffKind, type Principal } from '@quire/registry';
import { cleanFileName, readHead, type Scratch } from '../../operations/runner/index.js';
import type { WireFile } from '../../operations/workers/index.js';
import type { JobService } from '../../jobs/index.js';
import type { Storage } from '../../storage/index.js';

export interface StoredFileDeps {
  /** Undefined while login or storage is off. */
  readonly storage: Storage | undefined;
  jobs(): Promise<JobService>;
  ownerOf(principal: Principal): string;
  /** False for callers whose role does not include stored files. */
  mayReadStored(principal: Principal): boolean;
}

/**
 * Returns a file of the server as the input of a call (`fileId`, `docs/interface/general.yml`): a number is a stored
 * file that the caller may read (`docs/interface/storage.yml`), anything else a result of an earlier job of the caller.
 * Files of others and unknown files get the same error.
 */
export async function storedFile(
  deps: StoredFileDeps,
  fileId: string,
  principal: Principal,
  scratch: Scratch,
): Promise<WireFile> {
  const found = /^\d{1,15}$/.test(fileId)
    ? await fromStorage(deps, String(Number(fileId)), principal)
    : await fromJobs(deps, fileId, deps.ownerOf(principal));
  if (found === undefined)
    throw new InputError('INPUT_FILE_UNKNOWN', { field: 'fileId' }, [
      { pointer: '/fileId', detail: 'no stored file has this id' },
    ]);
  const path = scratch.filePath();
  await pipeline(found.stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  const name = cleanFileName(found.name);
  return {
    name,
    path,
    size: found.size,
    kind: sniffKind(await readHead(path), name) ?? 'bin',
    ...(found.mediaType === undefined ? {} : { mediaType: found.mediaType }),
  };
}

interface Found {
  readonly name: string;
  readonly stream: Readable;
  readonly size: number;
  readonly mediaType?: string;
}

async function fromStorage(
  { storage, mayReadStored }: StoredFileDeps,
  id: string,
  principal: Principal,
): Promise<Found | undefined> {
  if (storage === undefined || !mayReadStored(principal)) return undefined;
  try {
    const { file } = await storage.files.readable(principal.id, id);
    return await storage.files.current(file, async (at) => {
      const { stream, size } = await storage.files.open(at);
      return { name: at.fileName, stream, size, mediaType: at.contentType };
    });
  } catch (error) {
    if (isQuireError(error) && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

async function fromJobs(deps: StoredFileDeps, fileId: string, owner: string): Promise<Found | undefined> {
  const file = await (await deps.jobs()).openFile(fileId);
  if (file?.meta.owner === owner) return { name: file.meta.fileName, stream: file.stream, size: file.size };
  file?.stream.destroy();
  return undefined;
}
