import { errorTable, type ErrorCode } from '@quire/registry';
import type { Registry } from 'prom-client';
import type { JobStates, MeasuredRequest, MetricSources, Metrics } from './metrics.js';

type PromClient = typeof import('prom-client');

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const runBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Hapi's pattern for a path without a route. */
const NO_ROUTE = '/{p*}';
/** How long a scrape waits for the store. */
const PATIENCE_MS = 2000;

/**
 * Creates metrics with prom-client in a separate registry. No label takes its values from callers: methods, statuses
 * and session classes come from fixed lists, endpoints from the route table, operations from the catalog, codes from
 * the error table.
 */
export async function prometheusMetrics(sources: MetricSources): Promise<Metrics> {
  const client = await import('prom-client');
  const register = new client.Registry();
  client.collectDefaultMetrics({ register });
  const registers = [register];
  const requests = new client.Counter({
    name: 'http_requests_total',
    help: 'HTTP requests answered, by route, method, status and authentication of the caller',
    labelNames: ['method', 'endpoint', 'status', 'session'],
    registers,
  });
  const durations = new client.Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer',
    labelNames: ['method', 'endpoint'],
    buckets: requestBuckets,
    registers,
  });
  const inFlight = new client.Gauge({ name: 'http_requests_in_flight', help: 'Requests being answered', registers });
  const runs = new client.Histogram({
    name: 'quire_operation_duration_seconds',
    help: 'Duration of runs of an operation, including waiting',
    labelNames: ['operation', 'outcome'],
    buckets: runBuckets,
    registers,
  });
  const failures = new client.Counter({
    name: 'quire_operation_failures_total',
    help: 'Runs that failed, by error code',
    labelNames: ['operation', 'code'],
    registers,
  });
  let jobs: Promise<JobStates> | undefined;
  let automations: ReturnType<MetricSources['automations']> | undefined;
  // Several gauges use one result, so that the store is queried once per scrape.
  addGauges(client, register, {
    ...sources,
    jobs: () => (jobs ??= sources.jobs()),
    automations: () => (automations ??= sources.automations()),
  });
  return {
    run(operation, seconds, outcome) {
      const code = outcome === 'succeeded' ? undefined : knownCode(outcome);
      runs.observe({ operation, outcome: code === undefined ? 'succeeded' : outcomeClass(code) }, seconds);
      if (code !== undefined) failures.inc({ operation, code });
    },
    began: () => inFlight.inc(),
    request({ method, route, status, session, seconds }: MeasuredRequest) {
      inFlight.dec();
      const labels = {
        method: methods.has(method) ? method : 'other',
        endpoint: route === NO_ROUTE ? 'unmatched' : route,
      };
      requests.inc({ ...labels, status, session });
      durations.observe(labels, seconds);
    },
    async render() {
      jobs = undefined;
      automations = undefined;
      return { text: await register.metrics(), mediaType: register.contentType };
    },
  };
}

/** An outcome that is not a code of the table is an internal error. */
function knownCode(outcome: string): ErrorCode {
  return Object.hasOwn(errorTable, outcome) ? (outcome as ErrorCode) : 'INTERNAL';
}

/** `refused`: the caller could have avoided it; `failed`: not. */
function outcomeClass(code: ErrorCode): 'refused' | 'cancelled' | 'failed' {
  if (code === 'CANCELLED') return 'cancelled';
  return errorTable[code].status < 500 ? 'refused' : 'failed';
}

/** Adds gauges that read their source at every scrape. */
function addGauges(client: PromClient, register: Registry, sources: MetricSources): void {
  const registers = [register];
  const gauge = (name: string, help: string, read: () => number | null | Promise<number>, otherwise?: number): void => {
    new client.Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = (await answered(read)) ?? otherwise;
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  };
  type Labelled = Readonly<Record<string, number>>;
  const labelledAs =
    (kind: 'Gauge' | 'Counter') =>
    (name: string, help: string, label: string, read: () => Labelled | Promise<Labelled>): void => {
      new client[kind]({
        name,
        help,
        labelNames: [label],
        registers,
        async collect() {
          this.reset();
          // After a reset, adding a number sets it.
          for (const [value, number] of Object.entries((await answered(read)) ?? {}))
            this.inc({ [label]: value }, number);
        },
      });
    };
  const [labelled, labelledCount] = [labelledAs('Gauge'), labelledAs('Counter')];
  const perProgram = (
    name: string,
    help: string,
    number: (program: ReturnType<MetricSources['programs']>[number]) => number,
  ): void => {
    labelled(name, help, 'program', () =>
      Object.fromEntries(sources.programs().map((program) => [program.name, number(program)])),
    );
  };
  new client.Gauge({
    name: 'quire_build_info',
    help: 'Always 1; version and runtime are labels',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: sources.version, node: process.versions.node }, 1);
  gauge('quire_workers', 'Worker processes', () => sources.pool().workers);
  gauge('quire_workers_busy', 'Busy worker processes', () => sources.pool().busy);
  gauge('quire_workers_limit', 'Maximum number of worker processes', () => sources.pool().size);
  gauge('quire_queue_depth', 'Runs waiting for a worker', () => sources.pool().queued);
  gauge('quire_queue_oldest_seconds', 'Age of the oldest waiting run', () => sources.pool().oldestQueuedMs / 1000);
  count(
    client,
    registers,
    'quire_worker_restarts_total',
    'Worker processes that exited: idle, replaced, killed or crashed',
    () => sources.pool().restarts,
  );
  perProgram('quire_program_found', '1 if the program was found at the start', ({ found }) => (found ? 1 : 0));
  perProgram('quire_program_running', 'Processes of the program', ({ running }) => running);
  perProgram('quire_program_waiting', 'Runs waiting for the program', ({ waiting }) => waiting);
  labelled('quire_jobs', 'Jobs in the store', 'state', async () => (await sources.jobs()).byState);
  gauge(
    'quire_jobs_oldest_queued_seconds',
    'Age of the oldest queued job',
    async () => (await sources.jobs()).oldestQueuedMs / 1000,
  );
  labelledCount(
    'quire_automation_runs_total',
    'Runs of an automation that this server began, by its id',
    'automation',
    async () => (await sources.automations()).runs,
  );
  labelledCount(
    'quire_automation_failures_total',
    'Files of an automation that this server parked',
    'automation',
    async () => (await sources.automations()).failures,
  );
  labelled(
    'quire_automation_backlog',
    'Files of an automation that wait or are processed',
    'automation',
    async () => (await sources.automations()).backlog,
  );
  gauge('quire_store_up', '1 while the store answers', async () => ((await sources.storeUp()) ? 1 : 0), 0);
  // The allowance has samples only while it is metered, and a limit only if one is set.
  const allowed = (which: 'used' | 'limit') => () => (sources.allowance().metered ? sources.allowance()[which] : null);
  gauge('quire_allowance_used', 'Units used in this period', allowed('used'));
  gauge('quire_allowance_limit', 'Units available per period', allowed('limit'));
  count(client, registers, 'quire_allowance_charged_total', 'Units charged', () => sources.allowance().charged);
  count(client, registers, 'quire_allowance_refunded_total', 'Units refunded', () => sources.allowance().refunded);
  count(client, registers, 'quire_allowance_refused_total', 'Calls answered 402', () => sources.allowance().refused);
}

/**
 * Adds a counter whose total is kept elsewhere: prom-client counters can only be increased, so the difference is added.
 */
function count(client: PromClient, registers: Registry[], name: string, help: string, read: () => number): void {
  new client.Counter({
    name,
    help,
    registers,
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/**
 * Returns undefined if a source fails or does not answer: a gauge without a sample is better than an old value, and the
 * other metrics are still returned.
 */
async function answered<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), PATIENCE_MS)));
  try {
    return await Promise.race([read(), late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
