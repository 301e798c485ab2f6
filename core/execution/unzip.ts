import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InputError, sniffKind } from '@quire/registry';
import type { Entry, ZipFile } from 'yauzl';
import { cleanFileName } from './file-names.js';
import { readHead } from './operation-run.js';
import type { WireFile } from './protocol.js';

// Bounds of reliability.md F13 and F15; an archive beyond them is an attack or a mistake.
const MAX_ENTRIES = 10_000;
const MAX_TOTAL_BYTES = 1024 ** 3;
const MAX_ENTRY_BYTES = 256 * 1024 ** 2;
const RATIO_FREE_BYTES = 10 * 1024 ** 2;
const MAX_RATIO = 200;
const MAX_DEPTH = 10;

interface Budget {
  entries: number;
  bytes: number;
}

/**
 * Unpacks a zip, nested zips too, into numbered files below `folder`; directories are skipped and names are only labels.
 * Throws ARCHIVE_UNSAFE for links, traversal, encryption, bombs and damaged archives.
 */
export async function unzip(path: string, folder: string, field: string, signal: AbortSignal, depth = 0, budget: Budget = { entries: 0, bytes: 0 }): Promise<WireFile[]> {
  const refuse = (detail: string, cause?: unknown): InputError => new InputError('ARCHIVE_UNSAFE', { field, detail }, [], { cause });
  if (depth > MAX_DEPTH) throw refuse(`archives are nested more than ${MAX_DEPTH} deep`);
  const { openPromise } = await import('yauzl');
  const files: WireFile[] = [];
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false });
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted();
      if (++budget.entries > MAX_ENTRIES) throw refuse(`it has more than ${MAX_ENTRIES} entries`);
      checkEntry(entry, refuse);
      if (entry.fileName.endsWith('/')) continue;
      const target = join(folder, `z${depth}-${budget.entries}`);
      const size = await extract(zip, entry, target, budget, refuse);
      const name = cleanFileName(entry.fileName);
      const kind = sniffKind(await readHead(target), name) ?? 'bin';
      if (kind === 'zip') files.push(...(await unzip(target, folder, field, signal, depth + 1, budget)));
      else files.push({ name, kind, size, path: target });
    }
  } catch (error) {
    if (error instanceof InputError || signal.aborted) throw error;
    // The zip reader refuses some of these names before we see them.
    const leadsOut = /relative path|absolute path|invalid characters in fileName/.test((error as Error).message);
    throw refuse(leadsOut ? 'it holds a path that leads out of it' : 'it is damaged', error);
  } finally {
    zip?.close();
  }
  return files;
}

function checkEntry(entry: Entry, refuse: (detail: string) => InputError): void {
  const unixMode = (entry.externalFileAttributes >>> 16) & 0xf000;
  if (unixMode === 0xa000) throw refuse('it holds a link');
  if (/^[a-zA-Z]:|^[/\\]|(^|[/\\])\.\.([/\\]|$)|\\/.test(entry.fileName)) throw refuse('it holds a path that leads out of it');
  if ((entry.generalPurposeBitFlag & 1) !== 0) throw refuse('it is encrypted');
  if (entry.uncompressedSize > MAX_ENTRY_BYTES) throw refuse(`an entry is larger than ${MAX_ENTRY_BYTES} bytes`);
}

async function extract(zip: ZipFile, entry: Entry, target: string, budget: Budget, refuse: (detail: string) => InputError): Promise<number> {
  let size = 0;
  // Sizes in the headers may lie, so what comes out is counted.
  const guard = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      budget.bytes += chunk.length;
      if (size > MAX_ENTRY_BYTES || budget.bytes > MAX_TOTAL_BYTES) done(refuse('it unpacks to more than the limit'));
      else if (size > RATIO_FREE_BYTES && size > entry.compressedSize * MAX_RATIO) done(refuse(`an entry unpacks to more than ${MAX_RATIO} times its size`));
      else done(null, chunk);
    },
  });
  const source = await zip.openReadStreamPromise(entry);
  await pipeline(source, guard, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
  return size;
}
