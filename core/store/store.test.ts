import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { isQuireError } from '@quire/registry/errors';
import { temporaryEmbeddedStore, type TemporaryStore } from '../../test/suites/temporary-store.js';
import { openStore } from './index.js';

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
