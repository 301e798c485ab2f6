import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { field, file, json, post, send } from '../support/client.js';
import { takePort } from '../support/process.js';
import { productRoot, startServer, until, type TestServer } from '../support/server.js';

const folder = join(productRoot, 'docs', 'guides', 'monitoring');
const scrapeFile = readFileSync(join(folder, 'prometheus.yml'), 'utf8');
const dashboard = JSON.parse(readFileSync(join(folder, 'grafana-dashboard.json'), 'utf8')) as {
  templating: { list: readonly { name: string; query: string | { query: string } }[] };
  panels: readonly { title: string; targets?: readonly { expr: string }[] }[];
};
const pdf = readFileSync(join(productRoot, 'plugins', 'general', 'fixtures', 'two-pages.pdf'));
const rotate = '/api/v1/general/rotate-pdf';

const expressions = dashboard.panels.flatMap(({ title, targets }) =>
  (targets ?? []).map(({ expr }) => ({ title, expr })),
);
const variables = dashboard.templating.list.flatMap(({ query }) => (typeof query === 'string' ? [] : [query.query]));
/** Names of metrics in an expression. */
const metricNames = (expression: string): string[] =>
  [...expression.matchAll(/\b(up|(?:http|quire|process|nodejs)_[a-z0-9_]+)\b/g)].map(([, name]) => name ?? '');
/** An expression with Grafana's variables replaced. */
const filledIn = (expression: string): string =>
  expression
    .replaceAll('$__rate_interval', '10s')
    .replaceAll('$job', '.*')
    .replaceAll('$instance', '.*')
    .replaceAll('$operation', '.*');

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

describe('a real Prometheus', () => {
  let server: TestServer;
  let prometheus: ChildProcess | undefined;
  let address: string;
  let data: string;

  const query = async (expression: string): Promise<Sample[]> => {
    const answer = await send(`${address}/api/v1/query?query=${encodeURIComponent(expression)}`);
    expect(answer.status, `${expression}: ${answer.body.toString()}`).to.equal(200);
    return json<{ data: { result: Sample[] } }>(answer).data.result;
  };
  const value = async (expression: string): Promise<number> => Number((await query(expression))[0]?.value[1] ?? NaN);
  const turn = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++)
      expect((await post(`${server.url}${rotate}`, [file(pdf), field('angle', '90')])).status).to.equal(200);
  };
  /**
   * Produces everything that the dashboard shows: runs that succeed, fail and are refused; a disabled operation; a job.
   */
  const everything = async (): Promise<void> => {
    await turn(1);
    expect((await post(`${server.url}${rotate}`, [file(Buffer.from('no pdf'))])).status).to.be.within(400, 499);
    expect((await post(`${server.url}/api/v1/misc/unruly-crash`, [file(pdf)])).status).to.equal(500);
    expect((await post(`${server.url}/api/v1/general/merge-pdfs`, [file(pdf), file(pdf)])).status).to.equal(403);
    expect((await post(`${server.url}${rotate}?async=true`, [file(pdf), field('angle', '90')])).status).to.equal(200);
  };

  before(async function () {
    this.timeout(60_000);
    try {
      execFileSync('prometheus', ['--version'], { stdio: 'ignore' });
    } catch {
      this.skip();
    }
    server = await startServer({
      management: {
        endpoints: { web: { exposure: { include: ['prometheus', 'health', 'info'] } } },
        prometheus: { metrics: { export: { enabled: true } } },
      },
      licence: { allowance: 1000 },
      endpoints: { toRemove: ['merge-pdfs'] },
    });
    data = mkdtempSync(join(tmpdir(), 'quire-prometheus-'));
    // The shipped file with the port and the timeouts of a test.
    const config = scrapeFile
      .replace('scrape_interval: 15s', 'scrape_interval: 500ms\n  scrape_timeout: 500ms')
      .replace('127.0.0.1:8080', new URL(server.url).host);
    writeFileSync(join(data, 'prometheus.yml'), config);
    const { port, release } = await takePort();
    release();
    address = `http://127.0.0.1:${port}`;
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${join(data, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(data, 'tsdb')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=error',
      ],
      { stdio: 'ignore' },
    );
    await until(
      'Prometheus is ready',
      async () => (await send(`${address}/-/ready`).catch(() => ({ status: 0 }))).status === 200,
      30,
    );
    await until('the server has been scraped', async () => (await query('up{job="quire"}')).length > 0);
  });

  after(async function () {
    if (prometheus !== undefined) {
      const ended = new Promise((resolve) => prometheus?.once('exit', resolve));
      prometheus.kill('SIGTERM');
      await ended;
    }
    if (server !== undefined) await server.stop();
    if (data !== undefined) rmSync(data, { recursive: true, force: true });
  });

  it('scrapes the server with the shipped file', async () => {
    expect(await value('up{job="quire"}')).to.equal(1);
    expect(await value('scrape_samples_scraped{job="quire"}')).to.be.within(50, 5000);
  });

  it('sees counters rise with the calls', async () => {
    await turn(2);
    const count = `sum(http_requests_total{job="quire", endpoint="${rotate}", status="200", session="anonymous"})`;
    await until('two calls are seen', async () => (await value(count)) === 2);
    await turn(3);
    await until('five calls are seen', async () => (await value(count)) === 5);
    expect(
      await value(`sum(quire_operation_duration_seconds_count{operation="general/rotate-pdf", outcome="succeeded"})`),
    ).to.be.within(5, 5);
    expect(await value(`sum(increase(http_requests_total{endpoint="${rotate}"}[1m]))`)).to.be.greaterThan(0);
  });

  it('finds every metric that the dashboard uses', async () => {
    await everything();
    const wanted = [...new Set([...expressions.map(({ expr }) => expr), ...variables].flatMap(metricNames))];
    expect(wanted.length).to.be.greaterThan(25);
    const known = async (): Promise<Set<string>> =>
      new Set(json<{ data: string[] }>(await send(`${address}/api/v1/label/__name__/values`)).data);
    await until('the last calls are scraped', async () => (await value('sum(quire_operation_failures_total)')) > 0);
    const there = await known();
    expect(wanted.filter((name) => !there.has(name))).to.deep.equal([]);
  });

  it('returns data for every expression of the dashboard', async function () {
    this.timeout(60_000);
    for (const { title, expr } of expressions) {
      let found: Sample[] = [];
      await until(`"${title}" shows something: ${expr}`, async () => (found = await query(filledIn(expr))).length > 0);
      expect(
        found.every(({ value: [, number] }) => number !== ''),
        title,
      ).to.equal(true);
    }
  });

  it('has exactly the metrics that the documentation lists', async () => {
    const page = readFileSync(join(folder, 'README.md'), 'utf8');
    const listed = [...(page.split('## Metrics')[1]?.matchAll(/`((?:http|quire)_[a-z_]+)`/g) ?? [])].map(
      ([, name]) => name,
    );
    const text = (await send(`${server.url}/actuator/prometheus`)).body.toString('utf8');
    const given = [...text.matchAll(/^# TYPE ((?:http|quire)_\S+)/gm)].map(([, name]) => name);
    expect(listed).to.have.members(given);
  });
});
