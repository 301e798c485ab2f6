import { setTimeout as delay } from 'node:timers/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { BSON } from 'mongodb';
import type { Logger } from '@quire/registry';
import { startFakeMongodb } from '../../../test/suites/fake-mongodb.js';
import { until } from '../../../test/suites/job-harness.js';
import { mongoStreamsUrl, mongoTestUrl, temporaryMongoStore } from '../../../test/suites/temporary-store.js';
import { givenMongodb } from '../../../tools/mongodb/test-mongodb.mjs';
import { findStoreProgram, StoreServer } from '../../../verification/cluster/store-server.js';
import { ServerSecret } from '../../secrets/index.js';
import { loadSettings } from '../../settings/index.js';
import { openStore, type Store } from '../../store/index.js';
import { openMongoChanges } from '../../store/mongo-changes.js';
import type { Topic } from './backplane.js';
import { ChangeStreamBackplane } from './change-stream-backplane.js';
import { createBackplane } from './create-backplane.js';

const retryMs = { least: 50, most: 200, refused: 100 };

describe('The backplane through change streams of the store', function suite() {
  this.timeout(40_000);
  const ends: (() => Promise<unknown>)[] = [];
  const lines: string[] = [];
  const line =
    (level: string) =>
    (_data: object, text: string): void =>
      void lines.push(`${level}: ${text}`);
  const log: Logger = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };

  beforeEach(() => void (lines.length = 0));
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  const storeAt = async (url: string, database = 'quire'): Promise<Store> => {
    const store = await openStore({ kind: 'mongodb', url, database });
    ends.push(() => store.close());
    return store;
  };
  const backplaneOf = ({ watch }: Pick<Store, 'watch'>, serves = true): ChangeStreamBackplane => {
    if (watch === undefined) throw new Error('not a MongoDB');
    const backplane = new ChangeStreamBackplane({ watch, nodes: async () => 3, serves, log, retryMs });
    ends.push(() => backplane.close());
    return backplane;
  };
  const connected = (backplane: ChangeStreamBackplane, is = true): Promise<true> =>
    until(() => (backplane.connected === is ? true : undefined), 30_000);
  const heard = (backplane: ChangeStreamBackplane, topic: Topic): (string | undefined)[] => {
    const ids: (string | undefined)[] = [];
    backplane.on(topic, ({ id }) => ids.push(id));
    return ids;
  };
  const emptyStore = async (url: string): Promise<Store> => {
    const home = await temporaryMongoStore(url);
    ends.push(() => home.remove());
    const store = await home.open();
    ends.push(() => store.close());
    return store;
  };

  /** A server with change streams that a test may stop. */
  const ownServer = async (): Promise<StoreServer> => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-streams-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    const server = await StoreServer.start(await findStoreProgram(), folder, { changeStreams: true });
    ends.push(() => server.kill());
    return server;
  };

  it('reports what somebody writes, but no heartbeats of jobs, and to a worker no progress', async function () {
    const url = await mongoStreamsUrl();
    if (url === undefined) return this.skip();
    const store = await emptyStore(url);
    const [web, worker] = [backplaneOf(store), backplaneOf(store, false)];
    await Promise.all([connected(web), connected(worker)]);
    const [toWeb, toWorker] = [heard(web, 'job-changed'), heard(worker, 'job-changed')];
    const [added, roles] = [heard(worker, 'job-added'), heard(worker, 'roles')];
    const nodes: number[] = [];
    worker.on('job-added', (announcement) => nodes.push(announcement.nodes));
    const jobs = store.records<{ id: string; status: string; heartbeatAtMs: number; progress: number }>('jobs');
    await jobs.insert({ id: 'one', status: 'queued', heartbeatAtMs: 0, progress: 0 });
    await store.mongo?.database.collection('agenda_jobs').insertOne({ name: 'x', data: { jobId: 'one' } });
    await jobs.update('one', { set: { heartbeatAtMs: 1 } });
    await jobs.update('one', { set: { progress: 50 } });
    await jobs.update('one', { set: { status: 'succeeded' } });
    await store.records('role_revisions').put({ id: 'revision' });
    await until(() => (roles.length > 0 && toWeb.length > 1 ? true : undefined));
    expect({ toWeb, toWorker, added, nodes }).to.deep.equal({
      toWeb: ['one', 'one'],
      toWorker: ['one'],
      added: ['one'],
      nodes: [3],
    });
  });

  it('opens another stream when the store was away, and lets everybody look once at each turn', async function () {
    if ((await mongoStreamsUrl()) === undefined || givenMongodb() !== undefined) return this.skip();
    const server = await ownServer();
    const store = await storeAt(server.url);
    const backplane = backplaneOf(store);
    await connected(backplane);
    const looks = heard(backplane, 'roles');
    await server.kill();
    await connected(backplane, false);
    expect(looks, 'when the stream ends').to.deep.equal([undefined]);
    await server.start();
    await connected(backplane);
    expect(looks, 'when another is open').to.deep.equal([undefined, undefined]);
    await store.records('role_revisions').put({ id: 'revision' });
    await until(() => (looks.length === 3 ? true : undefined));
    expect(looks[2]).to.equal('revision');
    expect(lines, 'each state once').to.have.length(3);
  });

  it('never connects to a server that stands alone, and says so once', async function () {
    const url = givenMongodb() === undefined ? await mongoTestUrl() : undefined;
    if (url === undefined) return this.skip();
    const backplane = backplaneOf(await emptyStore(url));
    await until(() => (lines.length > 0 ? true : undefined));
    await delay(500);
    expect(backplane.connected).to.equal(false);
    expect(lines).to.deep.equal(['info: the store has no change streams, so this node asks it for changes']);
  });

  it('is used where Valkey is not set up, unless cluster.changeStreams is false', async function () {
    const url = await mongoStreamsUrl();
    if (url === undefined) return this.skip();
    const store = await emptyStore(url);
    const kindOf = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const settings = loadSettings({ env: { STORE_MONGODB_URL: url, ...env }, cwd: '/nowhere' });
      const secret = new ServerSecret(Buffer.alloc(32, 5));
      const made = await createBackplane({ settings, secret, store, serves: true, log });
      ends.push(() => made.close());
      return made.constructor.name;
    };
    expect(await kindOf({})).to.equal('ChangeStreamBackplane');
    expect(await kindOf({ CLUSTER_CHANGESTREAMS: 'false' })).to.equal('Object');
    const valkey = { CLUSTER_BACKPLANE: 'valkey', CLUSTER_VALKEY_URL: 'redis://127.0.0.1:9' };
    expect(await kindOf(valkey)).to.equal('ValkeyBackplane');
  });

  it('opens another stream soon after whatever ends one, and after an election at its opening', async () => {
    const cursor = { id: BSON.Long.fromNumber(7), ns: 'quire.$cmd.aggregate' };
    // The new primary is not found yet; then the stream reads too slowly, is invalidated, and is killed by an operator.
    const refusals = [10107, 13435, 11600];
    const endings = [286, 280, 11601, 136];
    const fake = await startFakeMongodb((name) => {
      if (name === 'aggregate') {
        const code = refusals.shift();
        return code === undefined ? { ok: 1, cursor: { ...cursor, firstBatch: [] } } : { ok: 0, code, errmsg: 'no' };
      }
      if (name !== 'getMore') return undefined;
      const code = opened ? endings.shift() : undefined;
      opened = !opened;
      return code === undefined ? { ok: 1, cursor: { ...cursor, nextBatch: [] } } : { ok: 0, code, errmsg: 'ended' };
    });
    let opened = false;
    ends.push(() => fake.close());
    const store = await storeAt(`mongodb://127.0.0.1:${fake.port}/`);
    const long = { least: 50, most: 200, refused: 3_600_000 };
    const backplane = new ChangeStreamBackplane({
      watch: (collections) => (store.watch ?? expect.fail('not a MongoDB'))(collections),
      nodes: async () => 1,
      serves: true,
      log,
      retryMs: long,
    });
    ends.push(() => backplane.close());
    await until(() => (endings.length === 0 ? true : undefined));
    await connected(backplane);
    expect(refusals).to.deep.equal([]);
    expect(lines).to.not.include('info: the store has no change streams, so this node asks it for changes');
  });

  it('gives up on a server that does not wait for changes, instead of asking it all the time', async () => {
    const cursor = { id: BSON.Long.fromNumber(7), ns: 'quire.$cmd.aggregate' };
    const fake = await startFakeMongodb((name) => {
      if (name === 'aggregate') return { ok: 1, cursor: { ...cursor, firstBatch: [] } };
      return name === 'getMore' ? { ok: 1, cursor: { ...cursor, nextBatch: [] } } : undefined;
    });
    ends.push(() => fake.close());
    backplaneOf(await storeAt(`mongodb://127.0.0.1:${fake.port}/`));
    const asked = (): number => fake.commands.filter((name) => name === 'getMore').length;
    await until(() => (lines.length > 1 ? true : undefined));
    // The next stream is opened after 100 ms here.
    await until(() => (asked() > 150 ? true : undefined));
    expect(lines.slice(0, 2)).to.deep.equal([
      'info: the store reports changes (change stream), so this node seldom asks for them',
      'info: the change stream of the store has ended; this node asks for changes until it is open',
    ]);
  });

  it('notices a server that hangs without closing the connection', async function () {
    if ((await mongoStreamsUrl()) === undefined || givenMongodb() !== undefined) return this.skip();
    const server = await ownServer();
    const { mongo } = await storeAt(server.url);
    if (mongo === undefined) throw new Error('not a MongoDB');
    const waits = { awaitMs: 200, lateMs: 1000 };
    const backplane = backplaneOf({ watch: (collections) => openMongoChanges(mongo, collections, waits) });
    await connected(backplane);
    server.freeze();
    await connected(backplane, false);
    server.thaw();
    await connected(backplane);
  });
});
