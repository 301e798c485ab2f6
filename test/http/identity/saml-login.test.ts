import { inflateRawSync } from 'node:zlib';
import { createVerify } from 'node:crypto';
import { expect } from 'chai';
import { expectProblem, json, send } from '../support/client.js';
import { sendFields, sendJson, sessionOf } from '../support/login.js';
import { RedirectBrowser } from '../support/redirect-browser.js';
import { TRANSIENT } from '../support/saml-issuer.js';
import { SamlSetup, tokenIn } from '../support/saml-login.js';

describe('Login with SAML', () => {
  const setup = new SamlSetup();

  before(() => setup.start({ groupRoles: ['quire-admins=ROLE_ADMIN'], groupTeams: ['accounting=Accounting'] }));
  after(() => setup.stop());

  it('creates an account at the first login, and finds it at the next, whatever its name then', async () => {
    const first = await setup.user(await setup.token());
    expect(first).to.include({ username: 'ada', role: 'ROLE_USER', authenticationType: 'saml2' });
    expect(await setup.user(await setup.token({ attributes: { username: 'ada.king' } }))).to.deep.equal(first);
  });

  it('sends a request that is signed, for the address of this server and a persistent NameID', async () => {
    const { url } = await new RedirectBrowser().visit(
      `${setup.server.url}/saml2/authenticate/quire`,
      ({ origin }) => origin === setup.issuer.url,
    );
    const [signed = '', signature = ''] = url.search.slice(1).split('&Signature=');
    const holds = createVerify('sha256')
      .update(signed)
      .verify(setup.own.certificate, decodeURIComponent(signature), 'base64');
    expect(holds).to.equal(true);
    const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
    expect(xml).to.include(`<saml:Issuer>${setup.server.url}/saml2/service-provider-metadata/quire</saml:Issuer>`);
    expect(xml).to.include(`AssertionConsumerServiceURL="${setup.acs}"`);
    expect(xml).to.include('nameid-format:persistent');
  });

  it('is offered to users, with the path where it begins', async () => {
    const page = json(await send(`${setup.server.url}/api/v1/proprietary/ui-data/login`));
    expect(page).to.deep.include({ providerList: { '/saml2/authenticate/quire': 'Company (SAML 2)' }, altLogin: true });
    const config = json(await send(`${setup.server.url}/api/v1/config/app-config`));
    expect(config).to.deep.include({
      enableSaml: true,
      enableOAuth: false,
      loginProviders: [{ id: 'quire', name: 'Company', path: '/saml2/authenticate/quire' }],
    });
  });

  for (const sign of ['assertion', 'response', 'both'] as const)
    it(`accepts a signature of ${sign === 'both' ? 'both, response and assertion' : `the ${sign}`}`, async () => {
      expect(await setup.user(await setup.token({ sign }))).to.include({ username: 'ada' });
    });

  it('reads encrypted assertions', async () => {
    for (const content of [
      'http://www.w3.org/2009/xmlenc11#aes256-gcm',
      'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
    ]) {
      const encryption = { content, key: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p' };
      const change = { encryptFor: setup.own.certificate, encryption };
      expect(await setup.user(await setup.token(change)), content).to.include({ username: 'ada' });
      expect(await setup.user(await setup.token({ ...change, sign: 'response' }))).to.include({ username: 'ada' });
    }
  });

  it('takes the user name from the usual attributes, whose names may be URIs', async () => {
    const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
    const attributes = { [`${claims}/name`]: 'last', [`${claims}/emailaddress`]: 'grace@example.org' };
    const token = await setup.token({ nameId: 'id-of-grace', attributes });
    expect(await setup.user(token)).to.include({ username: 'grace@example.org' });
    const nameless = await setup.token({ nameId: 'id-of-nobody', attributes: {} });
    expect(await setup.user(nameless)).to.include({ username: 'id-of-nobody' });
  });

  it('gives role and team by groups at every login, and takes them away with the group', async () => {
    const nameId = 'id-of-hedy';
    const groups = ['quire-admins', 'accounting'];
    const first = await setup.token({ nameId, attributes: { username: 'hedy', groups } });
    expect(await setup.user(first)).to.include({ role: 'ROLE_ADMIN' });
    expect((await setup.user(first)).team?.name).to.equal('Accounting');
    const then = await setup.user(await setup.token({ nameId, attributes: { username: 'hedy' } }));
    expect([then.role, then.team?.name]).to.deep.equal(['ROLE_USER', 'Default']);
  });

  it('does not open an account with a password by its name, but links it, and logs in to it then', async () => {
    const mine = { nameId: 'id-of-the-boss', attributes: { username: 'boss' } };
    expect((await setup.logIn(mine)).search).to.equal('?errorOAuth=userAlreadyExistsWeb');
    const boss = await sessionOf(setup.server);
    const begun = await sendJson(setup.server, '/api/v1/auth/identities/quire/link', {}, boss);
    expect(begun.status, begun.body.toString()).to.equal(200);
    const { url } = json<{ url: string }>(begun);
    const stranger = await new RedirectBrowser().visit(`${setup.server.url}${url}`, ({ search }) => search !== '');
    expect(stranger.url.search, 'in another browser').to.equal('?errorOAuth=login_expired');
    const browser = new RedirectBrowser();
    browser.receive(setup.server.url, begun);
    const asked = await setup.begin(browser, url.slice(url.indexOf('?')));
    const linked = await setup.deliver(browser, await setup.issuer.respond(asked, mine), asked.relayState);
    expect(linked.url.search).to.equal('?linked=quire');
    expect(await setup.user(await setup.token(mine))).to.include({ username: 'boss', authenticationType: 'web' });
  });

  it('binds an account that an administrator has entered for it, once', async () => {
    const boss = await sessionOf(setup.server);
    for (const [username, authType] of [
      ['joan', 'saml2'],
      ['mary', 'SSO'],
    ] as const) {
      const fields = { username, role: 'ROLE_PRO_USER', authType };
      expect((await sendFields(setup.server, '/api/v1/user/admin/saveUser', fields, boss)).status).to.be.oneOf([
        200, 201,
      ]);
      const change = { nameId: `id-of-${username}`, attributes: { username } };
      expect(await setup.user(await setup.token(change))).to.include({ username });
      const other = await setup.logIn({ ...change, nameId: 'id-of-another' });
      expect(other.search).to.equal('?errorOAuth=userAlreadyExistsWeb');
    }
  });

  it('refuses a disabled account, and names that break the rules', async () => {
    const eve = { nameId: 'id-of-eve', attributes: { username: 'eve1' } };
    await setup.token(eve);
    const boss = await sessionOf(setup.server);
    const disabled = { enabled: 'false' };
    await sendFields(setup.server, '/api/v1/user/admin/changeUserEnabled/eve1', disabled, boss);
    expect((await setup.logIn(eve)).search).to.equal('?errorOAuth=userIsDisabled');
    const odd = await setup.logIn({ nameId: 'id-of-odd', attributes: { username: 'a b' } });
    expect(odd.search).to.equal('?errorOAuth=invalidUsername');
  });

  it('refuses NameIDs that are others at each login', async () => {
    const { pathname, search } = await setup.logIn({ nameIdFormat: TRANSIENT });
    expect(pathname + search).to.equal('/login?errorOAuth=saml2AuthenticationError');
  });

  it('says when the identity provider refuses', async () => {
    const status = 'urn:oasis:names:tc:SAML:2.0:status:Responder';
    const { search } = await setup.logIn({ status, sign: 'response' });
    expect(search).to.equal('?errorOAuth=saml2AuthenticationError');
  });

  it('ends where the login began, never on another site, whatever the relay state says', async () => {
    for (const [path, ends] of [
      ['/some/page', '/some/page'],
      ['//evil.example/', '/auth/callback'],
    ] as const) {
      const browser = new RedirectBrowser();
      browser.set(setup.server.url, 'quire_redirect_path', encodeURIComponent(path));
      const { origin, pathname } = await setup.logIn({}, browser);
      expect(origin + pathname).to.equal(`${setup.server.url}${ends}`);
    }
    const browser = new RedirectBrowser();
    const asked = await setup.begin(browser);
    const { url } = await setup.deliver(browser, await setup.issuer.respond(asked), 'https://evil.example/');
    expect(url.href).to.equal(`${setup.server.url}/login?errorOAuth=login_expired`);
  });

  it('gives desktop clients their nonce back', async () => {
    const browser = new RedirectBrowser();
    const asked = await setup.begin(browser, '?tauri=1&nonce=abc%26d');
    const { url } = await setup.deliver(browser, await setup.issuer.respond(asked), asked.relayState);
    expect(url.pathname).to.equal('/auth/callback/tauri');
    expect(new URLSearchParams(url.hash.slice(1)).get('nonce')).to.equal('abc&d');
  });

  it('leaves no cookie behind', async () => {
    const browser = new RedirectBrowser();
    tokenIn(await setup.logIn({}, browser));
    expect(browser.names(setup.acs)).to.deep.equal([]);
  });

  it('answers 404 for another id', async () => {
    for (const path of [
      '/saml2/authenticate/other',
      '/saml2/service-provider-metadata/other',
      '/logout/saml2/slo/other',
    ])
      expectProblem(await send(`${setup.server.url}${path}`), 404, 'NOT_FOUND');
  });
});
