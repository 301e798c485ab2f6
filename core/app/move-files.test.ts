import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryEmbeddedStore, type TemporaryStore } from '../../test/suites/temporary-store.js';
import { ServerSecret } from '../secrets/index.js';
import { basePaths } from '../settings/base-paths.js';
import { StoredFiles, type Store } from '../store/index.js';
import { moveFiles } from './move-files.js';

describe('moveFiles', () => {
  let base: string;
  let place: TemporaryStore;
  let store: Store;
  let shared: StoredFiles;
  const paths = (): ReturnType<typeof basePaths> => basePaths(base, base, { pipeline: '', tmp: '' });
  const put = (path: string, text: string): void => {
    mkdirSync(join(base, path, '..'), { recursive: true });
    writeFileSync(join(base, path), text);
  };

  beforeEach(async () => {
    base = mkdtempSync(join(tmpdir(), 'quire-move-'));
    place = await temporaryEmbeddedStore();
    store = await place.open();
    shared = new StoredFiles(store, new ServerSecret(randomBytes(32)), { now: () => new Date() }, true);
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
    rmSync(base, { recursive: true, force: true });
  });

  it('moves the certificate and the signatures, and not the files beside them', async () => {
    put('configs/server-certificate.p12', 'keystore');
    put('configs/settings.yml', 'server: {}');
    put('customFiles/signatures/Anna/one.png', 'picture');
    put('customFiles/signatures/Anna/one.json', '{}');
    put('customFiles/signatures/Anna/~image~two.png', 'half a picture');
    put('customFiles/disclaimer/de.md', 'words');
    symlinkSync('/etc/hostname', join(base, 'customFiles', 'signatures', 'Anna', 'link.png'));
    symlinkSync('/etc', join(base, 'customFiles', 'signatures', 'linked'));
    expect(await moveFiles(paths(), shared)).to.include({ what: 'files', total: 3, written: 3, removed: 0, bytes: 17 });
    expect(Buffer.from((await shared.read('configs/server-certificate.p12'))!).toString()).to.equal('keystore');
    expect((await shared.list('customFiles/signatures/anna')).map(({ name }) => name)).to.have.members([
      'one.png',
      'one.json',
    ]);
    expect(await shared.list('configs')).to.have.length(1);
    expect(await shared.list('customFiles/signatures/linked')).to.deep.equal([]);
  });

  it('writes only files that differ, and removes files that were removed', async () => {
    put('customFiles/signatures/anna/one.png', 'first');
    put('customFiles/signatures/anna/two.png', 'two');
    const { digest } = await moveFiles(paths(), shared);
    expect(await moveFiles(paths(), shared)).to.include({ written: 0, removed: 0, digest });
    put('customFiles/signatures/anna/one.png', 'second');
    rmSync(join(base, 'customFiles/signatures/anna/two.png'));
    expect(await moveFiles(paths(), shared)).to.include({ total: 1, written: 1, removed: 1 });
    expect((await shared.list('customFiles/signatures/anna')).map(({ name, size }) => [name, size])).to.deep.equal([
      ['one.png', 6],
    ]);
  });

  it('moves nothing when there are no files', async () => {
    expect(await moveFiles(paths(), shared)).to.include({ total: 0, written: 0, removed: 0 });
  });
});
