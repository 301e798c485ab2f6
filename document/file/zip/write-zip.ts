import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

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
  try {
    for await (const member of members) addMember(zip, member);
  } catch (error) {
    file.destroy();
    throw error;
  }
  zip.end();
  await written;
  return file.bytesWritten;
}

function addMember(zip: import('yazl').ZipFile, member: ZipMember): void {
  const time = Math.min(Math.max(member.modified?.getTime() ?? EARLIEST, EARLIEST), LATEST);
  const options = { mtime: new Date(time), mode: 0o100644, compress: member.stored !== true };
  if ('path' in member) return zip.addFile(member.path, member.name, options);
  const { content } = member;
  const bytes =
    typeof content === 'string'
      ? Buffer.from(content, 'utf8')
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  zip.addBuffer(bytes, member.name, options);
}
