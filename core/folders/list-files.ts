import { readdir } from 'node:fs/promises';
import { numbered } from './free-names.js';

/** Name of the report in a watched folder that cannot be processed; never an input. */
export const PROBLEM_FILE = '_folder-problem.json';

/** Names of the subfolders that watched folders use; folders with these names are never watched. */
const ownFolders: ReadonlySet<string> = new Set(['processing', 'done', 'failed', 'error']);

/** Temporary names of files that programs are still writing, and files that operating systems create everywhere. */
const passing = new RegExp(
  [
    String.raw`(?:\.(?:part|partial|filepart|crdownload|opdownload|download|tmp|temp|swp|lock)|~)$`,
    String.raw`^~\$`,
    String.raw`^(?:thumbs\.db|desktop\.ini)$`,
  ].join('|'),
  'i',
);

/** A file in a folder. */
export interface FolderFile {
  /** The name as bytes, as the file system returns it. */
  readonly raw: Buffer;
  /** The name as text; bytes that are not UTF-8 are replaced by `_`. No two files of a listing share it. */
  readonly name: string;
}

/** Returns true for names of folders that are never watched. */
export function isPassedOver(name: string): boolean {
  return name.startsWith('.') || ownFolders.has(name);
}

/**
 * Lists the regular files of a folder that may be inputs. Links to files are not inputs, because they may point
 * anywhere. Rejects with errors of the file system.
 */
export async function listFiles(folder: string): Promise<readonly FolderFile[]> {
  const files: FolderFile[] = [];
  const names = new Set<string>();
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
    if (!entry.isFile()) continue;
    const raw = entry.name;
    const text = raw.toString('utf8');
    const clean = text.includes('\ufffd') ? text.replaceAll('\ufffd', '_') : text;
    if (clean.startsWith('.') || clean === PROBLEM_FILE || passing.test(clean)) continue;
    let name = clean;
    for (let i = 1; names.has(name); i++) name = numbered(clean, i);
    names.add(name);
    files.push({ raw, name });
  }
  return files;
}
