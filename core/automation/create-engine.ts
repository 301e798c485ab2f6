import type { Catalog } from '@quire/catalog';
import { connectorsOf, type Connectors } from './connectors-of.js';
import type { Clock, ConnectionUses, Logger, Mailer, Outbound, Principal, SavedConnections } from '@quire/registry';
import type { LoginServices } from '../accounts/index.js';
import { atMostEvery, type Backplane } from '../jobs/backplane/index.js';
import type { Leases, NodeRole } from '../jobs/cluster/index.js';
import type { PipelineCallDeps } from '../operations/pipelines/endpoints/index.js';
import type { InvoiceReader } from '../operations/pipelines/index.js';
import type { ServerSecret } from '../secrets/index.js';
import type { Storage } from '../storage/index.js';
import type { Store } from '../store/index.js';
import { AssetRecords } from './assets/asset-records.js';
import { AssetUses } from './assets/asset-uses.js';
import { Assets } from './assets/assets.js';
import { AutomationRecords } from './automations/automation-records.js';
import { Automations } from './automations/automations.js';
import type { Hiding } from './automations/hidden-values.js';
import { placed } from './automations/places.js';
import { connectionUses } from './connection-uses.js';
import type { Kinds } from './connector-options.js';
import { withNamedBucket, type WebhookSpool } from './connectors/index.js';
import type { ConnectorOptions } from './connectors/model.js';
import { engineTiming } from './engine-timing.js';
import type { FolderAutomations } from './folders/folder-automation.js';
import { FoldersSeen } from './folders/folders-seen.js';
import { History } from './items/history.js';
import { ItemStore } from './items/item-store.js';
import { folderRows } from './live/folder-rows.js';
import { LiveList } from './live/live-list.js';
import { AutomationEngine } from './runs/engine.js';
import type { EngineDeps } from './runs/engine-deps.js';
import { LeftDestinations } from './runs/left-destinations.js';
import { ProcessingFolders } from './processing-folders/processing-folders.js';
import { isOwnerGone } from './runs/item-ends.js';
import { runUploaded, type UploadDeps } from './runs/run-uploaded.js';
import { RunRecords } from './runs/run-records.js';
import { Tallies } from './runs/tallies.js';
import type { PipelineRecords } from './pipeline-records.js';
import type { SavedPipelines } from './saved-pipelines.js';
import { SourceRecords, type Source } from './sources/source-records.js';
import { Sources } from './sources/sources.js';
import { TeamRecords } from './team-records.js';

export interface CreateEngineDeps extends PipelineCallDeps {
  readonly store: Store;
  readonly secret: ServerSecret;
  readonly clock: Clock;
  readonly log: Logger;
  readonly role: NodeRole;
  readonly leases: Leases;
  readonly backplane: Backplane;
  catalog(): Catalog;
  /** Files of users; undefined while login or storage is off. */
  readonly storage: Storage | undefined;
  readonly login: LoginServices | undefined;
  readonly outbound: Outbound;
  readonly mailer: Mailer;
  connections(): SavedConnections;
  /** Kinds beside the server's own. */
  readonly connectors?: Connectors | undefined;
  /** Watched folders; they exist only after the features. */
  folders(): FolderAutomations;
}

/** Shortest time between two readings of all automations that other nodes cause, ms. */
const BURST_MS = 500;

/** Automations, and what runs them. */
export interface EngineParts {
  readonly connectionUses: ConnectionUses;
  readonly assets: Assets;
  readonly automations: Automations;
  readonly sources: Sources;
  readonly kinds: Kinds;
  readonly hiding: Hiding;
  readonly folders: FoldersSeen;
  readonly history: History;
  readonly processing: ProcessingFolders;
  /** The list of automations as it changes. */
  readonly live: LiveList;
  readonly engine: AutomationEngine;
  readonly items: ItemStore;
  readonly runs: RunRecords;
  readonly teams: TeamRecords;
  /** The source that takes deliveries to a webhook, with its secret. */
  ofWebhook(webhookId: string): Promise<Source | undefined>;
  readonly run: (
    automation: Parameters<typeof runUploaded>[1],
    upload: Parameters<typeof runUploaded>[2],
  ) => Promise<string>;
  /** Runs and failures of this process, and files that are not at their end, by the id of the automation. */
  stats(): Promise<AutomationStats>;
}

export interface AutomationStats {
  readonly runs: Readonly<Record<string, number>>;
  readonly failures: Readonly<Record<string, number>>;
  readonly backlog: Readonly<Record<string, number>>;
}

export function createEngine(
  deps: CreateEngineDeps & { readonly spool: WebhookSpool; readonly pipelineRecords: PipelineRecords },
  saved: SavedPipelines,
): EngineParts {
  const { store, secret, clock, settings, guard, role } = deps;
  const shared = store.kind === 'mongodb';
  const invoiceOf: InvoiceReader = (file, signal) => deps.pipelines().readInvoice(file, signal);
  const kinds = connectorsOf({ ...deps, invoiceOf });
  const teams = new TeamRecords(guard.loginEnabled);
  const records = new AutomationRecords(store, secret.keyFor('automations'));
  const sourceRecords = new SourceRecords(store, secret.keyFor('sources'));
  const items = new ItemStore(store);
  const runs = new RunRecords(store);
  const tallies = new Tallies();
  const history: History = new History({
    items,
    runs,
    clock,
    shared,
    jobs: deps.jobs,
    wake: (id) => engine.wake(id),
    touched: (id) => live.touched(id),
  });
  // Without login there are no accounts; a record from then has none either.
  const principalOf: EngineDeps['principalOf'] = ({ ownerId, ownerName }) =>
    guard.resume(ownerId === '' ? undefined : { id: ownerId, name: ownerName ?? '', role: 'user', via: 'key' });
  const resolved = (options: ConnectorOptions, principal: Principal) =>
    withNamedBucket(options, deps.connections(), principal);
  const placedOf: EngineDeps['placed'] = (automation, optionsOf) =>
    placed(automation, optionsOf, async (options) => {
      if (options['connectionId'] === undefined) return options;
      // An owner who is gone has no connections.
      const owner = await principalOf(automation).catch(() => undefined);
      return owner === undefined ? options : resolved(options, owner);
    });
  const assets = new Assets({
    records: new AssetRecords(store, secret.keyFor('assets')),
    uses: new AssetUses({ automations: records, pipelines: deps.pipelineRecords }),
    teams,
    clock,
    log: deps.log,
    mostBytes: () => settings.get('policies.assetBytesPerOwner'),
    mayRun: (pipeline, principal) => saved.mayRun(pipeline, principal),
    ownerOf: principalOf,
  });
  const engine = new AutomationEngine({
    ...deps,
    shared,
    automations: records,
    sources: sourceRecords,
    items,
    left: new LeftDestinations(store, secret.keyFor('automations')),
    runs,
    kinds,
    saved,
    tallies,
    timing: engineTiming(settings),
    leases: shared ? deps.leases : undefined,
    runsHere: role.runsJobs,
    principalOf,
    placed: placedOf,
    sweepDeliveries: () => deps.spool.sweep(async (id) => (await sourceRecords.ofWebhook(id)) !== undefined),
    sweepAssets: () => assets.sweep(),
    sweepFolders: () => processing.sweep(),
    touched: (id) => history.touched(id),
  });
  const live = new LiveList({
    records,
    sourceRecords,
    items,
    runs,
    history,
    engine,
    folderRows: () => folderRows(deps.folders()),
    shared,
  });
  const changedElsewhere = (): void => {
    engine.changed();
    live.changed();
  };
  const changed = (): void => {
    changedElsewhere();
    deps.backplane.announce('automations');
  };
  deps.backplane.on('automations', atMostEvery(BURST_MS, changedElsewhere));
  const folders = new FoldersSeen({ folders: deps.folders, teams, shared });
  const hiding = {
    operations: () => deps.catalog().operations,
    secretsOf: (type: string) => kinds.destinations.get(type)?.secrets ?? [],
  };
  const automations = new Automations({
    hiding,
    records,
    sources: sourceRecords,
    teams,
    clock,
    check: {
      kinds,
      saved,
      now: () => clock.now(),
      resolved,
      report: (json, principal) => deps.pipelines().report(json, principal, { elsewhere: true }),
    },
    ownerIsThere: (automation) =>
      principalOf(automation).then(
        () => true,
        (error: unknown) => (isOwnerGone(error) ? false : Promise.reject(error as Error)),
      ),
    placed: placedOf,
    mostPerOwner: () => settings.get('policies.automationsPerOwner'),
    changed: () => changed(),
    forget: (automation) => engine.forget(automation),
    released: (ids) => assets.released(ids),
    left: (destinations) => engine.left(destinations),
  });
  const processing: ProcessingFolders = new ProcessingFolders({ ...deps, automations, sourceRecords, teams });
  processing.listen();
  const sources = new Sources({
    records: sourceRecords,
    automations: records,
    teams,
    kinds,
    clock,
    mostPerOwner: () => settings.get('policies.sourcesPerOwner'),
    changed: async () => {
      await records.touch();
      changed();
    },
  });
  const uploads: UploadDeps = { ...deps, items, runs, saved, clock, tallies, wake: (id) => engine.wake(id) };
  return {
    connectionUses: connectionUses({
      ...deps,
      automations: records,
      sources: sourceRecords,
      teams,
      pipelines: deps.pipelineRecords,
      mayRun: (pipeline, principal) => saved.mayRun(pipeline, principal),
    }),
    assets,
    automations,
    sources,
    kinds,
    hiding,
    folders,
    history,
    processing,
    live,
    engine,
    items,
    runs,
    teams,
    run: (automation, upload) => runUploaded(uploads, automation, upload),
    ofWebhook: (id) => sourceRecords.ofWebhook(id),
    stats: () => statsOf(records, items, tallies, deps.folders()),
  };
}

async function statsOf(
  records: AutomationRecords,
  items: ItemStore,
  tallies: Tallies,
  folders: FolderAutomations,
): Promise<AutomationStats> {
  const backlog: Record<string, number> = {};
  for (const { id } of await records.all()) {
    const counts = await Promise.all(
      (['waiting', 'running', 'delivering'] as const).map((state) => items.count({ automationId: id, state })),
    );
    backlog[id] = counts.reduce((sum, count) => sum + count, 0);
  }
  for (const [id, count] of await folders.backlog()) backlog[id] = count;
  const tallied = [...tallies.all(), ...folders.tallies()].filter(([id]) => id in backlog);
  return {
    runs: Object.fromEntries(tallied.map(([id, { runs }]) => [id, runs])),
    failures: Object.fromEntries(tallied.map(([id, { failures }]) => [id, failures])),
    backlog,
  };
}
