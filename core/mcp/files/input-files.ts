import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { InputError, sniffKind, isQuireError, type Principal } from '@quire/registry';
import { storedFile, type StoredFileDeps } from '../../http/request/index.js';
import { cleanFileName, readHead, type Scratch } from '../../operations/runner/index.js';
import type { WireFile } from '../../operations/workers/index.js';
import type { Uploads } from './uploads.js';

export interface InputFilesDeps extends StoredFileDeps {
  readonly uploads: Uploads;
}

/**
 * Opens the file of a `fileId` for a tool: an upload, the result of an earlier call, or a stored file. Throws
 * INPUT_FILE_UNKNOWN with this pointer for an unknown one and one of somebody else, which get the same error.
 */
export async function inputFile(
  deps: InputFilesDeps,
  fileId: string,
  at: { readonly field: string; readonly pointer: string },
  principal: Principal,
  scratch: Scratch,
): Promise<WireFile> {
  const owner = deps.ownerOf(principal);
  const upload = await deps.uploads.open(fileId, owner);
  if (upload !== undefined) return keep(upload, scratch);
  if (await deps.uploads.isExpected(fileId, owner))
    throw unknown(at, 'nothing was uploaded to the address of this file yet');
  try {
    return await storedFile(deps, fileId, principal, scratch);
  } catch (error) {
    if (isQuireError(error) && error.code === 'INPUT_FILE_UNKNOWN') throw unknown(at, 'no file has this id');
    throw error;
  }
}

function unknown({ field, pointer }: { readonly field: string; readonly pointer: string }, detail: string): InputError {
  return new InputError('INPUT_FILE_UNKNOWN', { field }, [{ pointer, detail }]);
}

async function keep(
  { stream, name: given, size, mediaType }: NonNullable<Awaited<ReturnType<Uploads['open']>>>,
  scratch: Scratch,
): Promise<WireFile> {
  const path = scratch.filePath();
  await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  const name = cleanFileName(given);
  return {
    name,
    path,
    size,
    kind: sniffKind(await readHead(path), name) ?? 'bin',
    ...(mediaType === undefined ? {} : { mediaType }),
  };
}
