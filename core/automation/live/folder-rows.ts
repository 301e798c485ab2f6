import type { FolderAutomations } from '../folders/folder-automation.js';
import { rowOf, type Row } from './live-list.js';

/** The rows of watched folders. */
export async function folderRows(folders: Pick<FolderAutomations, 'list' | 'runs'>): Promise<readonly Row[]> {
  const all = await folders.list();
  return Promise.all(
    all.map(async ({ automation, path, counts, problems }) => {
      const [lastRun] = await folders.runs(automation.id, 1);
      return rowOf(automation, {
        counts,
        problems,
        folder: path,
        nextStart: null,
        lastRun: lastRun && { state: lastRun.state, startedAt: lastRun.startedAt },
        waiting: undefined,
      });
    }),
  );
}
