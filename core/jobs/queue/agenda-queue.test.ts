import { noBackplane } from '../backplane/index.js';
import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { silentLog, until } from '../../../test/suites/job-harness.js';
import { describeStores, type TemporaryStore } from '../../../test/suites/temporary-store.js';
import { SteadyClock } from '../cluster/index.js';
import type { Store } from '../../store/index.js';
import { AgendaQueue } from './agenda-queue.js';

describeStores('the queue of jobs', (make) => {
  let place: TemporaryStore;
  let store: Store;
  let queue: AgendaQueue | undefined;
  beforeEach(async () => {
    place = await make();
    store = await place.open();
  });
  afterEach(async () => {
    await queue?.stop();
    await queue?.settled(1000);
    await store.close();
    await place.remove();
  });

  it('puts a job that has to wait back in its turn, also behind many that came later', async () => {
    const lockLifetimeMs = 5000;
    const seen: string[] = [];
    queue = new AgendaQueue(
      { store, log: silentLog, steady: new SteadyClock(), lockLifetimeMs, takes: () => true, backplane: noBackplane },
      1,
      { lockLifetimeMs, pollMs: 100 },
    );
    await queue.open(async (jobId, turn) => {
      seen.push(jobId);
      if (jobId === 'a' && seen.filter((id) => id === 'a').length === 1) turn.again(300);
      else await delay(200);
    });
    for (const [i, id] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) await queue.add(id, Date.now() - 1000 + i);
    await queue.begin();
    await until(() => (seen.length === 7 ? true : undefined));
    // The embedded store is repaired at every start, so no lock has to expire there.
    if (store.kind === 'mongodb') expect(seen.lastIndexOf('a'), seen.join()).to.be.within(2, 4);
    else expect(seen.at(-1)).to.equal('a');
  });
});
