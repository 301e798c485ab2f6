import { basename } from 'node:path';
import type { ScanSettings } from '../scan-settings.js';

/** Shortens the absolute paths of the operator's folders in a text to the name of the folder. */
export function withoutPaths(
  text: string,
  {
    roots,
    finished,
    allowedRoots,
    workingFolder,
  }: Pick<ScanSettings, 'roots' | 'finished' | 'allowedRoots' | 'workingFolder'>,
): string {
  // The longest first, because one may contain another.
  const folders = [...roots, finished, ...allowedRoots, workingFolder]
    .filter((folder) => basename(folder) !== '')
    .sort((a, b) => b.length - a.length);
  return folders.reduce((shown, folder) => shown.replaceAll(folder, basename(folder)), text);
}
