import { expect } from 'chai';
import { createTestServer } from '@quire/core';
import { Secret, TOTP } from 'otpauth';
import { expectProblem, json, send, type Answer } from '../support/client.js';
import { CertifiedIssuer, clientId, clientSecret } from '../support/certified-issuer.js';
import { addUser, bossName, bossPassword, keyOf, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { passkeyCalls, sessionFrom } from '../support/passkeys.js';
import { RedirectBrowser } from '../support/redirect-browser.js';
import { SoftwarePasskey } from '../support/software-authenticator.js';
import type { TestServer } from '../support/server.js';

type Headers = Readonly<Record<string, string>>;
type Role = 'ROLE_ADMIN' | 'ROLE_USER';

const site = 'https://pdf.example.org';
const places = { trusted: '10.1.2.3', inside: '192.168.7.8', outside: '203.0.113.5' } as const;
type Place = keyof typeof places;

/** Who may call from where: `yes`, or the code of the refusal. */
const table: readonly (readonly [Role, string, Readonly<Record<Place, string>>])[] = [
  ['ROLE_ADMIN', 'a password', { trusted: 'yes', inside: 'MFA_SETUP_REQUIRED', outside: 'MFA_SETUP_REQUIRED' }],
  ['ROLE_ADMIN', 'a password and an app', { trusted: 'yes', inside: 'yes', outside: 'yes' }],
  ['ROLE_ADMIN', 'a passkey', { trusted: 'yes', inside: 'yes', outside: 'yes' }],
  [
    'ROLE_ADMIN',
    'a key',
    { trusted: 'MFA_SETUP_REQUIRED', inside: 'MFA_SETUP_REQUIRED', outside: 'MFA_SETUP_REQUIRED' },
  ],
  ['ROLE_ADMIN', 'a key of an account with a passkey', { trusted: 'yes', inside: 'yes', outside: 'yes' }],
  ['ROLE_USER', 'a password', { trusted: 'yes', inside: 'yes', outside: 'MFA_SETUP_REQUIRED' }],
  ['ROLE_USER', 'a password and an app', { trusted: 'yes', inside: 'yes', outside: 'yes' }],
  ['ROLE_USER', 'a passkey', { trusted: 'yes', inside: 'yes', outside: 'yes' }],
  ['ROLE_USER', 'a key', { trusted: 'yes', inside: 'yes', outside: 'yes' }],
  ['ROLE_USER', 'a provider', { trusted: 'yes', inside: 'yes', outside: 'SECOND_FACTOR_REQUIRED' }],
  ['ROLE_USER', 'a provider with a second factor', { trusted: 'yes', inside: 'yes', outside: 'yes' }],
];

describe('Second factors that roles and networks require', function () {
  this.timeout(60_000);
  let server: TestServer;
  let issuer: CertifiedIssuer;
  let boss: Headers;
  let made = 0;
  const at = (place: Place, headers: Headers = {}): Headers => ({ ...headers, 'x-forwarded-for': places[place] });
  const { register, login } = passkeyCalls(() => server);
  const call = (headers: Headers): Promise<Answer> => send(`${server.url}/api/v1/auth/sessions`, { headers });
  const keyCall = (headers: Headers): Promise<Answer> =>
    send(`${server.url}/api/v1/user/get-api-key`, { method: 'POST', headers });

  const account = async (role: Role): Promise<{ username: string; password: string; session: Headers }> => {
    const { username, password } = await addUser(server, boss, `person${++made}`, role);
    return { username, password, session: at('trusted', await sessionOf(server, username, password, at('trusted'))) };
  };
  const withApp = async (role: Role): Promise<Headers> => {
    const { username, password, session } = await account(role);
    const begun = await send(`${server.url}/api/v1/auth/mfa/setup`, { headers: session });
    const secret = Secret.fromBase32(json<{ secret: string }>(begun).secret);
    const code = (steps: number): string => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
    const enabled = await sendJson(server, '/api/v1/auth/mfa/enable', { code: code(-1) }, session);
    expect(enabled.status, enabled.body.toString()).to.equal(200);
    const answer = await sendJson(
      server,
      '/api/v1/auth/login',
      { username, password, mfaCode: code(0) },
      at('trusted'),
    );
    return sessionFrom(answer);
  };
  const withPasskey = async (role: Role): Promise<{ passkey: Headers; username: string; password: string }> => {
    const { session, username, password } = await account(role);
    const passkey = new SoftwarePasskey(site);
    expect((await register(session, passkey)).status).to.equal(201);
    return { passkey: sessionFrom(await login(passkey)), username, password };
  };
  const atProvider = async (amr: readonly string[]): Promise<Headers> => {
    issuer.amr = amr;
    issuer.user = { sub: `subject ${++made}`, preferred_username: `outsider${made}` };
    const { url } = await new RedirectBrowser().visit(`${server.url}/oauth2/authorization/keycloak`, ({ pathname }) =>
      pathname.endsWith('/auth/callback'),
    );
    return { authorization: `Bearer ${new URLSearchParams(url.hash.slice(1)).get('access_token')}` };
  };
  const ways: Readonly<Record<string, (role: Role) => Promise<Headers>>> = {
    'a password': async (role) => (await account(role)).session,
    'a password and an app': withApp,
    'a passkey': async (role) => (await withPasskey(role)).passkey,
    'a key': async (role) => ({ 'x-api-key': await keyOf(server, (await account(role)).session) }),
    'a key of an account with a passkey': async (role) => {
      const { passkey } = await withPasskey(role);
      return { 'x-api-key': await keyOf(server, at('trusted', passkey)) };
    },
    'a provider': () => atProvider(['pwd']),
    'a provider with a second factor': () => atProvider(['pwd', 'otp']),
  };

  before(async () => {
    issuer = await CertifiedIssuer.listen();
    server = await startWithLogin(
      {
        secondFactor: {
          requiredForRoles: ['ROLE_ADMIN'],
          trustedNetworks: ['10.0.0.0/8'],
          requiredOutsideNetworks: ['10.0.0.0/8', '192.168.0.0/16', '127.0.0.1'],
        },
        oauth2: { enabled: true, client: { keycloak: { issuer: issuer.url, clientId, clientSecret } } },
      },
      { system: { frontendUrl: site }, server: { trustedProxies: ['127.0.0.1'] } },
    );
    issuer.serve(server.url, 'keycloak');
    boss = at('trusted', await sessionOf(server, bossName, bossPassword, at('trusted')));
  });
  after(async () => {
    await server.stop();
    await issuer.close();
  });

  for (const [role, way, wanted] of table)
    it(`${role} with ${way}: ${Object.entries(wanted)
      .map(([place, what]) => `${place} ${what}`)
      .join(', ')}`, async () => {
      const headers = await ways[way]!(role);
      const found: Record<string, string> = {};
      for (const place of Object.keys(places) as Place[]) {
        const answer = await (way.includes('key of') || way === 'a key' ? keyCall : call)({ ...headers, ...at(place) });
        found[place] = answer.status === 200 ? 'yes' : json<{ code: string }>(answer).code;
      }
      expect(found).to.deep.equal(wanted);
    });

  it('lets an account without a factor set one up, from where it is required, and go on', async () => {
    const { session } = await account('ROLE_ADMIN');
    const outside = at('outside', session);
    expectProblem(await call(outside), 403, 'MFA_SETUP_REQUIRED');
    const begun = await send(`${server.url}/api/v1/auth/mfa/setup`, { headers: outside });
    const secret = Secret.fromBase32(json<{ secret: string }>(begun).secret);
    const code = new TOTP({ secret }).generate();
    expect((await sendJson(server, '/api/v1/auth/mfa/enable', { code }, outside)).status).to.equal(200);
    expect((await call(outside)).status).to.equal(200);
  });

  it('does not count a passkey that the account has when somebody logs in with the password', async () => {
    const { username, password } = await withPasskey('ROLE_ADMIN');
    const session = await sessionOf(server, username, password, at('outside'));
    expectProblem(await call({ ...session, ...at('outside') }), 403, 'MFA_SETUP_REQUIRED');
  });

  it('cannot be evaded with an address that the client writes itself', async () => {
    const { session } = await account('ROLE_ADMIN');
    const forged = { ...session, 'x-forwarded-for': `${places.trusted}, ${places.outside}` };
    expectProblem(await call(forged), 403, 'MFA_SETUP_REQUIRED');
  });

  it('stops the start for what is neither a network nor a role', async () => {
    const fault = async (secondFactor: object): Promise<string> => {
      try {
        await (await createTestServer({ settings: { security: { enableLogin: true, secondFactor } } })).stop();
        return 'none';
      } catch (error) {
        return String(error);
      }
    };
    expect(await fault({ trustedNetworks: ['10.0.0.0/40'] })).to.include('security.secondFactor.trustedNetworks');
    expect(await fault({ requiredForRoles: ['admins'] })).to.include('such as ROLE_ADMIN');
  });

  it('is not saved by HTTP with what would stop the start', async () => {
    const settings = { 'security.secondFactor.requiredOutsideNetworks': ['office'] };
    const answer = await sendJson(server, '/api/v1/admin/settings', { settings }, boss, 'PUT');
    expect(expectProblem(answer, 400, 'SETTINGS_REJECTED').errors?.[0]?.pointer).to.equal(
      '/settings/security.secondFactor.requiredOutsideNetworks',
    );
  });
});
