import { expect } from 'chai';
import { OperationalError } from '@quire/registry';
import { endOf } from './item-ends.js';

describe('the end of work on a file that failed', () => {
  const now = Date.parse('2026-11-30T10:00:00Z');
  const retry = { times: 3, firstMs: 5000 };
  const pauseAfter = (failures: number, error: Error): number =>
    Number(endOf({ state: 'delivering', failures }, error, retry, now).nextAt) - now;

  it('comes soon again after the store was away, however often it was', () => {
    const away = new OperationalError('STORE_DOWN');
    for (const failures of [0, 3, 9]) expect(pauseAfter(failures, away)).to.be.within(5000, 6000);
    const end = endOf({ state: 'delivering', failures: 3 }, away, retry, now);
    expect([end.state, end.failures]).to.deep.equal(['delivering', 3]);
  });

  it('comes after longer and longer pauses while a source cannot be reached', () => {
    const away = new OperationalError('SOURCE_UNREACHABLE', { detail: 'it is away' });
    expect(pauseAfter(0, away)).to.be.within(5000, 6000);
    expect(pauseAfter(3, away)).to.be.within(40_000, 48_000);
  });
});
