import { expect } from 'chai';
import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { addUser, bossName, firstSessionOf, keyOf, sessionOf, setEnabled, startWithLogin } from '../support/login.js';
import { connect, rpc, startForAgents, startForAgentsWithLogin, callTool, textOf, useTool } from '../support/agent.js';
import { expectProblem, json, send, type Answer } from '../support/client.js';
import { startIssuer, type Issuer } from '../support/issuer.js';
import type { TestServer } from '../support/server.js';

const resourceId = 'https://pdf.example.org/mcp';
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('Access tokens of agents', () => {
  let issuer: Issuer;
  let server: TestServer;
  let boss: { readonly authorization: string };

  before(async () => {
    issuer = await startIssuer();
    server = await startForAgentsWithLogin({
      auth: { mode: 'oauth', issuerUri: issuer.url, resourceId, usernameClaim: 'preferred_username' },
    });
    boss = await sessionOf(server);
    const ada = await addUser(server, boss, 'ada');
    await firstSessionOf(server, 'ada', ada.password, 'a new password of ada');
  });
  after(async () => {
    await server.stop();
    await issuer.close();
  });

  const claims: JWTPayload = { aud: resourceId, preferred_username: 'Ada', scope: 'mcp.tools.read mcp.tools.write' };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const withToken = async (changed: JWTPayload, options = {}): Promise<Answer> =>
    rpc(server, list, bearer(await issuer.sign({ ...claims, ...changed }, options)));

  it('are accepted for the account that they name, whose keys are found through the issuer', async () => {
    const answer = await withToken({});
    expect(answer.status, answer.body.toString()).to.equal(200);
    expect(issuer.asked).to.deep.equal(['/.well-known/openid-configuration', '/keys']);
    expect((await withToken({ aud: ['other', resourceId] })).status).to.equal(200);
    const client = await connect(server, { headers: bearer(await issuer.sign(claims)) });
    // Agents reach the server under the address of the audience, so that is where they send files.
    const { uploadUrl } = (await useTool(client, 'create_upload')).structuredContent;
    expect(uploadUrl).to.match(/^https:\/\/pdf\.example\.org\/mcp\/uploads\/upload-/);
    await client.close();
  });

  it('are rejected with a challenge that leads to the metadata', async () => {
    const answer = await rpc(server, list);
    const problem = expectProblem(answer, 401, 'ACCESS_TOKEN_INVALID');
    expect(problem).to.include({ error: 'unauthorized' });
    const metadata = `${server.url}/.well-known/oauth-protected-resource/mcp`;
    expect(answer.headers['www-authenticate']).to.equal(`Bearer resource_metadata="${metadata}"`);
    for (const address of [metadata, metadata.replace(/\/mcp$/, '')])
      expect(json(await send(address))).to.deep.equal({
        resource: resourceId,
        resource_name: 'Quire',
        authorization_servers: [issuer.url],
        scopes_supported: ['mcp.tools.read', 'mcp.tools.write'],
        bearer_methods_supported: ['header'],
      });
  });

  it('are rejected unless issuer, audience, time and signature are right', async () => {
    const past = Math.floor(Date.now() / 1000) - 3600;
    const cases: readonly (readonly [string, RegExp, Promise<Answer>])[] = [
      ['no audience', /audience is not this server/, withToken({ aud: undefined as never })],
      ['another audience', /audience is not this server/, withToken({ aud: 'https://pdf.example.org' })],
      ['expired', /has expired/, withToken({ exp: past })],
      ['no expiry', /exp is missing/, withToken({ exp: undefined as never })],
      ['another issuer', /iss is missing or wrong/, withToken({ iss: 'https://evil.example' })],
      ['another key', /signature is wrong/, withToken({}, { stranger: true })],
      ['unsigned', /algorithm|not a signed/, rpc(server, list, bearer(new UnsecuredJWT(claims).encode()))],
      [
        'shared secret',
        /algorithm is not accepted/,
        new SignJWT({ ...claims, iss: issuer.url, exp: past + 7200 })
          .setProtectedHeader({ alg: 'HS256', kid: 'one' })
          .sign(new TextEncoder().encode('x'.repeat(64)))
          .then((token) => rpc(server, list, bearer(token))),
      ],
      ['no token', /not a signed/, rpc(server, list, bearer('x.y.z'))],
    ];
    for (const [name, reason, sent] of cases) {
      const answer = await sent;
      const { detail } = expectProblem(answer, 401, 'ACCESS_TOKEN_INVALID');
      expect(detail, name).to.match(reason);
      expect(answer.headers['www-authenticate'], name).to.match(/^Bearer error="invalid_token", error_description="/);
    }
  });

  it('are rejected without an enabled account, and for the built-in one', async () => {
    await addUser(server, boss, 'former');
    await setEnabled(server, boss, 'former', false);
    for (const name of ['nobody', 'former', 'CUSTOM_API_USER', '']) {
      const problem = expectProblem(await withToken({ preferred_username: name }), 403, 'ACCESS_TOKEN_ACCOUNT');
      expect(problem).to.include({ error: 'insufficient_account' });
    }
  });

  describe('where security.secondFactor wants a second factor', () => {
    let strict: TestServer;
    const call = async (more: JWTPayload): Promise<Answer> =>
      rpc(strict, list, bearer(await issuer.sign({ ...claims, ...more })));

    before(async () => {
      const auth = { mode: 'oauth', issuerUri: issuer.url, resourceId, usernameClaim: 'preferred_username' };
      strict = await startWithLogin(
        { secondFactor: { requiredForRoles: ['ROLE_USER'] } },
        { mcp: { enabled: true, auth } },
      );
      await addUser(strict, await sessionOf(strict), 'ada');
    });
    after(() => strict.stop());

    it('have to name one (amr) for the roles that need it', async () => {
      for (const amr of [undefined, ['pwd'], 'pwd', ['mfa-not'], { mfa: true }]) {
        const { detail } = expectProblem(await call({ amr }), 403, 'ACCESS_TOKEN_ACCOUNT');
        expect(detail).to.match(/second factor was used \(claim amr\)/);
      }
      expect((await call({ amr: ['pwd', 'otp'] })).status).to.equal(200);
    });

    it('need none for other roles', async () => {
      expect((await call({ preferred_username: bossName })).status).to.equal(200);
    });
  });

  it('replace sessions and API keys at this address only', async () => {
    const key = await keyOf(server, boss);
    expectProblem(await rpc(server, list, { 'x-api-key': key }), 401, 'ACCESS_TOKEN_INVALID');
    expectProblem(await rpc(server, list, boss), 401, 'ACCESS_TOKEN_INVALID');
    const token = bearer(await issuer.sign(claims));
    expectProblem(await send(`${server.url}/api/v1/capabilities`, { headers: token }), 401, 'TOKEN_INVALID');
  });

  it('need a scope for each kind of tool', async () => {
    const headers = bearer(await issuer.sign({ ...claims, scope: 'mcp.tools.read' }));
    const client = await connect(server, { headers });
    const refused = await callTool(client, 'create_upload');
    expect(refused.isError).to.equal(true);
    expect(textOf(refused)).to.contain('mcp.tools.write');
    expect(textOf(await callTool(client, 'get_job', { jobId: 'x' }))).to.contain('no job of yours');
    await client.close();
  });

  it('are rejected while no audience is set, and the server says what to set', async () => {
    const other = await startForAgents({ auth: { mode: 'oauth', issuerUri: issuer.url } });
    try {
      const { detail } = expectProblem(
        await rpc(other, list, bearer(await issuer.sign(claims))),
        503,
        'SERVICE_NOT_SET_UP',
      );
      expect(detail).to.contain('mcp.auth.resourceId');
    } finally {
      await other.stop();
    }
  });

  it('of every user are accepted while login is off, if the operator says so', async () => {
    const auth = { mode: 'oauth', issuerUri: issuer.url, jwksUri: issuer.jwksUri, acceptedAudiences: ['quire'] };
    for (const [requireExistingAccount, status] of [
      [true, 403],
      [false, 200],
    ] as const) {
      const other = await startForAgents({ auth: { ...auth, requireExistingAccount } });
      try {
        const token = await issuer.sign({ aud: 'quire', sub: 'anybody' });
        expect((await rpc(other, list, bearer(token))).status).to.equal(status);
        expect((await rpc(other, list)).status).to.equal(401);
      } finally {
        await other.stop();
      }
    }
  });
});
