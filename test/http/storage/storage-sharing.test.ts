import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { expectProblem, json, pointers, send, type Answer } from '../support/client.js';
import { bossName, sessionOf, startWithLogin } from '../support/login.js';
import { MailServer } from '../support/mail-server.js';
import { quiet, type TestServer } from '../support/server.js';
import {
  callerOf,
  STORAGE,
  StorageClient,
  type Caller,
  type FolderWire,
  type StoredFileWire,
} from '../support/storage.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const unknown = '00000000-0000-4000-8000-000000000000';
interface LinkWire {
  readonly token: string;
  readonly accessRole: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

describe('Sharing and organising stored files over HTTP', function storageSharing() {
  this.timeout(60_000);
  let server: TestServer;
  let mails: MailServer;
  let client: StorageClient;
  let boss: Caller;
  let ann: Caller;
  let bob: Caller;
  let id: number;
  const share = (body: unknown, caller = ann, file = id): Promise<Answer> =>
    client.json('POST', `/files/${file}/shares/users`, body, caller);
  const newLink = async (body: unknown = {}): Promise<LinkWire> =>
    json<LinkWire>(await client.json('POST', `/files/${id}/shares/links`, body, ann));
  const folders = async (caller = ann): Promise<FolderWire[]> =>
    json<FolderWire[]>(await client.get('/folders', caller));

  before(async () => {
    mails = await MailServer.start();
    server = await startWithLogin(
      {},
      {
        storage: { enabled: true, sharing: { enabled: true, emailEnabled: true } },
        mail: mails.settings,
        system: { frontendUrl: 'https://quire.example.org/' },
      },
    );
    client = new StorageClient(server);
    boss = await sessionOf(server);
    ann = await callerOf(server, boss, 'ann');
    bob = await callerOf(server, boss, 'bob');
  });
  after(async () => {
    await server.stop();
    await mails.stop();
  });
  beforeEach(async () => {
    ({ id } = await client.keep(ann, 'shared text', { fileName: 'shared.txt' }));
  });
  afterEach(async () => {
    for (const file of await client.list(ann)) await client.remove(`/files/${file.id}`, ann);
    for (const folder of await folders()) await client.remove(`/folders/${folder.id}`, ann);
    await quiet(server);
  });

  it('shares a file with a user, with a role that can be changed', async () => {
    const answer = await share({ username: 'Bob', accessRole: 'VIEWER', more: [1] });
    expect(answer.status, answer.body.toString()).to.equal(200);
    expect(json<StoredFileWire>(answer)).to.deep.include({
      sharedWithUsers: ['bob'],
      sharedUsers: [{ username: 'bob', displayName: null, accessRole: 'viewer' }],
    });
    expect(json<StoredFileWire>(await share({ username: 'bob' })).sharedUsers).to.deep.equal([
      { username: 'bob', displayName: null, accessRole: 'editor' },
    ]);
    await share({ username: 'bob', accessRole: 'Commenter' });
    const [seen] = await client.list(bob);
    expect(seen).to.deep.include({
      id,
      owner: 'ann',
      ownedByCurrentUser: false,
      accessRole: 'commenter',
      sharedWithUsers: [],
      sharedUsers: [],
      shareLinks: [],
      folderId: null,
    });
    expect((await client.get(`/files/${id}/download`, bob)).body.toString()).to.equal('shared text');
    for (const refused of [
      await client.upload([{ bytes: 'x' }], bob, id),
      await client.remove(`/files/${id}`, bob),
      await share({ username: bossName }, bob),
      await client.json('POST', `/files/${id}/shares/links`, {}, bob),
    ])
      expectProblem(refused, 404, 'NOT_FOUND');
  });

  it('revokes a share, and lets the other user leave it', async () => {
    await share({ username: 'bob' });
    expectProblem(await client.remove(`/files/${id}/shares/self`, ann), 403, 'STORED_FILE_FORBIDDEN');
    expect((await client.remove(`/files/${id}/shares/self`, bob)).status).to.equal(204);
    expectProblem(await client.remove(`/files/${id}/shares/self`, bob), 404, 'NOT_FOUND');
    expectProblem(await client.get(`/files/${id}`, bob), 404, 'NOT_FOUND');
    await share({ username: 'bob' });
    expectProblem(await client.remove(`/files/${id}/shares/users/nobody`, ann), 404, 'USER_UNKNOWN');
    expectProblem(await client.remove(`/files/${id}/shares/users/bob`, bob), 404, 'NOT_FOUND');
    expect((await client.remove(`/files/${id}/shares/users/bob`, ann)).status).to.equal(204);
    expect(await client.list(bob)).to.deep.equal([]);
  });

  it('refuses invalid shares: nobody, oneself, no role, no name, no JSON', async () => {
    expect(pointers(expectProblem(await share({ username: 'ann' }), 400, 'INPUT_INVALID'))).to.deep.equal([
      '/username',
    ]);
    expectProblem(await share({ username: 'nobody' }), 404, 'USER_UNKNOWN');
    expectProblem(await share({ username: 'CUSTOM_API_USER' }), 404, 'USER_UNKNOWN');
    expectProblem(await share({ username: 'bob' }, ann, 999_999), 404, 'NOT_FOUND');
    for (const [body, pointer] of [
      [{}, '/username'],
      [{ username: '' }, '/username'],
      [{ username: 5 }, '/username'],
      [{ username: ['bob'] }, '/username'],
      [{ username: { $ne: null } }, '/username'],
      [{ username: 'bob', accessRole: 'owner' }, '/accessRole'],
      [{ username: 'bob', accessRole: 1 }, '/accessRole'],
    ] as const) {
      expect(
        [...new Set(pointers(expectProblem(await share(body), 400, 'INPUT_INVALID')))],
        JSON.stringify(body),
      ).to.deep.equal([pointer]);
    }
    for (const body of [[], 'bob', 7, null]) expectProblem(await share(body), 400, 'INPUT_INVALID');
    const raw = (body: string, type = 'application/json'): Promise<Answer> =>
      send(`${server.url}${STORAGE}/files/${id}/shares/users`, {
        method: 'POST',
        headers: { ...ann, 'content-type': type },
        body,
      });
    for (const body of ['', '{', '{"username":']) expectProblem(await raw(body), 400, 'INPUT_MALFORMED');
    expectProblem(await raw('username=bob', 'application/x-www-form-urlencoded'), 415, 'INPUT_MEDIA_TYPE');
    expect(await client.list(bob)).to.deep.equal([]);
  });

  it('sends a link to an address without an account', async () => {
    const answer = await share({ username: 'guest@example.org', accessRole: 'viewer' });
    expect(answer.status, answer.body.toString()).to.equal(200);
    const [link] = json<StoredFileWire>(answer).shareLinks;
    expect(link?.accessRole).to.equal('viewer');
    expect(mails.lastTo('guest@example.org'))
      .to.contain(`https://quire.example.org/share/${link?.token}`)
      .and.to.contain('shared.txt');
    expectProblem(await share({ username: 'refused@example.org' }), 502, 'MAIL_REFUSED');
    expect((await client.describe(id, ann)).shareLinks, 'no link without its mail').to.have.length(1);
  });

  it('creates links that work for everybody with an account, and records each use', async () => {
    const link = await newLink({ accessRole: 'VIEWER' });
    expect(link.token).to.match(uuid);
    expect(link.accessRole).to.equal('viewer');
    // Both have the offset of their time, so a change of the clocks in between does not count.
    expect(Date.parse(link.expiresAt) - Date.parse(link.createdAt)).to.equal(3 * 86_400_000);
    expect((await client.describe(id, ann)).shareLinks).to.deep.equal([link]);
    const facts = json(await client.get(`/share-links/${link.token}/metadata`, bob));
    expect(facts).to.deep.equal({
      shareToken: link.token,
      fileId: id,
      fileName: 'shared.txt',
      owner: 'ann',
      ownedByCurrentUser: false,
      accessRole: 'viewer',
      createdAt: link.createdAt,
      expiresAt: link.expiresAt,
      lastAccessedAt: null,
    });
    const accesses = async (): Promise<{ username: string; accessType: string; accessedAt: string }[]> =>
      json(await client.get(`/files/${id}/shares/links/${link.token}/accesses`, ann)) as never;
    expect(await accesses(), 'reading the metadata does not count as access').to.deep.equal([]);
    const saved = await client.get(`/share-links/${link.token.toUpperCase()}`, bob);
    expect([saved.status, saved.body.toString(), saved.headers['content-disposition']]).to.deep.equal([
      200,
      'shared text',
      'attachment; filename="shared.txt"; filename*=UTF-8\'\'shared.txt',
    ]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const part = await client.get(`/share-links/${link.token}?inline=true`, boss, { range: 'bytes=0-5' });
    expect([part.status, part.body.toString(), String(part.headers['content-disposition']).slice(0, 6)]).to.deep.equal([
      206,
      'shared',
      'inline',
    ]);
    expect((await accesses()).map(({ username, accessType }) => [username, accessType])).to.deep.equal([
      [bossName, 'VIEW'],
      ['bob', 'DOWNLOAD'],
    ]);
    const opened = json<{ shareToken: string; lastAccessedAt: string }[]>(
      await client.get('/share-links/accessed', bob),
    );
    expect(opened).to.have.length(1);
    expect(opened[0]).to.deep.equal({ ...facts, lastAccessedAt: (await accesses())[1]?.accessedAt });
    expectProblem(await client.get(`/share-links/${link.token}`, {}), 401, 'KEY_INVALID');
    expectProblem(await client.get(`/files/${id}`, bob), 404, 'NOT_FOUND');
  });

  it("answers the same for guessed, revoked and other users' links", async () => {
    const link = await newLink();
    const other = await client.keep(ann, 'other');
    for (const token of [
      unknown,
      randomUUID(),
      'accesse',
      '%7b%22$ne%22:null%7d',
      '..%2f..%2ffiles',
      `${link.token}x`,
      'x'.repeat(200),
    ]) {
      for (const rest of ['', '/metadata'])
        expectProblem(await client.get(`/share-links/${token}${rest}`, bob), 404, 'NOT_FOUND');
      expectProblem(await client.remove(`/files/${id}/shares/links/${token}`, ann), 404, 'NOT_FOUND');
      expectProblem(await client.get(`/files/${id}/shares/links/${token}/accesses`, ann), 404, 'NOT_FOUND');
    }
    expectProblem(
      await client.remove(`/files/${other.id}/shares/links/${link.token}`, ann),
      403,
      'STORED_FILE_FORBIDDEN',
    );
    expectProblem(await client.get(`/files/${other.id}/shares/links/${link.token}/accesses`, ann), 404, 'NOT_FOUND');
    expectProblem(await client.remove(`/files/${id}/shares/links/${link.token}`, bob), 404, 'NOT_FOUND');
    await client.get(`/share-links/${link.token}`, bob);
    expect((await client.remove(`/files/${id}/shares/links/${link.token}`, ann)).status).to.equal(204);
    expectProblem(await client.get(`/share-links/${link.token}`, bob), 404, 'NOT_FOUND');
    expect(json(await client.get('/share-links/accessed', bob))).to.deep.equal([]);
    const last = await newLink();
    await client.remove(`/files/${id}`, ann);
    expectProblem(await client.get(`/share-links/${last.token}`, bob), 404, 'NOT_FOUND');
  });

  it('creates folders by name, with colours and icons that can be removed', async () => {
    const made = await client.json(
      'POST',
      '/folders',
      { name: '  Bills ', color: '#3366CC', icon: 'invoice_1', more: true },
      ann,
    );
    const bills = json<FolderWire & { createdAt: string; updatedAt: string }>(made);
    expect(made.headers['location']).to.equal(`${STORAGE}/folders/${bills.id}`);
    expect(bills).to.deep.include({
      name: 'Bills',
      parentFolderId: null,
      color: '#3366CC',
      icon: 'invoice_1',
      version: 1,
    });
    const own = randomUUID();
    expect(await client.makeFolder(ann, { id: own.toUpperCase(), name: 'Aa' })).to.include({
      id: own,
      name: 'Aa',
      color: null,
    });
    expect(await client.makeFolder(ann, { id: own, name: 'Other' }), 'the one that is there').to.include({
      id: own,
      name: 'Aa',
    });
    expectProblem(await client.json('POST', '/folders', { id: own, name: 'Mine' }, bob), 409, 'STORAGE_CONFLICT');
    expect((await folders()).map(({ name }) => name)).to.deep.equal(['Aa', 'Bills']);
    expect(await folders(bob)).to.deep.equal([]);
    const changed = json<FolderWire>(
      await client.json('PATCH', `/folders/${bills.id}`, { name: 'Invoices', color: '', parentFolderId: own }, ann),
    );
    expect(changed, 'without reparent it stays where it is').to.deep.include({
      name: 'Invoices',
      color: null,
      icon: 'invoice_1',
      parentFolderId: null,
      version: 2,
    });
    expect(
      json<FolderWire>(
        await client.json('PATCH', `/folders/${bills.id}`, { reparent: true, parentFolderId: own }, ann),
      ),
    ).to.include({ parentFolderId: own, version: 3 });
    expect(
      json<FolderWire>(
        await client.json('PATCH', `/folders/${bills.id}`, { reparent: true, parentFolderId: null }, ann),
      ),
    ).to.include({ parentFolderId: null, version: 4 });
  });

  it('refuses invalid folders', async () => {
    const [a, b] = [await client.makeFolder(ann, { name: 'a' }), await client.makeFolder(ann, { name: 'b' })];
    const foreign = await client.makeFolder(bob, { name: 'of bob' });
    const selfId = randomUUID();
    const bad: readonly (readonly [unknown, string])[] = [
      [{}, '/name'],
      [{ name: '' }, '/name'],
      [{ name: '   ' }, '/name'],
      [{ name: 'x'.repeat(256) }, '/name'],
      [{ name: 7 }, '/name'],
      [{ name: 'x', color: 'red' }, '/color'],
      [{ name: 'x', color: '#12345' }, '/color'],
      [{ name: 'x', icon: 'A b' }, '/icon'],
      [{ name: 'x', icon: 'x'.repeat(65) }, '/icon'],
      [{ name: 'x', id: 'nope' }, '/id'],
      [{ name: 'x', id: `{${selfId}}` }, '/id'],
      [{ name: 'x', parentFolderId: 'nope' }, '/parentFolderId'],
      [{ name: 'x', parentFolderId: unknown }, '/parentFolderId'],
      [{ name: 'x', parentFolderId: foreign.id }, '/parentFolderId'],
      [{ name: 'x', id: selfId, parentFolderId: selfId }, '/parentFolderId'],
    ];
    for (const [body, pointer] of bad)
      expect(
        pointers(expectProblem(await client.json('POST', '/folders', body, ann), 400, 'INPUT_INVALID')),
        JSON.stringify(body),
      ).to.deep.equal([pointer]);
    await client.json('PATCH', `/folders/${b.id}`, { reparent: true, parentFolderId: a.id }, ann);
    for (const [body, pointer] of [
      [{ name: ' ' }, '/name'],
      [{ reparent: true, parentFolderId: b.id }, '/parentFolderId'],
      [{ reparent: true, parentFolderId: a.id }, '/parentFolderId'],
      [{ reparent: true, parentFolderId: foreign.id }, '/parentFolderId'],
      [{ reparent: 'often' }, '/reparent'],
    ] as const) {
      expect(
        pointers(expectProblem(await client.json('PATCH', `/folders/${a.id}`, body, ann), 400, 'INPUT_INVALID')),
        JSON.stringify(body),
      ).to.deep.equal([pointer]);
    }
    for (const folder of [unknown, foreign.id]) {
      expectProblem(await client.json('PATCH', `/folders/${folder}`, { name: 'x' }, ann), 404, 'NOT_FOUND');
      expectProblem(await client.remove(`/folders/${folder}`, ann), 404, 'NOT_FOUND');
    }
    for (const path of ['..%2f..', 'nope', '%00'])
      expect((await client.remove(`/folders/${path}`, ann)).status).to.be.oneOf([400, 404]);
    await client.remove(`/folders/${foreign.id}`, bob);
  });

  it('moves files into folders, many at once, and to the root when their folder is deleted', async () => {
    const folder = await client.makeFolder(ann, { name: 'a' });
    const inner = await client.makeFolder(ann, { name: 'b', parentFolderId: folder.id });
    const second = await client.keep(ann, 'two');
    const foreign = await client.keep(bob, 'of bob');
    const placed = async (): Promise<Record<number, string | null>> =>
      Object.fromEntries((await client.list(ann)).map((file) => [file.id, file.folderId]));
    expect((await client.json('PATCH', `/files/${id}/folder`, { folderId: inner.id }, ann)).status).to.equal(204);
    expect(await placed()).to.deep.equal({ [id]: inner.id, [second.id]: null });
    const some = await client.json(
      'PATCH',
      '/files/folder',
      { folderId: folder.id, fileIds: [id, second.id, foreign.id, 999_999, id] },
      ann,
    );
    expect([some.status, json(some)]).to.deep.equal([
      207,
      { movedFileIds: [id, second.id], skippedFileIds: [foreign.id, 999_999] },
    ]);
    const all = await client.json('PATCH', '/files/folder', { folderId: inner.id, fileIds: [second.id] }, ann);
    expect([all.status, json(all)]).to.deep.equal([200, { movedFileIds: [second.id], skippedFileIds: [] }]);
    for (const [body, pointer] of [
      [{ fileIds: [] }, '/fileIds'],
      [{ fileIds: Array.from({ length: 1001 }, (_unused, i) => i + 1) }, '/fileIds'],
      [{}, '/fileIds'],
      [{ fileIds: ['x'] }, '/fileIds/0'],
      [{ fileIds: [id], folderId: unknown }, '/folderId'],
      [{ fileIds: [id], folderId: 5 }, '/folderId'],
    ] as const) {
      expect(
        pointers(expectProblem(await client.json('PATCH', '/files/folder', body, ann), 400, 'INPUT_INVALID')),
      ).to.deep.equal([pointer]);
    }
    expectProblem(await client.json('PATCH', `/files/${id}/folder`, { folderId: unknown }, ann), 400, 'INPUT_INVALID');
    const removed = await client.remove(`/folders/${folder.id}`, ann);
    expect([removed.status, json<{ removedFolderIds: string[] }>(removed).removedFolderIds.toSorted()]).to.deep.equal([
      200,
      [folder.id, inner.id].toSorted(),
    ]);
    expect(await placed()).to.deep.equal({ [id]: null, [second.id]: null });
    await client.remove(`/files/${foreign.id}`, bob);
  });
});
