import { expect } from 'chai';
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePdf } from '../../kit/make-pdf.js';
import { mongoTestUrl } from '../../suites/temporary-store.js';
import { isDuplicateRecord, storeFacts } from '../../../core/store/index.js';
import { field, file, json, post, send, type Answer } from '../support/client.js';
import { keyOf, sessionOf } from '../support/login.js';
import { testDatabase, type TestDatabase } from '../support/mongo.js';
import { makeBase, migrate, startProcess, writeSettings, type ServerProcess } from '../support/process.js';
import { until } from '../support/server.js';

const API = '/api/v1';
const settings = {
  security: { enableLogin: true, initialLogin: { username: 'boss', password: 'password of boss' } },
  limits: { workers: 1 },
  jobs: { concurrency: 1 },
  storage: { enabled: true },
};
type Headers = Readonly<Record<string, string>>;

describe('Moving an embedded store into MongoDB', () => {
  let url: string;
  let database: TestDatabase;
  let basePath: string;
  let elsewhere: string;
  const servers: ServerProcess[] = [];
  const at = (server: ServerProcess, path: string, headers: Headers): Promise<Answer> =>
    send(`${server.url}${API}${path}`, { headers });
  const start = async (folder: string, env: Headers = {}): Promise<ServerProcess> => {
    const server = await startProcess(folder, env);
    servers.push(server);
    expect(server.url, server.text()).not.to.equal('');
    return server;
  };

  before(async function () {
    this.timeout(60_000);
    const found = await mongoTestUrl();
    if (found === undefined) return this.skip();
    url = found;
    database = testDatabase(url);
    basePath = makeBase(settings);
    elsewhere = makeBase(settings);
  });
  after(async () => {
    for (const { child, exit } of servers)
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await exit;
      }
    for (const folder of [basePath, elsewhere])
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    await database?.drop();
  });

  it('keeps users, keys, results and queued jobs, and resumes when it is run again', async function () {
    this.timeout(90_000);
    const pdf = await makePdf({ pages: 2 });
    const old = await start(basePath);
    const session = await sessionOf(old, 'boss', 'password of boss');
    const key = { 'x-api-key': await keyOf(old, session) };
    const finished = json<{ jobId: string }>(
      await post(`${old.url}${API}/general/split-pages?async=true`, [file(pdf)], key),
    ).jobId;
    const jobOf = async (server: ServerProcess, id: string): Promise<{ complete: boolean; status: string }> =>
      json(await at(server, `/general/job/${encodeURIComponent(id)}`, key));
    await until('the first job is complete', async () => (await jobOf(old, finished)).complete);
    const result = (await at(old, `/general/job/${encodeURIComponent(finished)}/result`, key)).body;
    const kept = json<{ id: number }>(
      await post(`${old.url}${API}/storage/files`, [file(pdf, 'kept.pdf', 'file')], key),
    ).id;
    const mark = join(basePath, 'mark');
    const running = json<{ jobId: string }>(
      await post(
        `${old.url}${API}/misc/unruly-slow?async=true`,
        [file(pdf), field('ms', '1500'), field('mark', mark)],
        key,
      ),
    ).jobId;
    const queued = json<{ jobId: string }>(
      await post(`${old.url}${API}/general/rotate-pdf?async=true`, [file(pdf), field('angle', '180')], key),
    ).jobId;
    await until('the second job runs', () => existsSync(mark));

    const refused = await migrate(basePath, database.env());
    expect(refused.code, refused.text).to.equal(1);
    expect(refused.text).to.contain('another Quire server is using this folder');
    old.child.kill('SIGKILL');
    await old.exit;

    const moved = await migrate(basePath, database.env());
    expect(moved.code, moved.text).to.equal(0);
    expect(moved.text)
      .to.match(/^records users: 1 \(\d+ bytes\), 1 written, SHA-256 \S+$/m)
      .and.match(/^records jobs: 3 /m)
      .and.match(/^blobs jobs: [3-9] /m)
      .and.match(/^blobs storage: 1 /m);
    const again = await migrate(basePath, database.env());
    expect(again.code, again.text).to.equal(0);
    expect(again.text).to.contain(' 0 of them written now');

    // Two users with one name conflict there as they did here.
    const store = await database.open();
    const [user] = await store.records<{ id: string; nameKey: string }>('users').find();
    const twin = await store
      .records<{ id: string; nameKey: string }>('users', { keys: ['teamId'], unique: ['nameKey', 'seat'] })
      .insert({ ...user!, id: 'twin' })
      .catch(isDuplicateRecord);
    expect(twin).to.equal(true);
    await store.close();

    // On another machine, with only the secret.
    mkdirSync(join(elsewhere, 'store'), { recursive: true });
    copyFileSync(join(basePath, 'store', 'server.key'), join(elsewhere, 'store', 'server.key'));
    const fresh = await start(elsewhere, database.env());
    expect((await at(fresh, '/info/uptime', key)).status, 'the key').to.equal(200);
    expect((await at(fresh, '/info/uptime', session)).status, 'the session').to.equal(200);
    await sessionOf(fresh, 'boss', 'password of boss');
    expect(
      (await at(fresh, `/general/job/${encodeURIComponent(finished)}/result`, key)).body.equals(result),
      'the result',
    ).to.equal(true);
    expect(
      (await at(fresh, `/storage/files/${kept}/download`, key)).body.equals(Buffer.from(pdf)),
      'the stored file',
    ).to.equal(true);
    const later = json<{ id: number }>(
      await post(`${fresh.url}${API}/storage/files`, [file(pdf, 'later.pdf', 'file')], key),
    ).id;
    expect(later).to.equal(kept + 1);
    expect(existsSync(join(elsewhere, 'storage')), 'servers on one MongoDB keep files there').to.equal(false);
    for (const id of [running, queued]) {
      await until('the moved job is complete', async () => (await jobOf(fresh, id)).complete, 60);
      expect((await jobOf(fresh, id)).status).to.equal('succeeded');
    }
    expect(
      (await at(fresh, `/general/job/${encodeURIComponent(running)}/result`, key)).body.equals(Buffer.from(pdf)),
    ).to.equal(true);

    const late = await migrate(basePath, database.env());
    expect(late.code, late.text).to.equal(0);
    expect(late.text).to.contain('nothing is moved again');
    expect((await jobOf(fresh, queued)).status, 'what happened since').to.equal('succeeded');
  });

  it('moves changes and deletions since the first run, and no server starts on a partial store', async function () {
    this.timeout(60_000);
    const other = testDatabase(url);
    try {
      const open = makeBase({ limits: { workers: 1 } });
      const target = await other.open();
      const facts = storeFacts(target);
      // Leftovers of an interrupted move: its mark, a record that is deleted here by now, and pieces.
      await facts.put({ id: 'move', value: 'unfinished', by: '0', at: '' });
      await target.records('users').put({ id: 'gone' });
      await target.close();
      const half = await startProcess(basePath, other.env());
      expect(await half.exit).to.equal(1);
      expect(half.text()).to.contain('store:migrate');
      const { code, text } = await migrate(basePath, other.env());
      expect(code, text).to.equal(0);
      expect(text).to.match(/^records users: 1 .* 1 written, 1 removed/m);
      expect((await migrate(open, other.env())).text, 'from a folder without a store').to.contain(
        'there is no embedded store here',
      );
      rmSync(open, { recursive: true, force: true });
    } finally {
      await other.drop();
    }
  });

  it('is refused into a database with other data, and with another secret', async function () {
    this.timeout(60_000);
    const other = testDatabase(url);
    try {
      const store = await other.open();
      await store.records('users').put({ id: 'somebody' });
      const found = await migrate(basePath, other.env());
      expect(found.code).to.equal(1);
      expect(found.text).to.contain('store.mongodb.database');
      expect(await store.records('users').count()).to.equal(1);
      await store.records('users').delete('somebody');
      await storeFacts(store).put({ id: 'secret', value: 'another', by: '0', at: '' });
      await storeFacts(store).put({ id: 'move', value: 'unfinished', by: '0', at: '' });
      await store.close();
      const beside = await migrate(basePath, other.env());
      expect(beside.code).to.equal(1);
      expect(beside.text).to.contain('not the one that the store was made with');
    } finally {
      await other.drop();
    }
    writeSettings(basePath, settings);
    const nowhere = await migrate(basePath, {});
    expect(nowhere.code).to.equal(1);
    expect(nowhere.text).to.contain('store.mongodb.url');
  });
});
