import { expect } from 'chai';
import { createServer } from 'node:https';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectProblem, json, send, type Answer } from '../support/client.js';
import { CertifiedIssuer, clientId, clientSecret } from '../support/certified-issuer.js';
import { ForgingIssuer } from '../support/forging-issuer.js';
import { addUser, bossName, keyOf, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { RedirectBrowser } from '../support/redirect-browser.js';
import type { TestServer } from '../support/server.js';
import { TRIALS, type BegunTrial, type TrialReport } from '../support/trial-answers.js';

const ada = {
  sub: 'subject-of-ada',
  preferred_username: 'ada',
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  email_verified: true,
  groups: ['staff', 'quire-admins'],
};

type Headers = Readonly<Record<string, string>>;

const keycloak = 'security.oauth2.client.keycloak';
const authelia = 'security.oauth2.client.authelia';

describe('A trial login at a provider', () => {
  let issuer: CertifiedIssuer;
  let forging: ForgingIssuer;
  let server: TestServer;
  let boss: { readonly authorization: string };

  const unsaved = (more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => ({
    [`${keycloak}.issuer`]: issuer.url,
    [`${keycloak}.clientId`]: clientId,
    [`${keycloak}.clientSecret`]: clientSecret,
    ...more,
  });
  const forged = (more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => ({
    ...unsaved(),
    [`${keycloak}.issuer`]: forging.url,
    ...more,
  });
  const begin = (
    settings: Readonly<Record<string, unknown>>,
    headers: Headers = boss,
    provider = 'keycloak',
  ): Promise<Answer> => sendJson(server, TRIALS, { provider, settings }, headers);
  const begun = async (settings: Readonly<Record<string, unknown>>, provider = 'keycloak'): Promise<BegunTrial> => {
    const answer = await begin(settings, boss, provider);
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<BegunTrial>(answer);
  };
  const atEnd = (url: URL): boolean => url.pathname.endsWith('/auth/callback');
  const read = (id: string | null, headers: Headers = boss): Promise<Answer> =>
    send(`${server.url}${TRIALS}/${id}`, { headers });
  /** Begins, logs in in the same browser, and reads the report. */
  const whole = async (settings: Readonly<Record<string, unknown>>): Promise<TrialReport> => {
    const answer = await begin(settings);
    const { id, url } = json<BegunTrial>(answer);
    const browser = new RedirectBrowser();
    browser.receive(server.url, answer);
    expect(url, answer.body.toString()).to.be.a('string');
    const visit = await browser.visit(url ?? '', atEnd);
    expect(visit.url.search + visit.url.hash).to.equal('?trial=done');
    expect(browser.names(`${server.url}/login/oauth2/code/keycloak`)).to.deep.equal([]);
    const report = await read(id);
    expect(report.status, report.body.toString()).to.equal(200);
    return json<TrialReport>(report);
  };
  const usernames = async (): Promise<readonly string[]> => {
    const answer = await send(`${server.url}/api/v1/proprietary/ui-data/admin-settings`, { headers: boss });
    return json<{ users: readonly { username: string }[] }>(answer).users.map(({ username }) => username);
  };

  before(async () => {
    issuer = await CertifiedIssuer.listen();
    forging = await ForgingIssuer.listen();
    server = await startWithLogin(
      { oauth2: { client: { authelia: { issuer: issuer.url, clientId, clientSecret } } } },
      { premium: { enterpriseFeatures: { audit: { enabled: true, level: 1 } } } },
    );
    issuer.serve(server.url, 'keycloak');
    boss = await sessionOf(server);
  });
  beforeEach(() => {
    issuer.user = ada;
    issuer.amr = ['pwd'];
    forging.reset();
  });
  after(async () => {
    await server.stop();
    await Promise.all([issuer.close(), forging.close()]);
  });

  it('lists what can be set up, with the addresses to register', async () => {
    const answer = await send(`${server.url}/api/v1/admin/login-providers`, { headers: boss });
    const { isOn, providers } = json<{ isOn: boolean; providers: readonly Record<string, unknown>[] }>(answer);
    expect(isOn).to.equal(false);
    expect(providers.map(({ preset }) => preset)).to.deep.equal([
      'keycloak',
      'google',
      'github',
      'entra',
      'authentik',
      'authelia',
      'zitadel',
      'other',
    ]);
    expect(providers.find(({ preset }) => preset === 'authelia')).to.deep.include({
      inUse: false,
      isSaved: true,
      settings: authelia,
      addresses: {
        redirectUri: `${server.url}/login/oauth2/code/authelia`,
        postLogoutUri: `${server.url}/login?logout=true`,
        backChannelUri: `${server.url}/logout/connect/back-channel/authelia`,
        frontChannelUri: `${server.url}/logout/connect/front-channel/authelia`,
      },
    });
  });

  it('says what the provider sent and what would follow from unsaved values, and changes nothing', async () => {
    const { claims, ...report } = await whole(
      unsaved({
        'security.oauth2.groupRoles': ['quire-admins=ROLE_ADMIN'],
        'security.oauth2.groupTeams': ['staff=Staff'],
      }),
    );
    expect(report).to.deep.equal({
      state: 'finished',
      identity: {
        subject: 'subject-of-ada',
        usernameClaim: 'preferred_username',
        username: 'ada',
        email: 'ada@example.org',
        emailVerified: true,
        displayName: 'Ada Lovelace',
        groupsClaim: 'groups',
        groups: ['staff', 'quire-admins'],
        methods: ['pwd'],
        secondFactor: false,
      },
      account: { outcome: 'creates', username: 'ada', role: 'ROLE_ADMIN', team: 'Staff', keepsRights: false },
    });
    expect(claims).to.deep.include({ name: 'groups', value: '["staff","quire-admins"]', from: 'both' });
    expect(claims).to.deep.include({ name: 'iss', value: JSON.stringify(issuer.url), from: 'idToken' });
    expect(claims?.map(({ name }) => name)).not.to.include('nonce');
    expect(await usernames()).to.deep.equal([bossName]);
    const teams = await send(`${server.url}/api/v1/proprietary/ui-data/teams`, { headers: boss });
    expect(teams.body.toString()).not.to.include('Staff');
    const offered = await send(`${server.url}/api/v1/config/app-config`);
    expect(json<Record<string, unknown>>(offered)).to.deep.include({ loginProviders: [], enableOAuth: false });
  });

  it('says why a login would be refused', async () => {
    const reasonOf = async (user: object, more: Readonly<Record<string, unknown>> = {}): Promise<unknown> => {
      issuer.user = { ...ada, ...user };
      return (await whole(unsaved(more))).account?.['reason'];
    };
    expect(await reasonOf({ preferred_username: bossName })).to.equal('userAlreadyExistsWeb');
    expect(await reasonOf({ preferred_username: 'a b' })).to.equal('invalidUsername');
    expect(await reasonOf({ preferred_username: undefined })).to.equal('invalidUsername');
    expect(await reasonOf({}, { 'security.oauth2.autoCreateUser': false })).to.equal('oAuth2AutoCreateDisabled');
    expect(await reasonOf({}, { 'security.oauth2.blockRegistration': true })).to.equal('oAuth2AdminBlockedUser');
    expect(await reasonOf({}, { 'security.oauth2.requireSecondFactor': true })).to.equal('second_factor_required');
    const byMail = { [`${keycloak}.useAsUsername`]: 'email' };
    expect(await reasonOf({ email_verified: false }, byMail)).to.equal('email_not_verified');
    issuer.amr = ['pwd', 'otp'];
    expect(await reasonOf({}, { 'security.oauth2.requireSecondFactor': true })).to.equal(undefined);
  });

  describe('finds what is wrong before anybody logs in', () => {
    const wrong: Readonly<Record<string, () => Readonly<Record<string, unknown>>>> = {
      metadataMissing: () => ({ [`${keycloak}.issuer`]: `${issuer.url}/realms/none` }),
      unreachable: () => ({ [`${keycloak}.issuer`]: 'http://127.0.0.1:9' }),
      hostUnknown: () => ({ [`${keycloak}.issuer`]: 'http://issuer.invalid' }),
      clientRefused: () => ({ [`${keycloak}.clientId`]: 'another' }),
    };
    for (const [fault, values] of Object.entries(wrong))
      it(fault, async () => {
        const found = await begun(unsaved(values()));
        expect(found, JSON.stringify(found)).to.include({ fault });
      });

    it('an issuer that describes another one, which it names', async () => {
      forging.metadata = { issuer: 'https://elsewhere.example/realms/company' };
      expect(await begun(forged())).to.include({
        fault: 'issuerDiffers',
        issuer: 'https://elsewhere.example/realms/company',
        url: null,
        id: null,
      });
    });

    it('metadata that lacks an endpoint, and none at all', async () => {
      forging.metadata = { token_endpoint: undefined };
      expect(await begun(forged())).to.include({ fault: 'endpointMissing' });
    });

    it('a redirect URI that is not registered, and still lets the administrator try', async () => {
      const found = await begun({}, 'authelia');
      expect(found).to.include({ fault: 'redirectUriRefused' });
      expect(found.addresses['redirectUri']).to.equal(`${server.url}/login/oauth2/code/authelia`);
      expect(found.url).to.be.a('string');
    });

    it('a certificate that this machine does not trust', async function () {
      const folder = mkdtempSync(join(tmpdir(), 'quire-trial-'));
      const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
      const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
      const shape = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
      try {
        execFileSync('openssl', ['req', '-x509', ...shape, '-keyout', key, '-out', cert, ...subject], {
          stdio: 'ignore',
        });
      } catch {
        return this.skip();
      }
      const tls = createServer({ key: readFileSync(key), cert: readFileSync(cert) });
      await new Promise<void>((resolve) => tls.listen(0, 'localhost', resolve));
      const { port } = tls.address() as AddressInfo;
      const found = await begun(unsaved({ [`${keycloak}.issuer`]: `https://localhost:${port}` }));
      expect(found).to.include({ fault: 'certificateUntrusted' });
      tls.close();
      rmSync(folder, { recursive: true });
    });

    it('scopes that the provider does not know, and a logout that it lacks', async () => {
      forging.metadata = { scopes_supported: ['openid'] };
      expect((await begun(forged())).notes).to.deep.equal(['scopesUnknown', 'logoutUnknown']);
    });
  });

  describe('finds what is wrong after the login', () => {
    it('a wrong client secret', async () => {
      expect(await whole(unsaved({ [`${keycloak}.clientSecret`]: 'not the secret' }))).to.include({
        fault: 'clientRefused',
      });
    });

    it('a user who declines', async () => {
      issuer.user = undefined;
      expect(await whole(unsaved())).to.include({ fault: 'accessDenied' });
    });

    it('a token for another client, and one without a signature', async () => {
      forging.claims = { aud: 'another-client' };
      expect((await whole(forged())).fault).to.equal('tokenInvalid');
      forging.reset();
      forging.unsigned = true;
      expect((await whole(forged())).fault).to.equal('tokenInvalid');
    });
  });

  describe('under attack', () => {
    it('is for administrators with a session only', async () => {
      await addUser(server, boss, 'bea');
      const bea = await sessionOf(server, 'bea', 'password of bea');
      const key = { 'x-api-key': await keyOf(server, boss) };
      expectProblem(await begin(unsaved(), bea), 403, 'ADMIN_ONLY');
      expectProblem(await begin(unsaved(), key), 403, 'SESSION_REQUIRED');
      expectProblem(await begin(unsaved(), {}), 401, 'KEY_INVALID');
      expectProblem(await send(`${server.url}/api/v1/admin/login-providers`, { headers: bea }), 403, 'ADMIN_ONLY');
    });

    it('does not show what another browser sent: a link to the provider is no way to spy on a user', async () => {
      const { id, url } = await begun(unsaved());
      const visit = await new RedirectBrowser().visit(url ?? '', (at) => at.pathname.includes('/login/oauth2/code/'));
      const answer = await send(visit.url.href);
      expect(answer.headers.location ?? answer.status).to.satisfy((end: unknown) => String(end).match(/404|expired/));
      expect(json<TrialReport>(await read(id))).to.deep.equal({ state: 'waiting' });
    });

    it('shows the report once, and to the session that began it only', async () => {
      const answer = await begin(unsaved());
      const { id, url } = json<BegunTrial>(answer);
      const browser = new RedirectBrowser();
      browser.receive(server.url, answer);
      await browser.visit(url ?? '', atEnd);
      expectProblem(await read(id, await sessionOf(server)), 404, 'NOT_FOUND');
      expect((await read(id)).status).to.equal(200);
      expectProblem(await read(id), 404, 'NOT_FOUND');
    });

    it('logs nobody in: the browser that comes back gets no session', async () => {
      const answer = await begin(unsaved());
      const browser = new RedirectBrowser();
      browser.receive(server.url, answer);
      const { way, answer: last } = await browser.visit(json<BegunTrial>(answer).url ?? '', atEnd);
      expect(way.map(({ href }) => href).join(' ')).not.to.include('access_token');
      expect(last.body.toString()).to.equal('');
      expect(await usernames()).not.to.include('ada');
    });

    it('shows no tokens, whatever claim they are in', async () => {
      const token = await forging.sign({ sub: 'somebody' });
      forging.claims = { note: `Bearer ${token}`, refresh_token: 'opaque-refresh-token' };
      const report = await whole(forged());
      const shown = JSON.stringify(report);
      expect(shown).not.to.include(token.slice(0, 40));
      expect(shown).not.to.include('opaque-refresh-token');
      expect(shown).not.to.include('an-access-token');
      expect(report.claims?.map(({ name }) => name)).to.include.members(['note', 'refresh_token']);
    });

    it('sends the saved client secret to the saved address only', async () => {
      const answer = await begin({ [`${authelia}.issuer`]: forging.url }, boss, 'authelia');
      const { errors } = expectProblem(answer, 400, 'SETTINGS_REJECTED');
      expect(errors?.[0]?.pointer).to.equal(`/settings/${authelia}.issuer`);
    });

    it('takes no settings but those of the providers, and needs issuer and client', async () => {
      expectProblem(await begin({ 'security.enableLogin': false }), 400, 'INPUT_INVALID');
      const empty = expectProblem(await begin({}), 400, 'INPUT_INVALID');
      expect(empty.errors?.map(({ pointer }) => pointer)).to.deep.equal([
        `/settings/${keycloak}.issuer`,
        `/settings/${keycloak}.clientId`,
      ]);
      const rule = expectProblem(
        await begin(unsaved({ 'security.oauth2.groupRoles': ['x'] })),
        400,
        'SETTINGS_REJECTED',
      );
      expect(rule.errors?.[0]?.pointer).to.equal('/settings/security.oauth2.groupRoles');
    });

    it('writes nothing to the settings file, and leaves no copy of it', async () => {
      const { readdir, readFile } = await import('node:fs/promises');
      const folder = join(server.basePath, 'configs');
      const before = await readFile(join(folder, 'settings.yml'), 'utf8');
      await begun(unsaved({ [`${keycloak}.clientSecret`]: 'a secret that is tried' }));
      expect(await readFile(join(folder, 'settings.yml'), 'utf8')).to.equal(before);
      expect((await readdir(folder)).filter((name) => name.startsWith('.settings'))).to.deep.equal([]);
    });
  });

  it('is in the audit log, with its result', async () => {
    await whole(unsaved());
    await whole(unsaved({ [`${keycloak}.clientSecret`]: 'not the secret' }));
    const answer = await send(`${server.url}/api/v1/audit/data?type=LOGIN_TRIAL&size=200`, { headers: boss });
    const { content } = json<{ content: readonly { principal: string; data: { reason: string } }[] }>(answer);
    expect(content.every(({ principal }) => principal === bossName)).to.equal(true);
    expect(content.map(({ data }) => data.reason).join('\n'))
      .to.include('Keycloak: a login creates the account ada')
      .and.include(`Keycloak: a trial login was begun with ${issuer.url}`)
      .and.include('clientRefused');
  });

  it('comes before settings are saved with which the server would not start: those are refused', async () => {
    const save = (settings: object): Promise<Answer> =>
      sendJson(server, '/api/v1/admin/settings', { settings }, boss, 'PUT');
    const oauth2 = { 'security.oauth2.enabled': true };
    const { errors } = expectProblem(
      await save({ ...oauth2, 'security.oauth2.groupRoles': ['admins=king'] }),
      400,
      'SETTINGS_REJECTED',
    );
    expect(errors?.[0]).to.deep.include({ pointer: '/settings/security.oauth2.groupRoles' });
    const twice = { 'security.oauth2.provider': 'Authelia', 'security.oauth2.issuer': issuer.url };
    expectProblem(await save({ ...oauth2, ...twice, 'security.oauth2.clientId': 'x' }), 400, 'SETTINGS_REJECTED');
    expect((await save({ ...oauth2, 'security.oauth2.groupRoles': ['admins=ROLE_ADMIN'] })).status).to.equal(200);
  });
});
