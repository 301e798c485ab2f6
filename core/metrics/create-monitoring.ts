import {
  Counters,
  EndpointDays,
  Health,
  WeeklyBrowsers,
  noMetrics,
  prometheusMetrics,
  type EndpointDayRecord,
  type Metrics,
} from './index.js';
import type { Clock, Logger } from '@quire/registry';
import type { WorkerPool } from '../operations/workers/index.js';
import type { JobService } from '../jobs/index.js';
import type { AllowanceStats } from '../billing/index.js';
import type { ProgramSupervisor } from '../engines/programs/index.js';
import { sizeToBytes, type Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';

/** What counts, measures and tells health. */
export interface Monitoring {
  readonly counters: Counters;
  readonly days: EndpointDays;
  readonly browsers: WeeklyBrowsers;
  readonly metrics: Metrics;
  readonly health: Health;
}

/** Where monitoring looks; pool and jobs come into being after it. */
export interface MonitoringParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly programs: ProgramSupervisor;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Logger;
  pool(): WorkerPool;
  /** Undefined until the jobs have started. */
  jobs(): JobService | undefined;
  allowance(): AllowanceStats;
  accepting(): boolean;
}

/** Puts monitoring together; prom-client is loaded only where metrics are exported. */
export async function createMonitoring({
  settings,
  store,
  programs,
  version,
  clock,
  log,
  pool,
  jobs,
  allowance,
  accepting,
}: MonitoringParts): Promise<Monitoring> {
  const programGauges = () =>
    programs.list().map(({ name, path, running, waiting }) => ({ name, found: path !== undefined, running, waiting }));
  const stats = () => pool().stats();
  const days = new EndpointDays({
    records: store.records<EndpointDayRecord>('endpoint_days', { keys: ['day'] }),
    clock,
    log,
  });
  return {
    days,
    counters: new Counters((pattern) => days.count(pattern)),
    browsers: new WeeklyBrowsers(),
    metrics: settings.get('management.prometheus.metrics.export.enabled')
      ? await prometheusMetrics({
          version,
          allowance,
          pool: stats,
          programs: programGauges,
          storeUp: () => store.ready(),
          jobs: async () => {
            const service = jobs();
            if (service === undefined) throw new Error('the jobs have not started yet');
            return service.states();
          },
        })
      : noMetrics,
    health: new Health({
      storeKind: store.kind,
      storeUp: () => store.ready(),
      pool: stats,
      queueLimit: () => pool().queueLength,
      programs: programGauges,
      accepting,
      basePath: settings.paths.base,
      minFreeBytes: sizeToBytes(settings.get('management.health.diskspace.threshold')) ?? 0,
    }),
  };
}
