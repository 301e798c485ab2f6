import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { describeStores, type TemporaryStore } from '../../test/suites/temporary-store.js';
import { ServerSecret } from '../secrets/index.js';
import type { Store } from './store.js';
import { StoredFiles } from './shared-files.js';

const PATH = 'configs/one.p12';

describeStores('Files that servers share', (make) => {
  let place: TemporaryStore;
  let store: Store;
  let files: StoredFiles;
  let now: Date;
  const secret = new ServerSecret(randomBytes(32));
  const text = async (path = PATH): Promise<string | undefined> => {
    const bytes = await files.read(path);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString();
  };
  const blobs = async (): Promise<string[]> => {
    const ids: string[] = [];
    for await (const { id } of store.blobs.area('shared').list()) ids.push(id);
    return ids;
  };

  beforeEach(async () => {
    place = await make();
    store = await place.open();
    now = new Date();
    files = new StoredFiles(store, secret, { now: () => now }, true);
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  it('are written, replaced, listed and removed, and old content goes', async () => {
    expect(await text()).to.equal(undefined);
    await files.write(PATH, Buffer.from('first'));
    await files.write(PATH, Buffer.from('second one'));
    expect(await text()).to.equal('second one');
    expect(await files.list('configs')).to.deep.equal([{ name: 'one.p12', size: 10, time: now.getTime() }]);
    expect(await blobs()).to.have.length(1);
    expect([await files.remove(PATH), await files.remove(PATH)]).to.deep.equal([true, false]);
    expect([await text(), await files.list('configs'), await blobs()]).to.deep.equal([undefined, [], []]);
  });

  it('differ by their names with regard to case, by their folders without', async () => {
    await files.write('a/Anna/x', Buffer.from('x'));
    await files.write('a/anna/X', Buffer.from('X'));
    expect([await text('a/ANNA/x'), await text('a/Anna/X')]).to.deep.equal(['x', 'X']);
    expect((await files.list('A/anna')).map(({ name }) => name)).to.have.members(['x', 'X']);
  });

  it('are made once, whoever is quicker', async () => {
    const made = await Promise.all(['one', 'two', 'three'].map((who) => files.create(PATH, Buffer.from(who))));
    expect(made.filter((first) => first)).to.have.length(1);
    expect(await text()).to.equal(['one', 'two', 'three'][made.indexOf(true)]);
    expect(await blobs()).to.have.length(1);
  });

  it('cannot be read by whoever has the store alone, nor put in another place', async () => {
    await files.write(PATH, Buffer.from('a private key'));
    const [id = ''] = await blobs();
    const sealed = (await buffer((await store.blobs.area('shared').get(id))!.stream)).toString();
    expect(sealed)
      .not.to.contain('private')
      .and.not.to.contain(Buffer.from('a private key').toString('base64').slice(0, 12));
    const records = store.records<{
      id: string;
      folder: string;
      name: string;
      blobId: string;
      size: number;
      time: number;
    }>('shared_files', { keys: ['folder'] });
    await records.put({ id: 'configs/two.p12', folder: 'configs', name: 'two.p12', blobId: id, size: 1, time: 1 });
    expect(await files.read('configs/two.p12').catch(() => 'refused')).to.equal('refused');
    const other = new StoredFiles(store, new ServerSecret(randomBytes(32)), { now: () => now }, true);
    expect(await other.read(PATH).catch(() => 'refused')).to.equal('refused');
  });

  it('leave nothing behind when a server dies in the middle', async () => {
    await files.write(PATH, Buffer.from('kept'));
    await store.records('shared_files').put({
      id: 'configs/lost',
      folder: 'configs',
      name: 'lost',
      blobId: '0'.repeat(32),
      size: 1,
      time: 1,
    } as {
      id: string;
    });
    expect(await text('configs/lost'), 'a record without content').to.equal(undefined);
    await store.blobs.area('shared').put(fileURLToPath(import.meta.url));
    await files.sweep();
    expect(await blobs(), 'it may be under way').to.have.length(2);
    now = new Date(now.getTime() + 2 * 3_600_000);
    await files.sweep();
    expect(await blobs()).to.have.length(1);
    expect(await text()).to.equal('kept');
  });

  it('have a path below the base folder, and a size', async () => {
    for (const path of ['one', '/etc/x', 'a/../b', 'a//b', 'a/'])
      expect(await files.write(path, Buffer.from('x')).catch((error: { code: string }) => error.code), path).to.equal(
        'CONTRACT_BROKEN',
      );
    expect(
      await files.write(PATH, Buffer.alloc(17 * 1024 * 1024)).catch((error: { code: string }) => error.code),
    ).to.equal('CONTRACT_BROKEN');
  });
});
