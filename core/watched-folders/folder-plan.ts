import { isQuireError, type Principal } from '@quire/registry';
import type { PipelineReport } from '../operations/pipelines/index.js';
import type { FolderFile } from '../folders/index.js';
import { FolderProblem } from './folder-problem.js';
import type { WatchedFolderDeps } from './folder-run-deps.js';
import { placeOf } from './folder-run.js';
import { readDefinition, type FolderDefinition } from './read-definition.js';

/** The data for all runs that one look starts. */
export interface Plan {
  /** Monotonic ms. */
  readonly at: number;
  readonly definition: FolderDefinition;
  readonly report: PipelineReport;
  readonly principal: Principal;
}

/**
 * Verifies the pipeline of a folder completely for the account that it runs for. Throws FolderProblem.
 *
 * @param folder `path`: absolute; `fromRoot`: relative to the watched root.
 */
export async function planFolder(
  { path, fromRoot }: { readonly path: string; readonly fromRoot: string },
  definition: FolderDefinition,
  deps: WatchedFolderDeps,
): Promise<Plan> {
  try {
    const principal = await deps.principal();
    const plan = {
      at: performance.now(),
      definition,
      report: await deps.pipelines.verify(definition.json, principal, false),
      principal,
    };
    placeOf({ watched: path, fromRoot, definition }, deps);
    return plan;
  } catch (error) {
    if (!isQuireError(error)) throw error;
    const kind =
      error.row.family === 'access' ? 'not-allowed' : error.code === 'PIPELINE_INVALID' ? 'pipeline-invalid' : 'failed';
    throw new FolderProblem(kind, `${definition.file}: ${error.message}`, error.errors, { cause: error });
  }
}

/** Reads the pipeline of a folder. Throws FolderProblem. */
export function definitionIn(path: string, files: readonly FolderFile[]): Promise<FolderDefinition> {
  return readDefinition(
    path,
    files.map(({ name }) => name),
  );
}
