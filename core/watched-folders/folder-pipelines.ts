import { readdir } from 'node:fs/promises';
import { isQuireError, type Logger } from '@quire/registry';
import type { FolderSettings } from '../folders/index.js';
import { parseDefinition } from '../operations/pipelines/index.js';
import { FolderProblem } from './folder-problem.js';
import { readDefinition, type FolderDefinition } from './read-definition.js';
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
  { roots, finished }: Pick<FolderSettings, 'roots' | 'finished'>,
  log: Logger,
): Promise<FolderPipeline[]> {
  const found: FolderPipeline[] = [];
  for (const { path, fromRoot, occupied } of await walkFolders(roots, [finished], log)) {
    const readable = occupied ? await readableDefinition(path) : undefined;
    if (readable !== undefined) found.push({ folder: fromRoot, steps: readable.steps });
  }
  return found;
}

/**
 * Returns the pipeline in a folder and its steps; undefined if none can be read as a pipeline. `file`: its
 * name, if that is known.
 */
export async function readableDefinition(
  path: string,
  file?: string,
): Promise<{ readonly definition: FolderDefinition; readonly steps: readonly unknown[] } | undefined> {
  const names = file === undefined ? await readdir(path).catch(() => []) : [file];
  try {
    const definition = await readDefinition(path, names);
    return { definition, steps: parseDefinition(definition.json).steps };
  } catch (error) {
    const gone = typeof (error as NodeJS.ErrnoException).code === 'string';
    if (!(error instanceof FolderProblem) && !isQuireError(error) && !gone) throw error;
    return undefined;
  }
}
