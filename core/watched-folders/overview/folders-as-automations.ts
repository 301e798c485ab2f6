import { InputError, isQuireError } from '@quire/registry';
import {
  usualContent,
  type Automation,
  type FolderAutomation,
  type FolderAutomations,
  type ItemCounts,
  type ItemState,
  type Page,
  type PageQuery,
  type RunRecord,
  type RunState,
  type ShownItem,
  type Tallies,
} from '../../automation/index.js';
import type { ScanSettings } from '../scan-settings.js';
import { itemOfFailed, itemsOfRun, runOf } from './as-run-records.js';
import { folderIdPattern } from './folder-id.js';
import type { FolderRecords, FolderRunRecord } from './folder-records.js';
import type { FolderStates } from './folder-states.js';
import type { DetailedFolder, WatchedFolderService } from './watched-folder-service.js';

export interface FoldersAsAutomationsDeps {
  readonly service: Pick<WatchedFolderService, 'all' | 'find' | 'backlog' | 'retry' | 'retryAll'>;
  readonly records: Pick<FolderRecords, 'runs' | 'failed'>;
  readonly states: Pick<FolderStates, 'version'>;
  readonly tallies: Tallies;
  readonly settings: Pick<ScanSettings, 'runAs' | 'parallel' | 'readiness'>;
}

/** Runs whose files are listed. */
const LISTED_RUNS = 100;
const MOST_AT_ONCE = 64;
const LONGEST_QUIET_MS = 3_600_000;
/** What ends in `failed/` is parked; nothing else is listed by file. */
const outcomesOf: Readonly<Record<RunState, readonly FolderRunRecord['outcome'][]>> = {
  running: [],
  completed: ['done'],
  failed: ['failed', 'partly'],
  cancelled: [],
};

/** Watched folders as automations: the same facts as `WatchedFolderService`, in the shapes of automations. */
export class FoldersAsAutomations implements FolderAutomations {
  constructor(private readonly deps: FoldersAsAutomationsDeps) {}

  async list(): Promise<readonly FolderAutomation[]> {
    return (await this.deps.service.all()).map((folder) => this.#automationOf(folder));
  }

  async find(id: string): Promise<FolderAutomation | undefined> {
    const folder = folderIdPattern.test(id) ? await this.deps.service.find(id) : undefined;
    return folder === undefined ? undefined : this.#automationOf(folder);
  }

  async items(id: string, { limit, offset }: PageQuery, state?: ItemState): Promise<Page<ShownItem>> {
    const { runs, failed } = this.deps.records;
    const isAsked = (one: ItemState): boolean => state === undefined || state === one;
    const sort = [{ field: 'id', order: 'descending' }] as const;
    const parked = isAsked('parked') ? await failed.find({ folder: id }, { sort, limit: offset + limit }) : [];
    const parkedTotal = isAsked('parked') ? await failed.count({ folder: id }) : 0;
    const ended = isAsked('delivered') ? await runs.find({ folder: id }, { sort, limit: LISTED_RUNS }) : [];
    const delivered = ended.flatMap(itemsOfRun);
    const all = [...parked.map(itemOfFailed), ...delivered].sort((a, b) => b.since - a.since || (a.id < b.id ? 1 : -1));
    const total = parkedTotal + delivered.length;
    return {
      entries: all.slice(offset, offset + limit),
      total,
      next: offset + limit < total ? offset + limit : null,
    };
  }

  async runs(id: string, limit: number, before?: number, state?: RunState): Promise<readonly RunRecord[]> {
    const outcomes = state === undefined ? [undefined] : outcomesOf[state];
    const found: FolderRunRecord[] = [];
    for (const outcome of outcomes)
      found.push(
        ...(await this.deps.records.runs.find(
          { folder: id, ...(outcome === undefined ? {} : { outcome }) },
          {
            sort: [{ field: 'id', order: 'descending' }],
            limit,
            // Ids of runs begin with the time, which hexadecimal digits follow.
            ...(before === undefined ? {} : { atMost: { id: `${before.toString(36)}g` } }),
          },
        )),
      );
    return found
      .sort((a, b) => (a.id < b.id ? 1 : -1))
      .slice(0, limit)
      .map(runOf);
  }

  async retry(id: string, itemId?: string): Promise<number> {
    const { service } = this.deps;
    try {
      const { retried } =
        itemId === undefined ? await service.retryAll(id, undefined) : await service.retry(id, itemId);
      return retried.length;
    } catch (error) {
      const unknown = isQuireError(error) && ['FAILED_FILE_UNKNOWN', 'WATCHED_FOLDER_UNKNOWN'].includes(error.code);
      throw unknown ? new InputError('NOT_FOUND', {}, [], { cause: error }) : error;
    }
  }

  version(): number {
    return this.deps.states.version;
  }

  backlog(): Promise<ReadonlyMap<string, number>> {
    return this.deps.service.backlog();
  }

  tallies(): ReturnType<FolderAutomations['tallies']> {
    return this.deps.tallies.all();
  }

  #automationOf(folder: DetailedFolder): FolderAutomation {
    const { id, path, waiting, running, done, failedFiles, problem } = folder;
    const counts: ItemCounts = { waiting, running, delivering: 0, delivered: done, parked: failedFiles };
    const problems =
      problem === null
        ? []
        : [{ sourceId: null, code: problem.kind, detail: problem.detail, since: Date.parse(problem.since) }];
    return { automation: this.#recordOf(id, folder), path, counts, problems };
  }

  #recordOf(id: string, { path, root, definition, savedAtMs }: DetailedFolder): Automation {
    const { runAs, parallel, readiness } = this.deps.settings;
    return {
      id,
      name: root === null ? path : `${root}/${path}`,
      nameKey: '',
      enabled: true,
      ownerId: '',
      ownerName: runAs === '' ? null : runAs,
      teamId: null,
      place: 0,
      createdAt: savedAtMs,
      savedAt: savedAtMs,
      revision: 1,
      content: {
        ...usualContent,
        work: { pipeline: definition?.pipeline ?? [], values: {} },
        inputs: [],
        destinations: [],
        filters: { ...usualContent.filters, kinds: readiness.extensions },
        quietMs: readiness.enabled ? Math.min(readiness.settleMs, LONGEST_QUIET_MS) : 0,
        order: 'name',
        concurrency: Math.min(parallel, MOST_AT_ONCE),
      },
    };
  }
}
