import { expect } from 'chai';
import { expectProblem, json, send } from '../support/client.js';
import { ForgingIssuer } from '../support/forging-issuer.js';
import { startWithLogin } from '../support/login.js';
import { RedirectBrowser } from '../support/redirect-browser.js';
import type { TestServer } from '../support/server.js';

const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout';

describe('A provider that is wrong, or not who it says', () => {
  let issuer: ForgingIssuer;
  let server: TestServer;

  const logIn = async (id = 'keycloak'): Promise<URL> => {
    const { url } = await new RedirectBrowser().visit(`${server.url}/oauth2/authorization/${id}`, (at) =>
      at.pathname.endsWith('/auth/callback'),
    );
    return url;
  };
  const tokenOf = (url: URL): string => {
    const token = new URLSearchParams(url.hash.slice(1)).get('access_token');
    expect(token, url.href).to.be.a('string');
    return token ?? '';
  };
  const stillIn = async (token: string): Promise<boolean> =>
    (await send(`${server.url}/api/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status === 200;

  before(async () => {
    issuer = await ForgingIssuer.listen();
    const away = { issuer: 'http://127.0.0.1:9', clientId: 'quire', clientSecret: 'secret' };
    const client = { clientId: 'quire', clientSecret: 'secret' };
    server = await startWithLogin({
      oauth2: {
        enabled: true,
        client: {
          keycloak: { issuer: `${issuer.url}/`, ...client },
          authelia: away,
          zitadel: { issuer: issuer.url, ...client, useAsUsername: 'email' },
        },
      },
    });
  });
  beforeEach(() => issuer.reset());
  after(async () => {
    await server.stop();
    await issuer.close();
  });

  it('logs a user in when everything is right, with a code verifier, whatever slash ends the issuer', async () => {
    tokenOf(await logIn());
    expect(issuer.tokenRequest.get('code_verifier')).to.match(/^[\w.~-]{43,128}$/);
  });

  const wrong: Readonly<Record<string, (issuer: ForgingIssuer) => void>> = {
    'is of another issuer': (it) => (it.claims = { iss: 'https://other.example' }),
    'is for another client': (it) => (it.claims = { aud: 'another-client' }),
    'has expired': (it) => (it.claims = { exp: Math.floor(Date.now() / 1000) - 3600 }),
    'is of another login': (it) => (it.claims = { nonce: 'of-another-login' }),
    'names no login': (it) => (it.claims = { nonce: undefined }),
    'is not signed': (it) => (it.unsigned = true),
    'is signed with a foreign key': (it) => (it.foreignKey = true),
    'names nobody': (it) => (it.claims = { sub: undefined }),
    'is about another user than the user information': (it) => (it.userinfo = { sub: 'another' }),
  };
  for (const [how, make] of Object.entries(wrong))
    it(`is refused when the ID token ${how}`, async () => {
      make(issuer);
      expect((await logIn()).search).to.equal('?errorOAuth=oauth2AuthenticationError');
    });

  it('is refused when the browser comes from another issuer', async () => {
    const other = await startWithLogin({
      oauth2: {
        enabled: true,
        client: { keycloak: { issuer: issuer.url, clientId: 'quire', clientSecret: 'secret' } },
      },
    });
    issuer.answerIssuer = 'https://other.example';
    try {
      const { url } = await new RedirectBrowser().visit(`${other.url}/oauth2/authorization/keycloak`, (at) =>
        at.pathname.endsWith('/auth/callback'),
      );
      expect(url.search).to.equal('?errorOAuth=oauth2AuthenticationError');
    } finally {
      await other.stop();
    }
  });

  it('may change its keys between two logins', async () => {
    tokenOf(await logIn());
    await issuer.rotate();
    tokenOf(await logIn());
  });

  it('does not get anybody in by a mail address that it does not vouch for', async () => {
    issuer.userinfo = { sub: 'thief' };
    issuer.claims = { sub: 'thief', email: 'ceo@example.org' };
    expect((await logIn('zitadel')).search).to.equal('?errorOAuth=email_not_verified');
    issuer.claims = { sub: 'thief', email: 'ceo@example.org', email_verified: false };
    expect((await logIn('zitadel')).search).to.equal('?errorOAuth=email_not_verified');
  });

  it('that cannot be reached is said to be so, and others still log in', async () => {
    expect((await logIn('authelia')).search).to.equal('?errorOAuth=provider_unreachable');
    tokenOf(await logIn());
  });

  describe('that ends sessions', () => {
    const token = (claims: Readonly<Record<string, unknown>>): Promise<string> => {
      const now = Math.floor(Date.now() / 1000);
      return issuer.sign({
        iss: issuer.url,
        aud: 'quire',
        iat: now,
        exp: now + 120,
        jti: `${Math.random()}`,
        events: { [LOGOUT]: {} },
        ...claims,
      });
    };
    const end = async (logoutToken: string) =>
      send(`${server.url}/logout/connect/back-channel/keycloak`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token: logoutToken }).toString(),
      });

    it('ends those of one of its sessions', async () => {
      issuer.claims = { sid: 'one' };
      const [first, second] = [tokenOf(await logIn()), tokenOf(await logIn())];
      issuer.claims = { sid: 'two' };
      const other = tokenOf(await logIn());
      expect((await end(await token({ sid: 'one' }))).status).to.equal(200);
      expect([await stillIn(first), await stillIn(second), await stillIn(other)]).to.deep.equal([false, false, true]);
    });

    it('ends all of a user', async () => {
      const mine = tokenOf(await logIn());
      issuer.claims = { sub: 'neighbour', preferred_username: 'neighbour' };
      issuer.userinfo = { sub: 'neighbour' };
      const other = tokenOf(await logIn());
      expect((await end(await token({ sub: 'subject' }))).status).to.equal(200);
      expect([await stillIn(mine), await stillIn(other)]).to.deep.equal([false, true]);
    });

    it('ends those of a session in the browser', async () => {
      issuer.claims = { sid: 'in-the-browser' };
      const mine = tokenOf(await logIn());
      const page = `${server.url}/logout/connect/front-channel/keycloak`;
      await send(`${page}?iss=https%3A%2F%2Fother.example&sid=in-the-browser`);
      await send(page);
      expect(await stillIn(mine)).to.equal(true);
      const answer = await send(`${page}?iss=${encodeURIComponent(issuer.url)}&sid=in-the-browser`);
      expect([answer.status, await stillIn(mine)]).to.deep.equal([200, false]);
    });

    it('needs a token that is its own, new, and about a logout', async () => {
      issuer.claims = { sid: 'kept' };
      const mine = tokenOf(await logIn());
      const old = Math.floor(Date.now() / 1000) - 3600;
      const once = await token({ sid: 'nobody' });
      expect((await end(once)).status).to.equal(200);
      const tokens = {
        'used before': once,
        'of another issuer': await token({ sid: 'kept', iss: 'https://other.example' }),
        'for another client': await token({ sid: 'kept', aud: 'another' }),
        old: await token({ sid: 'kept', iat: old, exp: old + 120 }),
        'an ID token': await token({ sid: 'kept', events: undefined, nonce: 'a' }),
        'with a nonce': await token({ sid: 'kept', nonce: 'a' }),
        'about something else': await token({ sid: 'kept', events: { other: {} } }),
        'about nobody': await token({}),
        'no token': 'no-token',
      };
      for (const [what, bad] of Object.entries(tokens)) expect((await end(bad)).status, what).to.equal(400);
      issuer.foreignKey = true;
      expectProblem(await end(await token({ sid: 'kept' })), 400, 'LOGOUT_TOKEN_INVALID');
      expect(await stillIn(mine)).to.equal(true);
    });
  });

  it('answers with problems and not with a page where a machine calls', async () => {
    const answer = await send(`${server.url}/logout/connect/back-channel/google`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'logout_token=x',
    });
    expectProblem(answer, 404, 'NOT_FOUND');
    expect(json(answer)).to.have.property('requestId');
  });
});
