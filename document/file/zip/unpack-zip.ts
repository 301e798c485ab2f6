import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Entry, ZipFile } from 'yauzl';
import { DocumentError } from '../../errors.js';

// An archive with more is an attack or a mistake.
const MAX_ENTRIES = 10_000;
const MAX_TOTAL_BYTES = 1024 ** 3;
const MAX_ENTRY_BYTES = 256 * 1024 ** 2;
const RATIO_FREE_BYTES = 10 * 1024 ** 2;
const MAX_RATIO = 200;
const LONGEST_NAME = 1024;

/** Totals so far; nested archives share one budget. */
export interface UnpackBudget {
  entries: number;
  bytes: number;
}

export interface UnpackedFile {
  /** Its path within the archive, with `/` between folders. */
  readonly name: string;
  /** Its path on disk. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

export interface UnpackOptions {
  /** Form field that errors name. */
  readonly field: string;
  readonly signal: AbortSignal;
  /** `numbered` (default): files get generated names. `kept`: each keeps its path under the folder. */
  readonly names?: 'numbered' | 'kept';
  /** Selects the entries to unpack; the others are only checked. */
  readonly wanted?: (name: string) => boolean;
  readonly budget?: UnpackBudget;
}

/** Creates the error for a rejected archive. */
export type RefuseArchive = (detail: string, cause?: unknown) => DocumentError;

/** Returns a factory for the error about the archive in `field`. */
export function refuseArchive(field: string): RefuseArchive {
  return (detail, cause) => new DocumentError('ARCHIVE_UNSAFE', { field, detail }, [], { cause });
}

/**
 * Unpacks the files of a zip into `folder`, in the archive's order; directories are skipped. Sizes are counted while
 * unpacking, since headers may lie. Throws ARCHIVE_UNSAFE for links, names that lead outside or occur twice,
 * encryption, bombs (more than 10 000 entries, 1 GiB, 256 MiB or 200 times an entry's size) and damage.
 */
export async function unpackZip(
  path: string,
  folder: string,
  { field, signal, names = 'numbered', wanted, budget = { entries: 0, bytes: 0 } }: UnpackOptions,
): Promise<UnpackedFile[]> {
  const refuse = refuseArchive(field);
  const { openPromise } = await import('yauzl');
  const files: UnpackedFile[] = [];
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { lazyEntries: true, autoClose: false });
    const tooMany = (): DocumentError => refuse(`it has more than ${MAX_ENTRIES} entries`);
    // Rejected by the directory's count before anything is unpacked.
    if (budget.entries + zip.entryCount > MAX_ENTRIES) throw tooMany();
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted();
      if (++budget.entries > MAX_ENTRIES) throw tooMany();
      checkZipEntry(entry, refuse);
      const name = entry.fileName;
      if (name.endsWith('/') || wanted?.(name) === false) continue;
      const target = join(folder, names === 'kept' ? name : `z${budget.entries}`);
      if (names === 'kept' && (name.includes('\0') || name.length > LONGEST_NAME))
        throw refuse('it contains an invalid file name');
      if (names === 'kept') await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      files.push({ name, path: target, size: await extract(zip, entry, target, budget, refuse) });
    }
  } catch (error) {
    if (error instanceof DocumentError || signal.aborted) throw error;
    const { message, code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC') throw error;
    if (code === 'EEXIST' || code === 'ENOTDIR' || code === 'EISDIR') throw refuse('it contains a name twice', error);
    if (code === 'ENAMETOOLONG') throw refuse('it contains a name that is too long', error);
    // The zip reader rejects some of these names before this code sees them.
    throw refuse(
      /relative path|absolute path|invalid characters in fileName/.test(message)
        ? 'it contains a path that leads outside of it'
        : 'it is damaged',
      error,
    );
  } finally {
    zip?.close();
  }
  return files;
}

/** Rejects an entry by its header: links, names that lead outside, encryption, a size above the limit. */
export function checkZipEntry(
  entry: Pick<Entry, 'fileName' | 'externalFileAttributes' | 'generalPurposeBitFlag' | 'uncompressedSize'>,
  refuse: RefuseArchive,
): void {
  const unixMode = (entry.externalFileAttributes >>> 16) & 0xf000;
  if (unixMode === 0xa000) throw refuse('it contains a link');
  checkEntryName(entry.fileName, refuse);
  if ((entry.generalPurposeBitFlag & 1) !== 0) throw refuse('it is encrypted');
  if (entry.uncompressedSize > MAX_ENTRY_BYTES) throw refuse(`an entry is larger than ${MAX_ENTRY_BYTES} bytes`);
}

/** Rejects an entry's name that leads outside of the archive on any operating system. */
export function checkEntryName(name: string, refuse: RefuseArchive): void {
  if (/^[a-zA-Z]:|^[/\\]|(^|[/\\])\.\.([/\\]|$)|\\/.test(name))
    throw refuse('it contains a path that leads outside of it');
}

/**
 * Counts an entry's unpacked bytes and fails the stream above the limits. `packed`: the entry's size in the archive.
 */
export function guardEntry(packed: number, budget: UnpackBudget, refuse: RefuseArchive): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      budget.bytes += chunk.length;
      if (size > MAX_ENTRY_BYTES || budget.bytes > MAX_TOTAL_BYTES) done(refuse('it unpacks to more than the limit'));
      else if (size > RATIO_FREE_BYTES && size > packed * MAX_RATIO)
        done(refuse(`an entry unpacks to more than ${MAX_RATIO} times its size`));
      else done(null, chunk);
    },
  });
}

async function extract(
  zip: ZipFile,
  entry: Entry,
  target: string,
  budget: UnpackBudget,
  refuse: RefuseArchive,
): Promise<number> {
  const source = await zip.openReadStreamPromise(entry);
  // Created last: it emits an error when the file exists, and nothing would be listening yet.
  const file = createWriteStream(target, { flags: 'wx', mode: 0o600 });
  await pipeline(source, guardEntry(entry.compressedSize, budget, refuse), file);
  return file.bytesWritten;
}
