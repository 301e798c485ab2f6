import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isQuireError, type QuireError } from '@quire/registry';
import { expect } from 'chai';
import { SignJWT, decodeJwt, decodeProtectedHeader } from 'jose';
import { HandClock, MemoryAccounts, keptLog } from '../../../test/suites/memory-accounts.js';
import { temporaryEmbeddedStore, type TemporaryStore } from '../../../test/suites/temporary-store.js';
import type { Store } from '../../store/index.js';
import type { User } from '../model.js';
import { ServerSecret } from '../../secrets/index.js';
import { SessionService, isDesktop, type SessionSettings } from './session-service.js';

const settings: SessionSettings = {
  expiryMinutes: 1440,
  desktopExpiryMinutes: 43_200,
  clockSkewSeconds: 60,
  refreshGraceMinutes: 15,
  keepKeys: true,
  cleanUpKeys: true,
  maxDays: 30,
};
const web = { desktop: false, address: '192.0.2.1', client: 'Firefox' };

/** Returns why a token was rejected, or `ok`. */
const refusal = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) return 'ok';
  if (!isQuireError(error)) throw error;
  const { code, data } = error as QuireError;
  return typeof data['detail'] === 'string' ? `${code}: ${data['detail']}` : code;
};

describe('Session tokens', () => {
  let temporary: TemporaryStore;
  let store: Store;
  let accounts: MemoryAccounts;
  let clock: HandClock;
  let sessions: SessionService;
  let anna: User;
  const secret = new ServerSecret(randomBytes(32));
  const log = keptLog();
  const another = (more: Partial<SessionSettings> = {}, with_ = secret): SessionService =>
    new SessionService({ store, accounts, secret: with_, settings: { ...settings, ...more }, clock, log });
  const token = async (service = sessions): Promise<string> => (await service.issue(anna, web)).access_token;

  beforeEach(async () => {
    temporary = await temporaryEmbeddedStore();
    store = await temporary.open();
    accounts = new MemoryAccounts();
    anna = accounts.add({ username: 'anna', role: 'ROLE_ADMIN' });
    clock = new HandClock();
    sessions = another();
  });
  afterEach(async () => {
    await store.close();
    await temporary.remove();
  });

  it('contain user, issuer and expiry, and are signed with RS256', async () => {
    const { access_token, expires_in } = await sessions.issue(anna, web);
    expect(expires_in).to.equal(86_400);
    const header = decodeProtectedHeader(access_token);
    expect(header.alg).to.equal('RS256');
    expect(header.kid).to.be.a('string').with.length.greaterThan(8);
    const claims = decodeJwt(access_token);
    expect(claims).to.include({ sub: 'anna', iss: 'quire', authType: 'web', role: 'ROLE_ADMIN' });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).to.equal(86_400);
    expect((await sessions.issue(anna, { ...web, desktop: true })).expires_in).to.equal(2_592_000);
    expect((await sessions.verify(access_token)).user.id).to.equal(anna.id);
  });

  it('last longer for desktop clients, which are detected by their User-Agent', () => {
    for (const agent of ['Tauri/2', 'Quire-Desktop 1.0', 'Mozilla/5.0 Electron/30'])
      expect(isDesktop(agent), agent).to.equal(true);
    for (const agent of [undefined, '', 'curl/8', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'])
      expect(isDesktop(agent), agent).to.equal(false);
  });

  it('are valid after a restart, with one key pair for many simultaneous first logins', async () => {
    const tokens = await Promise.all([token(), token(), token()]);
    expect(new Set(tokens.map((text) => decodeProtectedHeader(text).kid)).size).to.equal(1);
    expect(await refusal(another().verify(tokens[0] ?? ''))).to.equal('ok');
  });

  it('end with the process if key pairs are not stored', async () => {
    const forgetful = another({ keepKeys: false });
    const text = await token(forgetful);
    expect(await refusal(forgetful.verify(text))).to.equal('ok');
    expect(await refusal(another({ keepKeys: false }).verify(text))).to.equal('TOKEN_INVALID: Invalid token signature');
  });

  it('expire, with the allowed clock difference', async () => {
    const text = await token();
    clock.forward(86_400 + 59);
    expect(await refusal(sessions.verify(text))).to.equal('ok');
    clock.forward(2);
    expect(await refusal(sessions.verify(text))).to.equal('TOKEN_INVALID: Token expired');
  });

  it('are rejected if any part of them is not from this server', async () => {
    const good = await token();
    const [head = '', body = '', sign = ''] = good.split('.');
    const kid = String(decodeProtectedHeader(good).kid);
    const claims = decodeJwt(good);
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(foreign.privateKey);
    // The public key as an HMAC secret: the classic algorithm confusion.
    const publicKey =
      (await store.records<{ id: string; publicKey: string }>('signing_keys').find())[0]?.publicKey ?? '';
    const confused = `${part({ alg: 'HS256', kid })}.${body}`;
    const confusedSignature = createHmac('sha256', publicKey).update(confused).digest('base64url');
    const cases: Record<string, string> = {
      nothing: '',
      garbage: 'x.y.z',
      'two parts': `${head}.${body}`,
      'changed body': `${head}.${part({ ...claims, uid: '2' })}.${sign}`,
      'no signature': `${head}.${body}.`,
      'alg none': `${part({ alg: 'none', kid })}.${body}.`,
      'alg none, signed': `${part({ alg: 'none', kid })}.${body}.${sign}`,
      'HS256 with the public key': `${confused}.${confusedSignature}`,
      'foreign signature': forged,
      'unknown kid': `${part({ alg: 'RS256', kid: 'other' })}.${body}.${sign}`,
      'no kid': `${part({ alg: 'RS256' })}.${body}.${sign}`,
      'a key in the header':
        `${part({ alg: 'RS256', jwk: foreign.publicKey.export({ format: 'jwk' }) })}.` +
        `${forged.split('.').slice(1).join('.')}`,
      long: `${good}${'a'.repeat(1_000_000)}`,
    };
    for (const [what, text] of Object.entries(cases))
      expect(await refusal(sessions.verify(text)), what).to.match(/^TOKEN_INVALID: Invalid token( signature)?$/);
    expect(await refusal(sessions.verify(good))).to.equal('ok');
  });

  it('end when the account is deleted or disabled, or its password changes', async () => {
    const text = await token();
    await accounts.change(anna.id, { enabled: false, sessionVersion: 2 });
    expect(await refusal(sessions.verify(text))).to.equal('ACCOUNT_DISABLED');
    await accounts.change(anna.id, { enabled: true });
    expect(await refusal(sessions.verify(text))).to.equal('TOKEN_INVALID: Token no longer valid');
    expect(await refusal(sessions.refresh(text, web)), 'nor can it be refreshed').to.equal(
      'TOKEN_INVALID: Token no longer valid',
    );
    await accounts.remove(anna.id);
    expect(await refusal(sessions.verify(text))).to.equal('TOKEN_INVALID: Invalid token');
  });

  it('can be refreshed any number of times while valid, and three times within 15 minutes afterwards', async () => {
    const text = await token();
    for (let i = 0; i < 5; i += 1) await sessions.refresh(text, web);
    clock.forward(86_400 + 14 * 60);
    const again = await sessions.refresh(text, web);
    expect(await refusal(sessions.verify(again.session.access_token))).to.equal('ok');
    expect(await refusal(sessions.refresh(text, web))).to.equal('ok');
    expect(await refusal(another().refresh(text, web)), 'counted over a restart').to.equal('ok');
    expect(await refusal(sessions.refresh(text, web))).to.equal('REFRESH_LIMIT');
    expect(
      await refusal(sessions.refresh(again.session.access_token, web)),
      'the new one has a count of its own',
    ).to.equal('ok');
    clock.forward(3 * 60);
    expect(await refusal(sessions.refresh(text, web))).to.equal('TOKEN_INVALID: Token expired');
  });

  it('can be refreshed three times at most, also by simultaneous requests', async () => {
    const text = await token();
    clock.forward(86_400 + 300);
    const answers = await Promise.all(Array.from({ length: 8 }, () => refusal(sessions.refresh(text, web))));
    expect(answers.filter((answer) => answer === 'ok')).to.have.length(3);
    expect(answers.filter((answer) => answer === 'REFRESH_LIMIT')).to.have.length(5);
  });

  it('end at the absolute end of their session, however often they are refreshed', async () => {
    const started = clock.now().getTime();
    let text = await token();
    for (let day = 1; day < 30; day += 1) {
      clock.forward(86_400 - 60);
      text = (await sessions.refresh(text, web)).session.access_token;
      expect((decodeJwt(text).exp ?? 0) * 1000).to.be.at.most(started + 30 * 86_400_000);
    }
    clock.forward(86_400 + 29 * 60 + 1);
    expect(await refusal(sessions.verify(text)), 'within the allowed clock difference').to.equal(
      'TOKEN_INVALID: Token expired',
    );
    expect(await refusal(sessions.refresh(text, web))).to.equal('TOKEN_INVALID: Token expired');
    expect(await sessions.list(anna)).to.deep.equal([]);
  });

  it('are forgotten when they can no longer be refreshed, and when their user is deleted', async () => {
    await token();
    clock.forward(86_400 + 17 * 60);
    await token();
    expect(await store.records('sessions').count()).to.equal(1);
    await accounts.remove(anna.id);
    expect(await store.records('sessions').count()).to.equal(0);
  });

  it('show when they were last used, exact to ten minutes', async () => {
    const text = await token();
    const began = clock.now().getTime();
    clock.forward(9 * 60);
    await sessions.verify(text);
    expect((await sessions.list(anna))[0]?.lastUsedAtMs).to.equal(began);
    clock.forward(60);
    await sessions.verify(text);
    expect((await sessions.list(anna))[0]?.lastUsedAtMs).to.equal(began + 600_000);
  });

  it('get a new key pair after ninety days, and the old one is deleted when its last token has expired', async () => {
    const old = await token();
    clock.forward(91 * 86_400);
    const young = await token(another());
    expect(decodeProtectedHeader(young).kid).not.to.equal(decodeProtectedHeader(old).kid);
    expect(await store.records('signing_keys').count()).to.equal(2);
    clock.forward(31 * 86_400);
    await token(another());
    expect(await store.records('signing_keys').count()).to.equal(1);
  });

  it('leave no readable private key on disk, and another secret cannot decrypt it', async () => {
    await token();
    expect(await refusal(another({}, new ServerSecret(randomBytes(32))).verify(await token()))).to.equal(
      'TOKEN_INVALID: Invalid token signature',
    );
    expect(log.lines.join()).to.contain('store/server.key');
    await store.close();
    const bytes = readdirSync(temporary.folder ?? '', { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('');
    expect(bytes).not.to.match(/PRIVATE KEY|"d":"|"dp":"/);
    store = await temporary.open();
  });
});
