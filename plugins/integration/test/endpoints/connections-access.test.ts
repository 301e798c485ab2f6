import { expect } from 'chai';
import { json } from '../../../../test/http/support/client.js';
import { addUser, sendFields, sendJson, sessionOf } from '../../../../test/http/support/login.js';
import {
  type Server,
  type Connection,
  type Headers,
  api,
  start,
  make,
  change,
  get,
  remove,
  made,
} from './connections-server.js';

describe('connections with login', function () {
  this.timeout(30_000);
  let server: Server;
  let boss: Headers;
  let lead: Headers;
  let ann: Headers;
  let ben: Headers;
  let team: number;
  before(async () => {
    server = await start({
      security: { enableLogin: true, initialLogin: { username: 'boss', password: 'the-password-of-the-boss' } },
    });
    boss = await sessionOf(server, 'boss', 'the-password-of-the-boss');
    for (const name of ['lead', 'ann1', 'ben1']) await addUser(server, boss, name);
    await sendFields(server, '/api/v1/team/create', { name: 'Sales' }, boss);
    // Teams are not listed; the account returns the name of its team.
    const teamOf = async (username: string): Promise<string | undefined> =>
      json<{ user: { team?: { name: string } } }>(
        await sendJson(server, '/api/v1/auth/login', { username, password: `password of ${username}` }),
      ).user.team?.name;
    for (team = 1; team < 10; team++) {
      await sendFields(
        server,
        '/api/v1/user/admin/changeRole',
        { username: 'lead', role: 'ROLE_USER', teamId: String(team) },
        boss,
      );
      if ((await teamOf('lead')) === 'Sales') break;
    }
    await sendFields(
      server,
      '/api/v1/user/admin/changeRole',
      { username: 'ann1', role: 'ROLE_USER', teamId: String(team) },
      boss,
    );
    expect(await teamOf('ann1')).to.equal('Sales');
    const session = (name: string): Promise<Headers> => sessionOf(server, name, `password of ${name}`);
    const { user } = json<{ user: { id: number } }>(
      await sendJson(server, '/api/v1/auth/login', { username: 'lead', password: 'password of lead' }),
    );
    const answer = await sendFields(
      server,
      '/api/v1/team/setOwner',
      { teamId: String(team), userId: String(user.id) },
      boss,
    );
    expect(answer.status, answer.body.toString()).to.equal(200);
    [lead, ann, ben] = [await session('lead'), await session('ann1'), await session('ben1')];
  });
  after(() => server?.stop());

  const names = async (headers: Headers): Promise<string[]> =>
    json<Connection[]>(await get(server, '', headers)).map(({ name }) => name);

  it('need a login, and are made by administrators where they send documents away', async () => {
    expect((await get(server, '')).status).to.equal(401);
    expect((await make(server, api(), ann)).status).to.equal(403);
    expect((await make(server, { integrationType: 'MCP', name: 'x', scope: 'SERVER' }, ann)).status).to.equal(403);
    expect((await make(server, { integrationType: 'S3', name: 'x' }, ann)).status).to.equal(403);
    expect(
      (await make(server, { integrationType: 'MCP', name: 'x', scope: 'TEAM', ownerTeamId: team }, ann)).status,
    ).to.equal(403);
    expect((await make(server, { integrationType: 'MCP', name: 'x', locked: true }, ann)).status).to.equal(403);
    expect([
      json(await get(server, '/capabilities', ann)),
      json(await get(server, '/capabilities', boss)),
    ]).to.deep.equal([{ customApi: false }, { customApi: true }]);
  });

  it('are used and managed by a grant, as far as it goes', async () => {
    const { user } = json<{ user: { id: number } }>(
      await sendJson(server, '/api/v1/auth/login', { username: 'ben1', password: 'password of ben1' }),
    );
    const { id } = await made(server, { integrationType: 'MCP', name: 'granted', scope: 'SERVER' }, boss);
    const grants = '/api/v1/admin/access/grants';
    const grant = { resourceType: 'INTEGRATION_CONFIG', principalType: 'USER', principalId: user.id };
    const give = (more: object) => sendJson(server, grants, { ...grant, resourceId: String(id), ...more }, boss);
    expect((await give({ resourceId: '999' })).status, 'no such connection').to.equal(400);
    expect(await names(ben)).to.deep.equal([]);
    expect((await give({})).status).to.equal(200);
    expect(await names(ben)).to.deep.equal(['granted']);
    expect((await change(server, id, { name: 'x' }, ben)).status).to.equal(403);
    expect((await give({ permission: 'MANAGE' })).status).to.equal(200);
    expect(json<Connection>(await change(server, id, { name: 'renamed', enabled: false }, ben)).name).to.equal(
      'renamed',
    );
    for (const taken of [{ scope: 'USER' }, { defaultAccess: 'ORG_ALL' }, { locked: true }, { ownerTeamId: team }])
      expect((await change(server, id, taken, ben)).status, JSON.stringify(taken)).to.equal(403);
    const secret = await made(server, api(), boss);
    expect((await give({ resourceId: String(secret.id), permission: 'MANAGE' })).status).to.equal(200);
    const moved = { config: { baseUrl: 'https://attacker.example.com/', authType: 'BEARER', token: '********' } };
    expect((await change(server, secret.id, moved, ben)).status).to.equal(403);
    for (const each of [id, secret.id]) expect((await remove(server, each, ben)).status).to.be.below(300);
    const left = await sendJson(
      server,
      `${grants}?resourceType=INTEGRATION_CONFIG&resourceId=${id}`,
      undefined,
      boss,
      'GET',
    );
    expect(json(left)).to.deep.equal([]);
  });

  it('are seen by those whose they are, those whom defaultAccess lets in, and administrators', async () => {
    const ids: number[] = [];
    const add = async (body: object, headers: Headers): Promise<Connection> => {
      const connection = await made(server, { integrationType: 'MCP', ...body }, headers);
      ids.push(connection.id);
      return connection;
    };
    const own = await add({ name: 'of ann' }, ann);
    expect(own.ownerUserId).to.be.a('number');
    await add({ name: 'for all', scope: 'SERVER', defaultAccess: 'ORG_ALL' }, boss);
    await add({ name: 'of admins', scope: 'SERVER' }, boss);
    const ofTeam = await add({ name: 'of the team', scope: 'TEAM', ownerTeamId: team }, boss);
    expect([ofTeam.ownerTeamId, ofTeam.ownerUserId]).to.deep.equal([team, null]);
    await add({ name: 'of leads', scope: 'SERVER', defaultAccess: 'ADMINS_AND_TEAM_LEADS' }, boss);
    expect(await names(boss)).to.deep.equal(['of ann', 'for all', 'of admins', 'of the team', 'of leads']);
    expect(await names(ann)).to.deep.equal(['of ann', 'for all', 'of the team']);
    expect(await names(ben)).to.deep.equal(['for all']);
    expect(await names(lead)).to.deep.equal(['for all', 'of the team', 'of leads']);
    expect(
      json<Connection>(await change(server, ofTeam.id, { name: 'of the team', enabled: true }, lead)).canManage,
      'who leads a team manages what is its',
    ).to.equal(true);
    expect((await change(server, ofTeam.id, { name: 'x' }, ann)).status).to.equal(403);
    await add({ name: 'of the lead', scope: 'TEAM' }, lead);
    expect(
      (await make(server, { integrationType: 'MCP', name: 'x', scope: 'TEAM', ownerTeamId: team + 1 }, lead)).status,
    ).to.equal(403);
    const unknown = await make(server, { integrationType: 'MCP', name: 'x', scope: 'TEAM', ownerTeamId: 4711 }, boss);
    expect(
      [unknown.status, json<{ errors: { pointer: string }[] }>(unknown).errors[0]?.pointer],
      'a team that is not there',
    ).to.deep.equal([400, '/ownerTeamId']);
    expect((await change(server, ofTeam.id, { ownerTeamId: 4711 }, boss)).status).to.equal(400);
    const [, forAll, ofAdmins] = ids;
    expect([
      (await get(server, `/${ofAdmins}`, ben)).status,
      (await get(server, '/4711', ben)).status,
      (await get(server, `/${forAll}`, ben)).status,
    ]).to.deep.equal([403, 404, 200]);
    expect(json<Connection>(await get(server, `/${forAll}`, ben)).canManage).to.equal(false);
    expect([
      (await change(server, forAll ?? 0, { name: 'x' }, ben)).status,
      (await remove(server, forAll ?? 0, ben)).status,
      (await remove(server, own.id, ben)).status,
    ]).to.deep.equal([403, 403, 403]);
    expect(json<Connection>(await change(server, own.id, { name: 'of ann herself' }, ann)).name).to.equal(
      'of ann herself',
    );
    expect(
      (await change(server, own.id, { scope: 'SERVER' }, ann)).status,
      'nobody raises a connection to one of the server',
    ).to.equal(403);
    expect((await change(server, own.id, { locked: true }, boss)).status).to.equal(200);
    expect([
      (await change(server, own.id, { name: 'x' }, ann)).status,
      (await change(server, own.id, { locked: false }, ann)).status,
      (await remove(server, own.id, ann)).status,
    ]).to.deep.equal([403, 403, 403]);
    expect(json<Connection>(await get(server, `/${own.id}`, ann)).canManage).to.equal(false);
    for (const id of ids) expect((await remove(server, id, boss)).status).to.equal(204);
    expect(await names(lead)).to.deep.equal([]);
  });
});

describe('connections on servers that do not want them', function () {
  this.timeout(60_000);
  it('of type API cannot be made or given other settings, by administrators neither', async () => {
    const basic = await start({ policies: { allowCustomApiIntegrations: false } });
    try {
      const answer = await make(basic, api());
      expect([answer.status, json<{ code: string }>(answer).code]).to.deep.equal([403, 'CONNECTION_REFUSED']);
      expect((await make(basic, { integrationType: 'MCP', name: 'still' })).status).to.equal(200);
      expect(json(await get(basic, '/capabilities'))).to.deep.equal({ customApi: false });
    } finally {
      await basic.stop();
    }
  });
});

describe('the addresses of connections', function () {
  this.timeout(60_000);
  let server: Server;
  before(async () => (server = await start()));
  after(() => server?.stop());

  it('do not lead to private addresses, unless a setting allows that', async () => {
    for (const host of [
      '127.0.0.1',
      'localhost',
      '10.0.0.1',
      '169.254.169.254',
      'metadata.google.internal',
      '[::1]',
      '2130706433',
    ])
      expect(json<{ code: string }>(await make(server, api({ baseUrl: `http://${host}/` }))).code, host).to.equal(
        'ADDRESS_REFUSED',
      );
  });
});
