import { expect } from 'chai';
import type { PluginRecords, PluginStore, Principal } from '@quire/registry';
import type { Store } from '../../../../core/store/index.js';
import { describeStores, type TemporaryStore } from '../../../../test/suites/temporary-store.js';
import { Connections } from '../../src/services/connections.js';

const boss: Principal = { id: '1', name: 'boss', role: 'admin', via: 'session' };
const vault = { seal: (text: string) => text, open: (sealed: string) => sealed };

describeStores('connections in the store', (make) => {
  let place: TemporaryStore;
  let store: Store;
  before(async () => {
    place = await make();
    store = await place.open();
  });
  after(async () => {
    await store?.close();
    await place?.remove();
  });

  const on = (of: PluginStore): Connections =>
    new Connections({
      store: of,
      vault,
      clock: { now: () => new Date('2026-01-01T00:00:00Z') },
      outbound: { check: () => undefined },
      policy: { customApi: true },
      reach: 'public',
      teams: { exists: async () => true },
      grants: { permissionOf: () => undefined, forget: async () => undefined },
      savedPipelines: { list: async () => [] },
      uses: { of: async () => ({ named: [], others: 0 }) },
      trials: { faultsOf: async () => [] },
    });
  const made = async (server: Connections): Promise<number> =>
    (await server.create(boss, { integrationType: 'MCP', name: 'x' }, new AbortController().signal)).id;

  it('that two servers make at the same time have numbers of their own', async () => {
    const servers = [on(store), on(store)];
    const ids = await Promise.all(Array.from({ length: 12 }, (_, i) => made(servers[i % 2] as Connections)));
    expect(new Set(ids).size).to.equal(12);
  });

  it('have unique numbers even if a store gives two of them the same count', async () => {
    let told: unknown;
    const forgetful = {
      records: (name: string) => {
        const records = store.records<{ readonly id: string }>(name);
        if (name !== 'counters') return records;
        // Every second count is reported twice.
        const update: PluginRecords<{ readonly id: string }>['update'] = async (...args) => {
          const now = await records.update(...args);
          const again = told as typeof now;
          told = again === undefined ? now : undefined;
          return again ?? now;
        };
        return new Proxy(records, {
          get: (target, key) => (key === 'update' ? update : (Reflect.get(target, key) as () => unknown).bind(target)),
        });
      },
    } as PluginStore;
    const server = on(forgetful);
    const ids = [await made(server), await made(server), await made(server)];
    expect(new Set(ids).size).to.equal(3);
  });
});
