import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Logger, QuireError } from '@quire/registry';
import { describeStores, type TemporaryStore } from '../../test/suites/temporary-store.js';
import { storeFacts, type Store } from '../store/index.js';
import type { ServerSecret } from './secret.js';
import { openStoreSecret } from './store-secret.js';

const [mine, other] = ['0123456789abcdef'.repeat(4), 'fedcba9876543210'.repeat(4)];

describeStores('The secret of a store', (make) => {
  let place: TemporaryStore;
  let store: Store;
  let folder: string;
  let file: string;
  let warnings: string[];
  const open = (setting = '', at: Pick<Store, 'records' | 'kind'> = store): Promise<ServerSecret> => {
    const log: Logger = {
      debug: () => undefined,
      info: () => undefined,
      warn: (data, text) => void warnings.push(`${text} ${JSON.stringify(data)}`),
      error: () => undefined,
    };
    return openStoreSecret({ store: at, setting, file, clock: { now: () => new Date() }, log, version: '1.0.0' });
  };
  const fault = (opened: Promise<unknown>): Promise<string> =>
    opened.then(
      () => 'opened',
      (error: QuireError) => `${error.code}: ${error.message}`,
    );

  beforeEach(async () => {
    place = await make();
    store = await place.open();
    folder = await mkdtemp(join(tmpdir(), 'quire-secret-'));
    file = join(folder, 'store', 'server.key');
    warnings = [];
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('is made once, and found again', async () => {
    const first = await open();
    expect((await open()).digest('p', 'x')).to.equal(first.digest('p', 'x'));
    expect(warnings).to.have.length(store.kind === 'mongodb' ? 1 : 0);
  });

  it('comes from the setting, which leaves no file', async () => {
    const first = await open(mine);
    expect(existsSync(file)).to.equal(false);
    expect((await open(mine.toUpperCase())).digest('p', 'x')).to.equal(first.digest('p', 'x'));
  });

  it('is not in the store, which knows it again all the same', async () => {
    await open();
    const key = (await readFile(file, 'utf8')).trim();
    const facts = JSON.stringify(await storeFacts(store).find());
    for (const form of [key, Buffer.from(key, 'hex').toString('base64'), Buffer.from(key, 'hex').toString('base64url')])
      expect(facts).not.to.contain(form);
  });

  it('is refused beside a shared store of another; alone in an embedded one it counts, with a warning', async () => {
    await open(mine);
    const answer = await fault(open(other));
    if (store.kind === 'mongodb')
      expect(answer)
        .to.match(/^SETTINGS_INVALID: store\.secret: this secret is not the one/)
        .and.not.contain(other);
    else {
      expect(answer).to.equal('opened');
      expect(warnings.join()).to.contain('another than the one');
      await open(other);
      expect(warnings).to.have.length(1);
    }
  });

  it('is not made again for a shared store that has one', async () => {
    await open(mine);
    const answer = await fault(open('', { records: store.records.bind(store), kind: 'mongodb' }));
    expect(answer).to.match(/^SETTINGS_INVALID: .*server\.key: this server has no secret/);
    expect(existsSync(file)).to.equal(false);
  });

  it('is one also when two servers make it at the same moment, and the slower one keeps none', async () => {
    const at = { records: store.records.bind(store), kind: 'mongodb' as const };
    const files = ['a', 'b'].map((name) => join(folder, name, 'server.key'));
    const opened = await Promise.allSettled(
      files.map((path) =>
        openStoreSecret({
          store: at,
          setting: '',
          file: path,
          clock: { now: () => new Date() },
          log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
          version: '1.0.0',
        }),
      ),
    );
    expect(opened.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect(files.map((path) => existsSync(path))).to.deep.equal(opened.map(({ status }) => status === 'fulfilled'));
  });

  it('is never half of one', async () => {
    await open();
    for (const text of ['', 'abc', `${mine}00`, 'no digits at all']) {
      await writeFile(file, text);
      expect(await fault(open()), text).to.match(/^SETTINGS_INVALID: .*64 hexadecimal digits/);
    }
  });
});
