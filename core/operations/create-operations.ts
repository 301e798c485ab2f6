import type { Catalog, CatalogOperation } from '@quire/catalog';
import type { Logger, Token } from '@quire/registry';
import type { AvailabilityTable, Guard } from '../access/index.js';
import type { Allowance } from '../billing/index.js';
import type { Leases } from '../jobs/cluster/index.js';
import type { Metrics } from '../metrics/index.js';
import type { Settings } from '../settings/index.js';
import { limitsTable, workerSettings } from './limits.js';
import { PipelineService, type FindSaved, type FindStepFile } from './pipelines/index.js';
import { hostDocuments, ResultStamps, Runner, type RunnerDeps } from './runner/index.js';
import type { WorkerPool } from './workers/index.js';

export interface CreateOperationsDeps {
  readonly settings: Settings;
  readonly catalog: Catalog;
  readonly availability: AvailabilityTable;
  readonly pool: WorkerPool;
  readonly guard: Pick<Guard, 'whyNot'>;
  readonly allowance: Allowance;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Present if other servers share the store. */
  readonly leases: Leases | undefined;
  serviceOf<T>(entry: CatalogOperation, token: Token<T>): T;
  /** What the role of a caller says about pages. */
  pageLimitOf: RunnerDeps['pageLimitOf'];
  /** Finds saved pipelines that are steps of others. */
  readonly findSaved: FindSaved;
  /** Finds stored files that steps name. */
  readonly findFile: FindStepFile;
}

/** Creates the runner of operations and the service of pipelines. */
export function createOperations({
  settings,
  catalog,
  availability,
  pool,
  guard,
  allowance,
  metrics,
  log,
  leases,
  serviceOf,
  pageLimitOf,
  findSaved,
  findFile,
}: CreateOperationsDeps): { readonly runner: Runner; readonly pipelines: PipelineService } {
  const stamps = new ResultStamps(settings, pool);
  const runner = new Runner({
    pool,
    availability,
    log,
    policy: {
      signedInput: settings.get('policy.signedInput'),
      rewriteAlways: settings.get('document.write') === 'rewrite',
    },
    workerSettings: workerSettings(settings),
    stamps,
    allowance,
    ...(leases === undefined
      ? {}
      : {
          clusterPlace: (path: string, places: number, signal: AbortSignal) =>
            leases.place(`operation ${path}`, places, signal),
        }),
    limitsOf: limitsTable(settings),
    pageLimitOf,
    serviceOf,
    record: (path, seconds, outcome) => metrics.run(path, seconds, outcome),
  });
  const factTimeoutMs = settings.get('limits.syncTimeoutSeconds') * 1000;
  const pipelines = new PipelineService({
    catalog,
    availability,
    runner,
    stamps,
    allowance,
    log,
    maxSteps: settings.get('limits.maxPipelineSteps'),
    maxParts: settings.get('limits.maxParts'),
    parallel: pool.stats().size,
    findSaved,
    findFile,
    factOf: (file, fact, signal) => hostDocuments(pool, { timeoutMs: factTimeoutMs, signal }).factOf(file, fact),
    invoiceOf: (file, signal) => hostDocuments(pool, { timeoutMs: factTimeoutMs, signal }).invoiceTexts(file),
    whyNot: ({ operation: { access, path } }, principal) =>
      guard.whyNot(access, principal, { method: 'POST', path: `/api/v1/${path}` }),
  });
  return { runner, pipelines };
}
