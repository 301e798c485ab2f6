import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectProblem, file, json, post, send, type Answer } from '../support/client.js';
import { addUser, keyOf, sessionOf } from '../support/login.js';
import { productRoot, startServer, until, type TestServer } from '../support/server.js';

const pdf = readFileSync(join(productRoot, 'plugins', 'general', 'fixtures', 'two-pages.pdf'));
const rotate = '/api/v1/general/rotate-pdf';
const countedPaths = [
  'requests',
  'requests/unique',
  'requests/all',
  'requests/all/unique',
  'load',
  'load/unique',
  'load/all',
  'load/all/unique',
];
const get = (server: TestServer, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  send(`${server.url}/api/v1/info/${path}`, { headers });
const body = async (server: TestServer, path: string): Promise<string> =>
  (await get(server, path)).body.toString('utf8');
const turn = (server: TestServer, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  post(`${server.url}${rotate}`, [file(pdf)], headers);

describe('the info API', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  it('reports status and version to everybody', async () => {
    for (const path of ['status', 'health']) {
      const answer = await get(server, path);
      expect(answer.status).to.equal(200);
      expect(answer.headers['content-type']).to.match(/^application\/json/);
      expect(json(answer)).to.deep.equal({
        status: 'UP',
        version: (JSON.parse(readFileSync(join(productRoot, 'package.json'), 'utf8')) as { version: string }).version,
      });
    }
  });

  it('reports the uptime as text, or as JSON when JSON is requested', async () => {
    const plain = await get(server, 'uptime');
    expect(plain.headers['content-type']).to.match(/^text\/plain/);
    expect(plain.body.toString()).to.match(/^\d+d \d{1,2}h \d{1,2}m \d{1,2}s$/);
    const asJson = await get(server, 'uptime', { accept: 'application/json' });
    expect(JSON.parse(asJson.body.toString())).to.match(/^\d+d \d{1,2}h \d{1,2}m \d{1,2}s$/);
  });

  it('counts nothing at first: zeros and empty lists', async () => {
    for (const path of countedPaths) {
      const answer = await get(server, path);
      expect(answer.headers['content-type'], path).to.match(/^application\/json/);
      expect(answer.body.toString(), path).to.equal(path.includes('all') ? '[]' : '0.0');
    }
  });

  it('counts tool calls by endpoint and caller, as bare doubles', async () => {
    for (const browser of ['one', 'one', 'two'])
      expect((await turn(server, { 'x-browser-id': browser })).status).to.equal(200);
    expect((await post(`${server.url}/api/v1/misc/repair`, [file(pdf)], { 'x-browser-id': 'one' })).status).to.equal(
      200,
    );
    expect(await body(server, 'requests')).to.equal('4.0');
    expect(await body(server, 'requests/unique')).to.equal('2.0');
    expect(await body(server, `requests?endpoint=${rotate}`)).to.equal('3.0');
    expect(await body(server, `requests/unique?endpoint=${encodeURIComponent(rotate)}`)).to.equal('2.0');
    expect(await body(server, 'requests?endpoint=/api/v1/nowhere')).to.equal('0.0');
    expect(await body(server, 'requests?endpoint=rotate-pdf')).to.equal('0.0');
    expect(await body(server, 'requests/all')).to.equal(
      '[{"endpoint":"/api/v1/general/rotate-pdf","count":3.0},{"endpoint":"/api/v1/misc/repair","count":1.0}]',
    );
    expect(await body(server, 'requests/all/unique')).to.equal(
      '[{"endpoint":"/api/v1/general/rotate-pdf","count":2.0},{"endpoint":"/api/v1/misc/repair","count":1.0}]',
    );
  });

  it('counts without the query, and refused calls too', async () => {
    const before = Number(await body(server, `requests?endpoint=${rotate}`));
    expect((await post(`${server.url}${rotate}?angle=45&x=1`, [file(Buffer.from('no pdf'))])).status).to.be.within(
      400,
      499,
    );
    expect(Number(await body(server, `requests?endpoint=${rotate}`))).to.equal(before + 1);
  });

  it('counts GET calls by route, without information, documents and unknown addresses', async () => {
    for (const path of [
      '/api/v1/general/job/abc',
      '/v1/api-docs',
      '/swagger-ui/index.html',
      '/livez',
      '/actuator/health',
      '/api/v1/info/status',
      '/api/v1/nowhere',
      '/etc/passwd',
      '/favicon.ico',
    ])
      await send(`${server.url}${path}`);
    await post(`${server.url}/api/v1/nowhere`, []);
    const rows = JSON.parse(await body(server, 'load/all')) as { endpoint: string; count: number }[];
    expect(rows).to.deep.equal([{ endpoint: '/api/v1/general/job/abc', count: 1 }]);
    expect(await body(server, 'load')).to.equal('1.0');
    expect(await body(server, 'requests?endpoint=/api/v1/nowhere')).to.equal('0.0');
  });

  it('does not grow with made-up addresses', async () => {
    for (let i = 0; i < 1200; i++) await server.inject(`/api/v1/general/job/invented-${i}`);
    const rows = JSON.parse(await body(server, 'load/all')) as { endpoint: string; count: number }[];
    expect(rows.length).to.be.below(1010);
    expect(rows[0]?.endpoint).to.match(/\{.+\}$/);
    expect(rows.reduce((sum, { count }) => sum + count, 0)).to.equal(Number(await body(server, 'load')));
  });

  it('counts the browsers of the week', async () => {
    await get(server, 'status', { 'x-browser-id': 'three' });
    const answer = await get(server, 'wau');
    const report = json<{ weeklyActiveUsers: number; trackingSince: string }>(answer);
    expect(report).to.deep.include({ weeklyActiveUsers: 3, totalUniqueBrowsers: 3, daysOnline: 0 });
    expect(Object.keys(report)).to.have.members([
      'weeklyActiveUsers',
      'totalUniqueBrowsers',
      'daysOnline',
      'trackingSince',
    ]);
    expect(report.trackingSince).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.now() - Date.parse(report.trackingSince)).to.be.within(0, 600_000);
  });

  it('refuses an endpoint name that is not text', async () => {
    expectProblem(await get(server, 'requests?endpoint=a&endpoint=b'), 400, 'INPUT_INVALID');
  });
});

describe('the info API below a context path', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ system: { rootUriPath: '/tools' } });
  });
  after(() => server.stop());

  it('counts addresses as they were requested', async () => {
    expect((await turn(server)).status).to.equal(200);
    expect(await body(server, 'requests/all')).to.equal(`[{"endpoint":"/tools${rotate}","count":1.0}]`);
    expect(await body(server, `requests?endpoint=/tools${rotate}`)).to.equal('1.0');
    expect(await body(server, 'load')).to.equal('0.0');
  });
});

describe('the info API with metrics.enabled off', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ metrics: { enabled: false } });
  });
  after(() => server.stop());

  it('answers status and health only', async () => {
    for (const path of ['status', 'health']) expect((await get(server, path)).status).to.equal(200);
    for (const path of [...countedPaths, 'uptime', 'wau']) {
      const problem = expectProblem(await get(server, path), 403, 'METRICS_OFF') as unknown as {
        message: string;
        detail: string;
      };
      expect(problem.message, path).to.equal(problem.detail).and.to.include('metrics.enabled');
    }
  });
});

describe('the info API with login on', () => {
  let server: TestServer;
  const key = { 'x-api-key': 'the-global-key-of-this-test' };
  before(async () => {
    server = await startServer({
      security: {
        enableLogin: true,
        customGlobalAPIKey: key['x-api-key'],
        initialLogin: { username: 'admin', password: 'a long enough password' },
      },
    });
  });
  after(() => server.stop());
  const admin = (): Promise<{ readonly authorization: string }> => sessionOf(server, 'admin', 'a long enough password');

  it('reports only the status without a key', async () => {
    expect((await get(server, 'status')).status).to.equal(200);
    for (const path of ['health', 'uptime', 'wau', ...countedPaths])
      expectProblem(await get(server, path), 401, 'KEY_INVALID');
    // Only a few: the eleventh wrong key of a minute is answered 429.
    for (const path of ['health', 'uptime', 'requests'])
      expectProblem(await get(server, path, { 'x-api-key': 'wrong' }), 401, 'KEY_INVALID');
    for (const path of ['health', 'uptime']) expect((await get(server, path, key)).status, path).to.equal(200);
  });

  it('returns the counts of all users to administrators only', async () => {
    const session = await admin();
    const { username, password } = await addUser(server, session, 'ann');
    const ann = await sessionOf(server, username, password);
    for (const path of countedPaths) {
      for (const caller of [ann, { 'x-api-key': await keyOf(server, ann) }, key])
        expectProblem(await get(server, path, caller), 403, 'ADMIN_ONLY');
      expect((await get(server, path, session)).status, path).to.equal(200);
    }
    for (const path of ['health', 'uptime']) expect((await get(server, path, ann)).status, path).to.equal(200);
  });

  it('has no weekly browsers', async () => {
    const problem = expectProblem(await get(server, 'wau', key), 404, 'WEEKLY_USERS_OFF') as unknown as {
      message: string;
    };
    expect(problem.message).to.include('login is off');
  });

  it('does not count refused calls, and counts one session per account, whatever the browser', async () => {
    expect((await turn(server)).status).to.equal(401);
    const session = await admin();
    const count = async (path: string): Promise<number> =>
      Number((await get(server, `${path}?endpoint=${rotate}`, session)).body.toString());
    for (const browser of ['one', 'two'])
      expect((await turn(server, { ...key, 'x-browser-id': browser })).status).to.equal(200);
    await until('both calls are counted', async () => (await count('requests')) === 2);
    expect(await count('requests/unique')).to.equal(1);
  });
});

describe('counts of calls that are kept', () => {
  const basePath = mkdtempSync(join(tmpdir(), 'quire-kept-counts-'));
  after(() => rmSync(basePath, { recursive: true, force: true }));
  const start = (enabled: boolean): Promise<TestServer> =>
    startServer({ premium: { enterpriseFeatures: { persistentMetrics: { enabled } } } }, basePath);

  it('survive a restart, by route; sessions are counted from the start on', async () => {
    const first = await start(true);
    for (let i = 0; i < 3; i++) expect((await turn(first)).status).to.equal(200);
    await send(`${first.url}/api/v1/general/job/none`, { method: 'GET' });
    await first.stop();
    const second = await start(true);
    expect((await turn(second)).status).to.equal(200);
    expect(await body(second, 'requests')).to.equal('4.0');
    expect(await body(second, `requests?endpoint=${rotate}`)).to.equal('4.0');
    expect(JSON.parse(await body(second, 'requests/all'))).to.deep.equal([{ endpoint: rotate, count: 4 }]);
    expect(await body(second, 'load/all')).to.include('/api/v1/general/job/{');
    expect(await body(second, 'requests/unique')).to.equal('1.0');
    await second.stop();
    const third = await start(false);
    expect(await body(third, 'requests')).to.equal('0.0');
    await third.stop();
  });
});
