import type { PoolStats } from '../execution/index.js';

/** What is measured for Prometheus. */
export interface Metrics {
  run(path: string, seconds: number, outcome: string): void;
  request(route: string, method: string, status: number, seconds: number): void;
  /** The exposition text and its media type. */
  render(pool: PoolStats): Promise<{ text: string; mediaType: string }>;
}

/** Counts nothing: used while the export is off, so that prom-client is never loaded. */
export const noMetrics: Metrics = {
  run: () => undefined,
  request: () => undefined,
  render: () => Promise.resolve({ text: '', mediaType: 'text/plain; version=0.0.4' }),
};

/** Histograms of runs and requests and gauges of the worker pool, in a registry of their own. */
export async function prometheusMetrics(): Promise<Metrics> {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import('prom-client');
  const register = new Registry();
  collectDefaultMetrics({ register });
  const buckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300];
  const runs = new Histogram({ name: 'quire_operation_duration_seconds', help: 'Duration of operations', labelNames: ['operation', 'outcome'], buckets, registers: [register] });
  const requests = new Counter({ name: 'http_requests_total', help: 'HTTP requests', labelNames: ['method', 'endpoint', 'status'], registers: [register] });
  const durations = new Histogram({ name: 'http_request_duration_seconds', help: 'Duration of HTTP requests', labelNames: ['method', 'endpoint'], buckets, registers: [register] });
  const gauge = (name: string, help: string): InstanceType<typeof Gauge> => new Gauge({ name, help, registers: [register] });
  const workers = gauge('quire_workers', 'Worker processes');
  const busy = gauge('quire_workers_busy', 'Worker processes at work');
  const queued = gauge('quire_queue_depth', 'Runs waiting for a worker');
  const age = gauge('quire_queue_oldest_seconds', 'Age of the oldest waiting run');
  const restarts = gauge('quire_worker_restarts', 'Worker processes that ended since the start');
  return {
    run: (operation, seconds, outcome) => runs.observe({ operation, outcome }, seconds),
    request: (endpoint, method, status, seconds) => {
      requests.inc({ method, endpoint, status });
      durations.observe({ method, endpoint }, seconds);
    },
    async render(pool) {
      workers.set(pool.workers);
      busy.set(pool.busy);
      queued.set(pool.queued);
      age.set(pool.oldestQueuedMs / 1000);
      restarts.set(pool.restarts);
      return { text: await register.metrics(), mediaType: register.contentType };
    },
  };
}
