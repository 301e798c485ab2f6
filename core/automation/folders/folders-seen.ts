import { InputError, type Principal } from '@quire/registry';
import { newsOf, runsIn, type ItemCounts, type OneHistory } from '../items/history.js';
import type { TeamRecords } from '../team-records.js';
import type { FolderAutomation, FolderAutomations } from './folder-automation.js';

export interface FoldersSeenDeps {
  folders(): FolderAutomations;
  readonly teams: TeamRecords;
  /** True when other nodes may change the records. */
  readonly shared: boolean;
}

/** Of a folder that is gone. */
const NONE: ItemCounts = { waiting: 0, running: 0, delivering: 0, delivered: 0, parked: 0 };

/** Watched folders among automations. They belong to the operator, as records without an owner do. */
export class FoldersSeen {
  constructor(private readonly deps: FoldersSeenDeps) {}

  async list(principal: Principal): Promise<readonly FolderAutomation[]> {
    if (!this.#sees(principal)) return [];
    return this.deps.folders().list();
  }

  async find(principal: Principal, id: string): Promise<FolderAutomation | undefined> {
    return this.#sees(principal) ? this.deps.folders().find(id) : undefined;
  }

  /** Throws AUTOMATION_CONFLICT if this is a watched folder: what it does is in its own files. */
  async refuse(principal: Principal, id: string): Promise<void> {
    const found = await this.find(principal, id);
    if (found === undefined) return;
    throw new InputError('AUTOMATION_CONFLICT', {
      detail:
        `The automation "${found.automation.name}" is the watched folder ${JSON.stringify(found.path)}: it processes ` +
        'what is put into it by the pipeline file in it, so change that file, or put files into the folder',
    });
  }

  /** What became of the files of a folder. */
  history(id: string): OneHistory {
    const { shared } = this.deps;
    const folders = this.deps.folders();
    const counts = async () => (await folders.find(id))?.counts ?? NONE;
    return {
      items: (page, state) => folders.items(id, page, state),
      runs: (limit, before, state) => folders.runs(id, limit, before, state),
      retry: (itemId) => folders.retry(id, itemId),
      events: (limit, signal) =>
        newsOf(
          async () => ({
            counts: await counts(),
            page: await folders.items(id, { limit, offset: 0 }),
            runs: runsIn(await folders.runs(id, limit)),
          }),
          shared ? undefined : () => folders.version(),
          signal,
        ),
    };
  }

  #sees(principal: Principal): boolean {
    return this.deps.teams.sees(principal, { ownerId: '', ownerName: null, teamId: null });
  }
}
