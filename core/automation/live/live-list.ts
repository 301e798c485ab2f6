import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { AutomationRecords } from '../automations/automation-records.js';
import type { Automation } from '../automations/model.js';
import type { ItemReason } from '../items/item-record.js';
import type { History, ItemCounts } from '../items/history.js';
import type { ItemStore } from '../items/item-store.js';
import type { AutomationEngine, LastingFault } from '../runs/engine.js';
import type { RunRecord, RunRecords } from '../runs/run-records.js';
import type { Source, SourceRecords } from '../sources/source-records.js';

export interface LiveListDeps {
  readonly records: Pick<AutomationRecords, 'current'>;
  readonly sourceRecords: Pick<SourceRecords, 'all'>;
  readonly items: Pick<ItemStore, 'find'>;
  readonly runs: Pick<RunRecords, 'list'>;
  readonly history: Pick<History, 'counts'>;
  readonly engine: Pick<AutomationEngine, 'nextStart' | 'faultsOf'>;
  /** The rows of watched folders, which follow the others. */
  folderRows(): Promise<readonly Row[]>;
  /** True when other nodes may change the records. */
  readonly shared: boolean;
}

/** What the list shows of an automation. */
export interface RowFacts {
  readonly counts: ItemCounts;
  /** Path of the watched folder that it is. */
  readonly folder?: string;
  readonly nextStart: number | null;
  readonly problems: readonly LastingFault[];
  readonly lastRun: Pick<RunRecord, 'state' | 'startedAt'> | undefined;
  /** Why a file waits, if it is for something else than its turn. */
  readonly waiting: ItemReason | undefined;
}

export interface Row extends RowFacts {
  readonly automation: Automation;
  /** Differs when anything else does. */
  readonly digest: string;
}

export interface Listed {
  /** In their order. */
  readonly rows: readonly Row[];
  readonly sources: readonly Source[];
  /** Another object when anything has changed. */
  readonly version: object;
}

/** Changes by other nodes are looked for this often, while somebody follows the list. */
const LOOK_MS = 2000;
/** Everything is read again after this time: an account was deleted, or a history reset by another node. */
const ALL_MS = 30_000;
/** The files that changed last, of all automations; when more have changed in a look, everything is read again. */
const NEWEST_FILES = 200;
const ROWS_AT_ONCE = 25;

/** All automations with their facts, kept up to date while somebody follows them. */
export class LiveList {
  readonly #rows = new Map<string, Row>();
  readonly #touched = new Set<string>();
  readonly #wakes = new Set<() => void>();
  #listed: Listed | undefined;
  #automations: readonly Automation[] = [];
  #sources: readonly Source[] = [];
  #folders: readonly Row[] = [];
  #seen: ReadonlySet<string> = new Set();
  #reading: Promise<Listed> | undefined;
  #followers = 0;
  #lookAt = 0;
  #allAt = 0;

  constructor(private readonly deps: LiveListDeps) {}

  /** The files or runs of an automation have changed. */
  touched(automationId: string): void {
    if (this.#followers === 0) return;
    this.#touched.add(automationId);
    for (const wake of this.#wakes) wake();
  }

  /** An automation or a source was saved or deleted. */
  changed(): void {
    this.#lookAt = 0;
    for (const wake of this.#wakes) wake();
  }

  /** Begins to follow the list; the answer ends it. */
  begin(): () => void {
    this.#followers++;
    return () => {
      this.#followers--;
      if (this.#followers > 0) return;
      this.#rows.clear();
      this.#touched.clear();
      this.#automations = [];
      this.#sources = [];
      this.#folders = [];
      this.#listed = undefined;
    };
  }

  /** Resolves at the next change in this process, and after `ms` at the latest. */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms).unref();
    const end = (): void => resolve();
    this.#wakes.add(end);
    signal.addEventListener('abort', end, { once: true });
    if (!signal.aborted) await promise;
    clearTimeout(timer);
    this.#wakes.delete(end);
    signal.removeEventListener('abort', end);
  }

  /** The list of now; all who ask at once share one reading. */
  read(): Promise<Listed> {
    this.#reading ??= this.#readNow().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readNow(): Promise<Listed> {
    const now = performance.now();
    const all = this.#listed === undefined || now >= this.#allAt;
    if (all) this.#allAt = now + ALL_MS;
    if (all || now >= this.#lookAt) {
      this.#lookAt = now + LOOK_MS;
      await this.#look(all);
    }
    await this.#update();
    return this.#list();
  }

  /** Finds out which automations have to be read again. */
  async #look(all: boolean): Promise<void> {
    const { records, sourceRecords, shared } = this.deps;
    const automations = await records.current();
    if (all || automations !== this.#automations) {
      this.#automations = automations;
      this.#sources = await sourceRecords.all();
      const ids = new Set(automations.map(({ id }) => id));
      for (const id of this.#rows.keys()) if (!ids.has(id)) this.#rows.delete(id);
    }
    this.#folders = await this.deps.folderRows();
    const others = shared ? await this.#changedElsewhere() : [];
    for (const { id, revision } of automations)
      if (all || others === 'all' || this.#rows.get(id)?.automation.revision !== revision) this.#touched.add(id);
    if (others !== 'all') for (const id of others) this.#touched.add(id);
  }

  /** Other nodes do not report what they do; every change of a file sets its `since`. */
  async #changedElsewhere(): Promise<readonly string[] | 'all'> {
    const newest = await this.deps.items.find(
      {},
      { sort: [{ field: 'since', order: 'descending' }], limit: NEWEST_FILES },
    );
    const keyOf = ({ id, state, since }: (typeof newest)[number]): string => `${id} ${state} ${since}`;
    const before = this.#seen;
    this.#seen = new Set(newest.map(keyOf));
    const news = newest.filter((item) => !before.has(keyOf(item)));
    return news.length === NEWEST_FILES ? 'all' : news.map(({ automationId }) => automationId);
  }

  async #update(): Promise<void> {
    const ids = [...this.#touched];
    this.#touched.clear();
    const automations = new Map(this.#automations.map((one) => [one.id, one]));
    for (const [at, id] of ids.entries()) {
      // The records of the embedded store answer at once: other calls must have their turn.
      if (at % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await setImmediate();
      const automation = automations.get(id);
      if (automation === undefined) this.#rows.delete(id);
      else this.#rows.set(id, rowOf(automation, await this.#factsOf(automation)));
    }
    for (const [id, row] of this.#rows) {
      const nextStart = this.deps.engine.nextStart(id);
      if (nextStart !== row.nextStart) this.#rows.set(id, rowOf(row.automation, { ...row, nextStart }));
    }
  }

  async #factsOf(automation: Automation): Promise<RowFacts> {
    const { history, runs, items, engine } = this.deps;
    const { id } = automation;
    const counts = await history.counts(id);
    const [lastRun] = await runs.list({ automationId: id }, 1);
    const waiting =
      counts.waiting === 0
        ? []
        : await items.find(
            { automationId: id, state: 'waiting' },
            { sort: [{ field: 'since', order: 'descending' }], limit: ROWS_AT_ONCE },
          );
    return {
      counts,
      nextStart: engine.nextStart(id),
      problems: await engine.faultsOf(automation),
      lastRun: lastRun && { state: lastRun.state, startedAt: lastRun.startedAt },
      waiting: waiting.find(({ reason }) => reason !== null)?.reason ?? undefined,
    };
  }

  #list(): Listed {
    const sources = this.#sources;
    const rows = [...this.#automations.flatMap(({ id }) => this.#rows.get(id) ?? []), ...this.#folders];
    const before = this.#listed;
    const same =
      before !== undefined &&
      before.rows.length === rows.length &&
      before.rows.every(({ digest }, at) => digest === rows[at]?.digest) &&
      before.sources === sources;
    this.#listed = same ? before : { rows, sources, version: {} };
    return this.#listed;
  }
}

export function rowOf(
  automation: Automation,
  { counts, folder, nextStart, problems, lastRun, waiting }: RowFacts,
): Row {
  const facts = { counts, nextStart, problems, lastRun, waiting, ...(folder === undefined ? {} : { folder }) };
  const { id, revision, savedAt } = automation;
  return { automation, ...facts, digest: digestOf(JSON.stringify([id, revision, savedAt, facts])) };
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
