import { unpackZip, refuseArchive, type UnpackBudget } from '@quire/document/file/zip';
import { sniffKind } from '@quire/registry';
import { cleanFileName } from './file-names.js';
import { readHead } from './operation-run.js';
import type { WireFile } from '../workers/wire-file.js';

const MAX_DEPTH = 10;

/**
 * Unpacks a zip, nested zips too, into numbered files in `folder`; directories are skipped and names are only labels.
 * Throws ARCHIVE_UNSAFE for links, traversal, encryption, bombs and damaged archives.
 */
export async function unzip(
  path: string,
  folder: string,
  field: string,
  signal: AbortSignal,
  depth = 0,
  budget: UnpackBudget = { entries: 0, bytes: 0 },
): Promise<WireFile[]> {
  if (depth > MAX_DEPTH) throw refuseArchive(field)(`archives are nested more than ${MAX_DEPTH} deep`);
  const files: WireFile[] = [];
  for (const { name: entry, path: unpacked, size } of await unpackZip(path, folder, { field, signal, budget })) {
    const name = cleanFileName(entry);
    const kind = sniffKind(await readHead(unpacked), name) ?? 'bin';
    if (kind === 'zip') files.push(...(await unzip(unpacked, folder, field, signal, depth + 1, budget)));
    else files.push({ name, kind, size, path: unpacked });
  }
  return files;
}
