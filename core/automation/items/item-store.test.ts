import { expect } from 'chai';
import { describeStores, type TemporaryStore } from '../../../test/suites/temporary-store.js';
import type { Store } from '../../store/index.js';
import { itemIdOf } from './item-record.js';
import { ItemStore, type Found } from './item-store.js';

describeStores('the files of automations', (make) => {
  let place: TemporaryStore;
  let store: Store;
  let items: ItemStore;
  const id = itemIdOf('a', 's', 'one.pdf');
  beforeEach(async () => {
    place = await make();
    store = await place.open();
    items = new ItemStore(store);
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  const listed = (begun: number, version = 'first'): Promise<Found> =>
    items.found(
      undefined,
      { key: 'one.pdf', name: 'one.pdf', size: 3, version, changedAt: 1 },
      { automationId: 'a', sourceId: 's', trigger: 'arrival', begun, now: begun + 10 },
    );
  const delivered = (since: number): Promise<unknown> =>
    items.changeWhen(id, {}, { state: 'delivered', since, finished: true, gone: true });

  it('keep what was delivered when a listing shows it that began before', async () => {
    expect(await listed(100)).to.equal('taken');
    await delivered(500);
    expect(await listed(400)).to.equal('delivered');
    expect(await items.get(id)).to.include({ state: 'delivered', gone: true });
  });

  it('are taken again when they come back, and when another file has their name', async () => {
    await listed(100);
    await delivered(500);
    expect(await listed(501)).to.equal('taken');
    await delivered(600);
    expect(await listed(400, 'second')).to.equal('taken');
  });
});
