import { mkdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { isInside, realOfExisting } from '../folders/index.js';
import { filledPattern, type PatternValues } from '../operations/runner/index.js';
import { FolderProblem } from './folder-problem.js';
import type { ScanSettings } from './scan-settings.js';

/** Values for the placeholders in the patterns of a run. */
export interface FolderValues extends PatternValues {
  /** Path of the watched folder as the scan found it. */
  readonly watched: string;
  /** The same, relative to its root. */
  readonly fromRoot: string;
}

/**
 * Returns the folder that `outputDir` means (`docs/interface/pipeline.yml`): placeholders are filled in, and the text
 * `watchedFolders` is removed. A relative path is relative to the working folder if that may be written to, else to the
 * finished folder. Without a pattern: the finished folder, followed by the path from the watched root. Throws
 * FolderProblem if the folder is outside of those the operator allows, or is the watched folder itself.
 */
export function outputFolder(
  pattern: string | undefined,
  values: FolderValues,
  settings: Pick<ScanSettings, 'finished' | 'allowedRoots' | 'workingFolder'>,
): string {
  if (pattern === undefined || pattern.trim() === '') return join(settings.finished, values.fromRoot);
  const filled = filledPattern(
    pattern
      .trim()
      .replace(/\{outputFolder\}/g, () => settings.finished)
      .replace(/\{folderName\}/g, () => values.watched),
    values,
  ).replace(/\\?watchedFolders/g, '');
  const allowed = [settings.finished, ...settings.allowedRoots];
  const permitted = (path: string): boolean => !path.includes('\0') && allowed.some((root) => isInside(root, path));
  const fromWork = resolve(settings.workingFolder, filled);
  const folder = isAbsolute(filled) || permitted(fromWork) ? fromWork : resolve(settings.finished, filled);
  if (!permitted(folder)) throw refused(pattern, folder);
  if (folder === values.watched)
    throw new FolderProblem(
      'output-refused',
      `outputDir ${JSON.stringify(pattern)} is the watched folder itself, so every output would become an input again.`,
    );
  return folder;
}

function refused(pattern: string | undefined, folder: string): FolderProblem {
  return new FolderProblem(
    'output-refused',
    `outputDir ${JSON.stringify(pattern ?? '')} means ${JSON.stringify(folder)}, which is neither in the ` +
      'finished folder nor in a folder of policies.allowedFolderRoots.',
  );
}

/**
 * Creates the folder. Links in its path must not lead outside the allowed folders, nor into the watched folder. Rejects
 * with FolderProblem and file system errors.
 */
export async function openOutputFolder(
  folder: string,
  pattern: string | undefined,
  watched: string,
  settings: Pick<ScanSettings, 'finished' | 'allowedRoots'>,
): Promise<void> {
  await mkdir(settings.finished, { recursive: true });
  const roots = await Promise.all([settings.finished, ...settings.allowedRoots].map(realOfExisting));
  const allowed = (path: string): boolean => roots.some((root) => isInside(root, path));
  // Check the existing part of the path before anything is created behind a link.
  if (!allowed(await realOfExisting(folder))) throw refused(pattern, folder);
  await mkdir(folder, { recursive: true });
  const real = await realpath(folder);
  if (!allowed(real)) throw refused(pattern, folder);
  const own = await realpath(watched);
  if (real === own || real.startsWith(join(own, 'processing', sep)) || real === join(own, 'processing'))
    throw new FolderProblem(
      'output-refused',
      'outputDir leads to the watched folder itself, so every output would become an input again.',
    );
}
