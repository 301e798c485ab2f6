import { expect } from 'chai';
import { errorTable } from '@quire/registry';
import type { MeasuredRequest, MetricSources } from './metrics.js';
import { prometheusMetrics } from './prometheus-metrics.js';

const pool = { size: 2, workers: 1, busy: 1, queued: 4, restarts: 3, oldestQueuedMs: 1500, pids: [], isolation: [] };
const sources = (change: Partial<MetricSources> = {}): MetricSources => ({
  version: '1.2.3',
  pool: () => pool,
  storeUp: () => Promise.resolve(true),
  programs: () => [
    { name: 'qpdf', found: true, running: 1, waiting: 2 },
    { name: 'mutool', found: false, running: 0, waiting: 0 },
  ],
  jobs: () =>
    Promise.resolve({
      byState: { queued: 2, running: 1, succeeded: 5, failed: 0, cancelled: 0 },
      oldestQueuedMs: 9000,
    }),
  allowance: () => ({ metered: true, limit: 100, used: 7, charged: 9, refunded: 2, refused: 1 }),
  automations: async () => ({ runs: { a1: 5 }, failures: { a1: 2 }, backlog: { a1: 3, b2: 0 } }),
  ...change,
});
const request = (change: Partial<MeasuredRequest> = {}): MeasuredRequest => ({
  method: 'GET',
  route: '/livez',
  status: 200,
  session: 'anonymous',
  seconds: 0.01,
  ...change,
});
const samples = (text: string, name: string): string[] =>
  text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));

describe('the metrics', () => {
  it('count requests by route, method, status and authentication', async () => {
    const metrics = await prometheusMetrics(sources());
    for (const session of ['anonymous', 'key', 'key', 'globalKey', 'session'] as const) {
      metrics.began();
      metrics.request(request({ method: 'POST', route: '/api/v1/misc/repair', session }));
    }
    const { text, mediaType } = await metrics.render();
    expect(mediaType).to.match(/^text\/plain; version=0\.0\.4/);
    expect(samples(text, 'http_requests_total')).to.have.members([
      'http_requests_total{method="POST",endpoint="/api/v1/misc/repair",status="200",session="anonymous"} 1',
      'http_requests_total{method="POST",endpoint="/api/v1/misc/repair",status="200",session="key"} 2',
      'http_requests_total{method="POST",endpoint="/api/v1/misc/repair",status="200",session="globalKey"} 1',
      'http_requests_total{method="POST",endpoint="/api/v1/misc/repair",status="200",session="session"} 1',
    ]);
    expect(samples(text, 'http_request_duration_seconds_count')).to.deep.equal([
      'http_request_duration_seconds_count{method="POST",endpoint="/api/v1/misc/repair"} 5',
    ]);
  });

  it('count the requests in flight', async () => {
    const metrics = await prometheusMetrics(sources());
    for (let i = 0; i < 3; i++) metrics.began();
    metrics.request(request());
    expect(samples((await metrics.render()).text, 'http_requests_in_flight')).to.deep.equal([
      'http_requests_in_flight 2',
    ]);
  });

  it('merge unknown methods and addresses, so that callers cannot create series', async () => {
    const metrics = await prometheusMetrics(sources());
    for (let i = 0; i < 1000; i++) metrics.request(request({ method: `BREW${i}`, route: '/{p*}', status: 404 }));
    expect(samples((await metrics.render()).text, 'http_requests_total')).to.deep.equal([
      'http_requests_total{method="other",endpoint="unmatched",status="404",session="anonymous"} 1000',
    ]);
  });

  it('distinguish succeeded, refused, cancelled and failed runs, and failures by code', async () => {
    const metrics = await prometheusMetrics(sources());
    for (const outcome of [
      'succeeded',
      'PDF_DAMAGED',
      'QUEUE_FULL',
      'CANCELLED',
      'TIMEOUT',
      'failed',
      'INVENTED_BY_A_PLUGIN',
    ])
      metrics.run('misc/repair', 0.2, outcome);
    const { text } = await metrics.render();
    expect(samples(text, 'quire_operation_duration_seconds_count')).to.have.members([
      'quire_operation_duration_seconds_count{operation="misc/repair",outcome="succeeded"} 1',
      'quire_operation_duration_seconds_count{operation="misc/repair",outcome="refused"} 2',
      'quire_operation_duration_seconds_count{operation="misc/repair",outcome="cancelled"} 1',
      'quire_operation_duration_seconds_count{operation="misc/repair",outcome="failed"} 3',
    ]);
    expect(samples(text, 'quire_operation_failures_total'))
      .to.include('quire_operation_failures_total{operation="misc/repair",code="INTERNAL"} 2')
      .and.include('quire_operation_failures_total{operation="misc/repair",code="TIMEOUT"} 1');
  });

  it('have at most four outcomes per operation, and the codes of the error table', async () => {
    const metrics = await prometheusMetrics(sources());
    for (const outcome of [
      ...Object.keys(errorTable),
      'succeeded',
      'failed',
      ...Array.from({ length: 500 }, (_, i) => `X${i}`),
    ])
      metrics.run('misc/repair', 1, outcome);
    const { text } = await metrics.render();
    expect(samples(text, 'quire_operation_duration_seconds_count')).to.have.length(4);
    expect(samples(text, 'quire_operation_failures_total')).to.have.length(Object.keys(errorTable).length);
  });

  it('show queue, workers, programs, jobs, store, allowance and build', async () => {
    const { text } = await (await prometheusMetrics(sources())).render();
    for (const line of [
      'quire_queue_depth 4',
      'quire_queue_oldest_seconds 1.5',
      'quire_workers 1',
      'quire_workers_busy 1',
      'quire_workers_limit 2',
      'quire_worker_restarts_total 3',
      'quire_program_found{program="qpdf"} 1',
      'quire_program_found{program="mutool"} 0',
      'quire_program_running{program="qpdf"} 1',
      'quire_program_waiting{program="qpdf"} 2',
      'quire_jobs{state="queued"} 2',
      'quire_jobs{state="succeeded"} 5',
      'quire_jobs_oldest_queued_seconds 9',
      'quire_store_up 1',
      'quire_automation_runs_total{automation="a1"} 5',
      'quire_automation_failures_total{automation="a1"} 2',
      'quire_automation_backlog{automation="a1"} 3',
      'quire_automation_backlog{automation="b2"} 0',
      'quire_allowance_used 7',
      'quire_allowance_limit 100',
      'quire_allowance_charged_total 9',
      'quire_allowance_refunded_total 2',
      'quire_allowance_refused_total 1',
      `quire_build_info{version="1.2.3",node="${process.versions.node}"} 1`,
    ])
      expect(text.split('\n')).to.include(line);
    expect(text)
      .to.match(/^process_resident_memory_bytes \d/m)
      .and.to.match(/^nodejs_eventloop_lag_seconds /m);
  });

  it('set restarts to the total of the pool at every scrape', async () => {
    const metrics = await prometheusMetrics(sources());
    await metrics.render();
    expect(samples((await metrics.render()).text, 'quire_worker_restarts_total')).to.deep.equal([
      'quire_worker_restarts_total 3',
    ]);
  });

  it('have no allowance samples without metering, and no limit sample without a limit', async () => {
    const off = { metered: false, limit: null, used: 0, charged: 0, refunded: 0, refused: 0 };
    const unmetered = (await (await prometheusMetrics(sources({ allowance: () => off }))).render()).text;
    expect(samples(unmetered, 'quire_allowance_used')).to.deep.equal([]);
    const unlimited = (
      await (await prometheusMetrics(sources({ allowance: () => ({ ...off, metered: true, used: 3 }) }))).render()
    ).text;
    expect(samples(unlimited, 'quire_allowance_used')).to.deep.equal(['quire_allowance_used 3']);
    expect(samples(unlimited, 'quire_allowance_limit')).to.deep.equal([]);
  });

  it('are available while the store is down, except values from the store', async () => {
    let away = false;
    const answer = { byState: { queued: 2 }, oldestQueuedMs: 0 };
    const metrics = await prometheusMetrics(
      sources({
        storeUp: () => Promise.resolve(!away),
        jobs: () => (away ? Promise.reject(new Error('away')) : Promise.resolve(answer)),
      }),
    );
    expect(samples((await metrics.render()).text, 'quire_jobs')).to.have.length(1);
    away = true;
    const { text } = await metrics.render();
    expect(samples(text, 'quire_store_up')).to.deep.equal(['quire_store_up 0']);
    expect(samples(text, 'quire_jobs')).to.deep.equal([]);
    expect(samples(text, 'quire_jobs_oldest_queued_seconds')).to.deep.equal([]);
    expect(samples(text, 'quire_workers')).to.deep.equal(['quire_workers 1']);
  });

  it('do not wait for a store that does not answer', async () => {
    const never = new Promise<never>(() => undefined);
    const metrics = await prometheusMetrics(sources({ storeUp: () => never, jobs: () => never }));
    expect(samples((await metrics.render()).text, 'quire_store_up')).to.deep.equal(['quire_store_up 0']);
  });

  it('query the store once per scrape', async () => {
    let asked = 0;
    const metrics = await prometheusMetrics(
      sources({
        jobs: () => {
          asked++;
          return Promise.resolve({ byState: {}, oldestQueuedMs: 0 });
        },
      }),
    );
    await metrics.render();
    await metrics.render();
    expect(asked).to.equal(2);
  });
});
