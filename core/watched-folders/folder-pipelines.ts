import { readdir } from 'node:fs/promises';
import { isQuireError, type Logger } from '@quire/registry';
import { parseDefinition } from '../operations/pipelines/index.js';
import { FolderProblem } from './folder-problem.js';
import { readDefinition } from './read-definition.js';
import type { ScanSettings } from './scan-settings.js';
import { walkFolders } from './walk-folders.js';

/** The pipeline of a watched folder. */
export interface FolderPipeline {
  /** The folder, relative to its root. */
  readonly folder: string;
  readonly steps: readonly unknown[];
}

/**
 * Returns the pipelines in watched folders now. Folders without a readable pipeline are left out, because they process
 * no files.
 */
export async function folderPipelines(
  { roots, finished }: Pick<ScanSettings, 'roots' | 'finished'>,
  log: Logger,
): Promise<FolderPipeline[]> {
  const found: FolderPipeline[] = [];
  for (const { path, fromRoot, occupied } of await walkFolders(roots, [finished], log)) {
    if (!occupied) continue;
    const names = await readdir(path).catch(() => []);
    try {
      found.push({ folder: fromRoot, steps: parseDefinition((await readDefinition(path, names)).json).steps });
    } catch (error) {
      const gone = typeof (error as NodeJS.ErrnoException).code === 'string';
      if (!(error instanceof FolderProblem) && !isQuireError(error) && !gone) throw error;
    }
  }
  return found;
}
