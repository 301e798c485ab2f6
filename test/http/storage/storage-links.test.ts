import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { expectProblem, json, pointers, send, type Answer } from '../support/client.js';
import { addUser, sendFields, sendJson, sessionOf, setEnabled, startWithLogin } from '../support/login.js';
import { startServer, until, type TestServer } from '../support/server.js';
import { callerOf, StorageClient, type Caller } from '../support/storage.js';

const password = 'a quiet harbour';
const frontend = 'https://quire.example.org/tools';
const proxied = { server: { port: 0, host: '127.0.0.1', trustedProxies: ['127.0.0.1'] } };

interface LinkWire {
  readonly token: string;
  readonly expiresAt: string | null;
  readonly withoutAccount: boolean;
  readonly hasPassword: boolean;
  readonly maxDownloads: number | null;
  readonly downloadsLeft: number | null;
}

const sharing = (more: object = {}) => ({
  storage: { enabled: true, sharing: { enabled: true, publicLinkEnabled: true, ...more } },
  system: { frontendUrl: frontend, rootUriPath: '/tools' },
});

describe('Share links without an account', function storageLinks() {
  this.timeout(60_000);
  let server: TestServer;
  let client: StorageClient;
  let boss: Caller;
  let ann: Caller;
  let id: number;
  /** Requests come from an address of their own, unless a test says otherwise: limits count by address. */
  let address = 0;
  const from = (): Caller => ({ 'x-forwarded-for': `198.51.100.${(address += 1) % 250}` });
  const newLink = async (body: object = {}): Promise<LinkWire> => {
    const answer = await client.json('POST', `/files/${id}/shares/links`, { withoutAccount: true, ...body }, ann);
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<LinkWire>(answer);
  };
  const open = (token: string, body: unknown = {}, caller = from()): Promise<Answer> =>
    client.json('POST', `/share-links/${token}/metadata`, body, caller);
  const download = (token: string, body: unknown = {}, caller = from(), query = ''): Promise<Answer> =>
    client.json('POST', `/share-links/${token}${query}`, body, caller);

  before(async () => {
    const audit = { level: 2, retentionDays: -1 };
    server = await startWithLogin({}, { ...sharing(), ...proxied, premium: { enterpriseFeatures: { audit } } });
    client = new StorageClient(server);
    boss = await sessionOf(server);
    ann = await callerOf(server, boss, 'ann');
  });
  after(() => server.stop());
  beforeEach(async () => {
    ({ id } = await client.keep(ann, '<script>alert(1)</script>', { fileName: 'plän.html', type: 'text/html' }));
  });

  it('show strangers the file and nothing of its owner', async () => {
    const link = await newLink();
    expect(link).to.include({ withoutAccount: true, hasPassword: false, maxDownloads: null, downloadsLeft: null });
    const answer = await open(link.token);
    expect(answer.status, answer.body.toString()).to.equal(200);
    expect(json(answer)).to.deep.equal({
      fileName: 'plän.html',
      contentType: 'text/html',
      sizeBytes: 25,
      owner: null,
      expiresAt: link.expiresAt,
      downloadsLeft: null,
    });
    expect(json<{ owner: string }>(await open(link.token, {}, boss)).owner, 'to an account').to.equal('ann');
  });

  it('send the file so that no browser runs it, no cache keeps it and no search engine lists it', async () => {
    const { token } = await newLink();
    for (const query of ['', '?inline=true']) {
      const { status, body, headers } = await download(token, {}, { ...from(), range: 'bytes=0-3' }, query);
      expect([status, body.toString()]).to.deep.equal([200, '<script>alert(1)</script>']);
      expect(headers).to.include({
        'content-disposition': 'attachment; filename="plan.html"; filename*=UTF-8\'\'pl%C3%A4n.html',
        'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex, nofollow',
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
      });
      expect(headers['set-cookie']).to.equal(undefined);
    }
    const page = await send(`${server.url}/share/${token}`, {});
    expect([page.status, page.headers['x-robots-tag']]).to.deep.equal([200, 'noindex, nofollow']);
    expect((await send(`${server.url}/jobs`, {})).headers['x-robots-tag']).to.equal(undefined);
  });

  it('record each use for the owner, with and without an account, and in the audit log', async () => {
    const { token } = await newLink();
    let events: readonly { readonly principal: string; readonly data: { path: string; status: number } }[] = [];
    const seen = async (): Promise<string[]> => {
      events = json<{ content: typeof events }>(
        await send(`${server.url}/api/v1/audit/data?type=FILE_OPERATION&size=200`, { headers: boss }),
      ).content;
      return events
        .filter(({ data }) => data.path === '/api/v1/storage/share-links/{token}' && data.status === 200)
        .map(({ principal }) => principal);
    };
    const before = (await seen()).length;
    await download(token, {}, from(), '?inline=true');
    await download(token, {}, boss);
    const uses = json<{ username: string | null; accessType: string; withoutAccount: boolean }[]>(
      await client.get(`/files/${id}/shares/links/${token}/accesses`, ann),
    );
    expect(uses.map((use) => [use.username, use.accessType, use.withoutAccount])).to.have.deep.members([
      ['boss', 'DOWNLOAD', false],
      [null, 'VIEW', true],
    ]);
    await until('both are in the audit log', async () => (await seen()).length === before + 2);
    expect((await seen()).slice(0, 2)).to.have.members(['anonymous', 'boss']);
    expect(JSON.stringify(events), 'the token is a secret').not.to.contain(token);
  });

  it('need an account unless their owner has opened them to everybody', async () => {
    const { token } = await newLink({ withoutAccount: false });
    expectProblem(await open(token), 401, 'KEY_INVALID');
    expectProblem(await download(token), 401, 'KEY_INVALID');
    expect((await download(token, {}, boss)).status).to.equal(200);
    expectProblem(await client.get(`/share-links/${(await newLink()).token}`, from()), 401, 'KEY_INVALID');
  });

  it('answer unknown tokens with 404, and ended ones with 410 and what to do', async () => {
    for (const token of [randomUUID(), 'x', '%7b%22$ne%22:null%7d', 'accessed'])
      expectProblem(await open(token), 404, 'NOT_FOUND');
    const revoked = await newLink();
    expect((await client.remove(`/files/${id}/shares/links/${revoked.token}`, ann)).status).to.equal(204);
    expect(expectProblem(await download(revoked.token), 410, 'SHARE_LINK_REVOKED').detail).to.contain('Ask the person');
    const last = await newLink();
    await client.remove(`/files/${id}`, ann);
    expectProblem(await open(last.token), 410, 'SHARE_LINK_REVOKED');
  });

  it('give a number of downloads, and no more to two who come at once', async () => {
    const { token, downloadsLeft } = await newLink({ maxDownloads: 2 });
    expect(downloadsLeft).to.equal(2);
    expect((await download(token, {}, from(), '?inline=true')).status, 'showing it counts').to.equal(200);
    expect(json<{ downloadsLeft: number }>(await open(token)).downloadsLeft).to.equal(1);
    const both = await Promise.all([download(token), download(token)]);
    expect(both.map(({ status }) => status).toSorted()).to.deep.equal([200, 410]);
    expectProblem(await download(token), 410, 'SHARE_LINK_USED_UP');
    expectProblem(await open(token), 410, 'SHARE_LINK_USED_UP');
    const [left] = (await client.describe(id, ann)).shareLinks as unknown as readonly LinkWire[];
    expect(left).to.include({ token, downloadsLeft: 0 });
    expectProblem(await client.get(`/share-links/${token}`, boss), 403, 'SHARE_LINK_GUARDED');
  });

  it('tell nothing of a file before the password is right', async () => {
    const { token, hasPassword } = await newLink({ password, maxDownloads: 1 });
    expect(hasPassword).to.equal(true);
    for (const call of [open, download]) {
      const missing = await call(token);
      expectProblem(missing, 401, 'SHARE_LINK_PASSWORD_REQUIRED');
      for (const empty of ['', null])
        expectProblem(await call(token, { password: empty }), 401, 'SHARE_LINK_PASSWORD_REQUIRED');
      const wrong = await call(token, { password: 'another harbour' });
      expectProblem(wrong, 403, 'SHARE_LINK_PASSWORD_WRONG');
      expect(`${missing.body.toString()}${wrong.body.toString()}`).not.to.match(/plän|ann|html/);
    }
    expectProblem(await client.get(`/share-links/${token}/metadata`, boss), 403, 'SHARE_LINK_GUARDED');
    expect(pointers(expectProblem(await open(token, { password: { $ne: null } }), 400, 'INPUT_INVALID'))).to.deep.equal(
      ['/password'],
    );
    expect((await open(token, { password })).status).to.equal(200);
    expect((await download(token, { password })).status, 'wrong ones took none').to.equal(200);
  });

  it('check no more passwords from an address after ten wrong ones in a minute', async () => {
    const { token } = await newLink({ password });
    const [guesser, other] = [from(), from()];
    for (let i = 0; i < 10; i += 1)
      expectProblem(await open(token, { password: `guess ${i}` }, guesser), 403, 'SHARE_LINK_PASSWORD_WRONG');
    const refused = await open(token, { password }, guesser);
    expect(expectProblem(refused, 429, 'TOO_MANY_ATTEMPTS').detail).to.contain('for this link');
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    expect((await open(token, { password }, other)).status).to.equal(200);
    const login = { username: 'boss', password: 'the-password-of-the-boss' };
    expect((await sendJson(server, '/api/v1/auth/login', login, guesser)).status, 'logins are counted apart').to.equal(
      200,
    );
  });

  it('are limited in calls from one address', async () => {
    const { token } = await newLink();
    const busy = from();
    for (let i = 0; i < 120; i += 1) await open(i % 2 === 0 ? token : randomUUID(), {}, busy);
    expect(expectProblem(await open(token, {}, busy), 429, 'TOO_MANY_ATTEMPTS').detail).to.contain('shared links');
    expect((await open(token)).status, 'another address').to.equal(200);
  });

  it('refuse what their owner cannot have meant, field by field', async () => {
    const create = (body: object) => client.json('POST', `/files/${id}/shares/links`, body, ann);
    for (const [body, pointer] of [
      [{ withoutAccount: 'perhaps' }, '/withoutAccount'],
      [{ maxDownloads: 0 }, '/maxDownloads'],
      [{ maxDownloads: 1.5 }, '/maxDownloads'],
      [{ expiresInHours: 0 }, '/expiresInHours'],
      [{ expiresInHours: 73 }, '/expiresInHours'],
      [{ password: 12345678 }, '/password'],
    ] as const)
      expect(pointers(expectProblem(await create(body), 400, 'INPUT_INVALID')), JSON.stringify(body)).to.deep.equal([
        pointer,
      ]);
    expectProblem(await create({ password: 'short' }), 400, 'PASSWORD_INVALID');
    const soon = await newLink({ expiresInHours: 1, password: null, maxDownloads: null });
    expect(Date.parse(soon.expiresAt ?? '') - Date.now()).to.be.within(3_500_000, 3_600_000);
  });

  it('die with the account of their owner, and rest while it is disabled', async () => {
    const ben = await addUser(server, boss, 'ben');
    const own = await sessionOf(server, ben.username, ben.password);
    const file = await client.keep(own, 'from ben');
    const { token } = json<LinkWire>(
      await client.json('POST', `/files/${file.id}/shares/links`, { withoutAccount: true }, own),
    );
    await setEnabled(server, boss, 'ben', false);
    expectProblem(await download(token), 410, 'SHARE_LINK_REVOKED');
    await setEnabled(server, boss, 'ben', true);
    expect((await download(token)).status).to.equal(200);
    expect((await sendFields(server, '/api/v1/user/admin/deleteUser/ben', {}, boss)).status).to.equal(200);
    expectProblem(await download(token), 410, 'SHARE_LINK_REVOKED');
  });
});

describe('Share links without an account, while they are off', function storageLinksOff() {
  this.timeout(60_000);

  it('are not created, and old ones ask for a login', async () => {
    const server = await startWithLogin({}, sharing({ publicLinkEnabled: false }));
    try {
      const client = new StorageClient(server);
      const ann = await callerOf(server, await sessionOf(server), 'ann');
      const { id } = await client.keep(ann, 'text');
      const refused = await client.json('POST', `/files/${id}/shares/links`, { withoutAccount: true }, ann);
      expect(expectProblem(refused, 403, 'FEATURE_OFF').detail).to.contain('storage.sharing.publicLinkEnabled');
      const { token } = json<LinkWire>(await client.json('POST', `/files/${id}/shares/links`, {}, ann));
      expectProblem(await client.json('POST', `/share-links/${token}`, {}, {}), 401, 'KEY_INVALID');
    } finally {
      await server.stop();
    }
  });

  it('are refused without login, as the whole storage', async () => {
    const server = await startServer({ ...sharing(), security: { enableLogin: false } });
    try {
      const answer = await new StorageClient(server).json('POST', `/share-links/${randomUUID()}`, {}, {});
      expect(expectProblem(answer, 403, 'FEATURE_OFF').detail).to.contain('security.enableLogin');
    } finally {
      await server.stop();
    }
  });
});
