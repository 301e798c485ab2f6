import { expect } from 'chai';
import { HandClock } from '../../test/suites/memory-accounts.js';
import { describeStores, type TemporaryStore } from '../../test/suites/temporary-store.js';
import type { Store } from '../store/index.js';
import { openAccountRecords, type AccountRecords } from './account-records.js';
import { AttemptLock } from './attempt-lock.js';

describeStores('The lock on wrong attempts', (make) => {
  let temporary: TemporaryStore;
  let store: Store;
  let records: AccountRecords;
  let clock: HandClock;
  const lock = (attempts = 5, minutes = 120): AttemptLock =>
    new AttemptLock(records.attempts, { attempts, minutes }, () => clock.now().getTime());
  const wrong = (on: AttemptLock, key = 'ann'): Promise<string | undefined> =>
    on.attempt(key, async () => ({ outcome: 'wrong', value: 'looked at' }));
  const right = (on: AttemptLock, key = 'ann'): Promise<string | undefined> =>
    on.attempt(key, async () => ({ outcome: 'right', value: 'looked at' }));

  beforeEach(async () => {
    temporary = await make();
    store = await temporary.open();
    records = openAccountRecords(store);
    clock = new HandClock();
  });
  afterEach(async () => {
    await store.close();
    await temporary.remove();
  });

  it('rejects attempts after five wrong ones, also after a restart, but not those of other names', async () => {
    const one = lock();
    for (let turn = 0; turn < 5; turn++) expect(await wrong(one)).to.equal('looked at');
    expect(await right(one)).to.equal(undefined);
    expect(await right(lock())).to.equal(undefined);
    expect(await one.lockedFor('ann')).to.equal(7200);
    expect(await right(one, 'bob')).to.equal('looked at');
  });

  it('starts again after a right attempt, after its time, and when it is unlocked', async () => {
    const one = lock();
    for (let turn = 0; turn < 4; turn++) await wrong(one);
    await right(one);
    for (let turn = 0; turn < 5; turn++) expect(await wrong(one)).to.equal('looked at');
    clock.forward(7201);
    for (let turn = 0; turn < 5; turn++) expect(await wrong(one)).to.equal('looked at');
    expect(await wrong(one)).to.equal(undefined);
    await one.forget('ann');
    expect(await wrong(one)).to.equal('looked at');
  });

  it('allows no more wrong attempts at once than one after another', async () => {
    const one = lock();
    let looked = 0;
    await Promise.all(
      Array.from({ length: 60 }, () =>
        one.attempt('ann', async () => {
          looked += 1;
          await new Promise((resolve) => setTimeout(resolve, 1));
          return { outcome: 'wrong', value: undefined };
        }),
      ),
    );
    expect(looked).to.equal(5);
  });

  it('allows any number of right attempts at once', async () => {
    const one = lock();
    await wrong(one);
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, () =>
        one.attempt('ann', async () => {
          await new Promise((resolve) => setTimeout(resolve, 1));
          return { outcome: 'right', value: 'looked at' };
        }),
      ),
    );
    expect(outcomes).to.deep.equal(Array.from({ length: 60 }, () => 'looked at'));
  });

  it('does not count attempts that are neither right nor wrong, and continues after one that failed', async () => {
    const one = lock(1);
    for (let turn = 0; turn < 3; turn++)
      expect(await one.attempt('ann', async () => ({ outcome: 'open', value: 1 }))).to.equal(1);
    const broken = await one
      .attempt('ann', async () => Promise.reject(new Error('away')))
      .catch((error: Error) => error.message);
    expect(broken).to.equal('away');
    expect(await right(one)).to.equal('looked at');
  });

  it('never locks when it is off, and locks for ever without a time', async () => {
    for (const off of [lock(-1), lock(0)])
      for (let turn = 0; turn < 20; turn++) expect(await wrong(off)).to.equal('looked at');
    const forever = lock(1, -1);
    await wrong(forever);
    clock.forward(1000 * 86_400);
    expect(await right(forever)).to.equal(undefined);
  });

  it('removes records that no longer count', async () => {
    const one = lock();
    await wrong(one);
    await wrong(one, 'bob');
    clock.forward(7201);
    await wrong(one, 'eve');
    await one.sweep();
    expect((await records.attempts.find()).map(({ id }) => id)).to.deep.equal(['eve']);
  });
});
