import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { InputError, sniffKind } from '@quire/registry';
import { cleanFileName, readHead, type Scratch, type WireFile } from '../execution/index.js';
import type { HttpDeps } from './deps.js';

/** A result of an earlier job as the input of this call (`fileId`, `contract/general.yml`). A foreign file and an unknown one get the same answer. */
export async function storedFile(deps: HttpDeps, fileId: string, owner: string, scratch: Scratch): Promise<WireFile> {
  const jobs = await deps.jobs();
  const file = await jobs.openFile(fileId).catch(() => undefined);
  if (file === undefined || file.meta.owner !== owner) {
    file?.stream.destroy();
    throw new InputError('INPUT_FILE_UNKNOWN', { field: 'fileId' }, [{ pointer: '/fileId', detail: 'no stored file has this id' }]);
  }
  const path = scratch.filePath();
  await pipeline(file.stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  const name = cleanFileName(file.meta.fileName);
  return { name, path, size: file.size, kind: sniffKind(await readHead(path), name) ?? 'bin' };
}
