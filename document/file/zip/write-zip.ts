import { createWriteStream, readFileSync, statSync, type WriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';

/** A member of a zip: a file, or its content. */
export type ZipMember = {
  readonly name: string;
  /** Stores the member without compression. */
  readonly stored?: true;
  /** When the member was modified. By default all members have the same time, so that equal input gives equal bytes. */
  readonly modified?: Date;
} & ({ readonly path: string } | { readonly content: string | Uint8Array });

/** The range of times that every reader of zips supports, in milliseconds. */
const EARLIEST = Date.UTC(1980, 0, 2);
const LATEST = Date.UTC(2037, 11, 31);
/** In bytes. Smaller files are read in one step: five turns in the thread pool take longer than reading them. */
const SMALL_FILE = 256 * 1024;
/** Most bytes of stored members that wait to be written, small files in memory. */
const MOST_WAITING = 8 * 1024 * 1024;

/**
 * Writes a new zip to `target`, with its members in this order, and returns its size in bytes. Members of a generator
 * are written while the next ones are produced.
 */
export async function writeZip(
  members: Iterable<ZipMember> | AsyncIterable<ZipMember>,
  target: string,
  signal?: AbortSignal,
): Promise<number> {
  // Loaded late: code outside the workers uses this module for its checks.
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const file = createWriteStream(target, { flags: 'wx', mode: 0o600 });
  const written = pipeline(zip.outputStream, file, signal === undefined ? {} : { signal });
  // Awaited below; a generator that fails before must not leave an unhandled rejection.
  written.catch(() => undefined);
  // The library reports files that it cannot read on the archive itself.
  (zip as unknown as NodeJS.EventEmitter).on('error', (error: Error) => file.destroy(error));
  let added = 0;
  try {
    for await (const member of members) {
      added += addMember(zip, member);
      await untilWritten(file, added - MOST_WAITING);
    }
  } catch (error) {
    file.destroy();
    throw error;
  }
  zip.end();
  await written;
  return file.bytesWritten;
}

/** Waits until this many bytes are in the file, or nothing more can be written. */
async function untilWritten(file: WriteStream, bytes: number): Promise<void> {
  while (file.bytesWritten < bytes && !file.destroyed) await setTimeout(1);
}

/** Returns how many bytes of the file the member will take, 0 if that is not known. */
function addMember(zip: import('yazl').ZipFile, member: ZipMember): number {
  const time = Math.min(Math.max(member.modified?.getTime() ?? EARLIEST, EARLIEST), LATEST);
  const options = { mtime: new Date(time), mode: 0o100644, compress: member.stored !== true };
  if ('path' in member) {
    const size = member.stored === true ? sizeOf(member.path) : undefined;
    if (size !== undefined && size <= SMALL_FILE) zip.addBuffer(readFileSync(member.path), member.name, options);
    else zip.addFile(member.path, member.name, options);
    return size ?? 0;
  }
  const { content } = member;
  const bytes =
    typeof content === 'string'
      ? Buffer.from(content, 'utf8')
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  zip.addBuffer(bytes, member.name, options);
  return 0;
}

/** Undefined for anything but a file, which the library refuses. */
function sizeOf(path: string): number | undefined {
  const facts = statSync(path);
  return facts.isFile() ? facts.size : undefined;
}
