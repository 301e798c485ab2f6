import { basename, join } from 'node:path';
import type { FolderRunDeps } from './folder-run-deps.js';
import type { Listing } from './folder-listing.js';
import { finishRun, putBack, removePartFiles } from './finish-run.js';
import { moveFile } from './moves.js';
import { RunJournal, removeRun, type RunInput } from './run-journal.js';

/** A run that was interrupted before its end was decided. */
export interface OpenRun {
  readonly journal: RunJournal;
  readonly inputs: readonly RunInput[];
}

/**
 * Finishes runs whose end was decided, and puts back files that were taken without a journal.
 *
 * @param left Folders of runs that nobody works on.
 */
export async function tidyFolder(
  deps: Pick<FolderRunDeps, 'log' | 'names' | 'settings' | 'keep'>,
  folder: string,
  { stranded }: Listing,
  left: readonly string[],
): Promise<void> {
  for (const run of left) {
    const journal = await RunJournal.open(run);
    if (journal === undefined) await putBack(deps, folder, bareRun(run));
    else if (journal.record.ending !== undefined) await finishRun(deps, journal);
  }
  for (const path of stranded) {
    const free = await deps.names.reserve(folder, basename(path));
    try {
      await moveFile(path, join(folder, free));
    } finally {
      deps.names.release(folder, free);
    }
    deps.log.info({ folder, file: free }, 'a file that another server left in processing was put back');
  }
}

/** Returns runs that were interrupted before their end was decided. */
export async function openRuns(left: readonly string[]): Promise<OpenRun[]> {
  const found: OpenRun[] = [];
  for (const run of left) {
    const journal = await RunJournal.open(run);
    if (journal === undefined || journal.record.ending !== undefined) continue;
    await removePartFiles(journal);
    const inputs = await journal.present();
    if (inputs.length === 0) await removeUnlessFilled(journal);
    else found.push({ journal, inputs });
  }
  return found.sort((a, b) => b.journal.record.attempts - a.journal.record.attempts);
}

/** Removes a run without inputs. A file that is retried at this moment may be moved into it meanwhile. */
async function removeUnlessFilled(journal: RunJournal): Promise<void> {
  await journal.remove().catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  });
}

/** A run folder without a readable journal: the server stopped before it was written. */
function bareRun(folder: string): { readonly inputs: string; remove(): Promise<void> } {
  return { inputs: join(folder, 'in'), remove: () => removeRun(folder) };
}
