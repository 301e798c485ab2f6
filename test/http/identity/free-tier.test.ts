import { expect } from 'chai';
import { CertifiedIssuer, clientId, clientSecret } from '../support/certified-issuer.js';
import { expectProblem, json, send } from '../support/client.js';
import { addUser, sendFields, sendJson, sessionOf } from '../support/login.js';
import { RedirectBrowser, type Visit } from '../support/redirect-browser.js';
import { ScimClient, startWithScim } from '../support/scim.js';
import type { TestServer } from '../support/server.js';

describe('The five users of the free tier', () => {
  let issuer: CertifiedIssuer;
  let server: TestServer;
  let boss: Readonly<Record<string, string>>;

  const atCallback = (url: URL): boolean => url.pathname.endsWith('/auth/callback');
  const tokenOf = ({ url }: Visit): string | undefined =>
    new URLSearchParams(url.hash.slice(1)).get('access_token') ?? undefined;
  const logIn = (name: string): Promise<Visit> => {
    issuer.user = {
      sub: `subject-of-${name}`,
      preferred_username: name,
      email: `${name}@example.org`,
      email_verified: true,
    };
    return new RedirectBrowser().visit(`${server.url}/oauth2/authorization/keycloak`, atCallback);
  };
  const addLocal = (username: string) =>
    sendFields(
      server,
      '/api/v1/user/admin/saveUser',
      { username, password: 'correct horse', role: 'ROLE_USER', authType: 'web' },
      boss,
    );
  const seats = async (): Promise<object> =>
    json<object>(await send(`${server.url}/api/v1/proprietary/ui-data/admin-settings`, { headers: boss }));

  before(async function () {
    this.timeout(60_000);
    issuer = await CertifiedIssuer.listen();
    issuer.amr = ['pwd'];
    server = await startWithScim(
      {},
      { oauth2: { enabled: true, client: { keycloak: { issuer: issuer.url, clientId, clientSecret } } } },
      { licence: { tier: 'free' } },
    );
    issuer.serve(server.url, 'keycloak');
    boss = await sessionOf(server);
    for (let i = 0; i < 4; i++) await addUser(server, boss, `local${i}`);
  });
  after(async () => {
    await server.stop();
    await issuer.close();
  });

  it('are those with a password: further ones log in with a provider', async () => {
    const problem = expectProblem(await addLocal('sixth'), 400, 'USER_CAP_REACHED');
    expect(problem.detail).to.include('5 users who log in with a password');
    for (const name of ['ada', 'grace', 'edsger']) expect(tokenOf(await logIn(name)), name).to.be.a('string');
    expect(await seats()).to.include({ totalUsers: 8, maxAllowedUsers: 5, availableSlots: 0 });
  });

  it('do not stop an identity provider that creates accounts', async () => {
    const scim = new ScimClient(server);
    for (const name of ['barbara', 'frances']) await scim.createUser(`${name}@example.org`);
    expectProblem(await addLocal('seventh'), 400, 'USER_CAP_REACHED');
  });

  it('count while they have a password, whatever provider is linked', async () => {
    const local = await sessionOf(server, 'local0', 'password of local0');
    issuer.user = { sub: 'subject-of-local0', preferred_username: 'local0' };
    const begun = await sendJson(server, '/api/v1/auth/identities/keycloak/link', {}, local);
    const browser = new RedirectBrowser();
    browser.receive(server.url, begun);
    const linked = await browser.visit(`${server.url}${json<{ url: string }>(begun).url}`, atCallback);
    expect(linked.url.search).to.equal('?linked=keycloak');
    expectProblem(await addLocal('eighth'), 400, 'USER_CAP_REACHED');
    const { identities } = json<{ identities: readonly { id: string }[] }>(
      await send(`${server.url}/api/v1/auth/identities`, { headers: local }),
    );
    const unlinked = await send(`${server.url}/api/v1/auth/identities/${identities[0]?.id}`, {
      method: 'DELETE',
      headers: local,
    });
    expect(unlinked.status, unlinked.body.toString()).to.be.below(300);
    expectProblem(await addLocal('ninth'), 400, 'USER_CAP_REACHED');
  });

  it('make room again when one is deleted', async () => {
    const gone = await sendFields(server, '/api/v1/user/admin/deleteUser/local1', {}, boss);
    expect(gone.status, gone.body.toString()).to.equal(200);
    expect((await addLocal('tenth')).status).to.be.below(300);
  });

  it('cannot be exceeded by giving an account of a provider a password', async () => {
    const changed = await sendFields(
      server,
      '/api/v1/user/admin/changePasswordForUser',
      { username: 'ada', newPassword: 'correct horse' },
      boss,
    );
    expect(changed.status).to.equal(400);
  });
});
