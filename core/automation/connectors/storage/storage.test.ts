import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { OperationalError } from '@quire/registry';
import { codeOf } from '../../../../test/suites/code-of.js';
import {
  contextForTest,
  DeliveryForTest,
  describeDestination,
  describeSource,
  listed,
  validated,
} from '../../../../test/suites/connectors.js';
import { gate } from '../../../../test/suites/job-harness.js';
import { openStorageForTest } from '../../../../test/suites/storage.js';
import { temporaryEmbeddedStore } from '../../../../test/suites/temporary-store.js';
import type { StorageSettings, UploadSet } from '../../../storage/index.js';
import type { ConnectorOptions, Delivered, InputPlace } from '../model.js';
import { storageDestination } from './storage-destination.js';
import { storageSource } from './storage-source.js';

/** The owner of the automations in these tests. */
const ANN = '1';

/** Storage with a folder of ann's. */
async function stored(settings: Partial<StorageSettings> = {}) {
  const temporary = await temporaryEmbeddedStore();
  const opened = await openStorageForTest(temporary, settings);
  const folder = await opened.storage.folders.create(ANN, {
    name: 'in',
    parentFolderId: null,
    color: null,
    icon: null,
  });
  const upload = async (fileName: string, content: Buffer): Promise<UploadSet> => ({
    fileName,
    contentType: 'application/pdf',
    main: await opened.upload(content),
    history: undefined,
    audit: undefined,
  });
  const files = () => opened.storage.files.inFolder(ANN, folder.id);
  let away = false;
  return {
    get storage() {
      const { storage } = opened;
      return away ? { ...storage, files: unavailable(storage.files), folders: unavailable(storage.folders) } : storage;
    },
    folderId: folder.id,
    files,
    put: async (name: string, content: Buffer): Promise<void> =>
      void (await opened.storage.files.add(ANN, await upload(name, content), undefined, { folderId: folder.id })),
    change: async (name: string, content: Buffer): Promise<void> => {
      const file = (await files()).find(({ fileName }) => fileName === name);
      await opened.storage.files.replace(ANN, file?.id ?? '', await upload(name, content));
    },
    received: async () =>
      Promise.all(
        (await files()).map(async (file) => ({
          name: file.fileName,
          content: await buffer((await opened.storage.files.open(file)).stream),
        })),
      ),
    breakDown: async () => void (away = true),
    repair: async () => void (away = false),
    close: async () => {
      await opened.close();
      await temporary.remove();
    },
  };
}

/** As while the database of several servers cannot be reached: every call is refused. */
function unavailable<T extends object>(real: T): T {
  return new Proxy(real, { get: () => () => Promise.reject(new OperationalError('STORE_DOWN')) });
}

describeSource('storage-folder', async () => {
  const made = await stored();
  return {
    ...made,
    kind: storageSource(made),
    options: { folderId: made.folderId, mode: 'consume' },
    names: async () => (await made.files()).map(({ fileName }) => fileName).sort(),
    blamed: 'folderId',
  };
});

for (const mode of ['new_file', 'new_version', 'in_place'])
  describeDestination(
    `storage (${mode})`,
    async () => {
      const made = await stored();
      return {
        ...made,
        kind: storageDestination(made),
        options: { folderId: made.folderId, mode },
        blamed: 'folderId',
      };
    },
    { replaces: mode === 'new_version' },
  );

describe('The file storage as source and destination', () => {
  let made: Awaited<ReturnType<typeof stored>>;
  let folder: string;
  beforeEach(async () => {
    made = await stored({ maxUserBytes: 1000 });
    folder = await mkdtemp(join(tmpdir(), 'quire-results-'));
  });
  afterEach(async () => {
    await made.close();
    await rm(folder, { recursive: true });
  });

  const deliver = async (
    name: string,
    content: string,
    options: ConnectorOptions,
    { id = randomUUID(), from = null }: { readonly id?: string; readonly from?: InputPlace | null } = {},
  ): Promise<Delivered> => {
    const kind = storageDestination(made);
    const path = join(folder, randomUUID());
    await writeFile(path, content);
    const open = await kind.open(validated(kind, options), contextForTest());
    const file = { path, name, size: Buffer.byteLength(content), mediaType: 'application/pdf' };
    return open.deliver(file, new DeliveryForTest(id, from).attempt());
  };
  const contents = async (): Promise<readonly string[]> =>
    (await made.received()).map(({ name, content }) => `${name} ${content.toString()}`);

  /** Two deliveries of one name, each of which has looked at the folder before the other one has stored anything. */
  const deliverTwo = async (mode: string): Promise<void> => {
    const kind = storageDestination(made);
    const both = gate();
    let ready = 0;
    const one = async (content: string): Promise<void> => {
      const open = await kind.open(validated(kind, { folderId: made.folderId, mode }), contextForTest());
      const path = join(folder, content);
      await writeFile(path, content);
      const attempt = new DeliveryForTest(content).attempt();
      const remember = async (note: string): Promise<void> => {
        ready += 1;
        if (ready === 2) both.open();
        await both.opened;
        await attempt.remember(note);
      };
      const file = { path, name: 'a.pdf', size: content.length, mediaType: 'application/pdf' };
      await open.deliver(file, { ...attempt, remember });
    };
    await Promise.all([one('one'), one('two')]);
  };

  it('keeps both of two results of one name that are stored at the same moment', async () => {
    await deliverTwo('new_file');
    expect(await contents()).to.have.members(['a.pdf one', 'a.pdf two']);
  });

  it('has one file of two results of one name at the same moment that are versions of it', async () => {
    for (const versions of [2, 4]) {
      await deliverTwo('new_version');
      const [only, ...more] = await made.files();
      expect([only?.revision, more.length]).to.deep.equal([versions, 0]);
      expect((await contents())[0]).to.be.oneOf(['a.pdf one', 'a.pdf two']);
    }
  });

  it('replaces the file with the name of the result, as a new version', async () => {
    await made.put('a.pdf', Buffer.from('one'));
    const [before] = await made.files();
    await deliver('a.pdf', 'two', { folderId: made.folderId, mode: 'new_version' });
    await deliver('b.pdf', 'three', { folderId: made.folderId, mode: 'new_version' });
    expect(await contents()).to.deep.equal(['a.pdf two', 'b.pdf three']);
    expect((await made.files())[0]?.id).to.equal(before?.id);
  });

  it('replaces the file that was processed, whatever the result is named, and no newer content of it', async () => {
    await made.put('a.PDF', Buffer.from('one'));
    const [file] = await made.files();
    const options = { folderId: made.folderId, mode: 'in_place' };
    const from = { type: 'storage-folder', key: file?.id ?? '', version: '1' };
    expect(await deliver('turned.pdf', 'two', options, { from })).to.deep.equal({
      place: `a.PDF (file ${file?.id})`,
      inputVersion: '2',
    });
    expect(await contents()).to.deep.equal(['a.PDF two']);
    expect((await deliver('late.pdf', 'three', options, { from })).place).to.match(/newer content/);
    await deliver('a.docx', 'four', options, { from: { ...from, version: '2' } });
    expect(await contents()).to.deep.equal(['a.docx four']);
    // A bucket has keys that look like ids of files.
    await deliver('b.pdf', 'five', options, { from: { ...from, type: 's3', version: '3' } });
    expect(await contents()).to.deep.equal(['a.docx four', 'b.pdf five']);
  });

  it('replaces it once, also when the server dies before the delivery is recorded', async () => {
    await made.put('a.pdf', Buffer.from('one'));
    const [file] = await made.files();
    const from = { type: 'storage-folder', key: file?.id ?? '', version: '1' };
    const kind = storageDestination(made);
    const path = join(folder, 'result');
    await writeFile(path, 'two');
    const delivery = new DeliveryForTest('once', from);
    const attempt = async () => {
      const open = await kind.open(validated(kind, { folderId: made.folderId, mode: 'in_place' }), contextForTest());
      return open.deliver({ path, name: 'a.pdf', size: 3, mediaType: 'application/pdf' }, delivery.attempt());
    };
    expect(await attempt()).to.deep.equal(await attempt());
    expect((await made.files()).map(({ revision }) => revision)).to.deep.equal([2]);
  });

  it('refuses what is beyond the quota', async () => {
    expect(await codeOf(deliver('a.pdf', 'x'.repeat(1001), { folderId: made.folderId }))).to.equal('STORAGE_QUOTA');
    expect(await made.files()).to.deep.equal([]);
  });

  it('is refused for a folder of somebody else, and while storage is off', async () => {
    const other = await made.storage.folders.create('2', { name: 'b', parentFolderId: null, color: null, icon: null });
    for (const kind of [storageSource(made), storageDestination(made)])
      expect(await codeOf(kind.check(validated(kind, { folderId: other.id }), contextForTest())), kind.type).to.match(
        /_INVALID$/,
      );
    const off = storageSource({ storage: undefined });
    expect(await codeOf(off.check(validated(off, { folderId: made.folderId }), contextForTest()))).to.equal(
      'SOURCE_INVALID',
    );
  });

  it('reports files that arrive, and keeps them with mode snapshot', async () => {
    const kind = storageSource(made);
    const source = await kind.open(validated(kind, { folderId: made.folderId }), contextForTest());
    let arrivals = 0;
    const watch = await source.watch?.(() => void (arrivals += 1));
    await made.put('a.pdf', Buffer.from('one'));
    await made.change('a.pdf', Buffer.from('two'));
    await deliver('b.pdf', 'three', {});
    expect(arrivals).to.equal(2);
    const [file] = await listed(source);
    if (file !== undefined) await source.finish(file);
    expect((await listed(source)).map(({ name }) => name)).to.deep.equal(['a.pdf']);
    await watch?.stop();
    await made.put('c.pdf', Buffer.from('one'));
    expect(arrivals).to.equal(2);
  });
});
