import { expect } from 'chai';
import { expectProblem, json, send, type Answer } from '../support/client.js';
import { addUser, sendJson, sessionOf } from '../support/login.js';
import { RedirectBrowser } from '../support/redirect-browser.js';
import { askedBy, TRANSIENT, type Change } from '../support/saml-issuer.js';
import { newKeyPair } from '../support/saml-keys.js';
import { SamlSetup } from '../support/saml-login.js';
import { TRIALS, type BegunTrial, type TrialReport } from '../support/trial-answers.js';

type Settings = Readonly<Record<string, unknown>>;
const attributes = { username: 'ada', groups: ['staff', 'quire-admins'], mail: 'ada@example.org', api_token: 'x y z' };

describe('A trial login with SAML', () => {
  const setup = new SamlSetup();
  let boss: { readonly authorization: string };

  const begin = (settings: Settings = {}, headers: Readonly<Record<string, string>> = boss): Promise<Answer> =>
    sendJson(setup.server, TRIALS, { provider: 'saml', settings }, headers);
  const begun = async (settings: Settings = {}): Promise<BegunTrial> => {
    const answer = await begin(settings);
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<BegunTrial>(answer);
  };
  const read = (id: string | null, headers = boss): Promise<Answer> =>
    send(`${setup.server.url}${TRIALS}/${id}`, { headers });
  /** Begins, answers as the identity provider, and reads the report. */
  const whole = async (change: Change = {}, settings: Settings = {}): Promise<TrialReport> => {
    const answer = await begin(settings);
    const { id, url } = json<BegunTrial>(answer);
    expect(url, answer.body.toString()).to.be.a('string');
    const browser = new RedirectBrowser();
    browser.receive(setup.server.url, answer);
    const asked = askedBy(new URL(url ?? ''));
    const message = await setup.issuer.respond(asked, { attributes, ...change });
    const visit = await setup.deliver(browser, message, asked.relayState);
    expect(visit.url.search + visit.url.hash).to.equal('?trial=done');
    expect(browser.names(setup.acs), 'the state is gone').to.deep.equal([]);
    const report = await read(id);
    expect(report.status, report.body.toString()).to.equal(200);
    return json<TrialReport>(report);
  };
  const usernames = async (): Promise<readonly string[]> => {
    const page = await send(`${setup.server.url}/api/v1/proprietary/ui-data/admin-settings`, { headers: boss });
    return json<{ users: readonly { username: string }[] }>(page).users.map(({ username }) => username);
  };

  before(async () => {
    await setup.start({ groupRoles: ['quire-admins=ROLE_ADMIN'], groupTeams: ['staff=Staff'] });
    boss = await sessionOf(setup.server);
  });
  after(() => setup.stop());

  it('is offered with the addresses to register', async () => {
    const answer = await send(`${setup.server.url}/api/v1/admin/login-providers`, { headers: boss });
    const { providers } = json<{ providers: readonly Readonly<Record<string, unknown>>[] }>(answer);
    expect(providers.at(-1)).to.deep.include({
      preset: 'saml',
      id: 'quire',
      name: 'Company',
      inUse: true,
      isSaved: true,
      addresses: {
        redirectUri: setup.acs,
        postLogoutUri: `${setup.server.url}/login?logout=true`,
        backChannelUri: null,
        frontChannelUri: null,
        entityId: `${setup.server.url}/saml2/service-provider-metadata/quire`,
        singleLogoutUri: setup.slo,
      },
    });
  });

  it('says what was sent and what would follow, and changes nothing', async () => {
    const { claims, response, identity, account, ...rest } = await whole({ sign: 'both' });
    expect(rest).to.deep.equal({ state: 'finished' });
    expect(response).to.deep.include({
      issuer: setup.issuer.entityId,
      status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
      signed: 'both',
      encrypted: false,
      nameId: 'persistent-id-of-ada',
      nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      audiences: [`${setup.server.url}/saml2/service-provider-metadata/quire`],
      recipient: setup.acs,
      destination: setup.acs,
    });
    expect(response?.['clockSeconds']).to.be.within(-5, 1);
    expect(claims).to.deep.include({ name: 'groups', value: '["staff","quire-admins"]', from: 'assertion' });
    expect(claims).to.deep.include({ name: 'api_token', value: '(not shown)', from: 'assertion' });
    expect(identity).to.deep.include({
      subject: 'persistent-id-of-ada',
      username: 'ada',
      usernameClaim: 'username',
      email: 'ada@example.org',
      groups: ['staff', 'quire-admins'],
      secondFactor: false,
    });
    expect(account).to.deep.equal({
      outcome: 'creates',
      username: 'ada',
      role: 'ROLE_ADMIN',
      team: 'Staff',
      keepsRights: false,
    });
    expect(await usernames()).to.deep.equal(['boss']);
  });

  it('reads encrypted assertions', async () => {
    const { response, account } = await whole({ encryptFor: setup.own.certificate });
    expect(response).to.include({ encrypted: true, nameId: 'persistent-id-of-ada', signed: 'assertion' });
    expect(account).to.include({ outcome: 'creates' });
  });

  it('takes values that are not saved, under an address of its own', async () => {
    const key = 'security.saml2.registrationId';
    const answer = await begin({ [key]: 'next', 'security.saml2.useAsUsername': 'mail' });
    const { id, url, addresses } = json<BegunTrial>(answer);
    expect(addresses['redirectUri']).to.equal(`${setup.server.url}/login/saml2/sso/next`);
    const browser = new RedirectBrowser();
    browser.receive(setup.server.url, answer);
    const asked = askedBy(new URL(url ?? ''));
    const message = await setup.issuer.respond(asked, { attributes });
    const fields = { SAMLResponse: message, RelayState: asked.relayState };
    const { answer: back } = await browser.submit(addresses['redirectUri'] ?? '', fields, () => true);
    expect(back.status).to.equal(302);
    expect(json<TrialReport>(await read(id)).account).to.include({ outcome: 'creates', username: 'ada@example.org' });
    expect(await usernames()).to.deep.equal(['boss']);
  });

  describe('names the fault', () => {
    const other = newKeyPair('somebody else');
    const hour = 3600;
    const faults: readonly (readonly [string, Change, string, RegExp])[] = [
      ['a key that is not in the metadata', { key: other }, 'samlSignature', /signature/i],
      ['no signature', { sign: 'neither' }, 'samlUnsigned', /sign/i],
      ['another issuer', { issuer: 'https://evil.example' }, 'samlIssuer', /issuer/],
      ['another audience', { audience: 'https://other.example' }, 'samlAudience', /audience/i],
      ['another recipient', { recipient: 'https://other.example' }, 'samlRecipient', /recipient/],
      ['a clock that is behind', { notBefore: -2 * hour, notOnOrAfter: -hour }, 'samlClock', /expired/],
      ['a clock that is ahead', { notBefore: hour, notOnOrAfter: 2 * hour }, 'samlClock', /not (?:yet )?valid/],
      ['a NameID of another format', { nameIdFormat: TRANSIENT }, 'samlNameId', /another one at each login/],
      ['a refusal', { status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }, 'authorizationRefused', /Responder/],
    ];
    for (const [name, change, fault, detail] of faults)
      it(`${name}: ${fault}`, async () => {
        const report = await whole(change);
        expect(report).to.include({ state: 'finished', fault });
        expect(report.detail).to.match(detail);
        expect(report.identity).to.equal(undefined);
        expect(report.response, 'what was sent is shown nevertheless').to.include({
          nameId: fault === 'authorizationRefused' ? null : 'persistent-id-of-ada',
        });
      });

    it('a message that is refused before it is read: samlUnreadable', async () => {
      const comment = (xml: string): string => xml.replace('</saml:Subject>', '<!-- x --></saml:Subject>');
      const report = await whole({ assertionXml: comment });
      expect(report).to.include({ fault: 'samlUnreadable' });
      expect(report.response).to.equal(undefined);
    });

    it('metadata that cannot be read, before anybody logs in', async () => {
      setup.issuer.away = true;
      try {
        // The metadata of the running server are kept for a while; a trial reads them again.
        expect(await begun()).to.include({ id: null, url: null, fault: 'metadataUnreadable' });
      } finally {
        setup.issuer.away = false;
      }
      const another = await begun({ 'security.saml2.idpIssuer': 'https://other.example' });
      expect(another).to.include({ url: null, fault: 'metadataUnreadable' });
      expect(another.detail).to.include('not https://other.example (security.saml2.idpIssuer)');
    });

    it('an identity provider that takes requests by POST only', async () => {
      setup.issuer.bindings = ['HTTP-POST'];
      try {
        expect(await begun()).to.include({ url: null, fault: 'samlPostOnly' });
      } finally {
        setup.issuer.bindings = ['HTTP-Redirect', 'HTTP-POST'];
      }
    });
  });

  describe('cannot be abused', () => {
    it('logs nobody in, and an assertion of a trial opens no session later', async () => {
      const answer = await begin();
      const { url } = json<BegunTrial>(answer);
      const asked = askedBy(new URL(url ?? ''));
      const message = await setup.issuer.respond(asked, { attributes });
      const stranger = new RedirectBrowser();
      const { url: end } = await setup.deliver(stranger, message, asked.relayState);
      expect(end.hash, 'another browser').to.equal('');
      expect(end.searchParams.get('errorOAuth')).to.equal('login_expired');
      const login = new RedirectBrowser();
      const wanted = await setup.begin(login);
      const { url: next } = await setup.deliver(login, message, wanted.relayState);
      expect(next.hash, 'in a login').to.equal('');
      expect(await usernames()).to.deep.equal(['boss']);
    });

    it('leaves assertions unused', async () => {
      const id = '_the-one-assertion';
      await whole({ assertionId: id });
      const url = await setup.logIn({ assertionId: id, attributes: { username: 'grace' }, nameId: 'grace' });
      expect(url.hash).to.match(/access_token/);
    });

    it('shows the report to its session only, and once', async () => {
      const answer = await begin();
      const { id, url } = json<BegunTrial>(answer);
      const browser = new RedirectBrowser();
      browser.receive(setup.server.url, answer);
      const asked = askedBy(new URL(url ?? ''));
      const message = await setup.issuer.respond(asked, { attributes });
      await setup.deliver(browser, message, asked.relayState);
      expectProblem(await read(id, await sessionOf(setup.server)), 404, 'NOT_FOUND');
      expect((await read(id)).status).to.equal(200);
      expectProblem(await read(id), 404, 'NOT_FOUND');
    });

    it('is for administrators, and reads no settings of another protocol, nor files that a call names', async () => {
      const { username, password } = await addUser(setup.server, boss, 'eve');
      expectProblem(await begin({}, await sessionOf(setup.server, username, password)), 403, 'ADMIN_ONLY');
      const foreign = { 'security.oauth2.issuer': 'https://evil.example' };
      expectProblem(await begin(foreign), 400, 'INPUT_INVALID');
      const { errors } = expectProblem(
        await begin({ 'security.saml2.privateKey': '/etc/hostname' }),
        400,
        'SETTINGS_REJECTED',
      ) as unknown as { errors: readonly { pointer: string; detail: string }[] };
      expect(errors[0]?.pointer).to.equal('/settings/security.saml2.privateKey');
    });
  });
});
