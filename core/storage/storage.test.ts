import { expect } from 'chai';
import { InputError, isQuireError, OperationalError } from '@quire/registry';
import { openStorageForTest, type StorageForTest } from '../../test/suites/storage.js';
import { describeStores } from '../../test/suites/temporary-store.js';
import type { Store } from '../store/index.js';
import type { FileRecord, Storage, StorageSettings } from './index.js';
import { Quotas } from './quotas.js';
import { openStorageRecords } from './storage-records.js';

const [ann, bob, cid] = ['1', '2', '3'];
const DAY = 86_400_000;

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'nothing';
  } catch (error) {
    return isQuireError(error) ? error.code : String(error);
  }
}

describeStores('Storage', (make) => {
  let room: StorageForTest;
  let remove: () => Promise<void>;
  const begin = async (settings: Partial<StorageSettings> = {}): Promise<Storage> => {
    const temporary = await make();
    remove = temporary.remove;
    room = await openStorageForTest(temporary, settings);
    return room.storage;
  };
  const add = async (
    storage: Storage,
    owner: string,
    bytes: number | Uint8Array,
    more: { readonly history?: number; readonly audit?: number; readonly type?: string } = {},
  ): Promise<FileRecord> =>
    storage.files.add(owner, {
      fileName: 'a.pdf',
      contentType: more.type ?? 'application/pdf',
      main: await room.upload(bytes),
      history: more.history === undefined ? undefined : await room.upload(more.history),
      audit: more.audit === undefined ? undefined : await room.upload(more.audit),
    });
  const read = async (storage: Storage, file: FileRecord): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of (await storage.files.open(file)).stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  };
  const blobCount = async (): Promise<number> => {
    let count = 0;
    for await (const _blob of room.blobs.list()) count += 1;
    return count;
  };
  afterEach(async () => {
    await room.close();
    await remove();
  });

  it('numbers files without ever using a number again', async () => {
    const storage = await begin();
    const first = await add(storage, ann, 10);
    const second = await add(storage, bob, 10);
    await storage.files.remove(bob, second.id);
    expect([first.number, second.number, (await add(storage, ann, 10)).number]).to.deep.equal([1, 2, 3]);
  });

  it('keeps every user within their bytes however many uploads come at once', async () => {
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

  it('opens the new content when the one that it was about to open was just replaced, and none when the file is gone', async () => {
    const storage = await begin();
    const before = await add(storage, ann, 300);
    const after = await storage.files.replace(ann, before.id, {
      fileName: 'b.pdf',
      contentType: 'application/pdf',
      main: await room.upload(200),
      history: undefined,
      audit: undefined,
    });
    const [opened, size] = await storage.files.current(
      before,
      async (at) => [at, (await read(storage, at)).length] as const,
    );
    expect([opened, size]).to.deep.equal([after, 200]);
    await storage.files.remove(ann, before.id);
    expect(await codeOf(storage.files.current(before, (at) => storage.files.open(at)))).to.equal('NOT_FOUND');
  });

  it('tells of a file that it is kept, and why one is not, also when the store goes before the count is settled', async () => {
    await begin();
    let down = false;
    const refuse = async (): Promise<never> => Promise.reject(new OperationalError('STORE_DOWN'));
    const store = {
      records: (name: string, options?: object) => {
        const records = room.store.records(name, options);
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
      () => room.clock.now,
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
    await room.storage.quotas.recount(room.clock.now + 1);
    expect(await room.storage.quotas.usedBy(ann), 'counted anew').to.equal(0);
  });

  it('counts what comes beside a file, and only the growth of a new content', async () => {
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
        main: await room.upload(bytes),
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

  it('has one whole content after any number of replacements at once', async () => {
    const storage = await begin({ maxUserBytes: 20_000 });
    const file = await add(storage, ann, 10);
    const sizes = [100, 200, 300, 400, 500, 600];
    await Promise.all(
      sizes.map(async (size) =>
        storage.files.replace(ann, file.id, {
          fileName: `${size}.pdf`,
          contentType: 'application/pdf',
          main: await room.upload(size),
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

  it('leaves nothing of an upload that fails or is given up', async () => {
    const storage = await begin();
    const main = await room.upload(100);
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

  it('refuses programs and empty files', async () => {
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

  it('puts right what a crash left: counts, reservations and contents', async () => {
    const storage = await begin({ maxUserBytes: 1000 });
    const file = await add(storage, ann, 100);
    await room.store
      .records<{ id: string; ownerId: string; bytes: number; at: number }>('storage_reservations', {
        keys: ['ownerId'],
      })
      .insert({ id: 'a'.repeat(32), ownerId: ann, bytes: 700, at: room.clock.now });
    await room.store
      .records<{ id: string; bytes: number; version: number }>('storage_usage')
      .update('user 1', { inc: { bytes: 700 } });
    await room.blobs.put((await room.upload(700)).path);
    expect(await codeOf(add(storage, ann, 300)), 'the crashed upload still counts').to.equal('STORAGE_QUOTA');
    expect(
      (await storage.keepUp(room.clock.now - 10_000)).contents,
      'young leftovers may be an upload of now',
    ).to.equal(0);
    expect(await codeOf(add(storage, ann, 300))).to.equal('STORAGE_QUOTA');
    room.clock.now += 3_600_000;
    expect((await storage.keepUp(room.clock.now)).contents).to.equal(1);
    expect(await storage.quotas.usedBy(ann)).to.equal(100);
    expect((await read(storage, file)).length).to.equal(100);
    expect(await codeOf(add(storage, ann, 300))).to.equal('nothing');
  });

  it('remembers the newest uses of a link, however long it lasts', async () => {
    const file = await add(await begin(), ann, 10);
    const { shares } = room.with({ linkDays: 0, usesPerLink: 5 });
    const [link, other] = [
      await shares.createLink(ann, file.id, 'viewer'),
      await shares.createLink(ann, file.id, 'viewer'),
    ];
    await shares.note(other, bob, 'VIEW');
    const times: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      times.unshift((room.clock.now += 1000));
      await shares.note(link, bob, 'DOWNLOAD');
    }
    expect((await shares.accesses(ann, file.id, link.id)).map(({ at }) => at)).to.deep.equal(times.slice(0, 5));
    const accesses = room.store.records<{ id: string; token: string; at: number }>('storage_accesses', {
      keys: ['token', 'userId'],
    });
    expect(
      [await accesses.count({ token: link.id }), await accesses.count({ token: other.id })],
      'and no more are kept',
    ).to.deep.equal([5, 1]);
    // What an older version kept goes with the upkeep.
    for (let i = 0; i < 3; i += 1) await accesses.insert({ id: `old ${i}`, token: link.id, at: i });
    await room.with({ usesPerLink: 5 }).keepUp(0);
    expect(await accesses.count({ token: link.id })).to.equal(5);
  });

  it('lets links expire at their time and removes them with their uses', async () => {
    const storage = await begin();
    const file = await add(storage, ann, 10);
    const link = await storage.shares.createLink(ann, file.id, 'viewer');
    await storage.shares.note(link, bob, 'VIEW');
    room.clock.now += 3 * DAY - 1;
    expect((await storage.shares.follow(link.id)).file.id).to.equal(file.id);
    expect((await storage.shares.opened(bob)).map((each) => each.link.id)).to.deep.equal([link.id]);
    room.clock.now += 1;
    expect(await codeOf(storage.shares.follow(link.id))).to.equal('NOT_FOUND');
    expect(await storage.shares.opened(bob)).to.deep.equal([]);
    expect((await storage.views.one(ann, file, 'editor')).shareLinks).to.deep.equal([]);
    expect((await storage.keepUp(0)).links).to.equal(1);
    expect(await room.store.records('storage_accesses').count()).to.equal(0);
    expect(await room.store.records('storage_opened').count()).to.equal(0);
    const lasting = await room.with({ linkDays: 0 }).shares.createLink(ann, file.id, 'viewer');
    room.clock.now += 4000 * DAY;
    expect((await storage.keepUp(0)).links, 'below one day links do not expire').to.equal(0);
    expect((await storage.shares.follow(lasting.id)).link.expiresAt).to.equal(null);
  });

  it("sends a link to a mail address that is nobody's, and none stays when the mail is not taken", async () => {
    const storage = await begin();
    const file = await add(storage, ann, 10);
    await storage.shares.withUser(ann, file.id, 'new@example.org', 'commenter');
    const [link] = (await storage.views.one(ann, file, 'editor')).shareLinks;
    expect(room.mails.map(({ to, text }) => [to, text])).to.deep.equal([['new@example.org', link?.id]]);
    expect(link?.role).to.equal('commenter');
    expect(await codeOf(storage.shares.withUser(ann, file.id, 'refused@example.org', 'editor'))).to.contain('refused');
    expect((await storage.views.one(ann, file, 'editor')).shareLinks).to.have.length(1);
    expect(
      await codeOf(room.with({ mails: false }).shares.withUser(ann, file.id, 'new@example.org', 'editor')),
    ).to.equal('INPUT_INVALID');
    expect(
      await codeOf(room.with({ links: false }).shares.withUser(ann, file.id, 'new@example.org', 'editor')),
    ).to.equal('INPUT_INVALID');
    expect(await codeOf(storage.shares.withUser(ann, file.id, 'nobody', 'editor'))).to.equal('USER_UNKNOWN');
  });

  it('shows nothing of others once sharing is off', async () => {
    const storage = await begin();
    const file = await add(storage, ann, 10);
    await storage.shares.withUser(ann, file.id, 'bob', 'viewer');
    expect((await storage.files.list(bob)).map(({ role }) => role)).to.deep.equal(['viewer']);
    const off = room.with({ sharing: false });
    expect(await off.files.list(bob)).to.deep.equal([]);
    expect(await codeOf(off.files.readable(bob, file.id))).to.equal('STORED_FILE_FORBIDDEN');
    expect(await codeOf(off.shares.createLink(ann, file.id, 'viewer'))).to.equal('FEATURE_OFF');
    await off.shares.notWithUser(ann, file.id, 'bob');
    expect(await storage.files.list(bob), 'taken back meanwhile').to.deep.equal([]);
  });

  it('forgets a user whole: files, folders, shares, links and bytes', async () => {
    const storage = await begin({ maxTotalBytes: 1000 });
    const [mine, other] = [await add(storage, ann, 600), await add(storage, bob, 10)];
    await storage.folders.create(ann, { name: 'a', parentFolderId: null, color: null, icon: null });
    await storage.shares.withUser(ann, mine.id, 'bob', 'editor');
    await storage.shares.withUser(bob, other.id, 'ann', 'editor');
    await storage.shares.createLink(ann, mine.id, 'viewer');
    await storage.forgetUser(ann);
    expect([
      await blobCount(),
      (await storage.files.list(bob)).length,
      (await storage.folders.list(ann)).length,
    ]).to.deep.equal([1, 1, 0]);
    for (const set of ['storage_shares', 'storage_links'])
      expect(await room.store.records(set).count(), set).to.equal(0);
    expect(await codeOf(add(storage, cid, 900)), 'and their bytes are free').to.equal('nothing');
  });

  it('removes what a deleted user left after all', async () => {
    const storage = await begin();
    await add(storage, ann, 10);
    await storage.folders.create(ann, { name: 'a', parentFolderId: null, color: null, icon: null });
    await storage.shares.withUser(bob, (await add(storage, bob, 10)).id, 'ann', 'editor');
    room.people.delete('ann');
    expect((await storage.keepUp(0)).left).to.equal(3);
    expect([await blobCount(), await storage.quotas.usedBy(ann), (await storage.keepUp(0)).left]).to.deep.equal([
      1, 0, 0,
    ]);
  });

  it('never has a ring of folders, however they are moved at once on two servers', async () => {
    const storage = await begin();
    const other = room.with({});
    const make2 = (name: string) =>
      storage.folders.create(ann, { name, parentFolderId: null, color: null, icon: null });
    for (let round = 0; round < 3; round++) {
      const [a, b] = [await make2(`a${round}`), await make2(`b${round}`)];
      const codes = await Promise.all([
        codeOf(storage.folders.change(ann, a.id, { parentFolderId: b.id })),
        codeOf(other.folders.change(ann, b.id, { parentFolderId: a.id })),
      ]);
      expect(codes.sort()).to.deep.equal(['INPUT_INVALID', 'nothing']);
    }
  });

  it('holds 64 levels of folders and no more, made or moved', async () => {
    const storage = await begin();
    let parent: string | null = null;
    const ids: string[] = [];
    for (let level = 0; level < 64; level++) {
      const { id }: { id: string } = await storage.folders.create(ann, {
        name: `level ${level}`,
        parentFolderId: parent,
        color: null,
        icon: null,
      });
      ids.push(id);
      parent = id;
    }
    expect(
      await codeOf(storage.folders.create(ann, { name: 'too deep', parentFolderId: parent, color: null, icon: null })),
    ).to.equal('INPUT_INVALID');
    const top = await storage.folders.create(ann, { name: 'top', parentFolderId: null, color: null, icon: null });
    expect(await codeOf(storage.folders.change(ann, ids[0] ?? '', { parentFolderId: top.id }))).to.equal(
      'INPUT_INVALID',
    );
    const file = await add(storage, ann, 10);
    await storage.files.place(ann, file.id, parent);
    expect(await storage.folders.remove(ann, ids[0] ?? '')).to.have.members(ids);
    expect((await storage.files.own(ann, file.id)).folderId, 'no file goes with a folder').to.equal(null);
    expect((await storage.folders.list(ann)).map(({ name }) => name)).to.deep.equal(['top']);
  });

  it('never leaves a file in a folder that is deleted meanwhile', async () => {
    const storage = await begin();
    const files = await Promise.all(Array.from({ length: 5 }, () => add(storage, ann, 10)));
    for (let round = 0; round < 5; round++) {
      const { id } = await storage.folders.create(ann, {
        name: 'short-lived',
        parentFolderId: null,
        color: null,
        icon: null,
      });
      const [code] = await Promise.all([
        codeOf(
          storage.files.placeAll(
            ann,
            files.map((file) => file.id),
            id,
          ),
        ),
        storage.folders.remove(ann, id),
      ]);
      expect(code).to.be.oneOf(['nothing', 'STORAGE_CONFLICT', 'INPUT_INVALID']);
      expect((await storage.files.list(ann)).map(({ file }) => file.folderId)).to.deep.equal([
        null,
        null,
        null,
        null,
        null,
      ]);
    }
  });
});
