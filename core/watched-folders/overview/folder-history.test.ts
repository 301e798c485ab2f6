import { expect } from 'chai';
import { temporaryEmbeddedStore, type TemporaryStore } from '../../../test/suites/temporary-store.js';
import type { Store } from '../../store/index.js';
import { FolderHistory } from './folder-history.js';
import { openFolderRecords, type FolderRecords } from './folder-records.js';
import { withoutPaths } from './hidden-paths.js';
import type { EndedRun } from '../run-report.js';

describe('The history of a watched folder', () => {
  let temporary: TemporaryStore;
  let store: Store;
  let records: FolderRecords;
  let now = new Date('2026-11-28T12:00:00Z');
  const history = (runs = 100, failed = 100): FolderHistory =>
    new FolderHistory({ records, clock: { now: () => now }, most: { runs, failed } });

  beforeEach(async () => {
    now = new Date('2026-11-28T12:00:00Z');
    temporary = await temporaryEmbeddedStore();
    store = await temporary.open();
    records = openFolderRecords(store);
  });
  afterEach(async () => {
    await store.close();
    await temporary.remove();
  });

  const error = { code: 'PDF_DAMAGED', status: 400, title: 'Damaged', detail: 'damaged' };
  function run(
    id: string,
    bad: readonly string[],
    good: readonly string[] = [],
    more: Partial<EndedRun> = {},
  ): EndedRun {
    return {
      id,
      folder: 'f',
      takenAt: now.toISOString(),
      endedAt: now.toISOString(),
      ms: 5,
      attempts: 1,
      pipeline: { file: 'p.json', name: 'p' },
      files: [
        ...bad.map((name) => ({ name, bytes: 1, status: 'failed' as const, keptAs: `failed/${name}`, error })),
        ...good.map((name) => ({ name, bytes: 1, status: 'done' as const, keptAs: `done/${name}` })),
      ],
      outputs: [],
      dropped: [],
      effects: [],
      warnings: [],
      retryOf: [],
      ...more,
    };
  }

  it('counts a run once, also when its end is repeated after a crash', async () => {
    for (let times = 0; times < 3; times++) await history().keep(run('r1', ['bad'], ['good', 'better']));
    expect(await records.totals.get('f')).to.include({ done: 2, failed: 1, doneToday: 2, failedToday: 1 });
    expect((await records.runs.find()).map(({ id, outcome }) => [id, outcome])).to.deep.equal([['r1', 'partly']]);
    expect((await records.failed.find()).map(({ id }) => id)).to.deep.equal(['r1-0']);
  });

  it('counts the files of today from zero after midnight', async () => {
    await history().keep(run('r1', ['bad'], ['good']));
    now = new Date('2026-11-29T00:00:01Z');
    await history().keep(run('r2', [], ['other']));
    expect(await records.totals.get('f')).to.deep.include({
      done: 2,
      failed: 1,
      day: '2026-11-29',
      doneToday: 1,
      failedToday: 0,
    });
  });

  it('counts everything when several nodes end runs at once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, number) => history().keep(run(`r${number}`, [], ['good']))));
    expect(await records.totals.get('f')).to.include({ done: 20, doneToday: 20 });
  });

  it('forgets a failed file when a run that processed it again has ended', async () => {
    await history().keep(run('r1', ['bad']));
    await history().keep(run('r2', [], ['bad'], { retryOf: ['r1-0'] }));
    expect(await records.failed.count()).to.equal(0);
    expect(await records.runs.get('r2')).to.include({ retry: true, outcome: 'done' });
  });

  it('keeps the newest runs and failed files only', async () => {
    const kept = history(30, 10);
    for (let number = 0; number < 100; number++) {
      now = new Date(now.getTime() + 1000);
      await kept.keep(run(`r${String(number).padStart(3, '0')}`, ['bad']));
    }
    expect(await records.runs.count()).to.be.within(30, 50);
    expect(await records.failed.count()).to.be.within(10, 30);
    expect(await records.runs.get('r099')).not.to.equal(undefined);
    expect(await records.totals.get('f')).to.include({ failed: 100 });
  });

  it('removes what is older than its time', async () => {
    await history().keep(run('old', ['bad']));
    now = new Date('2027-03-01T00:00:00Z');
    await history().sweep();
    expect([await records.runs.count(), await records.failed.count()]).to.deep.equal([0, 1]);
    now = new Date('2028-03-01T00:00:00Z');
    await history().sweep();
    expect(await records.failed.count()).to.equal(0);
  });

  it('names the first files of a large run and the number of all', async () => {
    const names = Array.from({ length: 300 }, (_, number) => `${number}.pdf`);
    await history(100, 1000).keep(run('large', names, [], { outputs: names }));
    const found = await records.runs.get('large');
    expect([found?.files.length, found?.fileCount, found?.outputs.length, found?.outputCount]).to.deep.equal([
      200, 300, 200, 300,
    ]);
    expect(await records.failed.count()).to.equal(300);
  });
});

describe('A text about a watched folder', () => {
  it('names the folders of the operator without their paths', () => {
    const settings = { roots: ['/srv/scans'], finished: '/srv/out', allowedRoots: ['/mnt/a/b'], workingFolder: '/' };
    expect(withoutPaths('EACCES at "/srv/scans/in/a.pdf", /srv/out and /mnt/a/b/c', settings)).to.equal(
      'EACCES at "scans/in/a.pdf", out and b/c',
    );
  });
});
