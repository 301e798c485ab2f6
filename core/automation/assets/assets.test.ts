import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import type { DocumentFile, Principal } from '@quire/registry';
import { codeOf } from '../../../test/suites/code-of.js';
import { silentLog } from '../../../test/suites/job-harness.js';
import { describeStores, type TemporaryStore } from '../../../test/suites/temporary-store.js';
import type { Store } from '../../store/index.js';
import { TeamRecords } from '../team-records.js';
import { AssetRecords } from './asset-records.js';
import { Assets } from './assets.js';

const anyone: Principal = { id: '', name: 'anonymous', role: 'anonymous', via: 'none' };
const DAY = 86_400_000;

describeStores('stored files for steps', (make) => {
  let home: TemporaryStore;
  let store: Store;
  let folder: string;
  let records: AssetRecords;
  let now: number;
  let used: Set<string>;
  let assets: Assets;

  beforeEach(async () => {
    home = await make();
    store = await home.open();
    folder = await mkdtemp(join(tmpdir(), 'quire-assets-'));
    records = new AssetRecords(store, Buffer.alloc(32, 5));
    now = Date.now();
    used = new Set();
    assets = new Assets({
      records,
      uses: { of: async (id: string) => (used.has(id) ? [{ kind: 'automation', name: 'A' }] : []) },
      teams: new TeamRecords(false),
      clock: { now: () => new Date(now) },
      log: silentLog,
      mostBytes: () => 1000,
      mayRun: () => true,
      ownerOf: async () => anyone,
    });
  });
  afterEach(async () => {
    await store.close();
    await home.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const fileOf = async (text: string): Promise<DocumentFile> => {
    const path = join(folder, `in-${text.length}`);
    await writeFile(path, text);
    return {
      name: 'stamp.png',
      kind: 'png',
      mediaType: 'image/png',
      size: text.length,
      path: () => path,
      bytes: () => readFile(path),
    };
  };
  const contentOf = async (id: string): Promise<string> => {
    const path = join(folder, `out-${id}-${Math.random()}`);
    await assets.fetch(anyone, id, path);
    return readFile(path, 'utf8');
  };

  it('come back as they were, and are unreadable where they are kept', async () => {
    const text = 'a stamp '.repeat(100);
    const { id, sha256 } = await assets.add(anyone, await fileOf(text));
    expect(await contentOf(id)).to.equal(text);
    const kept = await store.blobs.area('assets').get(id);
    expect((await buffer((kept ?? expect.fail('it is not kept')).stream)).includes('stamp')).to.equal(false);
    expect((await assets.withContent(anyone, sha256))?.id).to.equal(id);
  });

  it('are refused when their owner has no room left, without a trace', async () => {
    await assets.add(anyone, await fileOf('x'.repeat(600)));
    expect(await codeOf(assets.add(anyone, await fileOf('y'.repeat(500))))).to.equal('AUTOMATION_CONFLICT');
    expect((await assets.list(anyone)).map(({ size }) => size)).to.deep.equal([600]);
    const kept: string[] = [];
    for await (const { id } of store.blobs.area('assets').list()) kept.push(id);
    expect(kept).to.have.length(1);
  });

  it('are removed a day after nothing names them any more, and stay when something does again', async () => {
    const { id: one } = await assets.add(anyone, await fileOf('one'));
    const { id: two } = await assets.add(anyone, await fileOf('second'));
    await assets.released([one, two]);
    expect(await assets.list(anyone)).to.deep.equal([]);
    // Jobs that began before still find it.
    expect((await assets.forStep(one, anyone))?.id).to.equal(one);
    now += DAY / 2;
    await assets.sweep();
    expect(await contentOf(one)).to.equal('one');
    used.add(two);
    now += DAY;
    await assets.sweep();
    expect(await assets.forStep(one, anyone)).to.equal(undefined);
    expect((await assets.list(anyone)).map(({ id }) => id)).to.deep.equal([two]);
  });

  it('leave no content of uploads that were interrupted', async () => {
    const path = join(folder, 'left');
    await writeFile(path, 'left');
    const area = store.blobs.area('assets');
    const { id: left } = await area.put(path);
    const { id: kept } = await assets.add(anyone, await fileOf('kept'));
    await assets.sweep();
    expect(await area.exists(left)).to.equal(true);
    now += DAY;
    await assets.sweep();
    expect([await area.exists(left), await area.exists(kept)]).to.deep.equal([false, true]);
  });

  it('that are not there any more are not found', async () => {
    const { id } = await assets.add(anyone, await fileOf('gone'));
    const file = await assets.forStep(id, anyone);
    await assets.remove(anyone, id);
    expect(await codeOf((file ?? expect.fail('it was not found')).copyTo(join(folder, 'copy')))).to.equal('NOT_FOUND');
    expect(await assets.forStep(id, anyone)).to.equal(undefined);
  });
});
