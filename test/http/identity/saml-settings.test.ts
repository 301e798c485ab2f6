import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createTestServer } from '@quire/core';
import { json, send } from '../support/client.js';
import { sessionOf, startWithLogin } from '../support/login.js';
import { RedirectBrowser } from '../support/redirect-browser.js';
import { TRANSIENT, type Change } from '../support/saml-issuer.js';
import { newKeyPair } from '../support/saml-keys.js';
import { SamlSetup, tokenIn } from '../support/saml-login.js';
import type { TestServer } from '../support/server.js';

const REFEDS = 'https://refeds.org/profile/mfa';

describe('Settings of SAML', () => {
  const setup = new SamlSetup();
  let server: TestServer | undefined;

  /** Starts another server at the same identity provider. */
  const start = async (
    saml2: object = {},
    security: object = {},
    more: object = {},
    basePath?: string,
  ): Promise<SamlSetup> => {
    server = await startWithLogin({ saml2: { ...setup.settings(), ...saml2 }, ...security }, more as never, basePath);
    return Object.assign(Object.create(SamlSetup.prototype) as SamlSetup, setup, { server });
  };
  const codeOf = async (at: SamlSetup, change: Change = {}): Promise<string> =>
    (await at.logIn(change)).search || 'logged in';
  const refusal = async (saml2: object, security: object = {}): Promise<string> => {
    const settings = { security: { enableLogin: true, saml2: { ...setup.settings(), ...saml2 }, ...security } };
    const made = await createTestServer({ settings, plugins: [] }).catch((error: Error) => error);
    if (made instanceof Error) return made.message;
    await made.stop();
    return 'it starts';
  };

  before(() => setup.start());
  beforeEach(() => {
    Object.assign(setup.issuer, { published: [setup.issuer.keys.certificate], metadataAttributes: '', away: false });
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });
  after(() => setup.stop());

  describe('that are wrong stop the start, and are named', () => {
    const cases: Readonly<Record<string, () => readonly [object, RegExp]>> = {
      'a key that is missing': () => [
        { privateKey: '/no/such.key' },
        /security\.saml2\.privateKey: \/no\/such\.key .*ENOENT/,
      ],
      'a key that is not set': () => [{ privateKey: '' }, /security\.saml2\.privateKey: is empty.*openssl req/],
      'a key that is no key': () => [
        { privateKey: setup.file('no.key', 'no') },
        /privateKey: is not a private key in PEM/,
      ],
      'a certificate that is missing': () => [
        { spCert: 'classpath:no.crt' },
        /security\.saml2\.spCert: .*configs\/no\.crt cannot/,
      ],
      'a certificate of another key': () => [
        { spCert: setup.file('other.crt', newKeyPair('x').certificate) },
        /spCert: the certificate is not that of security\.saml2\.privateKey/,
      ],
      'metadata in a file that is missing': () => [
        { idpMetadataUri: 'file:/no.xml' },
        /idpMetadataUri: \/no\.xml cannot/,
      ],
      'neither metadata nor a certificate': () => [
        { idpMetadataUri: '', idpIssuer: 'x', idpSingleLoginUrl: 'https://idp.example/sso' },
        /security\.saml2\.idpCert: is empty; set it, or security\.saml2\.idpMetadataUri/,
      ],
      'a certificate of the provider that is none': () => [
        { idpCert: setup.file('none.crt', 'none') },
        /security\.saml2\.idpCert: there is no certificate/,
      ],
      'an id that is no part of a path': () => [{ registrationId: 'a/b' }, /security\.saml2\.registrationId: "a\/b"/],
      'a role that is none': () => [{ groupRoles: ['a=b'] }, /security\.saml2\.groupRoles: "b" is not a role/],
    };
    for (const [how, make] of Object.entries(cases))
      it(how, async () => {
        const [saml2, message] = make();
        expect(await refusal(saml2)).to.match(message);
      });

    it('an id that a provider of OpenID Connect has', async () => {
      const client = { keycloak: { issuer: 'https://idp.example', clientId: 'x' } };
      const oauth2 = { enabled: true, client };
      expect(await refusal({ registrationId: 'keycloak' }, { oauth2 })).to.match(
        /registrationId: "keycloak" is the id/,
      );
    });
  });

  it('stand side by side with OpenID Connect; security.loginMethod takes one of them', async () => {
    const oauth2 = { enabled: true, client: { keycloak: { issuer: 'https://idp.example', clientId: 'x' } } };
    const offered = async (security: object): Promise<unknown> => {
      const at = await start({}, { oauth2, ...security });
      const page = json<{ providerList: object; ssoAutoLogin: boolean }>(
        await send(`${at.server.url}/api/v1/proprietary/ui-data/login`),
      );
      await at.server.stop();
      server = undefined;
      return [Object.values(page.providerList), page.ssoAutoLogin];
    };
    expect(await offered({})).to.deep.equal([['Keycloak', 'Company (SAML 2)'], false]);
    expect(await offered({ loginMethod: 'saml2' })).to.deep.equal([['Company (SAML 2)'], false]);
    expect(await offered({ loginMethod: 'oauth2' })).to.deep.equal([['Keycloak'], false]);
    expect(await offered({ loginMethod: 'normal' })).to.deep.equal([[], false]);
  });

  it('let users in without metadata, with an address, an entity id and certificates', async () => {
    const other = newKeyPair('the next key');
    const { certificate } = setup.issuer.keys;
    const at = await start({
      idpMetadataUri: '',
      idpIssuer: setup.issuer.entityId,
      idpSingleLoginUrl: `${setup.issuer.url}/login?tenant=a`,
      idpCert: setup.file('both.crt', `${certificate}${other.certificate}`),
      requestBinding: 'post',
    });
    for (const key of [setup.issuer.keys, other]) expect(await codeOf(at, { key })).to.equal('logged in');
    expect(await codeOf(at, { key: newKeyPair('x') })).to.equal('?errorOAuth=saml2AuthenticationError');
  });

  it('accept metadata in a file, and a certificate as text', async () => {
    const at = await start({
      idpMetadataUri: `file:${setup.file('idp.xml', setup.issuer.metadata())}`,
      idpCert: setup.issuer.keys.certificate,
    });
    expect(await codeOf(at)).to.equal('logged in');
  });

  it('know how to prove a second factor', async () => {
    const at = await start({ requireSecondFactor: true });
    expect(await codeOf(at)).to.equal('?errorOAuth=second_factor_required');
    expect(await codeOf(at, { context: REFEDS })).to.equal('logged in');
    const attributes = {
      username: 'ada',
      'http://schemas.microsoft.com/claims/authnmethodsreferences': 'http://schemas.microsoft.com/claims/multipleauthn',
    };
    expect(await codeOf(at, { attributes })).to.equal('logged in');
  });

  it('ask for a context', async () => {
    const at = await start({ requestedContexts: [REFEDS] });
    expect((await at.begin(new RedirectBrowser())).xml).to.include(`<saml:AuthnContextClassRef>${REFEDS}<`);
  });

  it('take another NameID, or an attribute, for the subject', async () => {
    const mail = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
    let at = await start({ nameIdFormat: 'emailAddress' });
    expect((await at.begin(new RedirectBrowser())).xml).to.include(`Format="${mail}"`);
    expect(await codeOf(at, { nameIdFormat: mail, nameId: 'ada@example.org' })).to.equal('logged in');
    expect(await codeOf(at)).to.equal('?errorOAuth=saml2AuthenticationError');
    await at.server.stop();
    at = await start({ subjectAttribute: 'objectid' });
    const claim = 'http://schemas.microsoft.com/identity/claims/objectidentifier/objectid';
    const first = { nameIdFormat: TRANSIENT, nameId: 'first', attributes: { username: 'ada', [claim]: '42' } };
    const user = await at.user(await at.token(first));
    const renamed = { ...first, nameId: 'second', attributes: { username: 'lady', [claim]: '42' } };
    expect(await at.user(await at.token(renamed))).to.deep.equal(user);
    expect(await codeOf(at, { attributes: { username: 'ada' } })).to.equal('?errorOAuth=saml2AuthenticationError');
    const two = { username: 'ada', objectid: ['42', '43'] };
    expect(await codeOf(at, { attributes: two })).to.equal('?errorOAuth=saml2AuthenticationError');
  });

  it('name the attributes of user name and groups', async () => {
    const at = await start({ useAsUsername: 'login', groupsAttribute: 'memberOf', groupRoles: ['admins=ROLE_ADMIN'] });
    const attributes = { login: 'ada.l', username: 'ada', memberOf: ['admins'] };
    expect(await at.user(await at.token({ attributes }))).to.include({ username: 'ada.l', role: 'ROLE_ADMIN' });
    const nameless = { attributes: { username: 'ada' }, nameId: 'x' };
    expect(await codeOf(at, nameless)).to.equal('?errorOAuth=invalidUsername');
  });

  it('create no account', async () => {
    let at = await start({ autoCreateUser: false });
    expect(await codeOf(at)).to.equal('?errorOAuth=oAuth2AutoCreateDisabled');
    await at.server.stop();
    at = await start({ blockRegistration: true });
    expect(await codeOf(at)).to.equal('?errorOAuth=oAuth2AdminBlockedUser');
  });

  it('demand the signature of the assertion, and say so in the metadata', async () => {
    const at = await start({ wantAssertionsSigned: true });
    expect(await codeOf(at, { sign: 'response' })).to.equal('?errorOAuth=saml2AuthenticationError');
    expect(await codeOf(at, { sign: 'both' })).to.equal('logged in');
    const metadata = (await send(`${at.server.url}/saml2/service-provider-metadata/quire`)).body.toString();
    expect(metadata).to.include('WantAssertionsSigned="true"');
  });

  it('accept SHA-1 if they must', async () => {
    const at = await start({ acceptSha1: true });
    const change = {
      signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
      digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1',
    };
    expect(await codeOf(at, change)).to.equal('logged in');
  });

  it('tolerate a difference of the clocks, no more', async () => {
    const at = await start({ clockSkewSeconds: 120 });
    expect(await codeOf(at, { notBefore: 100, notOnOrAfter: 200 })).to.equal('logged in');
    expect(await codeOf(at, { notBefore: -300, notOnOrAfter: -100 })).to.equal('logged in');
    expect(await codeOf(at, { notBefore: -300, notOnOrAfter: -130 })).to.equal('?errorOAuth=saml2AuthenticationError');
  });

  it('let logins begin at the identity provider; an assertion works once, and no answer to another login', async () => {
    const at = await start({ acceptUnsolicited: true });
    const issuer = `${at.server.url}/saml2/service-provider-metadata/quire`;
    const asked = { issuer, acs: at.acs, id: '_of-another-login', relayState: '', xml: '' };
    const message = await at.issuer.respond(asked, { inResponseTo: undefined });
    const { url } = await at.deliver(new RedirectBrowser(), message, 'https://evil.example/');
    expect(url.origin).to.equal(at.server.url);
    tokenIn(url);
    expect((await at.deliver(new RedirectBrowser(), message, '')).url.search).to.equal('?errorOAuth=login_expired');
    const stolen = await at.issuer.respond(asked);
    expect((await at.deliver(new RedirectBrowser(), stolen, '')).url.search).to.equal('?errorOAuth=login_expired');
  });

  it('write cookies that come back with forms of other sites', async () => {
    let at = await start();
    const cookie = async (): Promise<string> =>
      (await send(`${at.server.url}/saml2/authenticate/quire`)).headers['set-cookie']?.[0] ?? '';
    expect(await cookie()).to.match(/; HttpOnly$/);
    await at.server.stop();
    at = await start({}, {}, { system: { backendUrl: 'https://pdf.example.org' } });
    expect(await cookie()).to.match(/; HttpOnly; SameSite=None; Secure$/);
  });

  it('keep nothing in a process: a login ends where it did not begin, and no assertion works in both', async () => {
    const base = mkdtempSync(join(tmpdir(), 'quire-saml-store-'));
    try {
      const first = await start({}, {}, {}, base);
      const [browser, begun] = [new RedirectBrowser(), new RedirectBrowser()];
      const asked = await first.begin(browser);
      const message = await first.issuer.respond(asked);
      const copy = browser.copy();
      tokenIn((await first.deliver(browser, message, asked.relayState)).url);
      const later = await first.begin(begun);
      await first.server.stop();
      const second = await start({}, {}, { server: { port: Number(new URL(first.server.url).port) } }, base);
      tokenIn((await second.deliver(begun, await second.issuer.respond(later), later.relayState)).url);
      const { url } = await second.deliver(copy, message, asked.relayState);
      expect(url.search).to.equal('?errorOAuth=login_expired');
      await second.server.stop();
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  });

  describe('about metadata', () => {
    it('serve those of this server, with its addresses and its certificate for both uses', async () => {
      const at = await start();
      const answer = await send(`${at.server.url}/saml2/service-provider-metadata/quire`);
      expect(answer.headers['content-type']).to.include('application/samlmetadata+xml');
      const xml = answer.body.toString();
      const bare = setup.own.certificate.replace(/-----[A-Z ]+-----|\s+/g, '');
      expect(xml.split(bare)).to.have.length(3);
      expect(xml).to.match(/use="signing"[\s\S]*use="encryption"/);
      expect(xml).to.include(`entityID="${at.server.url}/saml2/service-provider-metadata/quire"`);
      expect(xml).to.include(`HTTP-POST" Location="${at.acs}"`).and.include('AuthnRequestsSigned="true"');
      expect(xml.split(`Location="${at.slo}"`)).to.have.length(3);
    });

    it('follow keys that are added, at once', async () => {
      const at = await start();
      expect(await codeOf(at)).to.equal('logged in');
      const next = newKeyPair('the next key');
      setup.issuer.published = [next.certificate, setup.issuer.keys.certificate];
      await new Promise((resolve) => setTimeout(resolve, 5100));
      expect(await codeOf(at, { key: next }), 'a new key').to.equal('logged in');
      expect(await codeOf(at), 'the old one beside it').to.equal('logged in');
    }).timeout(30_000);

    it('are not used after their end, nor when they describe another provider', async () => {
      for (const [attributes, saml2] of [
        ['validUntil="2020-01-01T00:00:00Z"', {}],
        ['', { idpIssuer: 'https://other.example/idp' }],
      ] as const) {
        setup.issuer.metadataAttributes = attributes;
        const at = await start(saml2);
        const { headers } = await send(`${at.server.url}/saml2/authenticate/quire`);
        expect(headers.location).to.equal('/login?errorOAuth=provider_unreachable');
        await at.server.stop();
        server = undefined;
      }
    });

    it('are read again when their cache has ended, not before', async () => {
      const at = await start();
      const begin = () => at.begin(new RedirectBrowser());
      await begin();
      const { reads } = setup.issuer;
      await begin();
      expect(setup.issuer.reads).to.equal(reads);
      await at.server.stop();
      setup.issuer.metadataAttributes = 'cacheDuration="PT1S"';
      const other = await start();
      await other.begin(new RedirectBrowser());
      await new Promise((resolve) => setTimeout(resolve, 5100));
      await other.begin(new RedirectBrowser());
      expect(setup.issuer.reads).to.equal(reads + 2);
    }).timeout(30_000);

    it('that cannot be reached do not stop the start, and others still log in', async () => {
      setup.issuer.away = true;
      const at = await start();
      const { headers } = await send(`${at.server.url}/saml2/authenticate/quire`);
      expect(headers.location).to.equal('/login?errorOAuth=provider_unreachable');
      await sessionOf(at.server);
    });
  });
});
