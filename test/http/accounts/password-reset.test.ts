import { expect } from 'chai';
import { expectProblem, json, pointers, send, type Answer } from '../support/client.js';
import {
  addUser,
  bossName,
  bossPassword,
  globalKey,
  keyOf,
  sendFields,
  sendJson,
  sessionOf,
  setEnabled,
  startWithLogin,
} from '../support/login.js';
import { MailServer } from '../support/mail-server.js';
import { until, type TestServer } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;
const SITE = 'https://docs.example.org/app';
const NEXT = 'a password of my own';
const api = '/api/v1/auth/password-reset';

const ask = (server: TestServer, username: string, headers: Headers = {}): Promise<Answer> =>
  sendJson(server, `${api}/request`, { username }, headers);
const check = (server: TestServer, token: string, headers: Headers = {}): Promise<Answer> =>
  sendJson(server, `${api}/check`, { token }, headers);
const finish = (server: TestServer, token: string, more: object = {}, headers: Headers = {}): Promise<Answer> =>
  sendJson(server, `${api}/finish`, { token, newPassword: NEXT, ...more }, headers);
const logIn = (server: TestServer, username: string, password: string): Promise<Answer> =>
  sendJson(server, '/api/v1/auth/login', { username, password });
const isOffered = async (server: TestServer): Promise<unknown> =>
  json(await send(`${server.url}/api/v1/config/app-config`))['passwordResetEnabled'];

describe('A password reset by mail', () => {
  let server: TestServer;
  let mail: MailServer;
  let boss: Headers;
  let address = 0;
  /** A caller of its own, so that no test uses up what another one may ask. */
  const somebody = (): Headers => ({ 'x-forwarded-for': `203.0.113.${(address += 1)}` });
  const linksTo = (name: string): string[] =>
    mail.mails
      .filter(({ to, data }) => to.some((each) => each.includes(name)) && /^Subject: Reset/m.test(data))
      .map(({ data }) => data.replace(/=\r\n/g, '').replace(/=3D/g, '='));
  /** Asks for a mail and returns the token of its link. */
  const tokenFor = async (name: string): Promise<string> => {
    const before = linksTo(name).length;
    expect((await ask(server, name, somebody())).status).to.equal(200);
    await until(`a mail to ${name} has arrived`, () => linksTo(name).length > before);
    const [, token] = /\/reset#([\w-]+)/.exec(linksTo(name).at(-1) ?? '') ?? [];
    expect(token, linksTo(name).at(-1)).to.match(/^[\w-]{43}$/);
    return token ?? '';
  };

  before(async () => {
    mail = await MailServer.start();
    server = await startWithLogin(
      { throttle: { wrongPasswords: 50 } },
      {
        mail: mail.settings,
        system: { frontendUrl: `${SITE}/` },
        licence: { tier: 'enterprise' },
        premium: { enterpriseFeatures: { audit: { enabled: true, level: 3 } } },
        server: { port: 0, host: '127.0.0.1', trustedProxies: ['127.0.0.1'] },
      },
    );
    boss = await sessionOf(server);
  });
  after(async () => {
    await server.stop();
    await mail.stop();
  });

  it('sends a link at the configured address, which sets a new password once', async () => {
    const { username, password } = await addUser(server, boss, 'ann@example.org');
    const session = await sessionOf(server, username, password);
    const evil = { ...somebody(), host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    await ask(server, 'ANN@example.org', evil);
    await until('the mail has arrived', () => linksTo(username).length === 1);
    expect(linksTo(username)[0]).to.contain(`${SITE}/reset#`).and.not.contain('evil');
    const token = await tokenFor(username);

    const checked = json<{ username: string; expiresAt: string }>(await check(server, token, somebody()));
    expect(checked.username).to.equal(username);
    expect(Date.parse(checked.expiresAt) - Date.now()).to.be.within(28 * 60_000, 30 * 60_000);
    expect((await finish(server, token, {}, somebody())).status).to.equal(200);
    expect((await logIn(server, username, NEXT)).status).to.equal(200);
    expectProblem(await logIn(server, username, password), 401, 'LOGIN_FAILED');
    expect((await send(`${server.url}/api/v1/auth/me`, { headers: session })).status, 'old session').to.equal(401);
    for (const again of [await check(server, token, somebody()), await finish(server, token, {}, somebody())])
      expectProblem(again, 404, 'PASSWORD_RESET_UNKNOWN');
    await until('the owner was told', () => mail.lastTo(username).includes('was changed with a link'));
  });

  it('answers the same for accounts that get no mail, and sends none', async () => {
    await addUser(server, boss, 'no.address');
    await addUser(server, boss, 'gone@example.org');
    await setEnabled(server, boss, 'gone@example.org', false);
    await addUser(server, boss, 'demo@example.org', 'ROLE_DEMO_USER');
    const elsewhere = { username: 'sso@example.org', role: 'ROLE_USER', authType: 'SSO' };
    expect((await sendFields(server, '/api/v1/user/admin/saveUser', elsewhere, boss)).status).to.be.below(300);
    await addUser(server, boss, 'known@example.org');
    const count = mail.mails.length;
    const bodies = new Set<string>();
    for (const name of [
      'known@example.org',
      'nobody@example.org',
      'no.address',
      'gone@example.org',
      'demo@example.org',
      'sso@example.org',
      'CUSTOM_API_USER',
      bossName,
      'x\r\nBcc: eve@example.org',
    ]) {
      const answer = await ask(server, name, somebody());
      expect(answer.status, name).to.equal(200);
      bodies.add(answer.body.toString());
    }
    expect([...bodies]).to.have.length(1);
    await until('the one mail has arrived', () => mail.mails.length > count);
    // The last to be asked for: whatever was asked for before it has been decided.
    await tokenFor('known@example.org');
    expect(mail.mails.slice(count).flatMap(({ to }) => to)).to.deep.equal([
      '<known@example.org>',
      '<known@example.org>',
    ]);
  });

  it('answers before the account is looked up, so that its time tells nothing', async () => {
    const { username } = await addUser(server, boss, 'timed@example.org');
    const before = linksTo(username).length;
    expect((await ask(server, username, somebody())).status).to.equal(200);
    expect(linksTo(username)).to.have.length(before);
    await until('the mail follows', () => linksTo(username).length > before);
  });

  it('keeps a link that was used with a password that is too weak', async () => {
    await addUser(server, boss, 'weak@example.org');
    const token = await tokenFor('weak@example.org');
    for (const newPassword of ['short', 'password', 'weak@example.org'])
      expectProblem(await finish(server, token, { newPassword }, somebody()), 400, 'PASSWORD_INVALID');
    expect((await finish(server, token, {}, somebody())).status).to.equal(200);
  });

  it('lets one of many simultaneous calls win', async () => {
    await addUser(server, boss, 'race@example.org');
    const token = await tokenFor('race@example.org');
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, i) => finish(server, token, { newPassword: `my own words ${i}` }, somebody())),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 404, 404, 404, 404]);
  });

  it('makes every link of the account invalid when its password changes', async () => {
    const { username, password } = await addUser(server, boss, 'two@example.org');
    const [first, second] = [await tokenFor(username), await tokenFor(username)];
    expect((await finish(server, second, {}, somebody())).status).to.equal(200);
    expectProblem(await finish(server, first, {}, somebody()), 404, 'PASSWORD_RESET_UNKNOWN');
    const third = await tokenFor(username);
    const session = await sessionOf(server, username, NEXT);
    const fields = { currentPassword: NEXT, newPassword: password };
    expect((await sendFields(server, '/api/v1/user/change-password', fields, session)).status).to.equal(200);
    expectProblem(await finish(server, third, {}, somebody()), 404, 'PASSWORD_RESET_UNKNOWN');
  });

  it('does not work for an account that was disabled meanwhile', async () => {
    await addUser(server, boss, 'late@example.org');
    const token = await tokenFor('late@example.org');
    await setEnabled(server, boss, 'late@example.org', false);
    expectProblem(await check(server, token, somebody()), 404, 'PASSWORD_RESET_UNKNOWN');
    expectProblem(await finish(server, token, {}, somebody()), 404, 'PASSWORD_RESET_UNKNOWN');
  });

  it('keeps API keys, or revokes them when asked to', async () => {
    const { username, password } = await addUser(server, boss, 'keys@example.org');
    const key = await keyOf(server, await sessionOf(server, username, password));
    const works = async (): Promise<number> =>
      (await send(`${server.url}/api/v1/auth/me`, { headers: { 'x-api-key': key, ...somebody() } })).status;
    expect((await finish(server, await tokenFor(username), {}, somebody())).status).to.equal(200);
    expect(await works()).to.equal(200);
    const all = { newPassword: 'yet another one', revokeKeys: true, revokePasskeys: true };
    expect((await finish(server, await tokenFor(username), all, somebody())).status).to.equal(200);
    expect(await works()).to.equal(401);
  });

  it('ends the duty to change a given password, and the lock after wrong ones', async () => {
    const given = { username: 'new@example.org', password: 'given by the boss', role: 'ROLE_USER', authType: 'web' };
    await sendFields(server, '/api/v1/user/admin/saveUser', { ...given, forceChange: 'true' }, boss);
    for (let i = 0; i < 6; i += 1) await logIn(server, given.username, 'a guess');
    expectProblem(await logIn(server, given.username, given.password), 401, 'LOGIN_LOCKED');
    expect((await finish(server, await tokenFor(given.username), {}, somebody())).status).to.equal(200);
    const session = await sessionOf(server, given.username, NEXT);
    expect((await send(`${server.url}/api/v1/user/users`, { headers: session })).status).to.equal(200);
  });

  it('is limited for an account and for an address, whether the account exists or not', async () => {
    await addUser(server, boss, 'often@example.org');
    for (const name of ['often@example.org', 'never@example.org']) {
      const caller = somebody();
      for (let i = 0; i < 3; i += 1) expect((await ask(server, name, caller)).status).to.equal(200);
      const refused = await ask(server, name, caller);
      expectProblem(refused, 429, 'TOO_MANY_ATTEMPTS');
      expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    }
    const many = somebody();
    for (let i = 0; i < 20; i += 1) expect((await ask(server, `u${i}@example.org`, many)).status).to.equal(200);
    expectProblem(await ask(server, 'u20@example.org', many), 429, 'TOO_MANY_ATTEMPTS');
    const guesser = somebody();
    for (let i = 0; i < 20; i += 1) expect((await check(server, `guess ${i}`, guesser)).status).to.equal(404);
    expectProblem(await check(server, 'guess', guesser), 429, 'TOO_MANY_ATTEMPTS');
    expect(
      (await sendJson(server, '/api/v1/auth/login', { username: bossName, password: bossPassword }, many)).status,
    ).to.equal(200);
  });

  it('mails an account three times an hour at most, whoever asks', async () => {
    await addUser(server, boss, 'flood@example.org');
    await Promise.all(Array.from({ length: 8 }, () => ask(server, 'flood@example.org', somebody())));
    await until('mails have arrived', () => linksTo('flood@example.org').length > 0);
    for (let i = 0; i < 4; i += 1) expect((await ask(server, 'flood@example.org', somebody())).status).to.equal(200);
    await addUser(server, boss, 'after@example.org');
    await tokenFor('after@example.org');
    expect(linksTo('flood@example.org').length).to.be.at.most(3);
  });

  it('is in the audit log with the account, and never with the token', async () => {
    await addUser(server, boss, 'seen@example.org');
    const token = await tokenFor('seen@example.org');
    await finish(server, token, {}, somebody());
    const events = async (): Promise<readonly { data: Record<string, unknown> }[]> =>
      json<{ content: { data: Record<string, unknown> }[] }>(
        await send(`${server.url}/api/v1/audit/data?size=200`, { headers: boss }),
      ).content;
    const of = (path: string) => async (): Promise<boolean> =>
      (await events()).some(({ data }) => data['path'] === `${api}/${path}` && data['subject'] === 'seen@example.org');
    await until('the request is recorded', of('request'));
    await until('the change is recorded', of('finish'));
    expect(JSON.stringify(await events())).not.to.contain(token);
  });

  it('refuses fields that are missing or too long, and needs no key', async () => {
    expect(pointers(expectProblem(await sendJson(server, `${api}/request`, {}), 400, 'INPUT_INVALID'))).to.deep.equal([
      '/username',
    ]);
    for (const token of ['', 'x'.repeat(201)])
      expect(pointers(expectProblem(await check(server, token), 400, 'INPUT_INVALID'))).to.deep.equal(['/token']);
    expectProblem(
      await finish(server, 'x', {}, { 'x-api-key': globalKey, ...somebody() }),
      404,
      'PASSWORD_RESET_UNKNOWN',
    );
  });
});

describe('A password reset by mail is off', () => {
  let mail: MailServer;
  before(async () => {
    mail = await MailServer.start();
  });
  after(() => mail.stop());

  for (const [what, security, more] of [
    ['without mail', {}, { system: { frontendUrl: SITE } }],
    ['without an address of the server', {}, 'mail'],
    ['when the setting says so', {}, 'off'],
    ['when nobody logs in with a password here', { loginMethod: 'oauth2' }, 'on'],
  ] as const)
    it(what, async () => {
      const system = { frontendUrl: SITE };
      const settings = {
        mail: { mail: mail.settings },
        off: { mail: { ...mail.settings, enablePasswordReset: false }, system },
        on: { mail: mail.settings, system },
      };
      const server = await startWithLogin(security, typeof more === 'string' ? settings[more] : more);
      try {
        expect(await isOffered(server)).to.equal(false);
        for (const answer of [
          await ask(server, 'ann@example.org'),
          await check(server, 'x'),
          await finish(server, 'x'),
        ])
          expectProblem(answer, 400, 'PASSWORD_RESET_OFF');
        expect(mail.mails).to.have.length(0);
      } finally {
        await server.stop();
      }
    });
});
