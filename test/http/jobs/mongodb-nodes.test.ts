import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { mongoTestUrl } from '../../suites/temporary-store.js';
import { MONGODB_VERSION, storeFacts } from '../../../core/store/index.js';
import { expectProblem, field, file, json, post, send } from '../support/client.js';
import { firstSessionOf, keyOf, sendJson, sessionOf } from '../support/login.js';
import { mongoGate, testDatabase, type Gate, type TestDatabase } from '../support/mongo.js';
import { startFakeMongodb } from '../../suites/fake-mongodb.js';
import { makeBase, startProcess, type ServerProcess } from '../support/process.js';
import { until } from '../support/server.js';

const API = '/api/v1';
const secret = '0123456789abcdef'.repeat(4);
const limits = { limits: { workers: 1 } };

describe('Servers that share a MongoDB', () => {
  let url: string;
  let database: TestDatabase;
  let gate: Gate;
  const servers: ServerProcess[] = [];
  const bases: string[] = [];
  const base = (settings: Readonly<Record<string, unknown>> = {}): string => {
    const folder = makeBase({ ...limits, ...settings });
    bases.push(folder);
    return folder;
  };
  const begin = async (
    folder: string,
    env: Readonly<Record<string, string>>,
    hear?: (text: string) => void,
  ): Promise<ServerProcess> => {
    const server = await startProcess(folder, env, undefined, 40, hear);
    servers.push(server);
    return server;
  };
  const start = async (folder: string, env: Readonly<Record<string, string>>): Promise<ServerProcess> => {
    const server = await begin(folder, env);
    expect(server.url, server.text()).not.to.equal('');
    return server;
  };
  const end = async (list: readonly ServerProcess[]): Promise<void> => {
    for (const { child, exit } of list)
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await exit;
      }
  };

  before(async function () {
    this.timeout(60_000);
    const found = await mongoTestUrl();
    if (found === undefined) return this.skip();
    url = found;
    gate = await mongoGate(url);
  });
  beforeEach(() => {
    database = testDatabase(url);
  });
  afterEach(async () => {
    await end(servers.splice(0));
    await gate.shut();
    await database.drop();
  });
  after(() => bases.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

  it('create one administrator when they start together, and share sessions and keys', async function () {
    this.timeout(60_000);
    const login = { security: { enableLogin: true } };
    const both = await Promise.all(
      [base(login), base(login)].map((folder) => start(folder, { ...database.env(), STORE_SECRET: secret })),
    );
    const passwords = both
      .map((server) => /First administrator: user name admin, password (\S+)/.exec(server.text())?.[1])
      .filter((password) => password !== undefined);
    expect(passwords, both.map((server) => server.text()).join('\n')).to.have.length(1);
    const [one, two] = both as [ServerProcess, ServerProcess];
    const session = await firstSessionOf(one, 'admin', passwords[0] ?? '', 'chosen by the administrator');
    const key = { 'x-api-key': await keyOf(two, session) };
    for (const server of both)
      for (const headers of [session, key])
        expect((await send(`${server.url}${API}/info/uptime`, { headers })).status).to.equal(200);
    expect(
      existsSync(join(one.basePath, 'store', 'server.key')),
      'the secret of the setting is not written anywhere',
    ).to.equal(false);
    const pdf = await makePdf({ pages: 2 });
    const { jobId } = json<{ jobId: string }>(
      await post(`${one.url}${API}/general/split-pages?async=true`, [file(pdf)], key),
    );
    const job = `${two.url}${API}/general/job/${encodeURIComponent(jobId)}`;
    await until(
      'the job is complete',
      async () => json<{ complete: boolean }>(await send(job, { headers: key })).complete,
    );
    expect((await send(`${job}/result`, { headers: key })).status, 'the result from the other server').to.equal(200);
  });

  it('require the secret of the first one, and explain how to get it', async function () {
    this.timeout(60_000);
    const first = await start(base(), database.env());
    const keyFile = join(first.basePath, 'store', 'server.key');
    expect(first.text())
      .to.contain('made the secret of this store')
      .and.not.contain(readFileSync(keyFile, 'utf8').trim());
    const without = await begin(base(), database.env());
    expect(await without.exit).to.equal(1);
    expect(without.text()).to.contain('has no secret').and.contain('STORE_SECRET').and.contain('store/server.key');
    expect(existsSync(join(without.basePath, 'store', 'server.key')), 'creates no secret').to.equal(false);
    const other = await begin(without.basePath, { ...database.env(), STORE_SECRET: secret });
    expect(await other.exit).to.equal(1);
    expect(other.text()).to.contain('store.secret: this secret is not the one').and.not.contain(secret);
    mkdirSync(join(without.basePath, 'store'), { recursive: true });
    copyFileSync(keyFile, join(without.basePath, 'store', 'server.key'));
    await start(without.basePath, database.env());
    // The database does not contain the secret.
    const store = await database.open();
    const facts = JSON.stringify(await storeFacts(store).find());
    expect(facts).to.contain('secret').and.not.contain(readFileSync(keyFile, 'utf8').trim());
    await store.close();
  });

  it('have one certificate and one set of saved signatures', async function () {
    this.timeout(60_000);
    const settings = {
      security: { enableLogin: true, initialLogin: { username: 'boss', password: 'password of boss' } },
      plugins: [
        'security',
        'convert',
        'integration',
        'docparse',
        'ai-tools',
        'general',
        'misc',
        'filter',
        'analysis',
        'form',
      ].map((name) => ({ use: `@quire/plugin-${name}`, enabled: false })),
    };
    const [one, two] = (await Promise.all(
      [base(settings), base(settings)].map((folder) => start(folder, { ...database.env(), STORE_SECRET: secret })),
    )) as [ServerProcess, ServerProcess];
    const headers = await sessionOf(one, 'boss', 'password of boss');
    const certificate = (server: ServerProcess): Promise<Buffer> =>
      send(`${server.url}${API}/admin/server-certificate/certificate`, { headers }).then(({ body }) => body);
    expect((await certificate(one)).equals(await certificate(two))).to.equal(true);
    const dataUrl =
      'data:image/png;base64,' +
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const saved = await sendJson(
      one,
      `${API}/proprietary/signatures`,
      { id: 'mine', label: 'first', dataUrl },
      headers,
    );
    expect(saved.status, saved.body.toString()).to.equal(200);
    const list = async (server: ServerProcess): Promise<string[]> =>
      (
        json<unknown>(await send(`${server.url}${API}/proprietary/signatures`, { headers })) as {
          id: string;
          label: string;
        }[]
      ).map(({ id, label }) => `${id} ${label}`);
    expect(await list(two)).to.deep.equal(['mine first']);
    expect(
      (await sendJson(two, `${API}/proprietary/signatures/mine/label`, { label: 'second' }, headers)).status,
    ).to.be.within(200, 204);
    expect(await list(one)).to.deep.equal(['mine second']);
    expect((await send(`${one.url}${API}/general/signatures/mine.png`, { headers })).status).to.equal(200);
    expect(
      (await send(`${two.url}${API}/proprietary/signatures/mine`, { method: 'DELETE', headers })).status,
    ).to.be.within(200, 204);
    expect(await list(one)).to.deep.equal([]);
    for (const server of [one, two])
      expect([
        existsSync(join(server.basePath, 'configs', 'server-certificate.p12')),
        existsSync(join(server.basePath, 'customFiles', 'signatures')),
      ]).to.deep.equal([false, false]);
  });

  it('do not touch data of a newer version', async () => {
    const store = await database.open();
    await storeFacts(store).put({ id: 'version', value: MONGODB_VERSION + 1, by: '9.9.9', at: '' });
    const server = await begin(base(), database.env());
    expect(await server.exit).to.equal(1);
    expect(server.text())
      .to.contain(`form ${MONGODB_VERSION + 1}`)
      .and.contain('Start Quire 9.9.9 or a newer one');
    expect((await storeFacts(store).find()).map(({ id }) => id)).to.deep.equal(['version']);
    await store.close();
  });

  it('take over data of the form before, and keep servers of that form away', async function () {
    this.timeout(60_000);
    const store = await database.open();
    await storeFacts(store).put({ id: 'version', value: MONGODB_VERSION - 1, by: '0.1.0', at: '' });
    await start(base(), database.env());
    expect((await storeFacts(store).get('version'))?.value).to.equal(MONGODB_VERSION);
    await store.close();
  });

  it('wait at the start for an unreachable MongoDB, with login as well', async function () {
    this.timeout(60_000);
    let text = '';
    const starting = begin(
      base({ security: { enableLogin: true } }),
      { ...database.env(gate.url), STORE_SECRET: secret },
      (said) => (text = said),
    );
    // Unreachable in both ways: nothing listens, and something accepts but never answers.
    await until('the server waits', () => text.includes('waiting for MongoDB'), 30);
    await gate.hush();
    await delay(4000);
    await gate.shut();
    await gate.open();
    const server = await starting;
    expect(server.url, server.text()).not.to.equal('');
    expect(server.text()).to.contain('waiting for MongoDB (store.mongodb.url)').and.contain('MongoDB answers');
  });

  it('end at once with an invalid address or user, and show no password', async function () {
    this.timeout(60_000);
    const wrong = [
      'mongodb://quire:ge%2Fheim@127.0.0.1:1/?nothing=1',
      'mongodb://quire:ge/heim@127.0.0.1:1/',
      'mongodb://quire:ge%2Fheim@no-such-host.invalid/',
    ];
    await Promise.all(
      wrong.map(async (at) => {
        const server = await begin(base(), database.env(at));
        expect(await server.exit, at).to.equal(1);
        expect(server.text(), at).to.contain('store.mongodb.url').and.not.contain('heim');
      }),
    );
  });

  it('end when MongoDB refuses the user, and report what to check', async function () {
    this.timeout(60_000);
    const refusing = await startFakeMongodb(
      (name) =>
        name === 'saslStart'
          ? { ok: 0, code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' }
          : undefined,
      {},
    );
    try {
      const server = await begin(base(), database.env(`mongodb://quire:geheim@127.0.0.1:${refusing.port}/`));
      expect(await server.exit, server.text()).to.equal(1);
      expect(server.text())
        .to.contain('Check user, password and authSource')
        .and.contain(`127.0.0.1:${refusing.port}`)
        .and.not.contain('geheim');
    } finally {
      await refusing.close();
    }
  });

  it('answer 503 with Retry-After while MongoDB is unreachable, continue the rest, and recover', async function () {
    this.timeout(90_000);
    await gate.open();
    const env = { ...database.env(gate.url), STORE_SECRET: secret };
    const [open, closed] = await Promise.all([
      start(base(), env),
      start(
        base({ security: { enableLogin: true, initialLogin: { username: 'boss', password: 'password of boss' } } }),
        env,
      ),
    ]);
    const session = await sessionOf(closed, 'boss', 'password of boss');
    const pdf = await makePdf({ pages: 1 });
    const mark = join(open.basePath, 'mark');
    const { jobId } = json<{ jobId: string }>(
      await post(`${open.url}${API}/misc/unruly-slow?async=true`, [
        file(pdf),
        field('ms', '2500'),
        field('mark', mark),
      ]),
    );
    await until('the job runs', () => existsSync(mark) && readFileSync(mark, 'utf8') !== '');
    await gate.shut();

    const needing = [
      () => send(`${open.url}${API}/general/job/${jobId}`),
      () => post(`${open.url}${API}/general/rotate-pdf?async=true`, [file(pdf)]),
      () => sendJson(closed, `${API}/auth/login`, { username: 'boss', password: 'password of boss' }),
      () => send(`${closed.url}${API}/info/uptime`, { headers: session }),
      () =>
        send(`${closed.url}${API}/info/uptime`, { headers: { 'x-api-key': '00000000-0000-4000-8000-000000000000' } }),
      () => send(`${open.url}/readyz`),
    ];
    await Promise.all(
      needing.map(async (ask, i) => {
        const answer = await ask();
        expectProblem(answer, 503, 'STORE_DOWN');
        expect(Number(answer.headers['retry-after']), `Retry-After of ${i}`).to.be.within(1, 60);
      }),
    );
    for (const server of [open, closed]) expect((await send(`${server.url}/livez`)).status).to.equal(200);
    expect(
      (await post(`${open.url}${API}/general/rotate-pdf`, [file(pdf)])).status,
      'a call that needs no store',
    ).to.equal(200);
    // The work ends meanwhile; its result waits.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await gate.open();
    await until(
      'the job is complete',
      async () => {
        const answer = await send(`${open.url}${API}/general/job/${jobId}`);
        return answer.status === 200 && json<{ complete: boolean }>(answer).complete;
      },
      40,
    );
    expect(json(await send(`${open.url}${API}/general/job/${jobId}`))).to.include({ status: 'succeeded', attempts: 1 });
    await until('it is ready again', async () => (await send(`${open.url}/readyz`)).status === 200);
    await sessionOf(closed, 'boss', 'password of boss');
  });
});
