import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectProblem, json, send, type Answer } from '../support/client.js';
import { addUser, bossName, keyOf, sessionOf, setEnabled, startWithLogin } from '../support/login.js';
import { answers, freePort, hasNginx, startNginx, stopNginx } from '../support/nginx.js';
import { sendRaw } from '../support/raw-call.js';
import { until, type TestServer } from '../support/server.js';

const LOGIN = '/api/v1/auth/proxy-login';
const BROWSER = '/oauth2/authorization/proxy';
/** The proxy has this address, everybody else another one of this machine. */
const proxyAddress = '127.0.0.2';
const secret = 'a-secret-of-the-proxy-0123456789';
const headerNames = { userHeader: 'Remote-User', emailHeader: 'Remote-Email', groupsHeader: 'Remote-Groups' };
const secretHeader = ['X-Quire-Proxy-Secret', secret] as const;

interface Session {
  readonly user: { readonly username: string; readonly role: string; readonly team?: { readonly name: string } };
  readonly session: { readonly access_token: string };
}

describe('Login by the headers of a trusted proxy', () => {
  let server: TestServer;
  let boss: { readonly authorization: string };

  type Headers = readonly (readonly [string, string])[];
  const call = (headers: Headers, { from = proxyAddress, path = LOGIN, method = 'POST' } = {}): Promise<Answer> =>
    sendRaw(`${server.url}${path}`, { method, headers, from });
  const asUser = (name: string, more: Headers = []): Promise<Answer> =>
    call([secretHeader, ['Remote-User', name], ...more]);
  const sessionIn = (answer: Answer): Session => {
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<Session>(answer);
  };

  before(async () => {
    server = await startWithLogin({
      oauth2: { groupRoles: ['quire-admins=ROLE_ADMIN'], groupTeams: ['Büro=Office'] },
      proxyLogin: { enabled: true, trustedProxies: [`${proxyAddress}/32`], secret, name: 'Our proxy', ...headerNames },
    });
    boss = await sessionOf(server);
  });
  after(() => server.stop());

  it('exchanges them for a session of an account that it makes, and finds again', async () => {
    const { user, session } = sessionIn(await asUser('ada', [['Remote-Email', 'ada@example.org']]));
    expect(user).to.include({ username: 'ada', role: 'ROLE_USER', authenticationType: 'oauth2' });
    const me = await send(`${server.url}/api/v1/auth/me`, {
      headers: { authorization: `Bearer ${session.access_token}` },
    });
    expect(json<{ user: object }>(me).user).to.include({ username: 'ada' });
    expect(sessionIn(await asUser('Ada')).user).to.deep.equal(user);
  });

  it('gives role and team by groups', async () => {
    const groups = Buffer.from('staff, quire-admins,Büro', 'utf8').toString('latin1');
    const { user } = sessionIn(await asUser('grace', [['Remote-Groups', groups]]));
    expect(user).to.deep.include({ role: 'ROLE_ADMIN' });
    expect(user.team?.name).to.equal('Office');
    expect(sessionIn(await asUser('grace')).user.role, 'taken away with the group').to.equal('ROLE_USER');
  });

  it('believes nobody else, whatever they send', async () => {
    const headers: Headers = [secretHeader, ['Remote-User', bossName], ['X-Forwarded-For', proxyAddress]];
    expectProblem(await call(headers, { from: '127.0.0.1' }), 401, 'PROXY_LOGIN_FAILED');
    expectProblem(await call(headers, { from: '127.0.0.3' }), 401, 'PROXY_LOGIN_FAILED');
    // Nothing but the exchange looks at the headers.
    for (const from of ['127.0.0.1', proxyAddress])
      expectProblem(await call(headers, { from, path: '/api/v1/auth/me', method: 'GET' }), 401, 'KEY_INVALID');
  });

  it('believes the proxy only with its secret, once', async () => {
    const user = ['Remote-User', 'ada'] as const;
    for (const headers of [
      [user],
      [user, ['X-Quire-Proxy-Secret', '']],
      [user, ['X-Quire-Proxy-Secret', `${secret}x`]],
      [user, ['X-Quire-Proxy-Secret', 'wrong'], secretHeader],
      [user, secretHeader, ['X-Quire-Proxy-Secret', secret]],
    ] as const)
      expectProblem(await call(headers), 401, 'PROXY_LOGIN_FAILED');
  });

  const wrong: Readonly<Record<string, Headers>> = {
    'name nobody': [],
    'are empty': [['Remote-User', '']],
    'name two users': [
      ['Remote-User', bossName],
      ['Remote-User', 'ada'],
    ],
    'name two users in one line': [['Remote-User', 'ada,boss']],
    'come in another spelling too': [
      ['Remote-User', 'ada'],
      ['Remote_User', bossName],
    ],
    'come in another spelling only': [['Remote_User', 'ada']],
    'have signs beyond ASCII': [['Remote-User', 'ad\u00e4']],
    'have a control character': [['Remote-User', 'a\tb']],
    'have groups twice': [
      ['Remote-User', 'ada'],
      ['Remote-Groups', 'staff'],
      ['Remote-Groups', 'quire-admins'],
    ],
    'have groups in another spelling': [
      ['Remote-User', 'ada'],
      ['Remote_Groups', 'quire-admins'],
    ],
    'have groups that are no UTF-8': [
      ['Remote-User', 'ada'],
      ['Remote-Groups', '\u00fc'],
    ],
    'have a name that no account may have': [['Remote-User', 'a'.repeat(400)]],
  };
  for (const [how, headers] of Object.entries(wrong))
    it(`refuses them when they ${how}`, async () => {
      const { detail } = expectProblem(await call([secretHeader, ...headers]), 401, 'PROXY_LOGIN_FAILED');
      expect(detail, 'says no more to users').to.equal(
        'The proxy in front of this server sent no user name, or its login was rejected. Ask an administrator.',
      );
    });

  it('opens no account that has a password, or is disabled, or built in', async () => {
    await addUser(server, boss, 'carol');
    for (const name of [bossName, 'Carol', 'CUSTOM_API_USER'])
      expectProblem(await asUser(name), 401, 'PROXY_LOGIN_FAILED');
    sessionIn(await asUser('former'));
    await setEnabled(server, boss, 'former', false);
    expectProblem(await asUser('former'), 401, 'PROXY_LOGIN_FAILED');
  });

  it('explains a refusal to the administrator', async () => {
    await asUser('carol');
    const events = await send(
      `${server.url}/api/v1/proprietary/ui-data/audit-events?eventType=USER_FAILED_LOGIN&pageSize=100`,
      { headers: boss },
    );
    expect(events.body.toString()).to.contain('an account carol exists already');
    const logins = await send(
      `${server.url}/api/v1/proprietary/ui-data/audit-events?eventType=USER_LOGIN&pageSize=100`,
      { headers: boss },
    );
    expect(logins.body.toString()).to.contain('ada');
  });

  it('does nothing for pages of other sites, which a browser sends through the proxy too', async () => {
    for (const header of [
      ['Origin', 'https://evil.example'],
      ['Origin', 'null'],
      ['Sec-Fetch-Site', 'cross-site'],
      ['Sec-Fetch-Site', 'same-site'],
    ] as const) {
      expectProblem(await asUser('ada', [header]), 403, 'CROSS_SITE_REFUSED');
      const page = await call([secretHeader, ['Remote-User', 'ada'], header], { path: BROWSER, method: 'GET' });
      expect(page.headers.location).to.equal('/auth/callback?errorOAuth=login_expired');
    }
    sessionIn(await asUser('ada', [['Sec-Fetch-Site', 'same-origin']]));
    sessionIn(await asUser('ada', [['Origin', new URL(server.url).origin]]));
  });

  it('is a button of the login page, whose address ends as a login with a provider does', async () => {
    const data = json(await send(`${server.url}/api/v1/proprietary/ui-data/login`));
    expect(data).to.deep.include({ providerList: { [BROWSER]: 'Our proxy' } });
    const config = json<{ loginProviders: object[] }>(await send(`${server.url}/api/v1/config/app-config`));
    expect(config.loginProviders).to.deep.equal([{ id: 'proxy', name: 'Our proxy', path: BROWSER }]);
    const headers: Headers = [secretHeader, ['Remote-User', 'ada']];
    const answer = await call(headers, { path: BROWSER, method: 'GET' });
    expect(answer.status).to.equal(302);
    expect(answer.headers.location).to.match(/^\/auth\/callback#access_token=/);
    const outside = await call(headers, { path: BROWSER, method: 'GET', from: '127.0.0.1' });
    expect(outside.headers.location).to.equal('/auth/callback?errorOAuth=access_denied');
    const refused = await call([secretHeader, ['Remote-User', 'carol']], { path: BROWSER, method: 'GET' });
    expect(refused.headers.location).to.equal('/auth/callback?errorOAuth=userAlreadyExistsWeb');
    expect((await call(headers, { path: BROWSER, method: 'HEAD' })).status, 'changes nothing by HEAD').to.equal(405);
  });

  it('opens existing accounts where the administrator says so, but never the built-in one', async () => {
    const other = await startWithLogin({
      proxyLogin: { enabled: true, trustedProxies: [proxyAddress], openAccountsByName: true, userHeader: 'X-User' },
    });
    try {
      const admin = await sessionOf(other);
      const key = await keyOf(other, admin);
      const answer = await sendRaw(`${other.url}${LOGIN}`, {
        method: 'POST',
        headers: [['x-user', bossName]],
        from: proxyAddress,
      });
      expect(sessionIn(answer).user).to.include({ username: bossName, role: 'ROLE_ADMIN' });
      expectProblem(
        await sendRaw(`${other.url}${LOGIN}`, {
          method: 'POST',
          headers: [['x-user', 'CUSTOM_API_USER']],
          from: proxyAddress,
        }),
        401,
        'PROXY_LOGIN_FAILED',
      );
      expect((await send(`${other.url}/api/v1/auth/me`, { headers: { 'x-api-key': key } })).status).to.equal(200);
    } finally {
      await other.stop();
    }
  });

  it('does not read headers that the administrator has not named, which may be those of a client', async () => {
    const other = await startWithLogin({
      oauth2: { groupRoles: ['quire-admins=ROLE_ADMIN'] },
      proxyLogin: { enabled: true, trustedProxies: [proxyAddress], userHeader: 'X-Forwarded-User' },
    });
    try {
      const logIn = (headers: Headers) =>
        sendRaw(`${other.url}${LOGIN}`, { method: 'POST', headers, from: proxyAddress });
      const { user } = sessionIn(
        await logIn([
          ['X-Forwarded-User', 'ada'],
          ['Remote-Groups', 'quire-admins'],
        ]),
      );
      expect(user.role).to.equal('ROLE_USER');
      expectProblem(await logIn([['Remote-User', 'ada']]), 401, 'PROXY_LOGIN_FAILED');
    } finally {
      await other.stop();
    }
  });

  it('ends at the proxy too, where the administrator says where', async () => {
    const logoutUrl = 'https://pdf.example.org/oauth2/sign_out';
    const other = await startWithLogin({
      proxyLogin: { enabled: true, trustedProxies: [proxyAddress], logoutUrl, ...headerNames },
    });
    try {
      const headers: Headers = [['Remote-User', 'ada']];
      const { session } = sessionIn(
        await sendRaw(`${other.url}${LOGIN}`, { method: 'POST', headers, from: proxyAddress }),
      );
      const logOut = async (authorization: string) =>
        json(await send(`${other.url}/api/v1/auth/logout`, { method: 'POST', headers: { authorization } }));
      expect(await logOut(`Bearer ${session.access_token}`)).to.include({ logoutUrl });
      expect(await logOut((await sessionOf(other)).authorization)).not.to.have.property('logoutUrl');
    } finally {
      await other.stop();
    }
  });

  it('is off without its setting', async () => {
    const other = await startWithLogin({ proxyLogin: { trustedProxies: [proxyAddress], ...headerNames } });
    try {
      const headers: Headers = [['Remote-User', 'ada']];
      const answer = await sendRaw(`${other.url}${LOGIN}`, { method: 'POST', headers, from: proxyAddress });
      expect(answer.status).to.equal(404);
    } finally {
      await other.stop();
    }
  });

  for (const [what, proxyLogin, told] of [
    ['no proxy', { enabled: true, ...headerNames }, /needs security\.proxyLogin\.trustedProxies/],
    ['no header', { enabled: true, trustedProxies: ['10.0.0.1'] }, /needs security\.proxyLogin\.userHeader/],
    ['a network of everybody', { enabled: true, trustedProxies: ['0.0.0.0/0'] }, /everybody could log in/],
    ['a proxy that is no address', { enabled: true, trustedProxies: ['proxy'] }, /proxyLogin\.trustedProxies contains/],
    [
      'a header with underscores',
      { enabled: true, trustedProxies: ['10.0.0.1'], userHeader: 'Remote_User' },
      /is not a header name/,
    ],
  ] as const)
    it(`stops the start with ${what}`, async () => {
      const error = await startWithLogin({ proxyLogin }).then(
        async (started) => started.stop(),
        (reason: unknown) => reason,
      );
      expect((error as Error | undefined)?.message).to.match(told);
    });

  describe('that is nginx, as the guide configures it', function () {
    if (!hasNginx) return it('needs nginx');
    let folder: string;
    let nginx: ChildProcess | undefined;
    let site: string;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'quire-proxy-login-'));
      await writeFile(join(folder, 'users'), 'ada:{PLAIN}secret\n');
      const outer = await freePort();
      site = `http://127.0.0.1:${outer}`;
      nginx = await startNginx(
        folder,
        `server {
          listen 127.0.0.1:${outer};
          location / {
            auth_basic "test";
            auth_basic_user_file ${folder}/users;
            proxy_pass ${server.url};
            proxy_bind ${proxyAddress};
            proxy_set_header Host $http_host;
            proxy_set_header Remote-User $remote_user;
            proxy_set_header Remote-Groups "";
            proxy_set_header Remote-Email "";
            proxy_set_header Authorization "";
            proxy_set_header X-Quire-Proxy-Secret ${secret};
          }
        }`,
      );
      await until('nginx answers', () => answers(outer));
    });
    after(async () => {
      await stopNginx(nginx);
      await rm(folder, { recursive: true, force: true });
    });

    const login = (headers: Headers): Promise<Answer> =>
      sendRaw(`${site}${LOGIN}`, { method: 'POST', headers: [['Content-Length', '0'], ...headers] });
    const basic = ['Authorization', `Basic ${Buffer.from('ada:secret').toString('base64')}`] as const;

    it('logs in whom nginx knows, and nobody else', async () => {
      expect(sessionIn(await login([basic])).user.username).to.equal('ada');
      expect((await login([])).status).to.equal(401);
    });

    it('is not deceived by headers that a client adds', async () => {
      const forged: Headers = [
        basic,
        ['Remote-User', bossName],
        ['remote_user', bossName],
        ['Remote-Groups', 'quire-admins'],
      ];
      const { user } = sessionIn(await login(forged));
      expect(user).to.include({ username: 'ada', role: 'ROLE_USER' });
    });
  });
});
