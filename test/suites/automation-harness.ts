import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccessError, InputError, type Principal } from '@quire/registry';
import { serialiseError } from '@quire/registry/errors';
import { AutomationRecords } from '../../core/automation/automations/automation-records.js';
import type { AutomationContent, AutomationInput } from '../../core/automation/automations/model.js';
import { placed } from '../../core/automation/automations/places.js';
import { Kinds } from '../../core/automation/connector-options.js';
import { ItemStore } from '../../core/automation/items/item-store.js';
import type { ItemRecord } from '../../core/automation/items/item-record.js';
import { AutomationEngine } from '../../core/automation/runs/engine.js';
import { LeftDestinations } from '../../core/automation/runs/left-destinations.js';
import { RunRecords } from '../../core/automation/runs/run-records.js';
import { Tallies } from '../../core/automation/runs/tallies.js';
import { SourceRecords } from '../../core/automation/sources/source-records.js';
import { Leases, SteadyClock, type LeaseRecord } from '../../core/jobs/cluster/index.js';
import type { InputFacts, JobExecutor, JobOutput, JobService, JobSettings } from '../../core/jobs/index.js';
import type { Store } from '../../core/store/index.js';
import { Box, Shelf } from './automation-connectors.js';
import { silentLog, testJobService } from './job-harness.js';
import type { TemporaryStore } from './temporary-store.js';

const anyone: Principal = { id: '', name: 'anonymous', role: 'anonymous', via: 'none' };
const key = Buffer.alloc(32, 9);

/** An automation as tests write it. */
export interface TestAutomation {
  readonly id?: string;
  readonly ownerId?: string;
  readonly name?: string;
  readonly enabled?: boolean;
  readonly inputs?: readonly AutomationInput[];
  readonly content?: Partial<AutomationContent>;
}

const contentOf = (more: Partial<AutomationContent> = {}): AutomationContent => ({
  description: '',
  work: { pipeline: [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } }], values: {} },
  inputs: [{ source: 'box', trigger: { type: 'manual' } }],
  destinations: [{ id: 'shelf', type: 'shelf', options: {} }],
  filters: { names: [], kinds: [], minBytes: null, maxBytes: null },
  quietMs: 0,
  once: 'version',
  order: 'oldest',
  concurrency: 2,
  retry: { times: 3, firstMs: 5 },
  ...more,
});

const noFacts = { effects: [], warnings: [], ignored: [], report: {} };

/** Writes each input in capitals; a file named `bad…` is refused. */
export const capitals: JobExecutor = async (job) => {
  const folder = await mkdtemp(join(tmpdir(), 'quire-automation-'));
  const files: JobOutput[] = [];
  const each: InputFacts[] = [];
  for (const [at, { name, path }] of job.inputs.entries()) {
    const error = name.startsWith('bad') ? new InputError('PDF_DAMAGED', { file: name }) : undefined;
    if (error !== undefined && !job.each) throw error;
    each.push({ files: error ? 0 : 1, facts: noFacts, ...(error ? { error: serialiseError(error) } : {}) });
    if (error !== undefined) continue;
    const output = join(folder, String(at));
    await writeFile(output, (await readFile(path, 'utf8')).toUpperCase());
    files.push({ path: output, name, mediaType: 'application/pdf', kind: 'pdf' });
  }
  const facts = job.each ? { facts: { ...noFacts, each } } : {};
  return { files, ...facts, release: () => rm(folder, { recursive: true, force: true }) };
};

interface EngineChoices {
  /** One of several nodes. */
  readonly leases?: boolean;
  /** False for a node that takes calls only. */
  readonly runsHere?: boolean;
  /** How long a source must be quiet, ms. */
  readonly watchQuietMs?: number;
  readonly jobs?: Partial<JobSettings>;
}

export interface TestEngine {
  readonly engine: AutomationEngine;
  readonly jobs: JobService;
  /** Ends it like a process that is killed: nothing more is written, running jobs go back to the queue. */
  drop(): Promise<void>;
}

/** Engines on the store of each test, with one source and one destination. Call it in a suite of stores. */
export class AutomationStage {
  box = new Box();
  shelf = new Shelf();
  now: (() => Date) | undefined;
  /** Ids of users who are gone. */
  readonly gone = new Set<string>();
  store!: Store;
  automations!: AutomationRecords;
  sources!: SourceRecords;
  items!: ItemStore;
  runs!: RunRecords;
  left!: LeftDestinations;
  #home!: TemporaryStore;
  #scratch = '';
  readonly #engines: TestEngine[] = [];

  async open(home: TemporaryStore): Promise<void> {
    this.#home = home;
    this.box = new Box();
    this.shelf = new Shelf();
    this.now = undefined;
    this.gone.clear();
    this.store = await home.open();
    this.#scratch = await mkdtemp(join(tmpdir(), 'quire-automation-'));
    this.automations = new AutomationRecords(this.store, key);
    this.sources = new SourceRecords(this.store, key);
    this.items = new ItemStore(this.store);
    this.runs = new RunRecords(this.store);
    this.left = new LeftDestinations(this.store, key);
    await this.addSource('box');
  }

  async close(): Promise<void> {
    for (const { drop } of this.#engines.splice(0)) await drop();
    await this.store.close();
    await this.#home.remove();
    await rm(this.#scratch, { recursive: true, force: true });
  }

  async addSource(id: string, type = id, options: object = {}): Promise<void> {
    await this.sources.put({
      id,
      name: id,
      type,
      enabled: true,
      ownerId: '',
      ownerName: null,
      teamId: null,
      savedAt: 1,
      docsTotal: 0,
      options: { ...options },
    });
  }

  async add({
    id = 'one',
    name = id,
    ownerId = '',
    enabled = true,
    inputs,
    content,
  }: TestAutomation = {}): Promise<void> {
    const now = Date.now();
    await this.automations.add({
      id,
      name,
      nameKey: ` ${name}`,
      enabled,
      ownerId,
      ownerName: null,
      teamId: null,
      place: now,
      createdAt: now,
      savedAt: now,
      revision: 1,
      content: contentOf({ ...(inputs === undefined ? {} : { inputs }), ...content }),
    });
  }

  /** A started engine with its own job service; with `leases`, one of several nodes. */
  async engine(
    execute: JobExecutor = capitals,
    { leases = false, runsHere = true, watchQuietMs = 5, jobs: settings = {} }: EngineChoices = {},
  ): Promise<TestEngine> {
    const jobs = testJobService(this.store, execute, { concurrency: 4, maxQueued: 500, ...settings });
    await jobs.recover();
    const clock = new SteadyClock();
    const engine = new AutomationEngine({
      store: this.store,
      shared: leases,
      automations: this.automations,
      sources: this.sources,
      items: this.items,
      left: this.left,
      runs: this.runs,
      kinds: new Kinds([this.box.kind(), this.box.kind('other')], [this.shelf.kind()]),
      saved: { runnable: async () => ({ json: '{}', ignored: [] }) },
      clock: { now: () => this.now?.() ?? new Date() },
      log: silentLog,
      scratchRoot: this.#scratch,
      timing: { scheduleSweepMs: 200, reconcileMs: 60_000, watchQuietMs, leaseMs: 600 },
      tallies: new Tallies(),
      leases: leases
        ? new Leases({ records: this.store.records<LeaseRecord>('leases'), now: () => clock.now() })
        : undefined,
      runsHere,
      placed,
      sweepAssets: async () => undefined,
      sweepFolders: async () => undefined,
      sweepDeliveries: async () => undefined,
      pipelines: () => ({
        verify: async () => ({
          steps: [],
          flow: [],
          accepts: [],
          masked: [],
          faults: [],
          ignored: [],
          replaced: [],
          unlisted: { faults: 0, ignored: 0 },
        }),
      }),
      jobs: async () => jobs,
      needsOf: () => [],
      ownerOf: ({ id }) => id,
      principalOf: async ({ ownerId }) => {
        if (this.gone.has(ownerId)) throw new AccessError('ACCOUNT_DISABLED');
        return ownerId === '' ? anyone : { id: ownerId, name: ownerId, role: 'user', via: 'key' };
      },
      touched: () => undefined,
    });
    await engine.start();
    let dropped: Promise<void> | undefined;
    const drop = (): Promise<void> =>
      (dropped ??= (async () => {
        await engine.close();
        await jobs.close();
      })());
    const made = { engine, jobs, drop };
    this.#engines.push(made);
    return made;
  }

  /** Lists the sources of an automation, as its owner does by hand, and waits for the end of all work. */
  async trigger({ engine }: TestEngine, id = 'one'): Promise<void> {
    const automation = await this.automations.get(id);
    if (automation === undefined) throw new Error(`there is no automation ${id}`);
    await engine.trigger(automation);
    await engine.idle();
  }

  /** The items by name: state, and code of the reason. */
  async states(automationId = 'one'): Promise<Record<string, string>> {
    const items = await this.items.find({ automationId });
    return Object.fromEntries(items.map(({ name, state, reason }) => [name, stateText(state, reason)]));
  }
}

function stateText(state: ItemRecord['state'], reason: ItemRecord['reason']): string {
  return reason === null ? state : `${state} ${reason.code}`;
}

/** The stage of each test. */
export function automationStage(make: () => Promise<TemporaryStore>): AutomationStage {
  const stage = new AutomationStage();
  beforeEach(async () => stage.open(await make()));
  afterEach(() => stage.close());
  return stage;
}
