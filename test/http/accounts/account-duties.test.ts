import { expect } from 'chai';
import { makePdf } from '../../kit/make-pdf.js';
import { Secret, TOTP } from 'otpauth';
import { expectProblem, field, file, json, post, send, type Answer } from '../support/client.js';
import { addUser, keyOf, sendFields, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import type { TestServer } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;

describe('An account that must change its password or set up a second factor', () => {
  let server: TestServer;
  let boss: Headers;
  let pdf: Uint8Array;
  const call = (method: string, path: string, headers: Headers): Promise<Answer> =>
    send(`${server.url}/api/v1/${path}`, { method, headers });
  const form = (path: string, fields: Readonly<Record<string, string>>, headers: Headers): Promise<Answer> =>
    sendFields(server, `/api/v1/${path}`, fields, headers);
  const rotate = (headers: Headers): Promise<Answer> =>
    post(`${server.url}/api/v1/general/rotate-pdf`, [file(pdf), field('angle', '90')], headers);
  const code = (secret: string, steps = 0): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  const setPassword = async (username: string, newPassword: string): Promise<void> => {
    const answer = await form(
      'user/admin/changePasswordForUser',
      { username, newPassword, forcePasswordChange: 'true' },
      boss,
    );
    expect(answer.status, answer.body.toString()).to.equal(200);
  };
  const refusedEverywhere = async (headers: Headers, wanted: string): Promise<void> => {
    for (const answer of [
      await rotate(headers),
      await post(`${server.url}/api/v1/general/rotate-pdf?async=true`, [file(pdf), field('angle', '90')], headers),
      await call('POST', 'user/get-api-key', headers),
      await sendJson(server, '/api/v1/proprietary/ui-data/infrastructure/api-keys', { name: 'x' }, headers),
      await sendJson(server, '/api/v1/user/updateUserSettings', { theme: 'dark' }, headers),
      await call('POST', 'user/complete-initial-setup', headers),
      await call('GET', 'user/users', headers),
      await call('GET', 'auth/sessions', headers),
      await form('user/change-username', { currentPasswordChangeUsername: 'x', newUsername: 'other' }, headers),
    ]) {
      const problem = expectProblem(answer, 403, wanted) as unknown as { detail: string };
      expect(problem.detail).to.contain(
        wanted === 'PASSWORD_CHANGE_REQUIRED'
          ? 'POST /api/v1/user/change-password-on-login'
          : 'GET /api/v1/auth/mfa/setup',
      );
    }
  };
  const accountOf = async (headers: Headers): Promise<Readonly<Record<string, unknown>>> =>
    json<Readonly<Record<string, unknown>>>(await call('GET', 'proprietary/ui-data/account', headers));

  before(async () => {
    server = await startWithLogin();
    boss = await sessionOf(server);
    pdf = await makePdf({ pages: 1 });
  });
  after(() => server.stop());

  it('may read its account, change the password and log out, and nothing else', async () => {
    const { username, password } = await addUser(server, boss, 'newcomer');
    const key = { 'x-api-key': await keyOf(server, await sessionOf(server, username, password)) };
    expect((await rotate(key)).status).to.equal(200);
    await setPassword(username, 'given by the boss');
    const session = await sessionOf(server, username, 'given by the boss');
    for (const headers of [session, key]) {
      await refusedEverywhere(headers, 'PASSWORD_CHANGE_REQUIRED');
      expectProblem(await call('GET', 'auth/mfa/setup', headers), 403, 'PASSWORD_CHANGE_REQUIRED');
      expect((await call('GET', 'auth/me', headers)).status).to.equal(200);
      expect(await accountOf(headers)).to.include({ username, changeCredsFlag: true });
      expect((await call('GET', 'info/status', headers)).status, 'what is open to everybody').to.equal(200);
    }
    const parting = await sessionOf(server, username, 'given by the boss');
    expect((await call('POST', 'auth/logout', parting)).status).to.equal(200);
    expectProblem(await call('GET', 'auth/me', parting), 401, 'TOKEN_INVALID');

    const change = (confirmPassword: string): Promise<Answer> =>
      form(
        'user/change-password-on-login',
        { currentPassword: 'given by the boss', newPassword: 'a choice of my own', confirmPassword },
        session,
      );
    expectProblem(await change('something else'), 400, 'PASSWORD_MISMATCH');
    expectProblem(await rotate(session), 403, 'PASSWORD_CHANGE_REQUIRED');
    expect((await change('a choice of my own')).status).to.equal(200);
    for (const headers of [session, key]) expect((await rotate(headers)).status).to.equal(200);
  });

  it('has no rights of an administrator until then', async () => {
    const { username } = await addUser(server, boss, 'deputy', 'ROLE_ADMIN');
    await setPassword(username, 'given by the boss');
    const session = await sessionOf(server, username, 'given by the boss');
    for (const path of ['admin/settings', 'user/admin/sessions/boss', 'admin/job/stats'])
      expectProblem(await call('GET', path, session), 403, 'PASSWORD_CHANGE_REQUIRED');
    const changed = await form(
      'user/change-password',
      { currentPassword: 'given by the boss', newPassword: 'a choice of my own' },
      session,
    );
    expect(changed.status, changed.body.toString()).to.equal(200);
    expect((await call('GET', 'admin/job/stats', session)).status).to.equal(200);
  });

  it('sets up the second factor first, and again when it was turned off', async () => {
    const username = 'careful';
    const password = 'password of careful';
    const created = await form(
      'user/admin/saveUser',
      { username, password, role: 'ROLE_USER', authType: 'web', forceMFA: 'true' },
      boss,
    );
    expect(created.status, created.body.toString()).to.equal(200);
    const session = await sessionOf(server, username, password);
    await refusedEverywhere(session, 'MFA_SETUP_REQUIRED');
    expectProblem(
      await form('user/change-password', { currentPassword: password, newPassword: 'other words' }, session),
      403,
      'MFA_SETUP_REQUIRED',
    );
    expect(await accountOf(session)).to.include({ mfaRequired: true, mfaEnabled: false });
    const { secret } = json<{ secret: string }>(await call('GET', 'auth/mfa/setup', session));
    expectProblem(
      await sendJson(server, '/api/v1/auth/mfa/enable', { code: '000000' }, session),
      401,
      'MFA_CODE_INVALID',
    );
    expectProblem(await rotate(session), 403, 'MFA_SETUP_REQUIRED');
    const enabled = await sendJson(server, '/api/v1/auth/mfa/enable', { code: code(secret) }, session);
    expect(enabled.status, enabled.body.toString()).to.equal(200);
    expect((await rotate(session)).status).to.equal(200);
    expect(await accountOf(session)).to.include({ mfaRequired: false, mfaEnabled: true });

    const key = { 'x-api-key': await keyOf(server, session) };
    expect((await rotate(key)).status).to.equal(200);
    const off = await sendJson(server, '/api/v1/auth/mfa/disable', { code: code(secret, 1) }, session);
    expect(off.status, off.body.toString()).to.equal(200);
    for (const headers of [session, key]) await refusedEverywhere(headers, 'MFA_SETUP_REQUIRED');
    expect((await call('GET', 'auth/mfa/setup', session)).status).to.equal(200);
  });

  it('changes the password first when it must do both', async () => {
    const created = await form(
      'user/admin/saveUser',
      {
        username: 'both',
        password: 'given by the boss',
        role: 'ROLE_USER',
        authType: 'web',
        forceMFA: 'true',
        forceChange: 'true',
      },
      boss,
    );
    expect(created.status).to.equal(200);
    const session = await sessionOf(server, 'both', 'given by the boss');
    expectProblem(await rotate(session), 403, 'PASSWORD_CHANGE_REQUIRED');
    await form(
      'user/change-password',
      { currentPassword: 'given by the boss', newPassword: 'a choice of my own' },
      session,
    );
    expectProblem(await rotate(session), 403, 'MFA_SETUP_REQUIRED');
  });
});
