import { expect } from 'chai';
import { SteadyClock } from './index.js';

describe('The time of the store', () => {
  const wallClock = Date.now;
  afterEach(() => void (Date.now = wallClock));

  it('is asked for once and counted on, and asked for again when the wall clock of the machine jumps', async () => {
    const clock = new SteadyClock();
    let asked = 0;
    const ask = async (): Promise<Date> => {
      asked += 1;
      return new Date('2026-03-01T12:00:00Z');
    };
    await clock.follow(ask);
    await clock.follow(ask);
    expect(asked).to.equal(1);
    expect(new Date(clock.now()).toISOString()).to.match(/^2026-03-01T12:0/);
    // A machine that was suspended counts no time meanwhile, but its wall clock goes on.
    Date.now = () => wallClock() + 3_600_000;
    await clock.follow(ask);
    await clock.follow(ask);
    expect(asked).to.equal(2);
  });
});
