import { createRequire } from 'node:module';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QuireError } from '@quire/registry/errors';
import { expect } from 'chai';
import { Backups, checkStoreVersion, keepFact, openStore, storeFacts, type Store } from './index.js';
import type { SqlDatabase } from './embedded-database.js';

interface User {
  readonly id: string;
  readonly name: string;
}

const Engine = createRequire(import.meta.url)('libsql') as new (path: string) => SqlDatabase;
const entry = new URL('../dist/store/snapshot-entry.js', import.meta.url);
const now = new Date('2026-11-22T13:30:00.500Z');
const faultOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: unknown) => `${(error as QuireError).code} ${String((error as QuireError).data?.['detail'] ?? '')}`.trim(),
  );

describe('Backups of the embedded store', () => {
  let folder: string;
  let store: Store;
  let backups: Backups;
  const users = () => store.records<User>('users', { unique: ['name'] });
  const open = async (): Promise<void> => {
    store = await openStore({ kind: 'embedded', folder });
    await checkStoreVersion(store, { where: folder, by: '1.0.0', now });
    await keepFact(storeFacts(store), {
      id: 'secret',
      value: 'the mark of the secret',
      by: '1.0.0',
      at: now.toISOString(),
    });
    backups = new Backups({ store, folder, clock: { now: () => now }, entry });
  };
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-backups-'));
    await open();
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are whole while the store is written to, and bring the records back at the next start', async () => {
    for (let i = 0; i < 50; i++) await users().insert({ id: String(i), name: `user ${i}` });
    await store.records('jobs').insert({ id: 'job' });
    const [made] = await Promise.all([
      backups.create(),
      ...Array.from({ length: 50 }, (_, i) => users().insert({ id: `later ${i}`, name: `later ${i}` })),
    ]);
    expect(made.name).to.equal('backup_20261122T133000Z.db');
    expect((statSync(join(folder, 'backups', made.name)).mode & 0o777).toString(8)).to.equal('600');
    await users().deleteMany({});
    await users().insert({ id: 'x', name: 'somebody new' });
    expect(await backups.restore(await backups.path(made.name))).to.be.greaterThan(51);
    expect([await users().count(), await backups.waiting()], 'the running store stays as it is').to.deep.equal([
      1,
      true,
    ]);
    await store.close();
    await open();
    expect((await users().get('7'))?.name).to.equal('user 7');
    expect(
      [await users().get('x'), await backups.waiting(), await store.records('jobs').count()],
      'work of that moment does not begin again',
    ).to.deep.equal([undefined, false, 0]);
    expect(await faultOf(users().insert({ id: 'y', name: 'user 7' })), 'what must be unique still is').not.to.equal(
      'no error',
    );
    const before = (await backups.list()).find(({ name }) => name.startsWith('before-restore_'));
    await backups.restore(await backups.path(before?.name ?? ''));
    await store.close();
    await open();
    expect(
      (await users().find()).map(({ id }) => id),
      'the state before the restore was kept',
    ).to.deep.equal(['x']);
  });

  it('take the place of a database that is damaged', async () => {
    await users().insert({ id: '1', name: 'ada' });
    const { name } = await backups.create();
    for (const damage of ['no database at all', `SQLite format 3\0${'x'.repeat(8192)}`]) {
      await backups.restore(await backups.path(name));
      await store.close();
      writeFileSync(join(folder, 'quire.db'), damage);
      writeFileSync(join(folder, 'quire.db-wal'), 'what nobody can read');
      await open();
      expect((await users().get('1'))?.name, damage.slice(0, 15)).to.equal('ada');
      const kept =
        readdirSync(join(folder, 'backups')).find((one) => one.startsWith('before-restore_') && one.endsWith('.db')) ??
        '';
      expect(statSync(join(folder, 'backups', kept)).size, 'and it is kept').to.equal(damage.length);
      for (const one of readdirSync(join(folder, 'backups')))
        if (one.startsWith('before-restore_')) rmSync(join(folder, 'backups', one));
    }
  });

  it('are limited in number: the oldest are removed, never a new one or a file of an operator', async () => {
    const kept = new Backups({ store, folder, clock: { now: () => now }, entry, keep: 2 });
    const file = (name: string): string => join(folder, 'backups', name);
    mkdirSync(join(folder, 'backups'));
    const ages = [
      'backup_20240101T000000Z.db',
      'before-restore_20240102T000000Z.db',
      'before-restore_20240102T000000Z.db-wal',
      'mine.db',
      'backup_20240101T000000Z (copy).db',
    ];
    for (const [at, name] of ages.entries()) {
      writeFileSync(file(name), '');
      utimesSync(file(name), at + 1, at + 1);
    }
    // A clock that was once wrong: what is made now looks older than this.
    writeFileSync(file('backup_20990101T000000Z.db'), '');
    utimesSync(file('backup_20990101T000000Z.db'), 4e9, 4e9);
    const { name } = await kept.create();
    expect(readdirSync(join(folder, 'backups')).sort()).to.deep.equal([
      'backup_20240101T000000Z (copy).db',
      name,
      'backup_20990101T000000Z.db',
      'mine.db',
    ]);
    await new Backups({ store, folder, clock: { now: () => now }, entry, keep: 1 }).create();
    expect((await kept.list()).map((one) => one.name)).to.have.members([`${name.slice(0, -3)}_2.db`, 'mine.db']);
  });

  it('have names of their own, are listed newest first, and go when they are deleted', async () => {
    const made = [await backups.create(), await backups.create()];
    expect(made.map(({ name }) => name)).to.deep.equal(['backup_20261122T133000Z.db', 'backup_20261122T133000Z_2.db']);
    utimesSync(join(folder, 'backups', made[0]?.name ?? ''), new Date(0), new Date(0));
    writeFileSync(join(folder, 'backups', 'notes.txt'), '');
    expect((await backups.list()).map(({ name }) => name)).to.deep.equal([made[1]?.name, made[0]?.name]);
    await backups.delete(made[0]?.name ?? '');
    expect((await backups.list()).map(({ name }) => name)).to.deep.equal([made[1]?.name]);
    for (const name of [
      made[0]?.name ?? '',
      '../quire.db',
      '..',
      '',
      '.db',
      'notes.txt',
      'a/../../quire.db',
      `${'x'.repeat(200)}.db`,
    ]) {
      expect(await faultOf(backups.path(name)), name).to.equal('BACKUP_UNKNOWN');
      expect(await faultOf(backups.delete(name)), name).to.equal('BACKUP_UNKNOWN');
    }
    expect(existsSync(join(folder, 'quire.db'))).to.equal(true);
  });

  it('take over nothing but records, whatever a file brings', async () => {
    await users().insert({ id: '1', name: 'ada' });
    const { name } = await backups.create();
    const hostile = join(folder, 'hostile.db');
    copyFileSync(join(folder, 'backups', name), hostile);
    const database = new Engine(hostile);
    database.exec('CREATE TABLE other(x)');
    database.exec("CREATE TRIGGER steal AFTER INSERT ON r_users BEGIN INSERT INTO other VALUES('taken'); END");
    database.exec('CREATE VIEW r_view(id, body) AS SELECT id, body FROM r_users');
    database.close();
    await backups.restore(hostile);
    const restored = new Engine(join(folder, 'quire.db.restore'));
    const kinds = restored
      .prepare(
        'SELECT DISTINCT type, name FROM sqlite_master WHERE sql IS NOT NULL AND ' +
          "(name NOT LIKE 'r\\_%' ESCAPE '\\' OR type <> 'table')",
      )
      .all([]);
    const views = restored.prepare("SELECT name FROM sqlite_master WHERE name='r_view'").all([]);
    restored.close();
    expect([kinds, views]).to.deep.equal([[], []]);
  });

  it('are refused when they are none of this server, and nothing is left behind', async () => {
    const { name } = await backups.create();
    const spoilt = (what: string, sql: readonly string[]): string => {
      const path = join(folder, `${what}.db`);
      copyFileSync(join(folder, 'backups', name), path);
      const database = new Engine(path);
      for (const one of sql) database.exec(one);
      database.close();
      return path;
    };
    const file = (what: string, bytes: string): string => {
      writeFileSync(join(folder, what), bytes);
      return join(folder, what);
    };
    mkdirSync(join(folder, 'cut'));
    const cases: readonly (readonly [string, RegExp])[] = [
      [file('text.db', 'CREATE TABLE users;'), /not a database file/],
      [file('empty.db', ''), /not a database file/],
      [file('cut.db', `SQLite format 3\0${'x'.repeat(5000)}`), /damaged/],
      [spoilt('other', ['DROP TABLE r_store_facts']), /not a backup of this server/],
      [spoilt('newer', ["UPDATE r_store_facts SET body=json_set(body,'$.value',99) WHERE id='version'"]), /form 99/],
      [
        spoilt('foreign', ["UPDATE r_store_facts SET body=json_set(body,'$.value','another') WHERE id='secret'"]),
        /another secret/,
      ],
      [spoilt('rows', ["INSERT INTO r_store_facts VALUES('more', 'no json')"]), /rows that are not records/],
      [spoilt('values', ["INSERT INTO r_store_facts VALUES('more', 'null')"]), /rows that are not records/],
      [spoilt('tables', ['CREATE TABLE r_things(id, body)']), /tables that are not record sets/],
      [
        spoilt('computed', [
          "CREATE TABLE r_things(id TEXT PRIMARY KEY, body TEXT NOT NULL GENERATED ALWAYS AS (printf('%.*c', " +
            "90000000, 'x')) VIRTUAL, more) WITHOUT ROWID",
          "INSERT INTO r_things(id) VALUES('1')",
        ]),
        /tables that are not record sets/,
      ],
    ];
    for (const [path, detail] of cases) {
      expect(await faultOf(backups.restore(path)), path)
        .to.match(/^BACKUP_UNFIT /)
        .and.match(detail);
      expect(await backups.waiting()).to.equal(false);
    }
    expect(readdirSync(folder).filter((left) => left.includes('.part'))).to.deep.equal([]);
  });

  it('fail by name when the work does not end in time', async () => {
    const hasty = new Backups({ store, folder, clock: { now: () => now }, entry, timeoutMs: 1 });
    expect(await faultOf(hasty.create())).to.match(/^BACKUP_FAILED it did not end/);
    expect(readdirSync(join(folder, 'backups'))).to.deep.equal([]);
  });
});
