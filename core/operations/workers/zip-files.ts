import { writeZip } from '@quire/document/file/zip';
import { uniqueNames } from '../runner/file-names.js';
import type { WireFile } from './wire-file.js';

const compressible = new Set(['txt', 'md', 'csv', 'json', 'xml', 'html', 'svg', 'bmp', 'eps']);

/**
 * Writes files into a zip: flat, in order, with unique names. Content that is compressed already is stored. Returns the
 * size in bytes.
 */
export function zipFiles(files: readonly WireFile[], target: string): Promise<number> {
  const names = uniqueNames(files.map(({ name }) => name));
  return writeZip(
    files.map((file, i) => ({
      name: names[i] ?? file.name,
      path: file.path,
      ...(compressible.has(file.kind) ? {} : { stored: true as const }),
      ...(file.modified === undefined ? {} : { modified: new Date(file.modified) }),
    })),
    target,
  );
}
