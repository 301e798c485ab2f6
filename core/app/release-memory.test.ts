import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../test/suites/job-harness.js';
import { releaseMemoryWhenIdle } from './release-memory.js';

/** Keeps the event loop busy. */
async function work(ms: number): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end; await delay(1))
    for (const busy = Date.now() + 15; Date.now() < busy;) Math.sqrt(2);
}

describe('Memory of an idle server', () => {
  const timing = { lookMs: 50, quietLooks: 4 };
  let released: number;
  let end: () => void;
  let kept: Buffer[];

  beforeEach(() => {
    released = 0;
    kept = [];
    end = releaseMemoryWhenIdle(timing, () => void (released += 1));
  });
  afterEach(() => end());
  const reaches = (times: number): Promise<true> => until(() => (released >= times ? true : undefined), 10_000);

  it('is given back once after the start, and not again while nothing happens', async () => {
    await reaches(1);
    await delay(600);
    expect(released).to.equal(1);
  });

  it('is given back again after work that has left some behind', async () => {
    await reaches(1);
    for (let i = 0; i < 8; i++) kept.push(Buffer.alloc(8 * 1024 * 1024, i + 1));
    await work(400);
    expect(released, 'during the work').to.equal(1);
    await reaches(2);
    await delay(600);
    expect(released).to.equal(2);
    expect(kept).to.have.length(8);
  });
});
