import { expect } from 'chai';
import { InputError, OperationalError } from '@quire/registry';
import { codeOf, useStorage } from '../../test/suites/storage-tests.js';
import { describeStores } from '../../test/suites/temporary-store.js';
import type { Store } from '../store/index.js';
import type { FileRecord } from './index.js';
import { Quotas } from './quotas.js';
import { openStorageRecords } from './storage-records.js';

const [ann, bob] = ['1', '2'];

describeStores('Storage', (make) => {
  const { begin, add, read, blobCount, opened } = useStorage(make);

  it('numbers files without ever reusing a number', async () => {
    const storage = await begin();
    const first = await add(storage, ann, 10);
    const second = await add(storage, bob, 10);
    await storage.files.remove(bob, second.id);
    expect([first.number, second.number, (await add(storage, ann, 10)).number]).to.deep.equal([1, 2, 3]);
  });

  it('enforces the byte limit of every user with simultaneous uploads', async () => {
    const storage = await begin({ maxUserBytes: 1000, maxTotalBytes: 1600 });
    const results = await Promise.all(
      [...Array.from({ length: 12 }, () => ann), ...Array.from({ length: 12 }, () => bob)].map(async (owner) =>
        codeOf(add(storage, owner, 150)),
      ),
    );
    expect(results.filter((code) => code === 'nothing')).to.have.length(10);
    expect(results.filter((code) => code === 'STORAGE_QUOTA')).to.have.length(14);
    expect(await blobCount(), 'refused uploads leave nothing').to.equal(10);
    const [forAnn, forBob] = [await storage.quotas.usedBy(ann), await storage.quotas.usedBy(bob)];
    expect(Math.max(forAnn, forBob)).to.be.at.most(1000);
    expect(forAnn + forBob).to.equal(1500);
  });

  it('opens the new content of a file that was just replaced, and none of a deleted file', async () => {
    const storage = await begin();
    const before = await add(storage, ann, 300);
    const after = await storage.files.replace(ann, before.id, {
      fileName: 'b.pdf',
      contentType: 'application/pdf',
      main: await opened().upload(200),
      history: undefined,
      audit: undefined,
    });
    const [current, size] = await storage.files.current(
      before,
      async (at) => [at, (await read(storage, at)).length] as const,
    );
    expect([current, size]).to.deep.equal([after, 200]);
    await storage.files.remove(ann, before.id);
    expect(await codeOf(storage.files.current(before, (at) => storage.files.open(at)))).to.equal('NOT_FOUND');
  });

  it('reports whether a file was stored when the store is lost before the count is settled', async () => {
    await begin();
    let down = false;
    const refuse = async (): Promise<never> => Promise.reject(new OperationalError('STORE_DOWN'));
    const store = {
      records: (name: string, options?: object) => {
        const records = opened().store.records(name, options);
        return name === 'storage_reservations' || name === 'storage_usage'
          ? new Proxy(records, {
              get: (target, key) => (down ? refuse : (Reflect.get(target, key) as () => unknown).bind(target)),
            })
          : records;
      },
    } as Pick<Store, 'records'>;
    const quotas = new Quotas(
      openStorageRecords(store),
      { maxFileBytes: undefined, maxUserBytes: undefined, maxTotalBytes: undefined },
      () => opened().clock.now,
    );
    const within = async (id: string, bytes: number, fails: boolean): Promise<string> => {
      down = false;
      return quotas.within({ id, ownerId: ann, bytes, file: 10 }, async () => {
        down = true;
        if (fails) throw new InputError('INPUT_FILE_EMPTY', { field: 'file' });
        return 'kept';
      });
    };
    expect([
      await within('a', 10, false),
      await within('b', -5, false),
      await codeOf(within('c', 10, true)),
    ]).to.deep.equal(['kept', 'kept', 'INPUT_FILE_EMPTY']);
    await opened().storage.quotas.recount(opened().clock.now + 1);
    expect(await opened().storage.quotas.usedBy(ann), 'counted again').to.equal(0);
  });

  it('counts history and audit log, and only the growth of a new content', async () => {
    const storage = await begin({ maxFileBytes: 500, maxUserBytes: 800 });
    expect(await codeOf(add(storage, ann, 300, { history: 150, audit: 100 })), 'a file and its history').to.equal(
      'STORAGE_QUOTA',
    );
    const file = await add(storage, ann, 300, { history: 100, audit: 100 });
    expect(await storage.quotas.usedBy(ann)).to.equal(500);
    expect(await blobCount()).to.equal(3);
    const replace = async (bytes: number): Promise<FileRecord> =>
      storage.files.replace(ann, file.id, {
        fileName: 'b.pdf',
        contentType: 'text/plain',
        main: await opened().upload(bytes),
        history: undefined,
        audit: undefined,
      });
    const larger = await replace(500);
    expect([larger.fileName, larger.contentType, larger.sizeBytes, larger.revision]).to.deep.equal([
      'b.pdf',
      'text/plain',
      500,
      2,
    ]);
    await add(storage, ann, 300);
    expect(await codeOf(add(storage, ann, 1))).to.equal('STORAGE_QUOTA');
    expect(await codeOf(replace(501))).to.equal('STORAGE_QUOTA');
    expect((await read(storage, await storage.files.own(ann, file.id))).length, 'the old content stays').to.equal(500);
    await replace(100);
    expect(await storage.quotas.usedBy(ann)).to.equal(400);
    expect(await blobCount()).to.equal(2);
    await storage.files.remove(ann, file.id);
    expect(await storage.quotas.usedBy(ann)).to.equal(300);
  });

  it('has one complete content after any number of simultaneous replacements', async () => {
    const storage = await begin({ maxUserBytes: 20_000 });
    const file = await add(storage, ann, 10);
    const sizes = [100, 200, 300, 400, 500, 600];
    await Promise.all(
      sizes.map(async (size) =>
        storage.files.replace(ann, file.id, {
          fileName: `${size}.pdf`,
          contentType: 'application/pdf',
          main: await opened().upload(size),
          history: undefined,
          audit: undefined,
        }),
      ),
    );
    const now = await storage.files.own(ann, file.id);
    expect(now.revision).to.equal(7);
    expect(`${(await read(storage, now)).length}.pdf`).to.equal(now.fileName);
    expect([await storage.quotas.usedBy(ann), await blobCount()]).to.deep.equal([now.sizeBytes, 1]);
  });

  it('leaves nothing of an upload that fails or is aborted', async () => {
    const storage = await begin();
    const main = await opened().upload(100);
    const broken = {
      fileName: 'a.pdf',
      contentType: 'application/pdf',
      main,
      history: { path: '/nowhere/at/all', size: 10 },
      audit: undefined,
    };
    expect(await codeOf(storage.files.add(ann, broken))).not.to.equal('nothing');
    expect(
      await codeOf(storage.files.add(ann, { ...broken, history: undefined }, AbortSignal.abort(new Error('gone')))),
    ).to.contain('gone');
    expect([await blobCount(), await storage.quotas.usedBy(ann), (await storage.files.list(ann)).length]).to.deep.equal(
      [0, 0, 0],
    );
  });

  it('rejects executable and empty files', async () => {
    const storage = await begin();
    for (const type of [
      'application/x-msdownload',
      'application/x-executable',
      'application/x-sh',
      'application/x-bat',
      'application/x-msdos-program',
      'application/x-msi',
      'application/x-java-archive',
      'application/java-archive',
      'application/X-SH; a=b',
    ])
      expect(await codeOf(add(storage, ann, 10, { type })), type).to.equal('FILE_TYPE_REFUSED');
    expect(await codeOf(add(storage, ann, 0))).to.equal('INPUT_FILE_EMPTY');
    expect(await blobCount()).to.equal(0);
  });

  it('repairs what a crash left behind: counts, reservations and contents', async () => {
    const storage = await begin({ maxUserBytes: 1000 });
    const file = await add(storage, ann, 100);
    await opened()
      .store.records<{ id: string; ownerId: string; bytes: number; at: number }>('storage_reservations', {
        keys: ['ownerId'],
      })
      .insert({ id: 'a'.repeat(32), ownerId: ann, bytes: 700, at: opened().clock.now });
    await opened()
      .store.records<{ id: string; bytes: number; version: number }>('storage_usage')
      .update('user 1', { inc: { bytes: 700 } });
    await opened().blobs.put((await opened().upload(700)).path);
    expect(await codeOf(add(storage, ann, 300)), 'the crashed upload still counts').to.equal('STORAGE_QUOTA');
    expect(
      (await storage.keepUp(opened().clock.now - 10_000)).contents,
      'young leftovers may be an upload of now',
    ).to.equal(0);
    expect(await codeOf(add(storage, ann, 300))).to.equal('STORAGE_QUOTA');
    opened().clock.now += 3_600_000;
    expect((await storage.keepUp(opened().clock.now)).contents).to.equal(1);
    expect(await storage.quotas.usedBy(ann)).to.equal(100);
    expect((await read(storage, file)).length).to.equal(100);
    expect(await codeOf(add(storage, ann, 300))).to.equal('nothing');
  });
});
