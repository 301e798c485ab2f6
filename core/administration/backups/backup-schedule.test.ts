import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptLog } from '../../../test/suites/memory-accounts.js';
import { until } from '../../../test/suites/job-harness.js';
import { Backups, checkStoreVersion, openStore, storeFacts, type Store } from '../../store/index.js';
import { BackupSchedule } from './backup-schedule.js';

const entry = new URL('../../dist/store/snapshot-entry.js', import.meta.url);

describe('The schedule of backups', () => {
  let folder: string;
  let store: Store;
  let backups: Backups;
  let now: Date;
  let log: ReturnType<typeof keptLog>;
  const clock = { now: () => now };
  const schedule = (pattern = '0 0 3 * * ?', made: Pick<Backups, 'create'> = backups): BackupSchedule =>
    new BackupSchedule({ backups: made, facts: storeFacts(store), clock, log, pattern, version: '1.0.0' });
  const count = async (): Promise<number> => (await backups.list()).length;
  const tickAt = async (each: BackupSchedule, time: string): Promise<number> => {
    now = new Date(time);
    await each.tick();
    return count();
  };
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-schedule-'));
    now = new Date('2026-11-29T12:00:00');
    log = keptLog();
    store = await openStore({ kind: 'embedded', folder });
    await checkStoreVersion(store, { where: folder, by: '1.0.0', now });
    backups = new Backups({ store, folder, clock, keep: 2, entry });
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('makes one at each of its times, and keeps as many as the settings say', async () => {
    const nightly = schedule();
    expect(await tickAt(nightly, '2026-11-29T12:00:00')).to.equal(0);
    expect(await tickAt(nightly, '2026-11-30T02:59:59')).to.equal(0);
    expect(await tickAt(nightly, '2026-11-30T03:00:00')).to.equal(1);
    expect(await tickAt(nightly, '2026-11-30T03:00:30')).to.equal(1);
    expect(await tickAt(nightly, '2026-12-01T03:00:00')).to.equal(2);
    expect(await tickAt(nightly, '2026-12-02T03:00:00')).to.equal(2);
  });

  it('makes one at the start for all times at which the server was off', async () => {
    await tickAt(schedule(), '2026-11-29T12:00:00');
    const restarted = schedule();
    expect(await tickAt(restarted, '2026-12-04T09:00:00')).to.equal(1);
    expect(await tickAt(restarted, '2026-12-04T09:01:00')).to.equal(1);
    expect(await tickAt(schedule(), '2026-12-04T10:00:00')).to.equal(1);
  });

  it('goes on after a clock that ran ahead was set back', async () => {
    await tickAt(schedule(), '2027-11-29T12:00:00');
    await tickAt(schedule(), '2026-11-29T12:00:00');
    expect(await tickAt(schedule(), '2026-11-30T03:00:00')).to.equal(1);
  });

  it('runs by itself, and does nothing after it was stopped', async () => {
    const nightly = schedule();
    await nightly.tick();
    now = new Date('2026-11-30T03:00:00');
    nightly.start();
    await until(async () => ((await count()) === 1 ? true : undefined));
    await nightly.stop();
    now = new Date('2026-12-01T03:00:00');
    expect(await count()).to.equal(1);
  });

  it('that is empty makes none', async () => {
    const none = schedule('');
    none.start();
    await none.stop();
    expect([await count(), await storeFacts(store).get('backup-schedule')]).to.deep.equal([0, undefined]);
  });

  it('logs a backup that failed, and makes the next one', async () => {
    let calls = 0;
    const failing = schedule('0 0 3 * * ?', {
      create: async () => {
        if (++calls === 1) throw new Error('no space');
        return backups.create();
      },
    });
    await failing.tick();
    now = new Date('2026-11-30T03:00:00');
    failing.start();
    await until(() => (log.lines.some((line) => line.includes('databaseBackup.cron failed')) ? true : undefined));
    await failing.stop();
    expect(await count()).to.equal(0);
    expect(await tickAt(failing, '2026-12-01T03:00:00')).to.equal(1);
  });
});
