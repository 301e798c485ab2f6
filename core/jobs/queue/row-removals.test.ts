import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { silentLog } from '../../../test/suites/job-harness.js';
import { RowRemovals } from './row-removals.js';

describe('the rows of ended jobs', () => {
  it('are deleted together, and at once when the server stops', async () => {
    const removed: string[][] = [];
    const removals = new RowRemovals(async (ids) => {
      await delay(20);
      removed.push(ids);
    }, silentLog);
    for (const id of ['a', 'b', 'c']) removals.add(id);
    expect(removed).to.deep.equal([]);
    await removals.flush();
    expect(removed).to.deep.equal([['a', 'b', 'c']]);
    for (let i = 0; i < 150; i += 1) removals.add(String(i));
    await removals.flush();
    expect(removed.slice(1).map(({ length }) => length)).to.deep.equal([100, 50]);
    await removals.flush();
    expect(removed).to.have.length(3);
  });

  it('stay when they cannot be deleted, and the queue goes on', async () => {
    let away = true;
    const removed: string[] = [];
    const removals = new RowRemovals(
      (ids) => (away ? Promise.reject(new Error('lost')) : Promise.resolve(removed.push(...ids))),
      silentLog,
    );
    removals.add('a');
    await removals.flush();
    away = false;
    removals.add('b');
    await removals.flush();
    expect(removed).to.deep.equal(['b']);
  });
});
