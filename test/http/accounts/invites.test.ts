import { expect } from 'chai';
import { expectProblem, json, pointers, send, type Answer } from '../support/client.js';
import { addUser, bossName, globalKey, sendFields, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { MailServer } from '../support/mail-server.js';
import { startServer, type TestServer } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, string>>;
interface Invite {
  readonly token: string;
  readonly inviteUrl: string;
  readonly email: string | null;
  readonly expiresAt: string;
  readonly expiryHours: number;
  readonly emailSent?: boolean;
  readonly emailError?: string;
}

describe('Invites', () => {
  let server: TestServer;
  let mail: MailServer;
  let boss: Headers;
  const api = (path: string): string => `${server.url}/api/v1/invite/${path}`;
  const generate = (fields: Fields = {}, headers = boss): Promise<Answer> =>
    sendFields(server, '/api/v1/invite/generate', fields, headers);
  const accept = (token: string, fields: Fields): Promise<Answer> =>
    sendFields(server, `/api/v1/invite/accept/${token}`, fields, {});

  before(async () => {
    mail = await MailServer.start();
    server = await startWithLogin({}, { mail: { ...mail.settings, inviteLinkExpiryHours: 48 } });
    boss = await sessionOf(server);
  });
  after(async () => {
    await server.stop();
    await mail.stop();
  });

  it('are links that let their holder create one account', async () => {
    const answer = await generate({ role: 'ROLE_DEMO_USER' });
    const invite = json<Invite & Record<string, unknown>>(answer);
    expect(invite).to.have.all.keys('token', 'inviteUrl', 'email', 'expiresAt', 'expiryHours');
    expect(invite).to.deep.include({ email: null, expiryHours: 48, inviteUrl: `${server.url}/invite/${invite.token}` });
    expect(invite.token).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(invite.expiresAt)
      .to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)
      .and.not.match(/Z$/);
    const offer = json<object>(await send(api(`validate/${invite.token}`)));
    expect(offer).to.deep.equal({
      email: null,
      role: 'ROLE_DEMO_USER',
      expiresAt: invite.expiresAt,
      emailRequired: true,
    });
    expectProblem(await accept(invite.token, { password: 'correct horse' }), 400, 'INVITE_INVALID');
    expect(json(await accept(invite.token, { email: 'Ann@Example.org', password: 'correct horse' }))).to.deep.include({
      username: 'ann@example.org',
    });
    const { user } = json<{ user: object }>(
      await sendJson(server, '/api/v1/auth/login', { username: 'ann@example.org', password: 'correct horse' }),
    );
    expect(user).to.deep.include({ role: 'ROLE_DEMO_USER', enabled: true, user_metadata: { firstLogin: false } });
    for (const again of [
      await send(api(`validate/${invite.token}`)),
      await accept(invite.token, { email: 'eve@example.org', password: 'correct horse' }),
    ]) {
      expectProblem(again, 404, 'INVITE_UNKNOWN');
      expect(json<{ error: string }>(again).error).to.be.a('string');
    }
  });

  it('create one account when many accept at the same time', async () => {
    const { token } = json<Invite & Record<string, unknown>>(await generate());
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => accept(token, { email: `racer${i}@example.org`, password: 'correct horse' })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 404, 404, 404, 404, 404]);
  });

  it('are sent by mail, or report why they were not', async () => {
    const sent = json<Invite & Record<string, unknown>>(
      await generate({ email: 'bob@example.org', sendEmail: 'true', frontendBaseUrl: 'https://docs.example.org/app/' }),
    );
    expect(sent).to.include({
      email: 'bob@example.org',
      emailSent: true,
      inviteUrl: `https://docs.example.org/app/invite/${sent.token}`,
    });
    expect(mail.lastTo('bob@example.org')).to.contain(sent.inviteUrl);
    const failed = json<Invite & Record<string, unknown>>(
      await generate({ email: 'refused@example.org', sendEmail: 'true' }),
    );
    expect(failed).to.have.property('emailSent', false);
    expect(failed.emailError).to.contain('mail server').and.not.contain('refused@');
    expect((await send(api(`validate/${failed.token}`))).status, 'the link holds all the same').to.equal(200);
  });

  it("use this server's address in a mail, never one that a caller sent", async () => {
    const invite = json<Invite & Record<string, unknown>>(
      await generate({ email: 'fay@example.org', sendEmail: 'true' }),
    );
    expect(mail.lastTo('fay@example.org')).to.contain(`${server.url}/invite/${invite.token}`);
    const theirs = json<Invite & Record<string, unknown>>(
      await generate(
        { email: 'gus@example.org', sendEmail: 'true' },
        { ...boss, host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      ),
    );
    expect(theirs.emailSent).to.equal(true);
    expect(mail.lastTo('gus@example.org'))
      .to.contain(`/invite/${theirs.token}`)
      .and.not.contain('evil')
      .and.not.contain('://');
  });

  it('are limited to one per address, and refused for an existing user', async () => {
    await generate({ email: 'carl@example.org' });
    const second = await generate({ email: 'CARL@example.org' });
    expectProblem(second, 409, 'INVITE_TAKEN');
    await addUser(server, boss, 'dora@example.org');
    expectProblem(await generate({ email: 'dora@example.org' }), 409, 'INVITE_TAKEN');
  });

  it('are listed without their tokens, revoked and cleaned up', async () => {
    const { token } = json<Invite & Record<string, unknown>>(
      await generate({ email: 'emil@example.org', expiryHours: '1' }),
    );
    const list = async (): Promise<Record<string, unknown>[]> =>
      json<{ invites: Record<string, unknown>[] }>(await send(api('list'), { headers: boss })).invites;
    const found = (await list()).find(({ email }) => email === 'emil@example.org') ?? {};
    expect(found).to.have.all.keys('id', 'email', 'role', 'teamId', 'createdBy', 'createdAt', 'expiresAt');
    expect(found).to.include({ role: 'ROLE_USER', createdBy: bossName, teamId: 1 });
    expect(JSON.stringify(await list())).not.to.contain(token);
    const revoke = (id: unknown): Promise<Answer> =>
      send(api(`revoke/${String(id)}`), { method: 'DELETE', headers: boss });
    expect(json(await revoke(found['id']))).to.have.property('message');
    expectProblem(await revoke(found['id']), 404, 'INVITE_UNKNOWN');
    for (const id of ['x', '-1', '0', '1.5', '99999999999999999999'])
      expectProblem(await revoke(id), 400, 'INPUT_INVALID');
    expectProblem(await send(api(`validate/${token}`)), 404, 'INVITE_UNKNOWN');
    expect(
      json<{ deletedCount: number }>(await send(api('cleanup'), { method: 'POST', headers: boss })).deletedCount,
    ).to.be.at.least(2);
  });

  it('are refused with an error that names the fault', async () => {
    const cases: readonly (readonly [Fields, number, string])[] = [
      [{ email: 'no address' }, 400, 'INVITE_INVALID'],
      [{ email: 'a@example.org\r\nBcc: b@example.org' }, 400, 'INVITE_INVALID'],
      [{ role: 'ROLE_BACKEND_API_USER' }, 400, 'ROLE_INVALID'],
      [{ role: 'KING' }, 400, 'ROLE_INVALID'],
      [{ teamId: '99' }, 400, 'TEAM_INVALID'],
      [{ teamId: '2' }, 400, 'TEAM_INVALID'],
      [{ sendEmail: 'true' }, 400, 'INVITE_INVALID'],
    ];
    for (const [fields, status, code] of cases) expectProblem(await generate(fields), status, code);
    for (const [name, values] of [
      ['expiryHours', ['0', '-1', '8761', 'x', '1.5']],
      ['teamId', ['0', 'x']],
      ['sendEmail', ['maybe']],
      ['frontendBaseUrl', ['javascript:alert(1)', 'ftp://example.org', 'x']],
    ] as const) {
      for (const value of values)
        expect(pointers(expectProblem(await generate({ [name]: value }), 400, 'INPUT_INVALID')), value).to.deep.equal([
          `/${name}`,
        ]);
    }
    const { token } = json<Invite & Record<string, unknown>>(await generate());
    expect(
      pointers(expectProblem(await accept(token, { email: 'fay@example.org' }), 400, 'INPUT_INVALID')),
    ).to.deep.equal(['/password']);
    expectProblem(await accept(token, { email: 'fay@example.org', password: '12345' }), 400, 'PASSWORD_INVALID');
    expectProblem(await accept(token, { email: 'dora@example.org', password: 'correct horse' }), 409, 'USERNAME_TAKEN');
    expect(
      (await accept(token, { email: 'fay@example.org', password: 'correct horse' })).status,
      'and still holds',
    ).to.equal(200);
    for (const wrong of ['x', '%00', '..%2f..', 'a'.repeat(200)])
      expectProblem(await send(api(`validate/${wrong}`)), 404, 'INVITE_UNKNOWN');
  });

  it('are created, listed and revoked only by administrators', async () => {
    await addUser(server, boss, 'plain.user');
    for (const [headers, status, code] of [
      [{}, 401, 'KEY_INVALID'],
      [{ 'x-api-key': globalKey }, 403, 'ADMIN_ONLY'],
      [await sessionOf(server, 'plain.user', 'password of plain.user'), 403, 'ADMIN_ONLY'],
    ] as const) {
      for (const [method, path] of [
        ['POST', 'generate'],
        ['GET', 'list'],
        ['DELETE', 'revoke/1'],
        ['POST', 'cleanup'],
      ] as const)
        expectProblem(await send(api(path), { method, headers }), status, code);
    }
  });

  it('do not exist while invites or login are off', async () => {
    const off = await startWithLogin();
    const open = await startServer();
    try {
      expectProblem(await sendFields(off, '/api/v1/invite/generate', {}, await sessionOf(off)), 400, 'INVITES_OFF');
      expectProblem(await send(`${open.url}/api/v1/invite/validate/x`), 404, 'LOGIN_REQUIRED');
    } finally {
      await Promise.all([off.stop(), open.stop()]);
    }
  });
});

describe('Teams', () => {
  let server: TestServer;
  let boss: Headers;
  const team = (path: string, fields: Fields, headers = boss): Promise<Answer> =>
    sendFields(server, `/api/v1/team/${path}`, fields, headers);
  const userOf = async (name: string): Promise<{ id: number; team: { id: number; name: string }; teamLead: boolean }> =>
    json<{ user: { id: number; team: { id: number; name: string }; teamLead: boolean } }>(
      await send(`${server.url}/api/v1/auth/me`, { headers: await sessionOf(server, name, `password of ${name}`) }),
    ).user;

  before(async () => {
    server = await startWithLogin({}, { licence: { tier: 'team' } });
    boss = await sessionOf(server);
    await addUser(server, boss, 'ann');
  });
  after(() => server.stop());

  it('accept members, owners and new names, and can be deleted when empty', async () => {
    expect((await team('create', { name: 'Blue' })).status).to.equal(200);
    expectProblem(await team('create', { name: 'BLUE' }), 409, 'TEAM_TAKEN');
    const { id } = await userOf('ann');
    const ids = { teamId: '3', userId: String(id) };
    expectProblem(await team('setOwner', ids), 400, 'TEAM_INVALID');
    for (const [path, fields] of [
      ['addUser', ids],
      ['setOwner', ids],
      ['rename', { teamId: '3', newName: 'Azure' }],
    ] as const)
      expect((await team(path, fields)).status, path).to.equal(200);
    expect(await userOf('ann')).to.deep.include({ team: { id: 3, name: 'Azure' }, teamLead: true });
    expectProblem(await team('delete', { teamId: '3' }), 400, 'TEAM_INVALID');
    expect((await team('removeOwner', ids)).status).to.equal(200);
    expect((await team('addUser', { ...ids, teamId: '1' })).status).to.equal(200);
    expect((await team('delete', { teamId: '3' })).status).to.equal(200);
    expect(await userOf('ann')).to.deep.include({ team: { id: 1, name: 'Default' }, teamLead: false });
  });

  it('are refused with an error that names the fault', async () => {
    const cases: readonly (readonly [string, Fields, number, string])[] = [
      ['create', {}, 400, 'INPUT_INVALID'],
      ['create', { name: ' ' }, 400, 'TEAM_INVALID'],
      ['create', { name: 'x'.repeat(101) }, 400, 'TEAM_INVALID'],
      ['create', { name: 'a\u202eb' }, 400, 'TEAM_INVALID'],
      ['create', { name: 'internal' }, 409, 'TEAM_TAKEN'],
      ['rename', { teamId: '1', newName: 'Mine' }, 400, 'TEAM_INVALID'],
      ['rename', { teamId: '99', newName: 'Mine' }, 404, 'TEAM_UNKNOWN'],
      ['delete', { teamId: '2' }, 400, 'TEAM_INVALID'],
      ['delete', { teamId: 'x' }, 400, 'INPUT_INVALID'],
      ['addUser', { teamId: '1', userId: '99' }, 404, 'USER_UNKNOWN'],
      ['addUser', { teamId: '99', userId: '1' }, 404, 'TEAM_UNKNOWN'],
      ['addUser', { teamId: '2', userId: '1' }, 400, 'TEAM_INVALID'],
      ['addUser', { teamId: '1', userId: '2' }, 400, 'ACCOUNT_BUILT_IN'],
    ];
    for (const [path, fields, status, code] of cases) expectProblem(await team(path, fields), status, code);
    expectProblem(
      await team('create', { name: 'Red' }, await sessionOf(server, 'ann', 'password of ann')),
      403,
      'ADMIN_ONLY',
    );
  });
});
