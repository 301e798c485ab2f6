import { expect } from 'chai';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeStores } from '../../test/suites/temporary-store.js';
import type { Store } from '../store/index.js';
import { FolderClaims, HeldFolder } from './folder-claim.js';

describeStores('Claims on watched folders', (make) => {
  let store: Store;
  let remove: () => Promise<void>;
  let living: Set<string>;
  beforeEach(async () => {
    const home = await make();
    store = await home.open();
    remove = () => home.remove();
    living = new Set(['a', 'b']);
  });
  afterEach(async () => {
    await store.close();
    await remove();
  });
  const claimsOf = (node: string): FolderClaims =>
    new FolderClaims({ store, node: () => node, living: async () => living });

  it('are held by one node until it gives the folder back', async () => {
    const [first, second] = [claimsOf('a'), claimsOf('b')];
    const all = await Promise.all([first.take('in'), second.take('in'), first.take('other')]);
    const held = all.slice(0, 2).filter((claim) => claim !== undefined);
    expect(held).to.have.length(1);
    expect(all[2]).not.to.equal(undefined);
    expect(await held[0]?.isHeld()).to.equal(true);
    await held[0]?.release();
    expect(await held[0]?.isHeld()).to.equal(false);
    expect(await second.take('in')).not.to.equal(undefined);
  });

  it('are taken over from a node that has died, by one of several, and not given back by it afterwards', async () => {
    const lost = await claimsOf('a').take('in');
    expect(await claimsOf('b').take('in')).to.equal(undefined);
    living = new Set(['b', 'c']);
    const taken = (await Promise.all([claimsOf('b').take('in'), claimsOf('c').take('in')])).filter(
      (claim) => claim !== undefined,
    );
    expect(taken).to.have.length(1);
    expect(await lost?.isHeld()).to.equal(false);
    await lost?.release();
    expect(await taken[0]?.isHeld()).to.equal(true);
  });

  it('are taken over at once by the next process of the same node', async () => {
    const before = await claimsOf('a').take('in');
    const after = await claimsOf('a').take('in');
    expect([await before?.isHeld(), await after?.isHeld()]).to.deep.equal([false, true]);
  });

  it('of nodes that are gone are swept', async () => {
    const [gone, held] = [await claimsOf('c').take('old'), await claimsOf('a').take('in')];
    await claimsOf('b').sweep();
    expect([await gone?.isHeld(), await held?.isHeld()]).to.deep.equal([false, true]);
  });

  it('name a folder in the same way for every server that sees it', async () => {
    const base = await mkdtemp(join(tmpdir(), 'quire-claim-'));
    try {
      await mkdir(join(base, 'in'));
      const keys: string[] = [];
      const claim = async (key: string) => {
        keys.push(key);
        return claimsOf('a').take(key);
      };
      for (const folder of [
        new HeldFolder(join(base, 'in'), 'in', claim),
        new HeldFolder(join(base, 'in'), 'in', claim),
      ])
        expect(await folder.take()).to.equal(true);
      expect(new Set(keys).size).to.equal(1);
      expect(await readdir(join(base, 'in', 'processing'))).to.deep.equal(['.quire-folder']);
    } finally {
      await rm(base, { recursive: true, force: true });
    }
  });
});
