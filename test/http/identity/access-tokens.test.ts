import { expect } from 'chai';
import { decodeProtectedHeader, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { expectProblem, json, send, type Answer } from '../support/client.js';
import { CertifiedIssuer, resource, serviceId } from '../support/certified-issuer.js';
import { ForgingIssuer } from '../support/forging-issuer.js';
import {
  addUser,
  firstSessionOf,
  keyOf,
  sendFields,
  sendJson,
  sessionOf,
  setEnabled,
  startWithLogin,
} from '../support/login.js';
import { RedirectBrowser } from '../support/redirect-browser.js';
import type { TestServer } from '../support/server.js';

describe('Access tokens of an issuer', () => {
  let certified: CertifiedIssuer;
  let issuer: ForgingIssuer;
  let away: ForgingIssuer;
  let server: TestServer;
  let boss: { readonly authorization: string };

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const claimsOf = (changed: Readonly<Record<string, unknown>> = {}): JWTPayload => {
    const now = Math.floor(Date.now() / 1000);
    const usual = {
      iss: issuer.url,
      sub: 'subject',
      aud: resource,
      iat: now,
      exp: now + 300,
      client_id: 'app',
      scope: 'openid quire:all',
    };
    return Object.fromEntries(Object.entries({ ...usual, ...changed }).filter(([, value]) => value !== undefined));
  };
  const token = (changed: Readonly<Record<string, unknown>> = {}, header: Readonly<Record<string, unknown>> = {}) =>
    issuer.sign(claimsOf(changed), { typ: 'at+jwt', ...header });
  const me = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
    send(`${server.url}/api/v1/auth/me`, { headers });
  const nameOf = async (sent: string): Promise<string> => {
    const answer = await me(bearer(sent));
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<{ user: { username: string } }>(answer).user.username;
  };
  const reads = (headers: Readonly<Record<string, string>>, path: string) =>
    send(`${server.url}/api/v1/${path}`, { headers });

  before(async () => {
    certified = await CertifiedIssuer.listen();
    [issuer, away] = [await ForgingIssuer.listen(), await ForgingIssuer.listen()];
    away.down = true;
    server = await startWithLogin({
      oauth2: {
        enabled: true,
        client: { keycloak: { issuer: issuer.url, clientId: 'quire', clientSecret: 'secret' } },
      },
      accessTokens: {
        audiences: [resource],
        issuers: [certified.url, away.url],
        services: [`${certified.url} ${serviceId}=robot`, `${issuer.url} for-nobody=nobody`, `${issuer.url} new=fresh`],
        scopes: ['access_as_user=general', 'Quire.Admin=admin'],
      },
    });
    certified.serve(server.url, 'keycloak');
    boss = await sessionOf(server);
    const robot = await addUser(server, boss, 'robot');
    await firstSessionOf(server, 'robot', robot.password, 'a new password of robot');
    await sendFields(
      server,
      '/api/v1/user/admin/saveUser',
      { username: 'fresh', password: 'a first password', role: 'ROLE_USER', authType: 'web', forceChange: 'true' },
      boss,
    );
    // The identity belongs to an account once its user has logged in.
    await new RedirectBrowser().visit(`${server.url}/oauth2/authorization/keycloak`, (at) => at.hash !== '');
  });
  beforeEach(() => issuer.reset());
  after(async () => {
    await server.stop();
    await certified.close();
    await issuer.close();
    await away.close();
  });

  it('let a service act as the account that the administrator has entered, within its scopes', async () => {
    const sent = await certified.serviceToken('quire:general');
    expect(decodeProtectedHeader(sent).typ).to.equal('at+jwt');
    expect(await nameOf(sent)).to.equal('robot');
    const rotate = await sendJson(server, '/api/v1/general/rotate-pdf', {}, bearer(sent));
    expect(rotate.status, 'the guard has let it in').to.equal(415);
    const refused = expectProblem(
      await sendJson(server, '/api/v1/misc/compress-pdf', {}, bearer(sent)),
      403,
      'ACCESS_TOKEN_SCOPE',
    );
    expect(refused.detail).to.contain('limited to the categories general');
  });

  it('that only read, read', async () => {
    const sent = bearer(await certified.serviceToken('quire:read'));
    expect((await reads(sent, 'auth/me')).status).to.equal(200);
    const answer = await sendJson(server, '/api/v1/general/rotate-pdf', {}, sent);
    expect(expectProblem(answer, 403, 'ACCESS_TOKEN_SCOPE').detail).to.contain('read-only');
    expect(answer.headers['www-authenticate']).to.match(/^Bearer realm="quire", error="insufficient_scope"/);
  });

  it('of a service for another server are refused', async () => {
    const answer = await me(bearer(await certified.serviceToken('quire:general', 'https://other.example')));
    expect(expectProblem(answer, 401, 'ACCESS_TOKEN_INVALID').detail).to.contain('audience is not this server');
  });

  it('let a user act as their account, found by subject and never by name', async () => {
    expect(await nameOf(await token())).to.equal('somebody');
    expect(await nameOf(await token({ preferred_username: 'boss', email: 'boss' }))).to.equal('somebody');
    const stranger = await me(bearer(await token({ sub: 'stranger', preferred_username: 'boss', username: 'boss' })));
    const { detail } = expectProblem(stranger, 401, 'ACCESS_TOKEN_UNKNOWN');
    expect(detail).to.contain('no account of this server belongs to its subject').and.not.contain('stranger');
    expect(stranger.headers['www-authenticate']).to.match(/^Bearer realm="quire", error="invalid_token"/);
  });

  it('may come from issuers that write another type, and keep the nonce of the login', async () => {
    expect(await nameOf(await token({}, { typ: undefined }))).to.equal('somebody');
    expect(await nameOf(await token({}, { typ: 'application/at+jwt' }))).to.equal('somebody');
    const keycloak = { typ: 'Bearer', nonce: 'n', client_id: undefined, azp: 'app' };
    expect(await nameOf(await token(keycloak, { typ: 'JWT' }))).to.equal('somebody');
    expect(await nameOf(await token({ iss: `${issuer.url}/` })), 'a slash does not count').to.equal('somebody');
  });

  it('do not get the account of a service with the same subject at another issuer', async () => {
    expectProblem(await me(bearer(await token({ sub: serviceId }))), 401, 'ACCESS_TOKEN_UNKNOWN');
  });

  it('explain a refusal to the administrator', async () => {
    await me(bearer(await token({ sub: 'unknown-service', client_id: 'reports' })));
    const found = await send(
      `${server.url}/api/v1/proprietary/ui-data/audit-events?eventType=USER_FAILED_LOGIN&pageSize=100`,
      {
        headers: boss,
      },
    );
    expect(found.status, found.body.toString()).to.equal(200);
    expect(found.body.toString())
      .to.contain('subject unknown-service, client reports')
      .and.to.contain('unknown-service=<username>');
  });

  const past = Math.floor(Date.now() / 1000) - 3600;
  const wrong: Readonly<Record<string, readonly [RegExp, () => Promise<string>]>> = {
    expired: [/has expired/, () => token({ exp: past })],
    'not valid yet': [/nbf is missing or wrong/, () => token({ nbf: past + 7200 })],
    'without an end': [/exp is missing/, () => token({ exp: undefined })],
    'without a subject': [/sub is missing/, () => token({ sub: undefined })],
    'for another audience': [/audience is not this server/, () => token({ aud: ['quire', 'account'] })],
    'without an audience': [/aud|audience/, () => token({ aud: undefined })],
    'of another issuer': [/issuer is not accepted/, () => token({ iss: 'https://evil.example' })],
    'of an issuer that another one signs for': [/issuer has no key|wrong/, () => token({ iss: certified.url })],
    unsigned: [/algorithm is not accepted|not a signed/, async () => new UnsecuredJWT(claimsOf()).encode()],
    'signed with a foreign key': [
      /signature is wrong/,
      () => {
        issuer.foreignKey = true;
        return token();
      },
    ],
    'signed with the public key as a shared secret': [
      /algorithm is not accepted/,
      async () => {
        const keys = await (await fetch(`${issuer.url}/keys`)).text();
        return new SignJWT(claimsOf())
          .setProtectedHeader({ alg: 'HS256', kid: '1', typ: 'at+jwt' })
          .sign(new TextEncoder().encode(keys));
      },
    ],
    'that brings its own key': [
      /signature is wrong/,
      () => {
        issuer.foreignKey = true;
        return token({}, { jku: 'https://evil.example/keys', jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' } });
      },
    ],
    'with an extension that is not understood': [
      /not a signed/,
      () => token({}, { crit: ['x'], x: 1 }).catch(() => 'a.b.c'),
    ],
    'that is an ID token': [/has the claim nonce/, () => token({ nonce: 'n', scope: undefined }, { typ: 'JWT' })],
    'that is an ID token without a nonce': [
      /nothing in it says/,
      () => token({ scope: undefined, client_id: undefined, azp: 'quire' }, { typ: 'JWT' }),
    ],
    'that is an ID token of Keycloak': [/of the type id/, () => token({ typ: 'ID' }, { typ: 'JWT' })],
    'that is a logout token': [/of the type logout\+jwt/, () => token({}, { typ: 'logout+jwt' })],
    'that is a logout token without a type': [/has the claim events/, () => token({ events: {} }, { typ: 'JWT' })],
    'bound to a key of its client': [/bound to a key/, () => token({ cnf: { jkt: 'x' } })],
  };
  for (const [how, [reason, make]] of Object.entries(wrong))
    it(`are refused when ${how}`, async () => {
      const sent = await make();
      // A text that is no token is one of this server's sessions, as before.
      if (sent === 'a.b.c') return expectProblem(await me(bearer(sent)), 401, 'TOKEN_INVALID');
      const answer = await me(bearer(sent));
      expect(expectProblem(answer, 401, 'ACCESS_TOKEN_INVALID').detail).to.match(reason);
      expect(answer.headers['www-authenticate']).to.match(/error="invalid_token", error_description="/);
    });

  it('are refused without scopes of this server, and may have scopes of the settings', async () => {
    for (const scope of ['openid profile', '', undefined, 'quire:', 'QUIRE:ALL'])
      expectProblem(await me(bearer(await token({ scope }))), 403, 'ACCESS_TOKEN_SCOPE');
    const mapped = bearer(await token({ scope: undefined, scp: 'access_as_user' }));
    expect((await sendJson(server, '/api/v1/general/rotate-pdf', {}, mapped)).status).to.equal(415);
    expectProblem(await sendJson(server, '/api/v1/misc/compress-pdf', {}, mapped), 403, 'ACCESS_TOKEN_SCOPE');
    // A scope does not make an administrator of a user.
    const admin = bearer(await token({ scope: undefined, roles: ['Quire.Admin'] }));
    expectProblem(await reads(admin, 'admin/settings'), 403, 'ADMIN_ONLY');
  });

  it('are no sessions', async () => {
    const sent = bearer(await token());
    expectProblem(await reads(sent, 'auth/identities'), 403, 'SESSION_REQUIRED');
    expect((await me(boss)).status, 'sessions still count').to.equal(200);
    expect((await me({ 'x-api-key': await keyOf(server, boss) })).status).to.equal(200);
    expectProblem(await me(bearer('nonsense')), 401, 'TOKEN_INVALID');
  });

  it('of a user say that a second factor was used where one is required', async () => {
    const strict = await startWithLogin({
      oauth2: {
        enabled: true,
        requireSecondFactor: true,
        client: { keycloak: { issuer: issuer.url, clientId: 'quire', clientSecret: 'secret' } },
      },
      accessTokens: { audiences: [resource], services: ['machine=boss'] },
    });
    try {
      issuer.claims = { amr: ['pwd', 'otp'] };
      await new RedirectBrowser().visit(`${strict.url}/oauth2/authorization/keycloak`, (at) => at.hash !== '');
      const call = async (changed: object) =>
        send(`${strict.url}/api/v1/auth/me`, { headers: bearer(await token({ ...changed })) });
      expect((await call({ amr: ['pwd', 'otp'] })).status).to.equal(200);
      expectProblem(await call({ amr: ['pwd'] }), 401, 'ACCESS_TOKEN_UNKNOWN');
      // Nobody can be asked for a factor where a service calls.
      expect((await call({ sub: 'machine' })).status).to.equal(200);
    } finally {
      await strict.stop();
    }
  });

  it('do not get around a duty, or a disabled account', async () => {
    expectProblem(await me(bearer(await token({ sub: 'for-nobody' }))), 401, 'ACCESS_TOKEN_UNKNOWN');
    const fresh = bearer(await token({ sub: 'new' }));
    expectProblem(await sendJson(server, '/api/v1/general/rotate-pdf', {}, fresh), 403, 'PASSWORD_CHANGE_REQUIRED');
    await setEnabled(server, boss, 'robot', false);
    try {
      expectProblem(await me(bearer(await certified.serviceToken('quire:general'))), 403, 'ACCOUNT_DISABLED');
    } finally {
      await setEnabled(server, boss, 'robot', true);
    }
  });

  it('do nothing on public addresses when they are wrong', async () => {
    const expired = bearer(await token({ exp: past }));
    expect((await reads(expired, 'info/status')).status).to.equal(200);
  });

  it('go on after the issuer has changed its key, and invented keys cause no storm', async () => {
    expect(await nameOf(await token())).to.equal('somebody');
    const old = await token();
    await issuer.rotate();
    expect(await nameOf(await token())).to.equal('somebody');
    expectProblem(await me(bearer(old)), 401, 'ACCESS_TOKEN_INVALID');
    issuer.asked.length = 0;
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const answer = await me(bearer(await token({}, { kid: `invented-${i}` })));
        expect(expectProblem(answer, 401, 'ACCESS_TOKEN_INVALID').detail).to.contain('has no key for it');
      }),
    );
    expect(issuer.asked.filter((path) => path === '/keys').length).to.be.at.most(3);
  });

  it('of an issuer that is away get 503, and others are not affected', async () => {
    await Promise.all(
      Array.from({ length: 30 }, async () =>
        expectProblem(await me(bearer(await token({ iss: away.url }))), 503, 'ISSUER_UNREACHABLE'),
      ),
    );
    expect(away.asked.length, 'not asked again and again').to.be.at.most(2);
    expect(await nameOf(await certified.serviceToken('quire:general'))).to.equal('robot');
    expect((await me(boss)).status).to.equal(200);
  });

  it('that are huge are refused', async () => {
    const answer = await me(bearer(await token({ filler: 'x'.repeat(13_000) })));
    expect(answer.status).to.be.oneOf([401, 431]);
  });

  it('are not accepted while no audience is set', async () => {
    const other = await startWithLogin({
      oauth2: {
        enabled: true,
        client: { keycloak: { issuer: issuer.url, clientId: 'quire', clientSecret: 'secret' } },
      },
    });
    try {
      const answer = await send(`${other.url}/api/v1/auth/me`, { headers: bearer(await token()) });
      expectProblem(answer, 401, 'TOKEN_INVALID');
      expect(answer.headers).not.to.have.property('www-authenticate');
    } finally {
      await other.stop();
    }
  });

  for (const [what, accessTokens, told] of [
    ['no issuer', { audiences: ['x'] }, /there is no issuer/],
    ['an issuer that is no address', { audiences: ['x'], issuers: ['keycloak'] }, /is not an address/],
    [
      'a service without its issuer, where there are several',
      { audiences: ['x'], issuers: ['https://a.example', 'https://b.example'], services: ['s=robot'] },
      /names no issuer/,
    ],
    [
      'a service of an unknown issuer',
      { audiences: ['x'], issuers: ['https://a.example'], services: ['https://c.example s=robot'] },
      /is not one of the issuers/,
    ],
    [
      'keys of an unknown issuer',
      { audiences: ['x'], issuers: ['https://a.example'], jwksUris: ['https://c.example https://c.example/keys'] },
      /is not one of the issuers/,
    ],
  ] as const)
    it(`stop the start with ${what}`, async () => {
      const error = await startWithLogin({ accessTokens }).then(
        async (started) => started.stop(),
        (reason: unknown) => reason,
      );
      expect((error as Error | undefined)?.message).to.match(told);
    });
});
