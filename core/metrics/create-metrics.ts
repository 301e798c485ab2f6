import type { Catalog } from '@quire/catalog';
import { OperationalError, type Clock, type Endpoint, type Logger } from '@quire/registry';
import type { Guard } from '../access/index.js';
import type { AutomationStats } from '../automation/index.js';
import type { AllowanceStats } from '../billing/index.js';
import type { ProgramSupervisor } from '../engines/programs/index.js';
import type { Backplane } from '../jobs/backplane/index.js';
import type { JobService } from '../jobs/index.js';
import type { WorkerPool } from '../operations/workers/index.js';
import { sizeToBytes, type Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';
import { actuatorEndpoints } from './endpoints/actuator.endpoint.js';
import { healthEndpoints } from './endpoints/health.endpoint.js';
import { infoEndpoints } from './endpoints/info.endpoint.js';
import { loadEndpoint } from './endpoints/load.endpoint.js';
import {
  CallTotals,
  Counters,
  EndpointDays,
  Health,
  MOST_DAYS,
  WeeklyBrowsers,
  noMetrics,
  prometheusMetrics,
  type EndpointDayRecord,
  type Metrics,
} from './index.js';

export interface CreateMetricsDeps {
  readonly settings: Settings;
  readonly store: Store;
  readonly backplane: Backplane;
  readonly programs: ProgramSupervisor;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly guard: Pick<Guard, 'loginEnabled'>;
  readonly pool: WorkerPool;
  catalog(): Catalog;
  /** Undefined until the jobs have started. */
  runningJobs(): JobService | undefined;
  allowanceStats(): AllowanceStats;
  automationStats(): Promise<AutomationStats>;
  accepting(): boolean;
}

export interface MetricsFeature {
  readonly counters: Counters;
  readonly days: EndpointDays;
  readonly browsers: WeeklyBrowsers;
  readonly metrics: Metrics;
  readonly endpoints: readonly Endpoint[];
  /** Writes the counts that are still in memory. */
  stop(): Promise<void>;
}

/** Creates counters, metrics and health. Loads prom-client only if metrics are exported. */
export async function createMetrics(deps: CreateMetricsDeps): Promise<MetricsFeature> {
  const { settings, store, clock, log } = deps;
  const kept = keptMetrics(settings);
  const daysOf = (name: string): EndpointDays =>
    new EndpointDays({ records: store.records<EndpointDayRecord>(name, { keys: ['day'] }), clock, log, ...kept });
  const days = daysOf('endpoint_days');
  const callDays = kept === undefined ? undefined : daysOf('call_days');
  const totals =
    callDays === undefined || kept === undefined
      ? undefined
      : new CallTotals({ days: callDays, keepDays: kept.keepDays, now: () => clock.now() });
  const counters = new Counters((pattern, method) => {
    days.count(pattern);
    totals?.count(method, pattern);
  });
  const browsers = new WeeklyBrowsers();
  const metrics = settings.get('management.prometheus.metrics.export.enabled')
    ? await exportedMetrics(deps)
    : noMetrics;
  const storeReady = async (): Promise<void> => {
    if (!(await store.ready())) throw new OperationalError('STORE_DOWN');
  };
  return {
    days,
    counters,
    browsers,
    metrics,
    endpoints: [
      ...infoEndpoints({ ...deps, counters, totals, browsers }),
      ...healthEndpoints({ storeReady }),
      loadEndpoint({ ...deps, counters }),
      ...actuatorEndpoints({ ...deps, counters, metrics, health: createHealth(deps) }),
    ],
    stop: async () => {
      await days.close();
      await callDays?.close();
    },
  };
}

/** How many days counts are kept, while `premium.enterpriseFeatures.persistentMetrics` is enabled. */
function keptMetrics(settings: Settings): { readonly keepDays: number } | undefined {
  if (!settings.get('premium.enterpriseFeatures.persistentMetrics.enabled')) return undefined;
  return { keepDays: settings.get('premium.enterpriseFeatures.persistentMetrics.retentionDays') || MOST_DAYS };
}

function exportedMetrics({
  store,
  version,
  pool,
  programs,
  runningJobs,
  allowanceStats,
  automationStats,
}: CreateMetricsDeps): Promise<Metrics> {
  return prometheusMetrics({
    version,
    allowance: allowanceStats,
    automations: automationStats,
    pool: () => pool.stats(),
    programs: () => programGauges(programs),
    storeUp: () => store.ready(),
    jobs: async () => {
      const service = runningJobs();
      if (service === undefined) throw new Error('the jobs have not started yet');
      return service.states();
    },
  });
}

function createHealth({ settings, store, pool, programs, backplane, accepting }: CreateMetricsDeps): Health {
  return new Health({
    storeKind: store.kind,
    storeUp: () => store.ready(),
    backplane: () => {
      const { kind, connected } = backplane;
      return kind && { kind, connected };
    },
    pool: () => pool.stats(),
    queueLimit: () => pool.queueLength,
    programs: () => programGauges(programs),
    accepting,
    basePath: settings.paths.base,
    minFreeBytes: sizeToBytes(settings.get('management.health.diskspace.threshold')) ?? 0,
  });
}

function programGauges(programs: ProgramSupervisor) {
  return programs.list().map(({ name, path, running, waiting, isolation }) => ({
    name,
    found: path !== undefined,
    running,
    waiting,
    isolation,
  }));
}
