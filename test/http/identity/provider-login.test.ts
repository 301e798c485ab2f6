import { expect } from 'chai';
import { expectProblem, json, send } from '../support/client.js';
import { CertifiedIssuer, clientId, clientSecret } from '../support/certified-issuer.js';
import { sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { RedirectBrowser, type Visit } from '../support/redirect-browser.js';
import type { TestServer } from '../support/server.js';

const ada = {
  sub: 'subject-of-ada',
  preferred_username: 'ada',
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  email_verified: true,
  picture: 'https://example.org/ada.png',
  groups: ['staff'],
};

interface Me {
  readonly user: { readonly username: string; readonly role: string; readonly team?: { readonly name: string } };
}

describe('Login with a provider of OpenID Connect', () => {
  let issuer: CertifiedIssuer;
  let server: TestServer;

  const tokenOf = ({ url }: Visit): string | undefined =>
    new URLSearchParams(url.hash.slice(1)).get('access_token') ?? undefined;
  const atCallback = (url: URL): boolean => url.pathname.endsWith('/auth/callback');
  const logIn = (browser = new RedirectBrowser()): Promise<Visit> =>
    browser.visit(`${server.url}/oauth2/authorization/keycloak`, atCallback);
  const me = async (token: string | undefined): Promise<Me['user']> => {
    const answer = await send(`${server.url}/api/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<Me>(answer).user;
  };

  const beginLink = async (session: Readonly<Record<string, string>>): Promise<Visit> => {
    const begun = await sendJson(server, '/api/v1/auth/identities/keycloak/link', {}, session);
    expect(begun.status, begun.body.toString()).to.equal(200);
    const browser = new RedirectBrowser();
    browser.receive(server.url, begun);
    return browser.visit(`${server.url}${json<{ url: string }>(begun).url}`, atCallback);
  };

  before(async () => {
    issuer = await CertifiedIssuer.listen();
    server = await startWithLogin({
      oauth2: {
        enabled: true,
        groupRoles: ['quire-admins=ROLE_ADMIN'],
        groupTeams: ['accounting=Accounting'],
        client: { keycloak: { issuer: issuer.url, clientId, clientSecret } },
      },
    });
    issuer.serve(server.url, 'keycloak');
  });
  beforeEach(() => {
    issuer.user = ada;
    issuer.amr = ['pwd'];
  });
  after(async () => {
    await server.stop();
    await issuer.close();
  });

  it('creates an account at the first login, and finds it at the next', async () => {
    const first = await me(tokenOf(await logIn()));
    expect(first).to.include({ username: 'ada', role: 'ROLE_USER', authenticationType: 'oauth2' });
    const second = await me(tokenOf(await logIn()));
    expect(second).to.deep.equal(first);
  });

  it('finds the account of a user who was renamed at the provider', async () => {
    await logIn();
    issuer.user = { ...ada, preferred_username: 'ada.king' };
    expect(await me(tokenOf(await logIn()))).to.include({ username: 'ada' });
  });

  it('is offered by the data of the login page', async () => {
    const answer = await send(`${server.url}/api/v1/proprietary/ui-data/login`);
    expect(json(answer)).to.deep.include({
      providerList: { '/oauth2/authorization/keycloak': 'Keycloak' },
      altLogin: true,
      ssoAutoLogin: false,
    });
  });

  it('ends at the path of the cookie that existing clients set, if it is one of this site', async () => {
    for (const [path, ends] of [
      ['/some/page', '/some/page'],
      ['//evil.example/', '/auth/callback'],
      ['/\\evil.example', '/auth/callback'],
      ['https://evil.example/', '/auth/callback'],
    ] as const) {
      const browser = new RedirectBrowser();
      browser.set(server.url, 'quire_redirect_path', encodeURIComponent(path));
      const { url } = await browser.visit(`${server.url}/oauth2/authorization/keycloak`, (at) => at.hash !== '');
      expect(url.origin + url.pathname, path).to.equal(`${server.url}${ends}`);
    }
  });

  it('gives desktop clients their nonce back', async () => {
    const { url } = await new RedirectBrowser().visit(
      `${server.url}/oauth2/authorization/keycloak?tauri=1&nonce=abc%26d`,
      (at) => at.hash !== '',
    );
    expect(url.pathname).to.equal('/auth/callback/tauri');
    expect(new URLSearchParams(url.hash.slice(1)).get('nonce')).to.equal('abc&d');
  });

  it('leaves no cookie behind', async () => {
    const browser = new RedirectBrowser();
    await logIn(browser);
    expect(browser.names(`${server.url}/login/oauth2/code/keycloak`)).to.deep.equal([]);
  });

  it('gives role and team by groups at every login, and takes them away with the group', async () => {
    const grace = { ...ada, sub: 'subject-of-grace', preferred_username: 'grace', email: 'grace@example.org' };
    issuer.user = { ...grace, groups: ['quire-admins', 'accounting'] };
    expect(await me(tokenOf(await logIn()))).to.deep.include({ role: 'ROLE_ADMIN' });
    expect((await me(tokenOf(await logIn()))).team?.name).to.equal('Accounting');
    issuer.user = { ...grace, groups: [] };
    const user = await me(tokenOf(await logIn()));
    expect([user.role, user.team?.name]).to.deep.equal(['ROLE_USER', 'Default']);
  });

  it('says when the user has declined', async () => {
    issuer.user = undefined;
    const { url } = await logIn();
    expect(url.search).to.equal('?errorOAuth=access_denied');
  });

  it('refuses an answer that was made for another browser', async () => {
    const mine = await new RedirectBrowser().visit(`${server.url}/oauth2/authorization/keycloak`, ({ pathname }) =>
      pathname.startsWith('/login/oauth2/code/'),
    );
    const { url } = await new RedirectBrowser().visit(mine.url, atCallback);
    expect(url.search).to.equal('?errorOAuth=login_expired');
  });

  it('accepts an answer once', async () => {
    const browser = new RedirectBrowser();
    const { way } = await logIn(browser);
    const answer = way.find(({ pathname }) => pathname.startsWith('/login/oauth2/code/'));
    const { url } = await browser.visit(answer ?? '', atCallback);
    expect(url.search).to.equal('?errorOAuth=login_expired');
  });

  it('does not open an account with a password by its name', async () => {
    issuer.user = { ...ada, sub: 'subject-of-a-thief', preferred_username: 'boss' };
    const { url } = await logIn();
    expect(url.search).to.equal('?errorOAuth=userAlreadyExistsWeb');
  });

  it('refuses names that break the rules of user names', async () => {
    issuer.user = { ...ada, sub: 'subject-of-nobody', preferred_username: 'a b' };
    expect((await logIn()).url.search).to.equal('?errorOAuth=invalidUsername');
  });

  it('refuses a disabled account', async () => {
    issuer.user = { ...ada, sub: 'subject-of-eve', preferred_username: 'eve1' };
    await logIn();
    const boss = await sessionOf(server);
    const changed = await send(`${server.url}/api/v1/user/admin/changeUserEnabled/eve1`, {
      method: 'POST',
      headers: { ...boss, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'enabled=false',
    });
    expect(changed.status, changed.body.toString()).to.equal(200);
    expect((await logIn()).url.search).to.equal('?errorOAuth=userIsDisabled');
  });

  it('binds an account that an administrator has entered for the provider', async () => {
    const boss = await sessionOf(server);
    const made = await send(`${server.url}/api/v1/user/admin/saveUser`, {
      method: 'POST',
      headers: { ...boss, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ username: 'hedy', role: 'ROLE_PRO_USER', authType: 'SSO' }).toString(),
    });
    expect(made.status, made.body.toString()).to.be.oneOf([200, 201]);
    issuer.user = { ...ada, sub: 'subject-of-hedy', preferred_username: 'hedy', groups: ['quire-admins'] };
    expect(await me(tokenOf(await logIn()))).to.include({ username: 'hedy', role: 'ROLE_ADMIN' });
    issuer.user = { ...ada, sub: 'another-subject', preferred_username: 'hedy' };
    expect((await logIn()).url.search, 'another subject of the same name').to.equal('?errorOAuth=userAlreadyExistsWeb');
  });

  it('links a provider to an account with a password, and unlinks it', async () => {
    const boss = await sessionOf(server);
    issuer.user = { ...ada, sub: 'subject-of-boss', preferred_username: 'the.boss' };
    const linked = await beginLink(boss);
    expect(linked.url.search).to.equal('?linked=keycloak');
    expect(await me(tokenOf(await logIn()))).to.include({ username: 'boss', authenticationType: 'web' });
    const listed = await send(`${server.url}/api/v1/auth/identities`, { headers: boss });
    expect(listed.status, listed.body.toString()).to.equal(200);
    const { identities, providers } = json<{ identities: { id: string; username: string }[]; providers: unknown }>(
      listed,
    );
    expect(identities).to.have.length(1);
    expect(identities[0]).to.include({ username: 'the.boss', provider: 'Keycloak', picture: ada.picture });
    expect(providers).to.deep.equal([{ id: 'keycloak', name: 'Keycloak', path: '/oauth2/authorization/keycloak' }]);
    const gone = await send(`${server.url}/api/v1/auth/identities/${identities[0]?.id}`, {
      method: 'DELETE',
      headers: boss,
    });
    expect(gone.status).to.equal(204);
    issuer.user = { ...ada, sub: 'subject-of-boss', preferred_username: 'boss' };
    expect((await logIn()).url.search).to.equal('?errorOAuth=userAlreadyExistsWeb');
  });

  it('does not link an identity to two accounts, nor with a ticket that was made up', async () => {
    await logIn();
    const boss = await sessionOf(server);
    const twice = await beginLink(boss);
    expect(twice.url.search).to.equal('?errorOAuth=already_linked');
    const madeUp = await new RedirectBrowser().visit(
      `${server.url}/oauth2/authorization/keycloak?link=bWFkZSB1cA`,
      atCallback,
    );
    expect(madeUp.url.search).to.equal('?errorOAuth=login_expired');
  });

  it('links nothing in another browser than the one that asked for it', async () => {
    issuer.user = { ...ada, sub: 'subject-of-a-victim', preferred_username: 'victim' };
    const attacker = await sessionOf(server);
    const asked = await sendJson(server, '/api/v1/auth/identities/keycloak/link', {}, attacker);
    const { url } = await new RedirectBrowser().visit(`${server.url}${json<{ url: string }>(asked).url}`, atCallback);
    expect(url.search).to.equal('?errorOAuth=login_expired');
  });

  it('does not unlink the last way to log in', async () => {
    const headers = { authorization: `Bearer ${tokenOf(await logIn())}` };
    const [own] = json<{ identities: { id: string }[] }>(
      await send(`${server.url}/api/v1/auth/identities`, { headers }),
    ).identities;
    const answer = await send(`${server.url}/api/v1/auth/identities/${own?.id}`, { method: 'DELETE', headers });
    expectProblem(answer, 409, 'IDENTITY_LAST');
  });

  it('ends the session here, and names the address that ends the one at the provider', async () => {
    const browser = new RedirectBrowser();
    const token = tokenOf(await logIn(browser));
    const out = await send(`${server.url}/api/v1/auth/logout`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    const { logoutUrl } = json<{ logoutUrl: string }>(out);
    const url = new URL(logoutUrl);
    expect(url.origin).to.equal(issuer.url);
    expect(url.searchParams.get('post_logout_redirect_uri')).to.equal(`${server.url}/login?logout=true`);
    expect(url.searchParams.get('id_token_hint')).to.match(/^ey/);
    const page = await browser.visit(logoutUrl);
    expect(page.answer.status, page.answer.body.toString()).to.equal(200);
    const old = await send(`${server.url}/api/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } });
    expectProblem(old, 401, 'TOKEN_INVALID');
  });

  it('answers 404 for a provider that is not set up', async () => {
    for (const path of ['/oauth2/authorization/google', '/login/oauth2/code/google?state=x&code=y'])
      expectProblem(await send(`${server.url}${path}`), 404, 'NOT_FOUND');
  });
});
