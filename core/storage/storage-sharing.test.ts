import { expect } from 'chai';
import { codeOf, useStorage } from '../../test/suites/storage-tests.js';
import { describeStores } from '../../test/suites/temporary-store.js';

const [ann, bob, cid] = ['1', '2', '3'];
const DAY = 86_400_000;

describeStores('Storage: links, users and folders', (make) => {
  const { begin, add, blobCount, opened } = useStorage(make);

  it('stores only the newest uses of a link, however long it is valid', async () => {
    const file = await add(await begin(), ann, 10);
    const { shares } = opened().with({ linkDays: 0, usesPerLink: 5 });
    const [link, other] = [
      await shares.createLink(ann, file.id, { role: 'viewer' }),
      await shares.createLink(ann, file.id, { role: 'viewer' }),
    ];
    await shares.note(other, bob, 'VIEW');
    const times: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      times.unshift((opened().clock.now += 1000));
      await shares.note(link, bob, 'DOWNLOAD');
    }
    expect((await shares.accesses(ann, file.id, link.id)).map(({ at }) => at)).to.deep.equal(times.slice(0, 5));
    const accesses = opened().store.records<{ id: string; token: string; at: number }>('storage_accesses', {
      keys: ['token', 'userId'],
    });
    expect(
      [await accesses.count({ token: link.id }), await accesses.count({ token: other.id })],
      'and no more are kept',
    ).to.deep.equal([5, 1]);
    // The maintenance deletes what an older version has stored.
    for (let i = 0; i < 3; i += 1) await accesses.insert({ id: `old ${i}`, token: link.id, at: i });
    await opened().with({ usesPerLink: 5 }).keepUp(0);
    expect(await accesses.count({ token: link.id })).to.equal(5);
  });

  it('deletes links with their uses when they expire', async () => {
    const storage = await begin();
    const file = await add(storage, ann, 10);
    const link = await storage.shares.createLink(ann, file.id, { role: 'viewer' });
    await storage.shares.note(link, bob, 'VIEW');
    opened().clock.now += 3 * DAY - 1;
    expect((await storage.shares.follow(link.id)).file.id).to.equal(file.id);
    expect((await storage.shares.opened(bob)).map((each) => each.link.id)).to.deep.equal([link.id]);
    opened().clock.now += 1;
    expect(await codeOf(storage.shares.follow(link.id))).to.equal('NOT_FOUND');
    expect(await storage.shares.opened(bob)).to.deep.equal([]);
    expect((await storage.views.one(ann, file, 'editor')).shareLinks).to.deep.equal([]);
    expect((await storage.keepUp(0)).links).to.equal(1);
    expect(await opened().store.records('storage_accesses').count()).to.equal(0);
    expect(await opened().store.records('storage_opened').count()).to.equal(0);
    const lasting = await opened().with({ linkDays: 0 }).shares.createLink(ann, file.id, { role: 'viewer' });
    opened().clock.now += 4000 * DAY;
    expect((await storage.keepUp(0)).links, 'below one day links do not expire').to.equal(0);
    expect((await storage.shares.follow(lasting.id)).link.expiresAt).to.equal(null);
  });

  it('sends a link to a mail address without an account, and deletes it when the mail cannot be sent', async () => {
    const storage = await begin();
    const file = await add(storage, ann, 10);
    await storage.shares.withUser(ann, file.id, 'new@example.org', 'commenter');
    const [link] = (await storage.views.one(ann, file, 'editor')).shareLinks;
    expect(opened().mails.map(({ to, text }) => [to, text])).to.deep.equal([['new@example.org', link?.id]]);
    expect(link?.role).to.equal('commenter');
    expect(await codeOf(storage.shares.withUser(ann, file.id, 'refused@example.org', 'editor'))).to.contain('refused');
    expect((await storage.views.one(ann, file, 'editor')).shareLinks).to.have.length(1);
    expect(
      await codeOf(opened().with({ mails: false }).shares.withUser(ann, file.id, 'new@example.org', 'editor')),
    ).to.equal('INPUT_INVALID');
    expect(
      await codeOf(opened().with({ links: false }).shares.withUser(ann, file.id, 'new@example.org', 'editor')),
    ).to.equal('INPUT_INVALID');
    expect(await codeOf(storage.shares.withUser(ann, file.id, 'nobody', 'editor'))).to.equal('USER_UNKNOWN');
  });

  it('shows nothing of other users once sharing is off', async () => {
    const storage = await begin();
    const file = await add(storage, ann, 10);
    await storage.shares.withUser(ann, file.id, 'bob', 'viewer');
    expect((await storage.files.list(bob)).map(({ role }) => role)).to.deep.equal(['viewer']);
    const off = opened().with({ sharing: false });
    expect(await off.files.list(bob)).to.deep.equal([]);
    expect(await codeOf(off.files.readable(bob, file.id))).to.equal('NOT_FOUND');
    expect(await codeOf(off.shares.createLink(ann, file.id, { role: 'viewer' }))).to.equal('FEATURE_OFF');
    await off.shares.notWithUser(ann, file.id, 'bob');
    expect(await storage.files.list(bob), 'removed meanwhile').to.deep.equal([]);
  });

  it('removes all data of a user: files, folders, shares, links and bytes', async () => {
    const storage = await begin({ maxTotalBytes: 1000 });
    const [mine, other] = [await add(storage, ann, 600), await add(storage, bob, 10)];
    await storage.folders.create(ann, { name: 'a', parentFolderId: null, color: null, icon: null });
    await storage.shares.withUser(ann, mine.id, 'bob', 'editor');
    await storage.shares.withUser(bob, other.id, 'ann', 'editor');
    await storage.shares.createLink(ann, mine.id, { role: 'viewer' });
    await storage.forgetUser(ann);
    expect([
      await blobCount(),
      (await storage.files.list(bob)).length,
      (await storage.folders.list(ann)).length,
    ]).to.deep.equal([1, 1, 0]);
    for (const set of ['storage_shares', 'storage_links'])
      expect(await opened().store.records(set).count(), set).to.equal(0);
    expect(await codeOf(add(storage, cid, 900)), 'their bytes are free').to.equal('nothing');
  });

  it('removes what a deleted user has left behind', async () => {
    const storage = await begin();
    await add(storage, ann, 10);
    await storage.folders.create(ann, { name: 'a', parentFolderId: null, color: null, icon: null });
    await storage.shares.withUser(bob, (await add(storage, bob, 10)).id, 'ann', 'editor');
    opened().people.delete('ann');
    expect((await storage.keepUp(0)).left).to.equal(3);
    expect([await blobCount(), await storage.quotas.usedBy(ann), (await storage.keepUp(0)).left]).to.deep.equal([
      1, 0, 0,
    ]);
  });

  it('never has a cycle of folders, even with simultaneous moves on two servers', async () => {
    const storage = await begin();
    const other = opened().with({});
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

  it('allows 64 levels of folders and no more, created or moved', async () => {
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
    expect((await storage.files.own(ann, file.id)).folderId, 'no file is deleted with a folder').to.equal(null);
    expect((await storage.folders.list(ann)).map(({ name }) => name)).to.deep.equal(['top']);
  });

  it('never leaves a file in a folder that is deleted at the same time', async () => {
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
