import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { json, send } from '../support/client.js';
import { ForgingIssuer } from '../support/forging-issuer.js';
import { startWithLogin } from '../support/login.js';
import { RedirectBrowser } from '../support/redirect-browser.js';
import type { TestServer } from '../support/server.js';

const REPORT = new URL('../../../docs/reports/openid-profile.md', import.meta.url);
const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout';
const SECRET = 'a-secret-that-is-long-enough-for-hs256';

type Making = (issuer: ForgingIssuer) => void;

/**
 * The tests of the OpenID Foundation for relying parties that use the code flow and are registered by hand (plans
 * Basic, Config, RP-Initiated, Back-Channel and Front-Channel Logout), each done against an issuer of our own.
 */
describe('The OpenID profile of a relying party', () => {
  let issuer: ForgingIssuer;
  let server: TestServer;
  const done = new Set<string>();

  const logIn = async (): Promise<URL> => {
    const { url } = await new RedirectBrowser().visit(`${server.url}/oauth2/authorization/keycloak`, (at) =>
      at.pathname.endsWith('/auth/callback'),
    );
    return url;
  };
  const tokenOf = (url: URL): string => {
    const token = new URLSearchParams(url.hash.slice(1)).get('access_token');
    expect(token, url.href).to.be.a('string');
    return token ?? '';
  };
  const me = (token: string) => send(`${server.url}/api/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } });
  /** A test of the profile, by its name there. */
  const module = (name: string, what: string, work: () => Promise<void>): void => {
    done.add(name);
    it(`${name}: ${what}`, work);
  };
  const accepted = (name: string, what: string, make: Making = () => undefined): void =>
    module(name, what, async () => {
      make(issuer);
      tokenOf(await logIn());
    });
  const refused = (name: string, what: string, make: Making): void =>
    module(name, what, async () => {
      make(issuer);
      expect((await logIn()).search).to.equal('?errorOAuth=oauth2AuthenticationError');
    });

  before(async () => {
    issuer = await ForgingIssuer.listen();
    server = await startWithLogin({
      oauth2: {
        enabled: true,
        client: { keycloak: { issuer: issuer.url, clientId: 'quire', clientSecret: SECRET } },
      },
    });
  });
  beforeEach(() => issuer.reset());
  after(async () => {
    await server.stop();
    await issuer.close();
  });

  describe('Basic', () => {
    accepted('oidcc-client-test', 'logs in with a code');
    refused('oidcc-client-test-invalid-iss', 'refuses an ID token of another issuer', (it) => {
      it.claims = { iss: `${it.url}/other` };
    });
    refused('oidcc-client-test-missing-sub', 'refuses an ID token that names nobody', (it) => {
      it.claims = { sub: undefined };
    });
    refused('oidcc-client-test-invalid-aud', 'refuses an ID token for another client', (it) => {
      it.claims = { aud: 'another' };
    });
    refused('oidcc-client-test-missing-iat', 'refuses an ID token without its time', (it) => {
      it.claims = { iat: undefined };
    });
    accepted('oidcc-client-test-kid-absent-single-jwks', 'finds the only key without a name', (it) => {
      it.withoutKeyIds = true;
    });
    // The profile lets a client try each key, or refuse: nothing says which of them has signed.
    refused('oidcc-client-test-kid-absent-multiple-jwks', 'refuses a token that names none of several keys', (it) => {
      it.withoutKeyIds = true;
      it.otherKeys = 2;
    });
    accepted('oidcc-client-test-idtoken-sig-rs256', 'accepts a signature with RS256');
    refused('oidcc-client-test-idtoken-sig-none', 'refuses an ID token without a signature', (it) => {
      it.unsigned = true;
    });
    refused('oidcc-client-test-invalid-sig-rs256', 'refuses a signature of another key', (it) => {
      it.foreignKey = true;
    });
    refused('oidcc-client-test-userinfo-invalid-sub', 'refuses user information about somebody else', (it) => {
      it.userinfo = { sub: 'somebody else' };
    });
    refused('oidcc-client-test-nonce-invalid', 'refuses an ID token of another login', (it) => {
      it.claims = { nonce: 'another' };
    });
    module('oidcc-client-test-scope-userinfo-claims', 'reads claims of the user information', async () => {
      issuer.claims = { sub: 'reader', preferred_username: undefined };
      issuer.userinfo = { sub: 'reader', preferred_username: 'named-there' };
      expect(json(await me(tokenOf(await logIn())))).to.have.nested.property('user.username', 'named-there');
    });
    module('oidcc-client-test-client-secret-basic', 'authenticates with the secret of the client', async () => {
      issuer.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };
      tokenOf(await logIn());
      const sent = Buffer.from(issuer.tokenAuthorization.replace(/^Basic /, ''), 'base64').toString();
      // Both parts are encoded like values of a form (RFC 6749, 2.3.1).
      expect(sent.split(':').map(decodeURIComponent)).to.deep.equal(['quire', SECRET]);
    });
  });

  describe('Config', () => {
    accepted('oidcc-client-test-discovery-openid-config', 'reads the metadata of the issuer');
    accepted('oidcc-client-test-discovery-jwks-uri-keys', 'reads the keys at the address in the metadata');
    module('oidcc-client-test-discovery-issuer-mismatch', 'refuses metadata of another issuer', async () => {
      const other = await startWithLogin({
        oauth2: {
          enabled: true,
          client: { keycloak: { issuer: issuer.url, clientId: 'quire', clientSecret: SECRET } },
        },
      });
      issuer.metadata = { issuer: 'https://other.example' };
      try {
        const { url } = await new RedirectBrowser().visit(`${other.url}/oauth2/authorization/keycloak`, (at) =>
          at.pathname.endsWith('/auth/callback'),
        );
        expect(url.search).to.match(/^\?errorOAuth=/);
      } finally {
        await other.stop();
      }
    });
    accepted('oidcc-client-test-signing-key-rotation-just-before-signing', 'reads new keys at once', (it) => {
      it.rotatesBeforeSigning = true;
    });
    module('oidcc-client-test-signing-key-rotation', 'logs in again after new keys', async () => {
      tokenOf(await logIn());
      await issuer.rotate();
      tokenOf(await logIn());
    });
  });

  describe('RP-Initiated Logout', () => {
    const logOut = async (): Promise<URL> => {
      issuer.metadata = { end_session_endpoint: `${issuer.url}/end` };
      const fresh = await startWithLogin({
        oauth2: {
          enabled: true,
          client: { keycloak: { issuer: issuer.url, clientId: 'quire', clientSecret: SECRET } },
        },
      });
      try {
        const { url } = await new RedirectBrowser().visit(`${fresh.url}/oauth2/authorization/keycloak`, (at) =>
          at.pathname.endsWith('/auth/callback'),
        );
        const headers = { authorization: `Bearer ${tokenOf(url)}` };
        const answer = await send(`${fresh.url}/api/v1/auth/logout`, { method: 'POST', headers });
        return new URL((json(answer) as { logoutUrl: string }).logoutUrl);
      } finally {
        await fresh.stop();
      }
    };
    module('oidcc-client-test-rp-init-logout', 'goes to the logout of the issuer, with the ID token', async () => {
      const url = await logOut();
      expect(url.origin + url.pathname).to.equal(`${issuer.url}/end`);
      expect(url.searchParams.get('id_token_hint')).to.match(/^ey/);
      expect(url.searchParams.get('post_logout_redirect_uri')).to.match(/\/login\?logout=true$/);
    });
    module('oidcc-client-test-rp-init-logout-no-state', 'needs no state to come back', async () => {
      // The page at that address shows the login, whoever comes with whatever state, and changes nothing.
      expect((await logOut()).searchParams.has('state')).to.equal(false);
    });
  });

  describe('Back-Channel Logout', () => {
    const seconds = (): number => Math.floor(Date.now() / 1000);
    const claimsOf = (more: object = {}) => ({
      iss: issuer.url,
      aud: 'quire',
      iat: seconds(),
      exp: seconds() + 120,
      jti: `${Math.random()}`,
      sub: 'subject',
      events: { [LOGOUT]: {} },
      ...more,
    });
    const end = async (logoutToken: string): Promise<number> => {
      const { status } = await send(`${server.url}/logout/connect/back-channel/keycloak`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token: logoutToken }).toString(),
      });
      return status;
    };
    const ends = (name: string, what: string, status: number, make: () => Promise<string>): void =>
      module(name, what, async () => {
        const session = tokenOf(await logIn());
        expect(await end(await make())).to.equal(status);
        expect((await me(session)).status).to.equal(status === 200 ? 401 : 200);
      });
    const base = 'oidcc-client-test-rp-backchannel-rpinitlogout';
    ends(base, 'ends the sessions of the user', 200, () => issuer.sign(claimsOf()));
    ends(`${base}-alg-none`, 'refuses a token without a signature', 400, () => {
      issuer.unsigned = true;
      return issuer.sign(claimsOf());
    });
    ends(`${base}-no-event`, 'refuses a token without events', 400, () => issuer.sign(claimsOf({ events: undefined })));
    ends(`${base}-with-nonce`, 'refuses a token with a nonce', 400, () => issuer.sign(claimsOf({ nonce: 'n' })));
    ends(`${base}-wrong-alg`, 'refuses a token that is signed with the secret', 400, () =>
      new SignJWT(claimsOf()).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET)),
    );
    ends(`${base}-wrong-aud`, 'refuses a token for another client', 400, () => issuer.sign(claimsOf({ aud: 'other' })));
    ends(`${base}-wrong-event`, 'refuses a token about another event', 400, () =>
      issuer.sign(claimsOf({ events: { 'https://other.example': {} } })),
    );
    ends(`${base}-wrong-iss`, 'refuses a token of another issuer', 400, () =>
      issuer.sign(claimsOf({ iss: `${issuer.url}/other` })),
    );
  });

  describe('Front-Channel Logout', () => {
    module('oidcc-client-test-rp-frontchannel-rpinitlogout', 'ends the session in the browser', async () => {
      issuer.claims = { sid: 'of-the-browser' };
      const session = tokenOf(await logIn());
      const page = `${server.url}/logout/connect/front-channel/keycloak`;
      expect((await send(`${page}?iss=${encodeURIComponent(issuer.url)}&sid=of-the-browser`)).status).to.equal(200);
      expect((await me(session)).status).to.equal(401);
    });
  });

  it('is listed in the report, test by test', async () => {
    const listed = [...(await readFile(REPORT, 'utf8')).matchAll(/^\| `([\w-]+)` \| (?!not)/gm)].map(
      ([, name]) => name,
    );
    expect(listed.sort()).to.deep.equal([...done].sort());
  });
});
