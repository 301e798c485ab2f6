import { expect } from 'chai';
import { SHORT_MS } from './durations.js';
import { WorkPlaces, type Work } from './work-places.js';

const work = (owner: string, kind: string, more: Partial<Work> = {}): Work => ({
  owner,
  kind,
  background: false,
  declaredLong: false,
  ...more,
});
const job = (owner: string, kind: string): Work => work(owner, kind, { background: true, declaredLong: true });

describe('Places of workers', () => {
  /** Acts while the clock shows so many milliseconds more. */
  const after = (ms: number, act: () => void): void => {
    const { now } = performance;
    const shifted = now.call(performance) + ms;
    performance.now = () => shifted;
    try {
      act();
    } finally {
      performance.now = now;
    }
  };
  const known = (places: WorkPlaces, one: Work, ms: number): void => {
    const end = places.begin(one);
    after(ms, () => end(true));
  };

  it('admit anything while nothing runs', () => {
    for (const size of [1, 2, 8])
      for (const one of [work('a', 'slow', { declaredLong: true }), job('a', 'slow')]) {
        const places = new WorkPlaces({ size, reserved: size - 1, keptForShort: size - 1 });
        expect(places.admits(one)).to.equal(true);
      }
  });

  it('keep a worker for short work and for newcomers', () => {
    const places = new WorkPlaces({ size: 2, reserved: 0, keptForShort: 1 });
    known(places, work('b', 'quick'), 100);
    places.begin(work('a', 'slow'));
    expect(places.admits(work('a', 'slow'))).to.equal(false);
    expect(places.admits(work('a', 'quick')), 'the owner of the slow call is no newcomer').to.equal(false);
    expect(places.admits(work('b', 'quick'))).to.equal(true);
    expect(places.admits(work('c', 'slow'))).to.equal(true);
    expect(places.admits(work('c', 'slow', { declaredLong: true }))).to.equal(false);
  });

  it('lend the reserved workers to background work that is over in a moment, while no call waits', () => {
    const places = new WorkPlaces({ size: 2, reserved: 1, keptForShort: 0 });
    known(places, job('a', 'rotate'), 20);
    known(places, job('a', 'recognise'), 500);
    places.begin(job('a', 'rotate'));
    expect(places.admits(job('a', 'recognise'))).to.equal(false);
    expect(places.admits(job('a', 'never seen'))).to.equal(false);
    expect(places.admits(job('a', 'rotate'), true), 'a direct call waits').to.equal(false);
    expect(places.admits(job('a', 'rotate'))).to.equal(true);
    expect(places.lent).to.equal(0);
    const end = places.begin(job('a', 'rotate'));
    expect(places.lent, 'so direct calls may have one worker more').to.equal(1);
    expect(places.admits(work('b', 'anything'))).to.equal(true);
    end(true);
    expect(places.lent).to.equal(0);
  });

  it('measure what is short for each owner', () => {
    const places = new WorkPlaces({ size: 2, reserved: 0, keptForShort: 1 });
    known(places, work('a', 'rotate'), SHORT_MS * 10);
    known(places, work('b', 'rotate'), 50);
    places.begin(work('c', 'slow'));
    expect(places.admits(work('a', 'rotate'))).to.equal(false);
    expect(places.admits(work('b', 'rotate'))).to.equal(true);
    expect(places.admits(work('d', 'rotate')), 'a newcomer; it is quick for somebody').to.equal(true);
    known(places, work('a', 'recognise'), SHORT_MS * 10);
    expect(places.admits(work('d', 'recognise')), 'slow for everybody').to.equal(false);
  });

  it('do not take refused work for short', () => {
    const places = new WorkPlaces({ size: 2, reserved: 0, keptForShort: 1 });
    places.begin(work('a', 'slow'))(false);
    places.begin(work('a', 'slow'));
    expect(places.admits(work('a', 'slow'))).to.equal(false);
  });

  it('count short work that has become long', () => {
    const places = new WorkPlaces({ size: 3, reserved: 0, keptForShort: 1 });
    known(places, work('a', 'rotate'), 50);
    places.begin(work('a', 'rotate'));
    places.begin(work('a', 'rotate'));
    expect(places.admits(work('a', 'rotate'))).to.equal(true);
    after(SHORT_MS, () => {
      expect(places.admits(work('a', 'rotate'))).to.equal(false);
      expect(places.admits(work('b', 'rotate'))).to.equal(true);
    });
  });

  it('leave a reserved worker to any direct call, however long jobs are', () => {
    const places = new WorkPlaces({ size: 2, reserved: 1, keptForShort: 1 });
    places.begin(job('a', 'slow'));
    expect(places.admits(job('a', 'slow'))).to.equal(false);
    expect(places.admits(work('b', 'slow', { declaredLong: true }))).to.equal(true);
  });

  it('start no further job while a long call is on the reserved worker, until one is free for short work', () => {
    const places = new WorkPlaces({ size: 3, reserved: 1, keptForShort: 1 });
    const ends = [places.begin(job('a', 'slow')), places.begin(job('a', 'slow'))];
    places.begin(work('b', 'slow', { declaredLong: true }));
    ends[0]?.(false);
    expect(places.admits(job('a', 'slow'))).to.equal(false);
    ends[1]?.(false);
    expect(places.admits(job('a', 'slow'))).to.equal(true);
  });
});
