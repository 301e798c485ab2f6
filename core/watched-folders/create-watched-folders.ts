import type { Catalog } from '@quire/catalog';
import { AccessError, isQuireError, type Clock, type Endpoint, type Logger, type Principal } from '@quire/registry';
import type { Guard } from '../access/index.js';
import { Tallies, type FolderAutomations } from '../automation/index.js';
import type { ClusterNodes, NodeRole } from '../jobs/cluster/index.js';
import { FolderClaims } from './folder-claim.js';
import type { FolderJobDeps } from './folder-run-deps.js';
import { watchedFolderEndpoints } from './endpoints/watched-folders.endpoint.js';
import {
  FolderHistory,
  FolderScanner,
  FolderStates,
  WatchedFolderService,
  openFolderRecords,
  scanSettings,
  type FolderRunEnd,
  type FolderScanDeps,
} from './index.js';
import { jobLimits } from '../operations/index.js';
import type { PipelineService } from '../operations/pipelines/index.js';
import type { WorkerPool } from '../operations/workers/index.js';
import { FoldersAsAutomations } from './overview/folders-as-automations.js';
import type { EndedRun } from './run-report.js';
import type { Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';

export interface CreateWatchedFoldersDeps extends Omit<FolderJobDeps, 'log'> {
  readonly settings: Settings;
  readonly store: Store;
  readonly log: Logger;
  readonly clock: Clock;
  readonly guard: Guard;
  readonly nodes: Pick<ClusterNodes, 'id' | 'list'>;
  readonly pool: Pick<WorkerPool, 'limits'>;
  /** A node that runs no jobs watches no folders either. */
  readonly role: NodeRole;
  /** These exist only after the features. */
  pipelines(): PipelineService;
  catalog(): Catalog;
  accepting(): boolean;
  /** Called for every run that has ended. */
  folderRunEnded(end: FolderRunEnd): void;
}

export interface WatchedFoldersFeature {
  /** Reads a folder of which an automation is to be made, by its id. */
  handOver: WatchedFolderService['handOver'];
  readonly endpoints: readonly Endpoint[];
  /** The folders as automations. */
  readonly automations: FolderAutomations;
  /** Also continues the runs that the last process did not finish. */
  start(): Promise<void>;
  stop(patienceMs: number): Promise<void>;
}

const SWEEP_MS = 3_600_000;

/** Creates the watched folders feature. It scans only while `autoPipeline.enabled` is on. */
export function createWatchedFolders(deps: CreateWatchedFoldersDeps): WatchedFoldersFeature {
  const { settings, store, log, clock, nodes } = deps;
  const records = openFolderRecords(store);
  const shared = store.kind === 'mongodb';
  const living = async (): Promise<ReadonlySet<string>> => new Set((await nodes.list()).map(({ id }) => id));
  const states = new FolderStates({ records, clock, log, shared, node: () => nodes.id, living });
  const history = new FolderHistory({ records, clock });
  const scan = scanSettings(settings, jobLimits(settings, deps.pool.limits).concurrency);
  const enabled = settings.get('autoPipeline.enabled');
  let scanner: FolderScanner | undefined;
  let sweeper: NodeJS.Timeout | undefined;
  const service = new WatchedFolderService({
    records,
    states,
    clock,
    log,
    settings: scan,
    enabled,
    base: settings.paths.base,
    shared,
    living,
    catalog: () => deps.catalog(),
    wake: (path) => scanner?.wake(path),
  });
  // Without a shared store no other node sees the same folders.
  const claims = shared ? new FolderClaims({ store, living, node: () => nodes.id }) : undefined;
  const tallies = new Tallies();
  const scanDeps: FolderScanDeps = {
    ...scannerDeps(deps, scan),
    ...(claims === undefined ? {} : { claim: (key: string) => claims.take(key) }),
    observer: states,
    keep: async (run) => {
      await history.keep(run);
      count(tallies, run);
      states.touch();
    },
  };
  return {
    handOver: (id) => service.handOver(id),
    endpoints: watchedFolderEndpoints(service),
    automations: new FoldersAsAutomations({ service, records, states, tallies, settings: scan }),
    async start() {
      if (!deps.role.runsJobs || !deps.accepting() || !enabled) return;
      const tidy = (work: Promise<void>): Promise<void> =>
        work.catch((error: unknown) => log.warn({ err: error }, 'old records of watched folders could not be removed'));
      await tidy(states.start());
      await tidy(history.sweep());
      if (claims !== undefined) await tidy(claims.sweep());
      sweeper = setInterval(() => void tidy(history.sweep()), SWEEP_MS).unref();
      scanner = new FolderScanner(scanDeps);
      await scanner.start();
    },
    async stop(patienceMs) {
      clearInterval(sweeper);
      if (scanner === undefined) return;
      await scanner.stop(patienceMs);
      await states.close();
    },
  };
}

/** A run counts as one, and each of its files that failed. */
function count(tallies: Tallies, { folder, files }: EndedRun): void {
  tallies.add(folder, 'runs');
  for (const { status } of files) if (status === 'failed') tallies.add(folder, 'failures');
}

function scannerDeps(
  { log, clock, guard, pipelines, jobs, needsOf, ownerOf, folderRunEnded }: CreateWatchedFoldersDeps,
  settings: FolderScanDeps['settings'],
): FolderScanDeps {
  return {
    settings,
    log,
    clock,
    pipelines: { verify: (...given) => pipelines().verify(...given) },
    jobs,
    needsOf,
    ownerOf,
    principal: () => folderAccount(guard, settings.runAs),
    ended: folderRunEnded,
  };
}

/** Returns the account that runs of watched folders use. Throws an AccessError that names the setting. */
async function folderAccount(guard: Guard, runAs: string): Promise<Principal> {
  try {
    return await guard.actAs(runAs);
  } catch (error) {
    if (!isQuireError(error) || error.code !== 'ACCOUNT_DISABLED') throw error;
    const refusal = new AccessError('ACCOUNT_DISABLED');
    refusal.message =
      runAs === ''
        ? 'Login is on, so watched folders need an account: name one with the setting autoPipeline.runAs.'
        : `The account ${JSON.stringify(runAs)} of the setting autoPipeline.runAs is unknown or disabled.`;
    throw refusal;
  }
}
