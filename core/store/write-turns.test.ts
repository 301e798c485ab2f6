import { expect } from 'chai';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { temporaryEmbeddedStore, type TemporaryStore } from '../../test/suites/temporary-store.js';
import { openEmbeddedDatabase, type EmbeddedDatabase, type SqlDatabase } from './embedded-database.js';

const Engine = createRequire(import.meta.url)('libsql') as new (path: string) => SqlDatabase;

describe('Writes of one turn of the event loop', () => {
  let home: TemporaryStore;
  let opened: EmbeddedDatabase;
  let other: SqlDatabase;
  beforeEach(async () => {
    home = await temporaryEmbeddedStore();
    opened = await openEmbeddedDatabase(home.folder ?? '');
    opened.database.exec('CREATE TABLE things(id PRIMARY KEY, more TEXT)');
    other = new Engine(join(home.folder ?? '', 'quire.db'));
  });
  afterEach(async () => {
    other.close();
    opened.close();
    await home.remove();
  });

  const insert = (id: number): Promise<unknown> =>
    opened.turns.write(() => opened.database.prepare('INSERT INTO things(id) VALUES(?)').run([id]));
  const idsOf = (database: SqlDatabase): unknown[] =>
    database
      .prepare('SELECT id FROM things ORDER BY id')
      .all([])
      .map(({ id }) => id);
  const how = (write: Promise<unknown>): Promise<string> =>
    write.then(
      () => 'done',
      (error: unknown) => String((error as { code?: unknown }).code),
    );

  it('are committed together, and none resolves before', async () => {
    const writes = [insert(1), insert(2)];
    const seen = opened.turns.read(() => idsOf(opened.database));
    const atRead = seen.then(() => idsOf(other));
    expect([idsOf(opened.database), idsOf(other)]).to.deep.equal([[1, 2], []]);
    const first = await Promise.race(writes.map((write) => write.then(() => idsOf(other))));
    expect([first, await seen, await atRead]).to.deep.equal([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
  });

  it('do not fail with one that clashes', async () => {
    expect(await Promise.all([insert(1), insert(1), insert(2)].map(how))).to.deep.equal([
      'done',
      'SQLITE_CONSTRAINT_PRIMARYKEY',
      'done',
    ]);
    expect(idsOf(other)).to.deep.equal([1, 2]);
  });

  it('all fail when they cannot be committed, and later ones succeed', async () => {
    const { database, turns } = opened;
    database.exec('PRAGMA foreign_keys=ON');
    database.exec('CREATE TABLE late(id REFERENCES things(id) DEFERRABLE INITIALLY DEFERRED)');
    const dangling = turns.write(() => database.prepare('INSERT INTO late VALUES(7)').run([]));
    const read = turns.read(() => idsOf(database));
    expect(await Promise.all([dangling, insert(1), read].map(how))).to.deep.equal(
      Array.from({ length: 3 }, () => 'SQLITE_CONSTRAINT_FOREIGNKEY'),
    );
    expect(await how(insert(2))).to.equal('done');
    expect(idsOf(other)).to.deep.equal([2]);
  });

  it('are there if and only if they were acknowledged, on a full disk', async () => {
    const { database, turns } = opened;
    const { page_count: pages } = database.prepare('PRAGMA page_count').get([]) ?? {};
    database.prepare(`PRAGMA max_page_count=${Number(pages) + 5}`).all([]);
    const large = (id: number): Promise<unknown> =>
      turns.write(() => database.prepare('INSERT INTO things VALUES(?,?)').run([id, 'x'.repeat(9000)]));
    const ends = await Promise.all([insert(1), large(2), large(3), large(4), insert(5)].map(how));
    expect(ends).to.include('SQLITE_FULL');
    expect(idsOf(other)).to.deep.equal([1, 2, 3, 4, 5].filter((_, at) => ends[at] === 'done'));
  });

  it('are committed at once when the database is closed', async () => {
    const write = insert(1);
    opened.close();
    await write;
    expect(idsOf(other)).to.deep.equal([1]);
    opened = await openEmbeddedDatabase(home.folder ?? '');
  });
});
