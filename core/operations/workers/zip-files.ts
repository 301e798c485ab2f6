import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { uniqueNames } from '../runner/file-names.js';
import type { WireFile } from './wire-file.js';

const compressible = new Set(['txt', 'md', 'csv', 'json', 'xml', 'html', 'svg', 'bmp', 'eps']);

/** The range of times that every reader of zips supports, in milliseconds. */
const EARLIEST = Date.UTC(1980, 0, 1);
const LATEST = Date.UTC(2037, 11, 31);

/**
 * Writes files into a zip: flat, in order, with unique names. Content that is compressed already is stored. Returns the
 * size in bytes.
 */
export async function zipFiles(files: readonly WireFile[], target: string): Promise<number> {
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const names = uniqueNames(files.map(({ name }) => name));
  files.forEach((file, i) =>
    zip.addFile(file.path, names[i] ?? file.name, {
      compress: compressible.has(file.kind),
      mtime: new Date(file.modified === undefined ? EARLIEST : Math.min(Math.max(file.modified, EARLIEST), LATEST)),
      mode: 0o100644,
    }),
  );
  const done = new Promise<void>((resolve, reject) => {
    zip.outputStream
      .on('error', reject)
      .pipe(createWriteStream(target, { flags: 'wx', mode: 0o600 }))
      .on('error', reject)
      .on('close', resolve);
    (zip as unknown as NodeJS.EventEmitter).on('error', reject);
  });
  zip.end();
  await done;
  return (await stat(target)).size;
}
