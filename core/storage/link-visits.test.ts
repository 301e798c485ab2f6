import { expect } from 'chai';
import { codeOf, useStorage } from '../../test/suites/storage-tests.js';
import { describeStores } from '../../test/suites/temporary-store.js';
import type { NewLink } from './index.js';
import type { Visitor } from './link-visits.js';

const ann = '1';
const bob = '2';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const password = 'a quiet harbour';
const stranger: Visitor = { userId: '', address: '192.0.2.1', password: undefined };

describeStores('Storage: links without an account', (make) => {
  const { begin, add, opened } = useStorage(make);

  async function share(options: Partial<NewLink> = {}) {
    const storage = await begin();
    const file = await add(storage, ann, 10);
    const link = await storage.shares.createLink(ann, file.id, { role: 'viewer', withoutAccount: true, ...options });
    const open = (visitor: Partial<Visitor> = {}, of = storage) => of.visits.open(link.id, { ...stranger, ...visitor });
    return { storage, file, link, open };
  }

  it('opens for strangers only while its owner and the settings allow it', async () => {
    const { storage, file, link, open } = await share();
    expect((await open()).file.id).to.equal(file.id);
    const off = opened().with({ publicLinks: false });
    expect(await codeOf(open({}, off))).to.equal('KEY_INVALID');
    expect((await open({ userId: bob }, off)).file.id, 'people with an account still open it').to.equal(file.id);
    expect(
      await codeOf(off.shares.createLink(ann, file.id, { role: 'viewer', withoutAccount: true })),
      'no new ones',
    ).to.equal('FEATURE_OFF');
    const closed = await storage.shares.createLink(ann, file.id, { role: 'viewer' });
    expect(await codeOf(storage.visits.open(closed.id, stranger))).to.equal('KEY_INVALID');
    expect((await storage.visits.open(closed.id, { ...stranger, userId: bob })).link.id).to.equal(closed.id);
    expect(await codeOf(storage.visits.open('no-token', stranger))).to.equal('NOT_FOUND');
    expect(await codeOf(open({}, opened().with({ links: false })))).to.equal('FEATURE_OFF');
    expect((await storage.visits.open(link.id.toUpperCase(), stranger)).link.id).to.equal(link.id);
  });

  it('lets only as many downloads through as are left, also two at once on two servers', async () => {
    const { storage, link, open } = await share({ maxDownloads: 3 });
    const other = opened().with({});
    await storage.visits.take(link);
    const codes = await Promise.all(
      Array.from({ length: 6 }, (_unused, i) => codeOf((i % 2 === 0 ? storage : other).visits.take(link))),
    );
    expect(codes.toSorted()).to.deep.equal([...Array(4).fill('SHARE_LINK_USED_UP'), 'nothing', 'nothing']);
    expect(await codeOf(open())).to.equal('SHARE_LINK_USED_UP');
    await storage.visits.giveBack(link);
    expect((await open()).link.downloads).to.equal(2);
    expect([await codeOf(storage.visits.take(link)), await codeOf(storage.visits.take(link))]).to.deep.equal([
      'nothing',
      'SHARE_LINK_USED_UP',
    ]);
  });

  it('asks for its password, which is stored as a hash', async () => {
    const { storage, link, open } = await share({ password });
    expect(link.passwordHash).to.match(/^scrypt\$/);
    expect(await codeOf(open())).to.equal('SHARE_LINK_PASSWORD_REQUIRED');
    expect(await codeOf(open({ password: 'something else' }))).to.equal('SHARE_LINK_PASSWORD_WRONG');
    expect((await open({ password })).link.id).to.equal(link.id);
    expect(await codeOf(open({ userId: bob })), 'an account is no way around it').to.equal(
      'SHARE_LINK_PASSWORD_REQUIRED',
    );
    expect(await codeOf(storage.shares.follow(link.id))).to.equal('SHARE_LINK_GUARDED');
  });

  it('checks no password after a hundred wrong ones within an hour, from whatever address', async () => {
    const { link, open } = await share({ password });
    const guess = (i: number) => codeOf(open({ password: `guess ${i}`, address: `192.0.2.${i % 50}` }));
    for (let i = 0; i < 100; i += 10) await Promise.all(Array.from({ length: 10 }, (_unused, n) => guess(i + n)));
    expect(await codeOf(open({ password }))).to.equal('TOO_MANY_ATTEMPTS');
    expect(await codeOf(open({ password }, opened().with({}))), 'on another server').to.equal('TOO_MANY_ATTEMPTS');
    opened().clock.now += HOUR + 1;
    expect((await open({ password })).link.id).to.equal(link.id);
  });

  it('refuses passwords that everybody guesses, and keeps no link of them', async () => {
    const { storage, file } = await share();
    for (const weak of ['short', 'password', 'aaaaaaaaaa'])
      expect(
        await codeOf(storage.shares.createLink(ann, file.id, { role: 'viewer', withoutAccount: true, password: weak })),
      ).to.equal('PASSWORD_INVALID');
    expect(await opened().store.records('storage_links').count()).to.equal(1);
  });

  it('ends when its owner says so, at the latest when the settings say so', async () => {
    const { storage, file, link, open } = await share({ expiresInHours: 2 });
    expect(link.expiresAt).to.equal(link.createdAt + 2 * HOUR);
    for (const [options, code] of [
      [{ expiresInHours: 72 }, 'nothing'],
      [{ expiresInHours: 73 }, 'INPUT_INVALID'],
    ] as const)
      expect(await codeOf(storage.shares.createLink(ann, file.id, { role: 'viewer', ...options }))).to.equal(code);
    const lasting = await opened()
      .with({ linkDays: 0 })
      .shares.createLink(ann, file.id, { role: 'viewer', expiresInHours: 2000 });
    expect(lasting.expiresAt).to.equal(lasting.createdAt + 2000 * HOUR);
    opened().clock.now += 2 * HOUR;
    expect(await codeOf(open())).to.equal('SHARE_LINK_EXPIRED');
    await storage.keepUp(0);
    expect(await codeOf(open()), 'after its record is deleted').to.equal('SHARE_LINK_EXPIRED');
    opened().clock.now += 31 * DAY;
    await storage.keepUp(0);
    expect(await codeOf(open()), 'forgotten').to.equal('NOT_FOUND');
    expect(await opened().store.records('storage_ended_links').count()).to.equal(0);
  });

  it('is dead once it is revoked, or its file or owner is gone or disabled', async () => {
    const { storage, file, link, open } = await share();
    opened().disabled.add('ann');
    expect(await codeOf(open())).to.equal('SHARE_LINK_REVOKED');
    opened().disabled.delete('ann');
    expect(await codeOf(open())).to.equal('nothing');
    await storage.shares.removeLink(ann, file.id, link.id);
    expect(await codeOf(open())).to.equal('SHARE_LINK_REVOKED');
    const second = await storage.shares.createLink(ann, file.id, { role: 'viewer', withoutAccount: true });
    await storage.files.remove(ann, file.id);
    expect(await codeOf(storage.visits.open(second.id, stranger))).to.equal('SHARE_LINK_REVOKED');
    const third = await storage.shares.createLink(ann, (await add(storage, ann, 10)).id, {
      role: 'viewer',
      withoutAccount: true,
    });
    opened().people.delete('ann');
    expect(await codeOf(storage.visits.open(third.id, stranger)), 'before its data is removed').to.equal(
      'SHARE_LINK_REVOKED',
    );
    await storage.forgetUser(ann);
    expect(await codeOf(storage.visits.open(third.id, stranger))).to.equal('SHARE_LINK_REVOKED');
  });

  it('records the uses of strangers for its owner, and for nobody else', async () => {
    const { storage, file, link } = await share();
    await storage.shares.note(link, '', 'VIEW');
    expect(
      (await storage.shares.accesses(ann, file.id, link.id)).map(({ userId, type }) => [userId, type]),
    ).to.deep.equal([['', 'VIEW']]);
    expect(await opened().store.records('storage_opened').count()).to.equal(0);
  });
});
