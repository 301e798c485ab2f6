import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { expect } from 'chai';
import { isQuireError } from '@quire/registry/errors';
import {
  foundDocuments,
  startFakeMongodb,
  type FakeMongodb,
  type MongoCommand,
} from '../../test/suites/fake-mongodb.js';
import { mongoTestUrl, temporaryMongoStore, type TemporaryStore } from '../../test/suites/temporary-store.js';
import { openStore, type Store } from './index.js';

const password = 'pa55-canary';

interface Thing {
  readonly id: string;
  readonly n: number;
}

describe('store, MongoDB', function () {
  this.timeout(60_000);
  let home: TemporaryStore;
  let store: Store;
  before(async function () {
    const url = await mongoTestUrl();
    if (url === undefined) this.skip();
    home = await temporaryMongoStore(url);
    store = await home.open();
  });
  after(async () => {
    await store?.close();
    await home?.remove();
  });

  it('returns the time of the server', async () => {
    expect(Math.abs((await store.serverTime()).getTime() - Date.now())).to.be.lessThan(5000);
    expect(await store.ready()).to.equal(true);
  });

  describe('files that are attached to a record', () => {
    interface Note {
      readonly id: string;
      readonly text: string;
      readonly place?: string | null;
    }
    const opened = () => store.records<Note>('attached_notes', { unique: ['place'], attached: true });
    const files = (given: Readonly<Record<string, string>>): ReadonlyMap<string, Buffer> =>
      new Map(Object.entries(given).map(([name, text]) => [name, Buffer.from(text)]));
    const texts = async (id: string): Promise<Readonly<Record<string, string>>> =>
      Object.fromEntries(
        [...((await opened().attached?.get(id))?.files ?? [])].map(([name, content]) => [name, content.toString()]),
      );
    const attached = () => opened().attached ?? expect.fail('none');

    it('are read with it only when they are asked for', async () => {
      const note = { id: 'a', text: 'first' };
      expect(await attached().insert(note, files({ f1: 'one', f2: '' }))).to.deep.equal(note);
      expect(await texts('a')).to.deep.equal({ f1: 'one', f2: '' });
      const notes = opened();
      expect(await notes.get('a')).to.deep.equal(note);
      expect(await notes.find({ text: 'first' })).to.deep.equal([note]);
      expect(await notes.update('a', { set: { text: 'second' } })).to.deep.equal({ ...note, text: 'second' });
      expect(await texts('a'), 'a change leaves them').to.deep.equal({ f1: 'one', f2: '' });
      const taken = await attached().take('a', { set: { text: 'third', place: 'x' } }, { text: 'second' });
      expect(taken?.record).to.deep.equal({ id: 'a', text: 'third', place: 'x' });
      expect(taken?.files.get('f1')?.toString()).to.equal('one');
    });

    it('are replaced with a change, and only while its condition holds', async () => {
      await attached().insert({ id: 'b', text: 'first' }, files({ f1: 'one' }));
      expect(await attached().replace('b', { set: { text: 'x' } }, { text: 'other' }, files({}))).to.equal(undefined);
      expect(await attached().take('b', { set: { text: 'x' } }, { text: 'other' })).to.equal(undefined);
      expect(await texts('b')).to.deep.equal({ f1: 'one' });
      const changed = await attached().replace('b', { set: { text: 'x' } }, { text: 'first' }, files({ f2: 'two' }));
      expect(changed).to.deep.equal({ id: 'b', text: 'x' });
      expect(await texts('b')).to.deep.equal({ f2: 'two' });
      await attached().replace('b', { set: { text: 'y' } }, {}, files({}));
      expect(await texts('b')).to.deep.equal({});
      expect(await opened().delete('b')).to.equal(true);
      expect(await attached().get('b')).to.equal(undefined);
    });

    it('do not exist where nobody has asked for them', () => {
      expect(store.records<Note>('plain_notes').attached).to.equal(undefined);
    });
  });

  it('sweeps pieces of uploads that never ended, and leaves young ones and whole files', async () => {
    const content = 'whole'.repeat(100_000);
    const whole = await store.blobs.put(Readable.from([Buffer.from(content)]));
    const { ObjectId } = store.mongo?.driver ?? expect.fail('no driver');
    const chunks = store.mongo?.database.collection<{ _id: object; files_id: string; n: number; data: Buffer }>(
      'blobs_files.chunks',
    );
    const secondsAgo = (seconds: number): object =>
      new ObjectId(ObjectId.generate(Math.floor(Date.now() / 1000) - seconds));
    // An upload that began long ago and still goes on is as young as its last piece.
    const pieces = [
      ['a', 0, 9000],
      ['a', 1, 8000],
      ['b', 0, 10],
      ['c', 0, 9001],
      ['c', 1, 11],
    ] as const;
    for (const [id, n, seconds] of pieces)
      await chunks?.insertOne({ _id: secondsAgo(seconds), files_id: id.repeat(32), n, data: Buffer.from('x') });
    expect(await store.blobs.sweepUnfinished(3_600_000)).to.equal(1);
    expect((await chunks?.find().toArray())?.map(({ files_id }) => files_id[0]).sort()).to.deep.equal(
      ['b', 'c', 'c', whole.id[0]].sort(),
    );
    expect(await store.blobs.sweepUnfinished(0)).to.equal(2);
    expect(await text((await store.blobs.get(whole.id))?.stream ?? Readable.from([]))).to.equal(content);
  });

  it('stores a file whose first upload broke off while the store went away', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-pieces-'));
    const [path, id] = [join(folder, 'file'), 'e'.repeat(32)];
    await writeFile(path, Buffer.alloc(2_500_000, 'x'));
    const chunks = store.mongo?.database.collection('blobs_files.chunks');
    for (const n of [0, 1]) await chunks?.insertOne({ files_id: id, n, data: Buffer.from('of the first upload') });
    expect(await store.blobs.put(path, id)).to.deep.equal({ id, size: 2_500_000 });
    expect((await text((await store.blobs.get(id))?.stream ?? Readable.from([]))).length).to.equal(2_500_000);
    await rm(folder, { recursive: true });
  });

  it('keeps a small file in one document, and reads and deletes those of earlier versions', async () => {
    const { driver, database } = store.mongo ?? expect.fail('no MongoDB');
    const count = async (id: string): Promise<number[]> =>
      Promise.all([
        database.collection<{ _id: string }>('blobs_files.files').countDocuments({ _id: id }),
        database.collection('blobs_files.chunks').countDocuments({ files_id: id }),
      ]);
    const small = await store.blobs.put(Readable.from([Buffer.alloc(128 * 1024, 'a')]));
    const large = await store.blobs.put(Readable.from([Buffer.alloc(128 * 1024, 'a'), Buffer.from('b')]));
    const older = 'c'.repeat(32);
    const upload = new driver.GridFSBucket(database, { bucketName: 'blobs_files' }).openUploadStreamWithId(
      older as never,
      older,
    );
    await pipeline(Readable.from([Buffer.from('older')]), upload);
    expect([await count(small.id), await count(large.id), await count(older)]).to.deep.equal([
      [1, 0],
      [1, 1],
      [1, 1],
    ]);
    expect((await text((await store.blobs.get(large.id))?.stream ?? Readable.from([]))).at(-1)).to.equal('b');
    expect(await text((await store.blobs.get(older, { start: 1, end: 2 }))?.stream ?? Readable.from([]))).to.equal(
      'ld',
    );
    expect(await text((await store.blobs.get(older))?.stream ?? Readable.from([]))).to.equal('older');
    for (const { id } of [small, large, { id: older }]) {
      expect(await store.blobs.delete(id)).to.equal(true);
      expect(await count(id)).to.deep.equal([0, 0]);
      expect(await store.blobs.delete(id)).to.equal(false);
    }
  });

  it('says that a file is not complete when a piece of it is missing', async () => {
    const { id } = await store.blobs.put(Readable.from([Buffer.alloc(1_600_000, 7)]));
    await store.mongo?.database.collection('blobs_files.chunks').deleteOne({ files_id: id, n: 1 });
    const opened = await store.blobs.get(id);
    const error: unknown = await text(opened?.stream ?? Readable.from([])).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(String(error)).to.match(/not complete/);
    expect(isQuireError(error)).to.equal(false);
  });
});

describe('store, answers of a MongoDB in trouble', function () {
  this.timeout(60_000);
  let server: FakeMongodb | undefined;
  let store: Store | undefined;
  afterEach(async () => {
    await store?.close();
    await server?.close();
    store = server = undefined;
  });
  const open = async (answer: Parameters<typeof startFakeMongodb>[0], hello = {}, userinfo = ''): Promise<Store> => {
    server = await startFakeMongodb(answer, hello);
    return (store = await openStore({
      kind: 'mongodb',
      url: `mongodb://${userinfo}127.0.0.1:${server.port}/?serverSelectionTimeoutMS=1000`,
      database: 'quire',
    }));
  };
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'done',
      (error: unknown) => (isQuireError(error) ? error.code : String(error)),
    );
  /** Everything that a log could show of an error. */
  const shown = (error: unknown): string => {
    const { message, stack, cause } = error as Error;
    return `${message} ${stack} ${JSON.stringify(error)} ${cause === undefined ? '' : shown(cause)}`;
  };

  it('makes the indexes of a record set once, however often it is opened', async () => {
    const one = await open((name) => (name === 'find' ? foundDocuments('things') : undefined));
    const options = { keys: ['n'], unique: ['mail'] };
    await Promise.all(Array.from({ length: 5 }, () => one.records('things', options).get('a')));
    await one.records('things', options).get('b');
    expect(server?.commands.filter((name) => name === 'createIndexes')).to.have.length(1);
  });

  it('makes an index again that an older version made in another way', async () => {
    let dropped = false;
    const one = await open((name) => {
      if (name === 'dropIndexes') dropped = true;
      if (name === 'createIndexes' && !dropped)
        return { ok: 0, code: 86, codeName: 'IndexKeySpecsConflict', errmsg: 'an index with the same name is there' };
      return name === 'find' ? foundDocuments('things') : undefined;
    });
    expect(await codeOf(one.records('things', { keys: ['n'] }).get('a'))).to.equal('done');
    expect(server?.commands).to.deep.equal(['createIndexes', 'createIndexes', 'dropIndexes', 'createIndexes', 'find']);
  });

  it('answers STORE_DOWN while MongoDB takes no writes, and never shows the password', async () => {
    const readOnly = await open((name) =>
      ['insert', 'update', 'findAndModify', 'delete'].includes(name)
        ? { ok: 0, code: 10107, codeName: 'NotWritablePrimary', errmsg: 'not primary' }
        : undefined,
    );
    expect(await codeOf(readOnly.records('things').insert({ id: 'a' }))).to.equal('STORE_DOWN');
    expect(await codeOf(readOnly.blobs.put(Readable.from([Buffer.from('x')])))).to.equal('STORE_DOWN');
    await store?.close();
    await server?.close();
    const refusing = await open(
      (name) =>
        name === 'saslStart'
          ? { ok: 0, code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' }
          : undefined,
      {},
      `quire:${password}@`,
    );
    const error: unknown = await refusing
      .records('things')
      .get('a')
      .catch((reason: unknown) => reason);
    expect(isQuireError(error) && error.code).to.equal('STORE_DOWN');
    expect(shown(error)).to.not.include(password);
    expect(await refusing.ready()).to.equal(false);
  });

  it('answers STORE_DOWN for whatever may succeed soon, and not for a command that it refuses', async () => {
    let code = 0;
    let errorLabels: readonly string[] = [];
    const one = await open((name) =>
      name === 'find' || name === 'insert' ? { ok: 0, code, errmsg: `code ${code}`, errorLabels } : undefined,
    );
    const answers = async (): Promise<string[]> => [
      await codeOf(one.records('things').get('a')),
      await codeOf(one.records('things').insert({ id: 'a' })),
    ];
    // An election, a cursor that was killed, a write conflict, a server with too much to do, an operator's killOp.
    for (code of [10107, 13435, 11602, 189, 91, 134, 43, 237, 112, 365, 11601])
      expect(await answers(), String(code)).to.deep.equal(['STORE_DOWN', 'STORE_DOWN']);
    for (code of [2, 121])
      expect(await answers()).to.deep.equal([`MongoServerError: code ${code}`, `MongoServerError: code ${code}`]);
    [code, errorLabels] = [9999, ['RetryableError']];
    expect(await answers()).to.deep.equal(['STORE_DOWN', 'STORE_DOWN']);
  });

  it('answers STORE_DOWN for a write that the majority has not confirmed in time', async () => {
    const commands: MongoCommand[] = [];
    const one = await open((name, command) => {
      commands.push(command);
      const writeConcernError = { code: 64, codeName: 'WriteConcernTimeout', errmsg: 'waiting timed out' };
      if (name === 'insert') return { ok: 1, n: 1, writeConcernError };
      return name === 'findAndModify' ? { ok: 1, value: { _id: 'a' }, writeConcernError } : undefined;
    });
    expect(await codeOf(one.records('things').insert({ id: 'a' }))).to.equal('STORE_DOWN');
    expect(await codeOf(one.records<Thing>('things').update('a', { set: { n: 1 } }))).to.equal('STORE_DOWN');
    const asked = commands.filter((command) => 'insert' in command || 'findAndModify' in command);
    expect(asked.map(({ writeConcern }) => writeConcern as unknown)).to.deep.equal(
      Array.from({ length: 2 }, () => ({ w: 'majority', wtimeout: 20_000, j: true })),
    );
  });

  it('puts a record that another node puts at the same moment', async () => {
    let updates = 0;
    const one = await open((name) => {
      const writeErrors = [{ index: 0, code: 11000, errmsg: 'E11000 duplicate key', keyPattern: { _id: 1 } }];
      if (name !== 'update') return undefined;
      return (updates += 1) === 1 ? { ok: 1, n: 0, nModified: 0, writeErrors } : { ok: 1, n: 1, nModified: 1 };
    });
    expect(await one.records<Thing>('things').put({ id: 'a', n: 1 })).to.deep.equal({ id: 'a', n: 1 });
    expect(updates).to.equal(2);
  });

  it('answers STORE_DOWN when the server is too old, and when a read breaks off', async () => {
    const old = await open(() => undefined, { maxWireVersion: 6 });
    expect(await codeOf(old.records('things').get('a'))).to.equal('STORE_DOWN');
    await store?.close();
    await server?.close();
    const id = 'a'.repeat(32);
    const breaking = await open((name, command) => {
      if (name !== 'find') return undefined;
      if (command['find'] === 'blobs_files.files')
        return foundDocuments('blobs_files.files', [
          { _id: id, length: 10, chunkSize: 261_120, uploadDate: new Date() },
        ]);
      return { ok: 0, code: 11600, codeName: 'InterruptedAtShutdown', errmsg: 'interrupted at shutdown' };
    });
    const opened = await breaking.blobs.get(id);
    expect(await codeOf(text(opened?.stream ?? Readable.from([])))).to.equal('STORE_DOWN');
  });

  it('keeps its time limits, but for those that the address names', async () => {
    const { options } =
      (store = await openStore({
        kind: 'mongodb',
        url: 'mongodb://127.0.0.1:1/?socketTimeoutMS=900000',
        database: 'quire',
      })).mongo?.client ?? {};
    expect([options?.socketTimeoutMS, options?.connectTimeoutMS, options?.serverSelectionTimeoutMS]).to.deep.equal([
      900_000, 3000, 3000,
    ]);
  });

  it('reads from the primary and waits for the majority, whatever the address says', async () => {
    const { database } =
      (store = await openStore({
        kind: 'mongodb',
        url: 'mongodb://127.0.0.1:1/?readPreference=nearest&maxStalenessSeconds=90&readPreferenceTags=dc:a&w=1',
        database: 'quire',
      })).mongo ?? expect.fail('no MongoDB');
    const { readPreference, writeConcern } = database.collection('things');
    expect(readPreference).to.deep.include({ mode: 'primary' });
    expect(writeConcern).to.include({ w: 'majority', journal: true, wtimeoutMS: 20_000 });
  });

  it('refuses an address that cannot be read, without showing the password', async () => {
    const error: unknown = await openStore({
      kind: 'mongodb',
      url: `mongodb://quire:${password}@host:port/`,
      database: 'quire',
    }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error);
    expect(shown(error)).to.not.include(password);
  });
});
