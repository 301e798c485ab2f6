import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** A member of a zip: a file, or its content. */
export type ZipMember = { readonly name: string; readonly stored?: true } & (
  { readonly path: string } | { readonly content: string | Uint8Array }
);

/** The earliest time that zips can express. All members have it, so that the same input gives the same bytes. */
const NO_TIME = new Date(Date.UTC(1980, 0, 2));

/** Writes a new zip to `target`, with its members in this order; `stored` ones uncompressed. */
export async function writeZip(members: Iterable<ZipMember>, target: string, signal?: AbortSignal): Promise<void> {
  // Loaded late: code outside the workers uses this module for its checks.
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  for (const member of members) {
    const options = { mtime: NO_TIME, compress: member.stored !== true };
    if ('path' in member) zip.addFile(member.path, member.name, options);
    else
      zip.addBuffer(
        typeof member.content === 'string' ? Buffer.from(member.content, 'utf8') : Buffer.from(member.content),
        member.name,
        options,
      );
  }
  zip.end();
  await pipeline(
    zip.outputStream,
    createWriteStream(target, { flags: 'wx', mode: 0o600 }),
    signal === undefined ? {} : { signal },
  );
}
