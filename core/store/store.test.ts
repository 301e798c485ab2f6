import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { isQuireError } from '@quire/registry/errors';
import { temporaryEmbeddedStore, type TemporaryStore } from '../../test/suites/temporary-store.js';
import type { SqlDatabase } from './embedded-database.js';
import { isDuplicateRecord, openStore } from './index.js';

const Engine = createRequire(import.meta.url)('libsql') as new (path: string) => SqlDatabase;

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Runs a script against our store in another process. */
function runScript(script: string): { status: number | null; stdout: string; signal: NodeJS.Signals | null } {
  return spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
  });
}

describe('store, embedded', function () {
  this.timeout(30_000);
  let home: TemporaryStore;
  beforeEach(async () => {
    home = await temporaryEmbeddedStore();
  });
  afterEach(() => home.remove());
  const folderText = (): string => JSON.stringify(home.folder);

  it('refuses a folder that another process is using, with advice', async () => {
    const store = await home.open();
    const { stdout } = runScript(`
      const { openStore } = await import('./core/store/index.ts');
      try { await openStore({ kind: 'embedded', folder: ${folderText()} }); console.log('opened'); } catch (error) {
console.log(error.code, error.message); }`);
    await store.close();
    expect(stdout).to.match(/^SETTINGS_INVALID .*another Quire server/);
  });

  it('keeps every acknowledged record when the process is killed', async () => {
    const { signal } = runScript(`
      const { openStore } = await import('./core/store/index.ts');
      const store = await openStore({ kind: 'embedded', folder: ${folderText()} });
      const records = store.records('things', { keys: ['n'] });
      for (let n = 0; n < 500; n += 1) await records.insert({ id: 'r' + n, n });
      process.kill(process.pid, 'SIGKILL');`);
    expect(signal).to.equal('SIGKILL');
    const store = await home.open();
    expect(await store.records<{ id: string; n: number }>('things', { keys: ['n'] }).count()).to.equal(500);
    await store.close();
  });

  it('gives record sets of earlier versions their present form, with their records and indexes', async () => {
    const before = await home.open();
    await before.records('others').put({ id: 'x' });
    await before.close();
    const path = join(home.folder ?? '', 'quire.db');
    const earlier = new Engine(path);
    earlier.exec('CREATE TABLE "r_things" (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID');
    earlier.exec('ALTER TABLE "r_things" ADD COLUMN "k_n" GENERATED ALWAYS AS (json_extract(body,\'$."n"\')) VIRTUAL');
    earlier.exec('CREATE UNIQUE INDEX "u_things_n" ON "r_things"("k_n")');
    for (const n of [2, 1])
      earlier.prepare('INSERT INTO r_things(id,body) VALUES(?,?)').run([`r${n}`, JSON.stringify({ id: `r${n}`, n })]);
    earlier.close();
    const store = await home.open();
    const records = store.records<{ id: string; n: number }>('things', { unique: ['n'] });
    const sort = [{ field: 'n', order: 'ascending' }] as const;
    expect(await records.find({}, { sort })).to.deep.equal([
      { id: 'r1', n: 1 },
      { id: 'r2', n: 2 },
    ]);
    expect(isDuplicateRecord(await records.insert({ id: 'r3', n: 2 }).catch((error: unknown) => error))).to.equal(true);
    await store.close();
    const now = new Engine(path);
    const forms = now.prepare("SELECT sql FROM sqlite_master WHERE tbl_name='r_things' AND sql IS NOT NULL").all([]);
    now.close();
    expect(forms.map(({ sql }) => String(sql)).join('\n'))
      .to.include('"k_n"')
      .and.include('UNIQUE INDEX "u_things_n"')
      .and.not.include('WITHOUT ROWID');
  });

  it('sweeps files whose writing never ended', async () => {
    const store = await home.open();
    const unfinished = join(home.folder ?? '', 'blobs', 'files', 'unfinished');
    await mkdir(unfinished, { recursive: true });
    await writeFile(join(unfinished, 'half'), 'x');
    expect(await store.blobs.sweepUnfinished(3_600_000)).to.equal(0);
    expect(await store.blobs.sweepUnfinished(0)).to.equal(1);
    await store.close();
  });

  it('adds a key to a record set that is already there', async () => {
    const first = await home.open();
    await first.records<{ id: string; colour: string }>('things').insert({ id: 'a', colour: 'red' });
    await first.close();
    const second = await home.open();
    const things = second.records<{ id: string; colour: string }>('things', { keys: ['colour'] });
    expect((await things.findOne({ colour: 'red' }))?.id).to.equal('a');
    await second.close();
  });

  it('is not ready once closed', async () => {
    const store = await home.open();
    expect(await store.ready()).to.equal(true);
    await store.close();
    expect(await store.ready()).to.equal(false);
  });
});

describe('store, MongoDB out of reach', function () {
  this.timeout(30_000);
  it('opens without waiting and answers STORE_DOWN', async () => {
    const store = await openStore({ kind: 'mongodb', url: 'mongodb://127.0.0.1:1', database: 'quire' });
    const error = await store
      .records('things')
      .get('a')
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
    expect(isQuireError(error) && error.code).to.equal('STORE_DOWN');
    expect(await store.ready()).to.equal(false);
    await store.close();
  });
});
