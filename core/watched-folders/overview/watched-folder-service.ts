import { access, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Catalog } from '@quire/catalog';
import { AccessError, InputError, isQuireError, type Clock, type Logger } from '@quire/registry';
import type { FolderHandOver } from '../../automation/index.js';
import { inOrder } from '../folder-listing.js';
import { handOver } from '../hand-over.js';
import { folderIdOf } from './folder-id.js';
import { dayOf } from './folder-history.js';
import { problemOf } from '../folder-problem.js';
import type { FailedFileRecord, FolderRecords, FolderRunRecord, FolderStateRecord } from './folder-records.js';
import { mergedStates, type FolderStates } from './folder-states.js';
import { withoutPaths } from './hidden-paths.js';
import { fileGone, isStillThere, retryFiles } from './retry-failed.js';
import type { ScanSettings } from '../scan-settings.js';
import { shownDefinition, type ShownDefinition } from './shown-definition.js';

export interface WatchedFolderServiceDeps {
  readonly records: FolderRecords;
  readonly states: Pick<FolderStates, 'version' | 'touch'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: ScanSettings;
  /** `autoPipeline.enabled`. */
  readonly enabled: boolean;
  /** The base folder, which addresses of roots are relative to. */
  readonly base: string;
  /** True when other nodes may change the records. */
  readonly shared: boolean;
  living(): Promise<ReadonlySet<string>>;
  catalog(): Pick<Catalog, 'operations'>;
  /** Looks at a folder soon, if this node watches it. */
  wake(path: string): void;
}

/** A watched folder with its state and its numbers. */
export interface ShownFolder extends Pick<FolderStateRecord, 'path' | 'state' | 'running' | 'waiting' | 'pipeline'> {
  readonly id: string;
  /** Name of its root when there are several. */
  readonly root: string | null;
  readonly node: string;
  readonly problem: FolderStateRecord['problem'];
  readonly done: number;
  readonly failed: number;
  readonly doneToday: number;
  readonly failedToday: number;
  /** Files that wait in the folder for failed files. */
  readonly failedFiles: number;
  readonly lastRun: { readonly id: string; readonly endedAt: string; readonly outcome: string } | null;
}

/** A watched folder with its pipeline. */
export interface DetailedFolder extends ShownFolder {
  /** Null when the node that answers cannot read one. */
  readonly definition: ShownDefinition | null;
  /** When the pipeline was changed; without one, since when there is none. */
  readonly savedAtMs: number;
}

export interface FolderList {
  readonly folders: readonly ShownFolder[];
  /** `after` of the following page; null on the last. */
  readonly next: string | null;
  /** Where watched folders are: relative to the base folder, or the name of a folder elsewhere. */
  readonly roots: readonly { readonly path: string; readonly inBase: boolean }[];
}

export interface PageQuery {
  readonly limit: number;
  /** Id at which the page begins. */
  readonly before?: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

export interface RetriedFiles {
  /** Ids of the files that are processed again. */
  readonly retried: readonly string[];
  /** Names of the files that are no longer where their run left them. */
  readonly gone: readonly string[];
  /** Failed files that are left, because one call moves only so many. */
  readonly left: number;
}

const NOT_SEEN = 'the folder is not on this node. Mount it there under the path of the settings.';
const EVENTS_PAUSE_MS = 1000;
/** Files that one call puts back to work. */
const MOST_RETRIED = 1000;

/** What administrators see of the watched folders of all nodes, and what they can do. */
export class WatchedFolderService {
  constructor(private readonly deps: WatchedFolderServiceDeps) {}

  /** Returns the folders by path. Rejects with FEATURE_OFF, STORE_DOWN. */
  async list({ limit, after }: { readonly limit: number; readonly after?: string }): Promise<FolderList> {
    this.#requireEnabled();
    const states = await this.#states();
    const from = after === undefined ? 0 : states.findIndex(({ folder }) => folder === after);
    const page = states.slice(Math.max(0, from), Math.max(0, from) + limit + 1);
    return {
      folders: await Promise.all(page.slice(0, limit).map((state) => this.#shown(state))),
      next: page[limit]?.folder ?? null,
      roots: this.deps.settings.roots.map((root) => {
        const path = relative(this.deps.base, root);
        const inBase = path !== '' && !path.startsWith('..') && !isAbsolute(path);
        return { path: inBase ? path : basename(root), inBase };
      }),
    };
  }

  /** The list now, and again after changes. */
  async *events(query: { readonly limit: number }, signal: AbortSignal): AsyncGenerator<FolderList> {
    let last = '';
    let version: number | undefined;
    while (!signal.aborted) {
      const { shared, states } = this.deps;
      if (shared || version !== states.version) {
        version = states.version;
        const list = await this.list(query);
        const text = JSON.stringify(list);
        if (text !== last) yield list;
        last = text;
      }
      await pause(EVENTS_PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Returns one folder with its pipeline. Rejects with WATCHED_FOLDER_UNKNOWN. */
  async one(id: string): Promise<DetailedFolder> {
    const state = await this.#state(id);
    return this.#detailed(state, this.#pathOf(state));
  }

  /** As `one`; undefined for an unknown folder, and without the pipeline where this node cannot see the folder. */
  async find(id: string): Promise<DetailedFolder | undefined> {
    const state = this.deps.enabled ? (await this.#states()).find(({ folder }) => folder === id) : undefined;
    return state === undefined ? undefined : this.#detailed(state, this.#knownPathOf(state), state.pipeline?.file);
  }

  /** Returns all folders with a pipeline or a problem; none while watched folders are switched off. */
  async all(): Promise<readonly DetailedFolder[]> {
    const states = this.deps.enabled ? await this.#states() : [];
    return Promise.all(
      states
        .filter(({ pipeline, problem }) => pipeline !== null || problem !== null)
        .map((state) => this.#detailed(state, this.#knownPathOf(state), state.pipeline?.file)),
    );
  }

  /** Returns the files that wait and the active runs by folder; none while watched folders are switched off. */
  async backlog(): Promise<ReadonlyMap<string, number>> {
    const states = this.deps.enabled ? await this.#states() : [];
    return new Map(states.map((state) => [state.folder, state.waiting + state.running]));
  }

  /**
   * Reads a folder of which an automation is to be made. Rejects with WATCHED_FOLDER_UNKNOWN,
   * WATCHED_FOLDER_UNREACHABLE, AUTOMATION_CONFLICT.
   */
  async handOver(id: string): Promise<FolderHandOver> {
    const state = await this.#state(id);
    const path = this.#pathOf(state);
    if (!(await isSeen(path))) throw unreachable(state.path, NOT_SEEN);
    const folder = await handOver({ path, fromRoot: state.path }, this.deps);
    const setAside = async (): Promise<string> => {
      const place = await folder.setAside();
      this.deps.states.touch();
      this.deps.wake(path);
      return place;
    };
    return { ...folder, setAside };
  }

  async runs(
    id: string,
    { limit, before, outcome }: PageQuery & { readonly outcome?: FolderRunRecord['outcome'] },
  ): Promise<Page<FolderRunRecord>> {
    await this.#state(id);
    const where = { folder: id, ...(outcome === undefined ? {} : { outcome }) };
    const found = await this.deps.records.runs.find(where, pageOptions(limit, before));
    return { items: found.slice(0, limit), next: found[limit]?.id ?? null };
  }

  /** Returns the failed files of a folder; `here` is null where this node cannot see the folder. */
  async failed(
    id: string,
    { limit, before }: PageQuery,
  ): Promise<Page<FailedFileRecord & { readonly here: boolean | null }> & { readonly total: number }> {
    const folder = this.#pathOf(await this.#state(id));
    const found = await this.deps.records.failed.find({ folder: id }, pageOptions(limit, before));
    const total = await this.deps.records.failed.count({ folder: id });
    const seen = await isSeen(folder);
    const items = found.slice(0, limit).map(async (record) => ({
      ...record,
      here: seen ? await isStillThere(folder, record).catch(() => null) : null,
    }));
    return { items: await Promise.all(items), next: found[limit]?.id ?? null, total };
  }

  /** Processes a failed file again. Rejects with FAILED_FILE_UNKNOWN, FAILED_FILE_GONE, WATCHED_FOLDER_UNREACHABLE. */
  async retry(id: string, fileId: string): Promise<RetriedFiles> {
    const state = await this.#state(id);
    const record = await this.#failedFile(id, fileId);
    const moved = await this.#putToWork(state, [record]);
    if (moved.length === 0) throw fileGone(record);
    return { retried: [record.id], gone: [], left: await this.deps.records.failed.count({ folder: id }) };
  }

  /** Processes all failed files of a folder, or of one run, again; files that failed together run together. */
  async retryAll(id: string, run: string | undefined): Promise<RetriedFiles> {
    const state = await this.#state(id);
    const where = { folder: id, ...(run === undefined ? {} : { run }) };
    const records = await this.deps.records.failed.find(where, pageOptions(MOST_RETRIED - 1));
    const byRun = Map.groupBy(records, (record) => record.run);
    const retried: string[] = [];
    for (const files of byRun.values())
      retried.push(...(await this.#putToWork(state, inOrder(files))).map((record) => record.id));
    return {
      retried,
      gone: records.filter((record) => !retried.includes(record.id)).map(({ name }) => name),
      left: await this.deps.records.failed.count(where),
    };
  }

  /** Forgets a failed file; the file itself stays where it is. */
  async forget(id: string, fileId: string): Promise<void> {
    await this.#state(id);
    const record = await this.#failedFile(id, fileId);
    await this.deps.records.failed.delete(record.id);
    this.deps.states.touch();
  }

  #requireEnabled(): void {
    if (!this.deps.enabled) throw new AccessError('FEATURE_OFF', { setting: 'autoPipeline.enabled is not true' });
  }

  async #states(): Promise<FolderStateRecord[]> {
    const records = await this.deps.records.states.find();
    const living = this.deps.shared ? await this.deps.living() : undefined;
    return mergedStates(living === undefined ? records : records.filter(({ node }) => living.has(node)));
  }

  async #state(id: string): Promise<FolderStateRecord> {
    this.#requireEnabled();
    const [state] = (await this.#states()).filter(({ folder }) => folder === id);
    if (state === undefined) throw new InputError('WATCHED_FOLDER_UNKNOWN', { id: id.slice(0, 100) });
    return state;
  }

  async #failedFile(id: string, fileId: string): Promise<FailedFileRecord> {
    const record = await this.deps.records.failed.get(fileId);
    if (record?.folder !== id) throw new InputError('FAILED_FILE_UNKNOWN', { id: fileId.slice(0, 100) });
    return record;
  }

  async #putToWork(
    state: FolderStateRecord,
    records: readonly FailedFileRecord[],
  ): Promise<readonly FailedFileRecord[]> {
    const path = this.#pathOf(state);
    if (!(await isSeen(path))) throw unreachable(state.path, NOT_SEEN);
    try {
      const moved = await retryFiles(this.deps, path, records);
      for (const { id } of moved) await this.deps.records.failed.delete(id);
      return moved;
    } catch (error) {
      if (isQuireError(error)) throw error;
      throw unreachable(state.path, withoutPaths(problemOf(error).message, this.deps.settings));
    } finally {
      this.deps.states.touch();
      this.deps.wake(path);
    }
  }

  /** Returns the absolute path. Throws WATCHED_FOLDER_UNREACHABLE if this node has fewer roots than another. */
  #pathOf(state: FolderStateRecord): string {
    const path = this.#knownPathOf(state);
    if (path === undefined) throw unreachable(state.path, NOT_SEEN);
    return path;
  }

  #knownPathOf({ root, path }: FolderStateRecord): string | undefined {
    const known = this.deps.settings.roots[root];
    return known === undefined ? undefined : join(known, path);
  }

  /** `named`: the pipeline file, if it is known. */
  async #detailed(state: FolderStateRecord, path: string | undefined, named?: string): Promise<DetailedFolder> {
    const definition = path === undefined ? undefined : await shownDefinition(path, this.deps.catalog(), named);
    const file = path === undefined || definition === undefined ? undefined : join(path, definition.file);
    const saved = file === undefined ? undefined : await stat(file).catch(() => undefined);
    return {
      ...(await this.#shown(state)),
      definition: definition ?? null,
      savedAtMs: Math.round(saved?.mtimeMs ?? state.changedAtMs),
    };
  }

  async #shown(record: FolderStateRecord): Promise<ShownFolder> {
    const { settings, records, clock } = this.deps;
    const { root, path, state, running, waiting, pipeline, problem, node } = record;
    const id = folderIdOf(record);
    const totals = await records.totals.get(id);
    const isToday = totals?.day === dayOf(clock.now());
    return {
      id,
      path,
      root: settings.roots.length > 1 ? basename(settings.roots[root] ?? '') : null,
      node,
      state,
      running,
      waiting,
      pipeline,
      problem: problem === null ? null : { ...problem, detail: withoutPaths(problem.detail, settings) },
      done: totals?.done ?? 0,
      failed: totals?.failed ?? 0,
      doneToday: isToday ? totals.doneToday : 0,
      failedToday: isToday ? totals.failedToday : 0,
      failedFiles: (totals?.failed ?? 0) === 0 ? 0 : await records.failed.count({ folder: id }),
      lastRun: totals?.lastRun ?? null,
    };
  }
}

/** True if this node can see the folder; a node that only answers calls may not have it mounted. */
function isSeen(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function unreachable(folder: string, detail: string): InputError {
  return new InputError('WATCHED_FOLDER_UNREACHABLE', { folder, detail });
}

function pageOptions(limit: number, before?: string) {
  return {
    sort: [{ field: 'id' as const, order: 'descending' as const }],
    limit: limit + 1,
    ...(before === undefined ? {} : { atMost: { id: before } }),
  };
}
