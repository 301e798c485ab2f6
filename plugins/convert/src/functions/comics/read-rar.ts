import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkEntryName, refuseArchive, type UnpackedFile } from '@quire/document/file/zip';
import { DocumentError } from '@quire/document';
import { fileHead } from '@quire/document/file/source';

// As for zips: an archive beyond these is an attack or a mistake.
const MAX_ENTRIES = 10_000;
const MAX_TOTAL_BYTES = 1024 ** 3;
const MAX_ENTRY_BYTES = 256 * 1024 ** 2;
/** Largest archive: the reader holds it in the memory of its WebAssembly. */
const MAX_ARCHIVE_BYTES = 512 * 1024 ** 2;

/** First bytes of RAR 4 and RAR 5 archives. */
const SIGNATURES = ['526172211a0700', '526172211a070100'];

/** True when the file begins like a RAR archive. */
export async function isRar(path: string): Promise<boolean> {
  const head = (await fileHead(path, 8)).toString('hex');
  return SIGNATURES.some((signature) => head.startsWith(signature));
}

/**
 * Unpacks the wanted files of a RAR archive (versions 2.9 to 5; solid ones of version 5 alone) into `folder` under
 * numbers, in the archive's order, one in memory at a time. Throws ARCHIVE_UNSAFE for encryption, names that lead out,
 * bombs, parts of a split archive, and damage.
 */
export async function unpackRar(
  path: string,
  folder: string,
  {
    field,
    signal,
    wanted,
  }: { readonly field: string; readonly signal: AbortSignal; readonly wanted: (name: string) => boolean },
): Promise<UnpackedFile[]> {
  const refuse = refuseArchive(field);
  const { ArchiveReader, libarchiveWasm } = await import('libarchive-wasm');
  const data = await readFile(path, { signal });
  if (data.length > MAX_ARCHIVE_BYTES) throw refuse(`it is larger than ${MAX_ARCHIVE_BYTES} bytes`);
  const files: UnpackedFile[] = [];
  let [entries, bytes] = [0, 0];
  try {
    const reader = new ArchiveReader(await libarchiveWasm(), new Int8Array(data.buffer, data.byteOffset, data.length));
    try {
      for (const entry of reader.entries()) {
        signal.throwIfAborted();
        if (++entries > MAX_ENTRIES) throw refuse(`it has more than ${MAX_ENTRIES} entries`);
        const [name, size] = [entry.getPathname().replaceAll('\\', '/'), entry.getSize()];
        checkEntryName(name, refuse);
        if (entry.getFiletype() === 'SymbolicLink') throw refuse('it holds a link');
        if (entry.isEncrypted()) throw refuse('it is encrypted');
        if (entry.getFiletype() !== 'File' || !wanted(name)) continue;
        bytes += size;
        if (size > MAX_ENTRY_BYTES || bytes > MAX_TOTAL_BYTES) throw refuse('it unpacks to more than the limit');
        const target = join(folder, `r${entries}`);
        await writeFile(target, entry.readData() ?? new Int8Array(), { flag: 'wx', mode: 0o600, signal });
        files.push({ name, path: target, size });
      }
      if (entries === 0 && reader.hasEncryptedData() === true) throw refuse('it is encrypted');
      // For an entry that it cannot read, the library reports the end of the archive.
      const fault: string | null = reader.libarchive.error_string(reader.archive);
      if (fault !== null && fault !== '') throw new Error(fault);
      if (entries === 0) throw refuse('it is empty, or of a version that is not read');
    } finally {
      reader.free();
    }
  } catch (error) {
    if (error instanceof DocumentError || signal.aborted || (error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw error;
    throw refuse(
      /encrypt|passphrase/i.test((error as Error).message)
        ? 'it is encrypted'
        : 'it is damaged, or packed in a way that is not read',
      error,
    );
  }
  return files;
}
