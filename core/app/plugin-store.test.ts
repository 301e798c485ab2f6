import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDuplicateRecord } from '@quire/registry';
import { codeOf } from '../../test/suites/code-of.js';
import { describeStores, temporaryEmbeddedStore, type TemporaryStore } from '../../test/suites/temporary-store.js';
import { ServerSecret } from '../secrets/index.js';
import { openMoveSource, type Store } from '../store/index.js';
import { pluginStoreOf, pluginVault } from './plugin-store.js';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly n?: number;
}

const OWN = '@quire/plugin-integration';

describeStores('records of plugins', (make) => {
  let home: TemporaryStore;
  let store: Store;
  before(async () => {
    home = await make();
    store = await home.open();
  });
  after(async () => {
    await store?.close();
    await home?.remove();
  });

  it('keeps, finds, changes and counts records, and rejects duplicates of unique keys', async () => {
    const rows = pluginStoreOf(store, OWN).records<Row>('rows', { keys: ['n'], unique: ['name'] });
    await rows.insert({ id: '1', name: 'a', n: 1 });
    await rows.insert({ id: '2', name: 'b', n: 1 });
    expect(await rows.insert({ id: '3', name: 'b' }).then(() => false, isDuplicateRecord)).to.equal(true);
    expect((await rows.update('1', { inc: { n: 4 } }))?.n).to.equal(5);
    expect((await rows.find({ n: 1 })).map(({ id }) => id)).to.deep.equal(['2']);
    expect([await rows.count(), await rows.delete('2'), await rows.count()]).to.deep.equal([2, true, 1]);
  });

  it("separates the records of plugins with similar names from each other and from core's", async () => {
    const pairs = [
      [OWN, 'a_b'],
      ['@quire/plugin-integration-a', 'b'],
      ['@acme/quire-plugin-x', 'a'],
      ['@acme/quire_plugin_x', 'a'],
      ['quire-plugin-x', 'a'],
      [OWN, 'users'],
    ] as const;
    for (const [plugin, set] of pairs)
      await pluginStoreOf(store, plugin)
        .records<Row>(set)
        .insert({ id: '1', name: `${plugin} ${set}` });
    for (const [plugin, set] of pairs)
      expect((await pluginStoreOf(store, plugin).records<Row>(set).find()).map(({ name }) => name)).to.deep.equal([
        `${plugin} ${set}`,
      ]);
    expect(await store.records('users').count()).to.equal(0);
  });

  it('rejects invalid names of record sets', () => {
    for (const name of ['', '1a', 'a b', '../x', 'a"b', 'a'.repeat(25)])
      expect(() => pluginStoreOf(store, OWN).records(name), name)
        .to.throw()
        .with.property('code', 'CONTRACT_BROKEN');
  });
});

describe('plugin records and secrets', () => {
  it('moves plugin records with the store', async () => {
    const [from, to] = [await temporaryEmbeddedStore(), await temporaryEmbeddedStore()];
    try {
      const store = await from.open();
      await store.records('store_facts').count();
      await pluginStoreOf(store, '@acme/quire-plugin-of-a-long-name')
        .records<Row>('rows', { unique: ['name'] })
        .insert({ id: '7', name: 'moved' });
      await store.close();
      const source = await openMoveSource(from.folder ?? '', '1.0.0');
      const target = await to.open();
      await source.moveTo(target);
      source.close();
      const moved = pluginStoreOf(target, '@acme/quire-plugin-of-a-long-name').records<Row>('rows', {
        unique: ['name'],
      });
      expect(await moved.get('7')).to.deep.equal({ id: '7', name: 'moved' });
      expect(await moved.insert({ id: '8', name: 'moved' }).then(() => false, isDuplicateRecord)).to.equal(true);
      await target.close();
    } finally {
      await Promise.all([from.remove(), to.remove()]);
    }
  });

  it('opens sealed texts only for the same plugin, purpose and server, and only unchanged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-vault-'));
    try {
      const secret = await ServerSecret.load(join(folder, 'server.key'));
      const vault = pluginVault(secret, OWN);
      const sealed = vault.seal('top secret ü', 'connection 1');
      expect(sealed).not.to.contain('top secret');
      expect(vault.seal('top secret ü', 'connection 1'), 'a fresh nonce each time').not.to.equal(sealed);
      expect(pluginVault(secret, OWN).open(sealed, 'connection 1')).to.equal('top secret ü');
      const other = await ServerSecret.load(join(folder, 'other.key'));
      for (const open of [
        () => vault.open(sealed, 'connection 2'),
        () => pluginVault(secret, '@quire/plugin-signing').open(sealed, 'connection 1'),
        () => pluginVault(other, OWN).open(sealed, 'connection 1'),
        () => vault.open(`${sealed.slice(0, -6)}AAAA==`, 'connection 1'),
        () => vault.open('', 'connection 1'),
        () => vault.open('no seal', 'connection 1'),
      ])
        expect(await codeOf(Promise.resolve().then(open))).to.equal('SERVICE_NOT_SET_UP');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
