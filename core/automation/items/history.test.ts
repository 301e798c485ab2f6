import { expect } from 'chai';
import { describeStores, type TemporaryStore } from '../../../test/suites/temporary-store.js';
import { RunRecords, type RunRecord } from '../runs/run-records.js';
import type { Store } from '../../store/index.js';
import { History } from './history.js';
import { ItemStore } from './item-store.js';

const run: RunRecord = {
  id: 'one',
  automationId: 'a',
  itemId: 'i',
  startedBy: '',
  trigger: 'arrival',
  inputs: ['one.pdf'],
  bytes: 3,
  attempt: 1,
  state: 'running',
  startedAt: 1,
  endedAt: null,
  stepCount: 1,
  outputs: [],
  warnings: [],
  code: null,
  detail: null,
};

describeStores('the history of an automation', (make) => {
  let place: TemporaryStore;
  let store: Store;
  let runs: RunRecords;
  let history: History;
  beforeEach(async () => {
    place = await make();
    store = await place.open();
    runs = new RunRecords(store);
    const deps = { items: new ItemStore(store), runs, clock: { now: () => new Date() }, shared: false };
    const none = (): never => {
      throw new Error('not part of this test');
    };
    history = new History({ ...deps, jobs: none, wake: none, touched: () => undefined });
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  it('tells of a run that begins or ends after the news of its file', async () => {
    const end = new AbortController();
    const news = history.events('a', 20, end.signal);
    const seen = async (): Promise<unknown> => (await news.next()).value?.runs;
    expect(await seen()).to.deep.equal([]);
    await runs.put(run);
    history.touched('a');
    expect(await seen()).to.deep.equal([{ id: 'one', state: 'running' }]);
    await runs.change('one', { state: 'completed', endedAt: 2 });
    history.touched('a');
    expect(await seen()).to.deep.equal([{ id: 'one', state: 'completed' }]);
    end.abort();
    expect((await news.next()).done).to.equal(true);
  });
});
