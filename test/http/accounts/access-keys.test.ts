import { expect } from 'chai';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { memoryInUseMb } from '../../suites/heap-growth.js';
import { expectProblem, file, json, post, send, type Answer } from '../support/client.js';
import { addUser, globalKey, keyOf, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { makeBase, startProcess } from '../support/process.js';
import { until, type TestServer } from '../support/server.js';

const API = '/api/v1';
const NAMED = `${API}/proprietary/ui-data/infrastructure/api-keys`;

interface ListedKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly status: string;
  readonly lastUsed: string;
  readonly usageToday: number;
  readonly usageMonth: number;
  readonly usageTotal: number;
}

describe('API keys', () => {
  let server: TestServer;
  let boss: Readonly<Record<string, string>>;
  let anna: Readonly<Record<string, string>>;
  let bert: Readonly<Record<string, string>>;
  const get = (path: string, headers: Readonly<Record<string, string>>): Promise<Answer> =>
    send(`${server.url}${path}`, { headers });
  const create = (name: unknown, headers = anna): Promise<Answer> => sendJson(server, NAMED, { name }, headers);
  const list = async (headers = anna): Promise<ListedKey[]> =>
    json<{ keys: ListedKey[] }>(await get(NAMED, headers)).keys;
  const revoke = (id: string, headers = anna): Promise<Answer> =>
    send(`${server.url}${NAMED}/${id}`, { method: 'DELETE', headers });
  const works = async (key: string): Promise<number> => (await get(`${API}/info/uptime`, { 'x-api-key': key })).status;

  before(async () => {
    server = await startWithLogin({}, { server: { port: 0, host: '127.0.0.1', trustedProxies: ['127.0.0.1'] } });
    boss = await sessionOf(server);
    for (const name of ['anna', 'bert']) await addUser(server, boss, name);
    anna = await sessionOf(server, 'anna', 'password of anna');
    bert = await sessionOf(server, 'bert', 'password of bert');
  });
  after(() => server.stop());

  it('are returned to the session, again on every request', async () => {
    const key = await keyOf(server, anna);
    expect(key).to.match(/^[0-9a-f-]{36}$/);
    expect(await keyOf(server, anna)).to.equal(key);
    expect(await keyOf(server, { 'x-api-key': key }), 'with the key itself').to.equal(key);
    expect(await works(key)).to.equal(200);
    expect(await keyOf(server, bert)).not.to.equal(key);
  });

  it('are replaced, and the old one is invalid at once', async () => {
    const old = await keyOf(server, anna);
    expect(await works(old)).to.equal(200);
    const { apiKey } = json<{ apiKey: string }>(
      await send(`${server.url}${API}/user/update-api-key`, { method: 'POST', headers: anna }),
    );
    expect(apiKey).not.to.equal(old);
    expect([await works(old), await works(apiKey)]).to.deep.equal([401, 200]);
  });

  it('with a name are shown once and listed with their use', async () => {
    const made = json<{ key: ListedKey; secret: string }>(await create(' build server '));
    expect(made.secret).to.match(/^sk_[0-9a-f]{40}$/);
    expect(made.key).to.deep.include({
      name: 'build server',
      prefix: made.secret.slice(0, 11),
      status: 'active',
      lastUsed: 'Never',
      usageTotal: 0,
    });
    for (let i = 0; i < 3; i += 1) expect(await works(made.secret)).to.equal(200);
    const listed = (await list()).find(({ id }) => id === made.key.id);
    expect(listed).to.deep.include({ usageToday: 3, usageMonth: 3, usageTotal: 3 });
    expect(listed?.lastUsed).to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
    expect(JSON.stringify(await list())).not.to.contain(made.secret);
    expect((await list()).map(({ name }) => name)).to.include('Default key');
  });

  it('are revoked at once; revoking twice answers not found', async () => {
    const { secret, key } = json<{ key: ListedKey; secret: string }>(await create('short-lived'));
    expect(await works(secret)).to.equal(200);
    const answer = await revoke(key.id);
    expect([answer.status, answer.body.length]).to.deep.equal([204, 0]);
    expect(await works(secret)).to.equal(401);
    expectProblem(await revoke(key.id), 404, 'NOT_FOUND');
    expect((await list()).find(({ id }) => id === key.id)?.status).to.equal('revoked');
  });

  it("answer the same for another user's key and for one that does not exist", async () => {
    const { key, secret } = json<{ key: ListedKey; secret: string }>(await create("anna's own"));
    const without = (answer: Answer): object => ({
      ...json(answer),
      requestId: '',
      timestamp: '',
      instance: '',
      path: '',
    });
    const [foreign, missing] = [await revoke(key.id, bert), await revoke('00000000-0000-4000-8000-000000000000', bert)];
    expectProblem(foreign, 404, 'NOT_FOUND');
    expect(without(foreign)).to.deep.equal(without(missing));
    expect((await list(bert)).map(({ id }) => id)).not.to.include(key.id);
    expect(await works(secret)).to.equal(200);
  });

  it('need a name of 1 to 100 characters', async () => {
    for (const name of [undefined, null, '', '   ', 'a'.repeat(101), 7, {}, ['a']]) {
      const problem = expectProblem(await create(name), 400, 'INPUT_INVALID') as unknown as { error: string };
      expect(problem.error).to.be.a('string');
    }
    for (const name of ['a', 'a'.repeat(100), '<script>alert(1)</script>', 'ключ 🔑'])
      expect((await create(name)).status, name).to.equal(200);
  });

  it('are at most fifty, counting only active ones', async function () {
    this.timeout(30_000);
    const made: ListedKey[] = [];
    for (let i = 0; i < 50; i += 1) made.push(json<{ key: ListedKey }>(await create(`key ${i}`, bert)).key);
    expectProblem(await create('one too many', bert), 429, 'KEY_LIMIT');
    await revoke(made[0]?.id ?? '', bert);
    expect((await create('in its place', bert)).status).to.equal(200);
    expectProblem(await create('one too many', bert), 429, 'KEY_LIMIT');
  });

  it('keep their usage count after a restart', async () => {
    const basePath = mkdtempSync(join(tmpdir(), 'quire-keys-'));
    try {
      const first = await startWithLogin({}, {}, basePath);
      const { authorization } = await sessionOf(first);
      const { secret } = json<{ secret: string }>(await sendJson(first, NAMED, { name: 'counted' }, { authorization }));
      for (let i = 0; i < 5; i += 1) await send(`${first.url}${API}/info/uptime`, { headers: { 'x-api-key': secret } });
      await first.stop();
      const second = await startWithLogin({}, {}, basePath);
      const [key] = json<{ keys: ListedKey[] }>(
        await send(`${second.url}${NAMED}`, { headers: { authorization } }),
      ).keys;
      expect(key).to.deep.include({ name: 'counted', usageToday: 5, usageMonth: 5, usageTotal: 5 });
      await second.stop();
    } finally {
      rmSync(basePath, { recursive: true, force: true });
    }
  });

  it('are throttled after ten wrong attempts a minute; valid keys are not', async function () {
    this.timeout(120_000);
    const key = await keyOf(server, boss);
    const from = (address: string, text: string): Promise<Answer> =>
      get(`${API}/info/uptime`, { 'x-api-key': text, 'x-forwarded-for': address });
    const statuses = new Map<number, number>();
    const before = memoryInUseMb();
    for (let batch = 0; batch < 100; batch += 1) {
      for (const { status, headers } of await Promise.all(
        Array.from({ length: 100 }, (_, i) => from('203.0.113.7', `wrong-${batch}-${i}`)),
      )) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 429) expect(Number(headers['retry-after'])).to.be.within(1, 60);
      }
      expect((await from('203.0.113.7', key)).status, 'the right key from the same address').to.equal(200);
    }
    expect([...statuses.keys()].sort()).to.deep.equal([401, 429]);
    expect((statuses.get(401) ?? 0) + (statuses.get(429) ?? 0)).to.equal(10_000);
    // A slow machine may take more than one minute for them all.
    expect(statuses.get(401)).to.be.within(10, 30);
    expect((await from('203.0.113.8', 'wrong')).status, 'another address').to.equal(401);
    expect(memoryInUseMb() - before).to.be.below(50);
  });
});

describe('Keys, tokens and passwords', () => {
  it('appear in no log, no file and no answer except the one that creates them', async function () {
    this.timeout(60_000);
    const password = 's3cr3t-canary-password';
    const wrong = 's3cr3t-canary-wrong';
    const basePath = makeBase({
      security: { enableLogin: true, customGlobalAPIKey: globalKey, initialLogin: { username: 'boss', password } },
      logging: { level: 'trace', pretty: false },
    });
    const server = await startProcess(basePath);
    const secrets = [password, wrong, globalKey];
    try {
      const session = await sessionOf(server, 'boss', password);
      const key = await keyOf(server, session);
      const named = json<{ secret: string }>(await sendJson(server, NAMED, { name: 'canary' }, session)).secret;
      secrets.push(session.authorization.slice('Bearer '.length), key, named);
      const job = await post(`${server.url}${API}/general/rotate-pdf?async=true`, [file(await makePdf({ pages: 1 }))], {
        'x-api-key': named,
      });
      const status = `${server.url}${API}/general/job/${encodeURIComponent(json<{ jobId: string }>(job).jobId)}`;
      const answers = [
        job,
        await sendJson(server, `${API}/auth/login`, { username: 'boss', password: wrong }),
        await sendJson(server, `${API}/auth/login`, { username: 'boss', password: { value: password } }),
        await send(`${server.url}${API}/auth/me`, { headers: { 'x-api-key': key } }),
        await send(`${server.url}${API}/auth/me`, { headers: { 'x-api-key': `${key}${wrong}` } }),
        await send(`${server.url}${API}/auth/me?key=${key}`, {
          headers: { authorization: `${session.authorization}${wrong}` },
        }),
        await sendJson(server, `${API}/auth/refresh`, {}, { authorization: `${session.authorization}${wrong}` }),
        await send(`${server.url}${NAMED}`, { headers: session }),
      ];
      await until(
        'the job is done',
        async () => json<{ complete: boolean }>(await send(status, { headers: { 'x-api-key': named } })).complete,
      );
      answers.push(await send(status, { headers: { 'x-api-key': named } }));
      expect(answers.map((answer) => answer.status)).to.deep.equal([200, 401, 400, 200, 401, 401, 401, 200, 200]);
      for (const answer of answers) for (const secret of secrets) expect(answer.body.toString()).not.to.contain(secret);
    } finally {
      server.child.kill('SIGTERM');
      await server.exit;
    }
    const files = readdirSync(basePath, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.name !== 'settings.yml',
    );
    expect(files.map(({ name }) => name)).to.include('server.key');
    for (const entry of files) {
      const bytes = readFileSync(join(entry.parentPath, entry.name));
      for (const secret of secrets) expect(bytes.includes(secret), entry.name).to.equal(false);
    }
    expect(server.text()).to.contain('GET /api/v1/auth/me 401');
    for (const secret of secrets) expect(server.text()).not.to.contain(secret);
    rmSync(basePath, { recursive: true, force: true });
  });
});
