import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { expectProblem, field, file, json, post, send, type Answer } from '../support/client.js';
import { addUser, bossName, globalKey, sendFields, sendJson, sessionOf, startWithLogin } from '../support/login.js';
import { startServer, type TestServer } from '../support/server.js';
import { expectShape } from '../support/shape.js';

const person = {
  id: 'integer',
  username: 'string',
  displayName: 'string|null',
  pictureVersion: 'string|null',
  email: 'string',
  role: 'string',
  enabled: 'boolean',
  authenticationType: 'string',
  team: 'object|null',
  teamLead: 'boolean',
  mustChangePassword: 'boolean',
  mfaEnabled: 'boolean',
  mfaRequired: 'boolean',
  passkeys: 'integer',
  providers: 'array',
  createdAt: 'string',
  lastLogin: 'string|null',
};

describe('The data for pages of clients', () => {
  let server: TestServer;
  let boss: { readonly authorization: string };
  let ada: { readonly authorization: string };
  const get = (path: string, headers: Readonly<Record<string, string>> = boss): Promise<Answer> =>
    send(`${server.url}/api/v1/${path}`, { headers });

  before(async () => {
    server = await startWithLogin(
      {},
      {
        premium: { maxUsers: 7 },
        storage: { enabled: true },
        legal: { impressum: '/impressum' },
        ui: { languages: ['de-DE', 'en_US', 'no code!'] },
        security: {
          enableLogin: true,
          customGlobalAPIKey: globalKey,
          oauth2: { enabled: true },
          initialLogin: { username: bossName, password: 'the-password-of-the-boss' },
        },
      },
    );
  });
  after(() => server.stop());

  it('is public before login: the login page, the footer, languages, robots.txt', async () => {
    const login = json(await get('proprietary/ui-data/login', {}));
    expectShape(login, {
      enableLogin: 'boolean',
      ssoAutoLogin: 'boolean',
      providerList: 'object',
      passkeys: 'boolean',
      loginMethod: 'string',
      altLogin: 'boolean',
      firstTimeSetup: 'boolean',
      showDefaultCredentials: 'boolean',
      languages: 'array',
      defaultLocale: 'string',
    });
    expect(login, 'no provider is offered that nobody asks').to.deep.include({
      enableLogin: true,
      passkeys: true,
      providerList: {},
      altLogin: false,
      ssoAutoLogin: false,
      firstTimeSetup: true,
      showDefaultCredentials: false,
    });
    boss = await sessionOf(server);
    expect(json(await get('proprietary/ui-data/login', {}))['firstTimeSetup']).to.equal(false);
    const footer = json(await get('ui-data/footer-info', {}));
    expectShape(footer, {
      analyticsEnabled: 'boolean|null',
      termsAndConditions: 'string',
      privacyPolicy: 'string',
      accessibilityStatement: 'string',
      cookiePolicy: 'string',
      impressum: 'string',
    });
    expect(footer).to.include({ impressum: '/impressum', analyticsEnabled: null });
    const robots = await send(`${server.url}/robots.txt`);
    expect([robots.status, robots.headers['content-type'], robots.body.toString()]).to.deep.equal([
      200,
      'text/plain; charset=utf-8',
      'User-agent: *\nDisallow: /\n',
    ]);
    const script = await send(`${server.url}/js/additionalLanguageCode.js`);
    expect([script.status, script.headers['content-type']]).to.deep.equal([200, 'application/javascript']);
    const preferred = (languages: readonly string[]): unknown =>
      runInNewContext(`${script.body.toString()}\n[supportedLanguages, getDetailedLanguageCode()]`, {
        navigator: { languages },
      });
    const plain = (languages: readonly string[]): unknown => JSON.parse(JSON.stringify(preferred(languages)));
    expect(plain(['fr', 'de'])).to.deep.equal([['de_DE', 'en_US'], 'de_DE']);
    expect(plain(['en-US'])).to.deep.equal([['de_DE', 'en_US'], 'en_US']);
    expect(plain(['fr'])).to.deep.equal([['de_DE', 'en_US'], 'en_US']);
  });

  it('does not list single sign-on as a login method from settings alone', async () => {
    expect(json(await get('config/app-config', {}))).to.include({
      enableOAuth: false,
      enableSaml: false,
      SSOAutoLogin: false,
      storageGroupSigningEnabled: false,
      isNewUser: false,
    });
    expect(json(await get('config/app-config'))['isNewUser']).to.equal(true);
    expect(
      (await send(`${server.url}/api/v1/user/complete-initial-setup`, { method: 'POST', headers: boss })).status,
    ).to.equal(200);
    expect(json(await get('config/app-config'))['isNewUser']).to.equal(false);
  });

  it('is restricted to users and administrators where it belongs to them', async () => {
    await addUser(server, boss, 'ada');
    ada = await sessionOf(server, 'ada', 'password of ada');
    for (const path of ['ui-data/home', 'ui-data/licenses', 'proprietary/ui-data/account']) {
      expectProblem(await get(path, {}), 401, 'KEY_INVALID');
      expect((await get(path, ada)).status, path).to.equal(200);
    }
    for (const path of ['admin-settings', 'teams', 'teams/1', 'database', 'documents', 'usage-endpoint-statistics']) {
      expectProblem(await get(`proprietary/ui-data/${path}`, {}), 401, 'KEY_INVALID');
      expectProblem(await get(`proprietary/ui-data/${path}`, ada), 403, 'ADMIN_ONLY');
      expectProblem(await get(`proprietary/ui-data/${path}`, { 'x-api-key': globalKey }), 403, 'ADMIN_ONLY');
    }
  });

  it('lists third-party packages with their licences, and none of this project', async () => {
    const { dependencies } = json<{ dependencies: Record<string, string>[] }>(await get('ui-data/licenses'));
    for (const one of dependencies)
      expectShape(
        one,
        {
          moduleName: 'string',
          moduleUrl: 'string',
          moduleVersion: 'string',
          moduleLicense: 'string',
          moduleLicenseUrl: 'string',
        },
        one['moduleName'],
      );
    const names = dependencies.map(({ moduleName }) => moduleName);
    expect(names)
      .to.include.members(['@hapi/hapi', 'joi', 'libsql', 'pdf-lib', '@hapi/boom'])
      .and.not.include.members(['mocha', 'oxlint', '@quire/core']);
    expect(dependencies.find(({ moduleName }) => moduleName === 'pdf-lib')).to.include({
      moduleVersion: '1.17.1',
      moduleLicense: 'MIT',
      moduleLicenseUrl: 'https://spdx.org/licenses/MIT.html',
    });
    expect(names.filter((name) => name?.startsWith('@quire/'))).to.deep.equal([]);
    expect(
      dependencies.filter(({ moduleLicense }) => moduleLicense === '').map(({ moduleName }) => moduleName),
      'packages that state no licence',
    ).to.deep.equal([]);
  });

  it('shows the home page flag from the environment', async () => {
    const shown = async (value: string | undefined): Promise<unknown> => {
      if (value === undefined) delete process.env['SHOW_SURVEY'];
      else process.env['SHOW_SURVEY'] = value;
      return json(await get('ui-data/home'))['showSurveyFromDocker'];
    };
    try {
      expect([await shown(undefined), await shown('true'), await shown('false'), await shown('no')]).to.deep.equal([
        true,
        true,
        false,
        false,
      ]);
    } finally {
      delete process.env['SHOW_SURVEY'];
    }
  });

  it('shows each user their own account', async () => {
    await sendJson(server, '/api/v1/user/updateUserSettings', { theme: 'dark' }, ada);
    const account = json<{ settings: string }>(await get('proprietary/ui-data/account', ada));
    expectShape(account, {
      username: 'string',
      displayName: 'string|null',
      pictureVersion: 'string|null',
      pictureWanted: 'boolean',
      role: 'string',
      settings: 'string',
      changeCredsFlag: 'boolean',
      oAuth2Login: 'boolean',
      saml2Login: 'boolean',
      mfaEnabled: 'boolean',
      mfaRequired: 'boolean',
    });
    expect(account).to.deep.include({ username: 'ada', role: 'ROLE_USER', changeCredsFlag: false, oAuth2Login: false });
    expect(JSON.parse(account.settings)).to.deep.equal({ theme: 'dark' });
    expect(json(await get('proprietary/ui-data/account'))).to.include({
      username: bossName,
      role: 'ROLE_ADMIN',
      settings: '{}',
    });
  });

  it('shows administrators all people, disabled ones too, and the teams with their sizes', async () => {
    await addUser(server, boss, 'bob');
    await sendFields(server, '/api/v1/user/admin/changeUserEnabled/bob', { enabled: 'false' }, boss);
    await sendFields(server, '/api/v1/team/create', { name: 'Readers' }, boss);
    const teams = async () =>
      json<{ teamsWithCounts: { id: number; name: string; userCount: number }[] }>(
        await get('proprietary/ui-data/teams'),
      ).teamsWithCounts;
    const readers = (await teams()).find(({ name }) => name === 'Readers')?.id ?? 0;
    const page = json<{ users: Record<string, unknown>[] }>(await get('proprietary/ui-data/admin-settings'));
    expectShape(page, {
      users: 'array',
      currentUsername: 'string',
      totalUsers: 'integer',
      activeUsers: 'integer',
      disabledUsers: 'integer',
      teams: 'array',
      maxAllowedUsers: 'integer|null',
      availableSlots: 'integer|null',
      premiumEnabled: 'boolean',
      license: 'string',
      mailEnabled: 'boolean',
    });
    for (const user of page.users) expectShape(user, person, String(user['username']));
    expect(page).to.deep.include({
      currentUsername: bossName,
      totalUsers: 3,
      activeUsers: 2,
      disabledUsers: 1,
      maxAllowedUsers: 7,
      availableSlots: 4,
      license: 'ENTERPRISE',
      mailEnabled: false,
    });
    expect(page.users.map(({ username, enabled }) => [username, enabled])).to.deep.equal([
      ['ada', true],
      ['bob', false],
      [bossName, true],
    ]);
    expect(JSON.stringify(page)).not.to.match(/hash|secret/i);
    const ids = Object.fromEntries(page.users.map(({ username, id }) => [username, String(id)]));
    await sendFields(server, '/api/v1/team/addUser', { teamId: String(readers), userId: ids['ada'] ?? '' }, boss);
    expect((await teams()).map(({ name, userCount }) => [name, userCount])).to.deep.equal([
      ['Default', 2],
      ['Readers', 1],
    ]);
    const one = json<{ team: object; teamUsers: { username: string }[]; availableUsers: { username: string }[] }>(
      await get(`proprietary/ui-data/teams/${readers}`),
    );
    expectShape(one, { team: 'object', teamUsers: 'array', availableUsers: 'array' });
    expect([
      one.team,
      one.teamUsers.map(({ username }) => username),
      one.availableUsers.map(({ username }) => username),
    ]).to.deep.equal([{ id: readers, name: 'Readers' }, ['ada'], ['bob', bossName]]);
    expectProblem(await get('proprietary/ui-data/teams/999'), 404, 'TEAM_UNKNOWN');
    expectProblem(await get('proprietary/ui-data/teams/2'), 404, 'TEAM_UNKNOWN');
    for (const id of ['x', '0', '-1', '1.5', '../1'])
      expectProblem(await get(`proprietary/ui-data/teams/${encodeURIComponent(id)}`), 400, 'INPUT_INVALID');
  });

  it('sums up stored files by owner, without file names', async () => {
    const put = async (headers: Readonly<Record<string, string>>, bytes: number): Promise<void> => {
      expect(
        (
          await post(
            `${server.url}/api/v1/storage/files`,
            [file(Buffer.alloc(bytes, 'x'), 'secret-plan.txt', 'file'), field('x', 'y')],
            headers,
          )
        ).status,
      ).to.be.within(200, 201);
    };
    expect(json(await get('proprietary/ui-data/documents'))).to.deep.equal({
      storageEnabled: true,
      totalDocuments: 0,
      totalBytes: 0,
      owners: [],
    });
    await put(ada, 100);
    await put(ada, 50);
    await put(boss, 70);
    const page = await get('proprietary/ui-data/documents');
    const { owners, ...totals } = json<{ owners: Record<string, unknown>[] }>(page);
    expect(totals).to.deep.equal({ storageEnabled: true, totalDocuments: 3, totalBytes: 220 });
    for (const owner of owners)
      expectShape(owner, { userId: 'integer', username: 'string|null', documents: 'integer', bytes: 'integer' });
    expect(owners.map(({ username, documents, bytes }) => [username, documents, bytes])).to.deep.equal([
      ['ada', 2, 150],
      [bossName, 1, 70],
    ]);
    expect(page.body.toString()).not.to.include('secret-plan');
  });

  it('reports how often addresses were called, by kind, count and days', async () => {
    const ask = async (query = '') =>
      json<{
        endpoints: { endpoint: string; visits: number; percentage: number }[];
        totalEndpoints: number;
        totalVisits: number;
      }>(await get(`proprietary/ui-data/usage-endpoint-statistics${query}`));
    for (let i = 0; i < 40; i++) await get('config/endpoints-availability');
    const all = await ask();
    expectShape(all, { endpoints: 'array', totalEndpoints: 'integer', totalVisits: 'number' });
    for (const one of all.endpoints) expectShape(one, { endpoint: 'string', visits: 'number', percentage: 'number' });
    expect(all.endpoints[0]).to.include({ endpoint: '/api/v1/config/endpoints-availability', visits: 40 });
    expect(
      all.endpoints.map(({ endpoint }) => endpoint),
      'counted by route',
    ).to.include('/api/v1/proprietary/ui-data/teams/{id}');
    expect(all.totalEndpoints).to.equal(all.endpoints.length);
    expect(all.endpoints.reduce((sum, { percentage }) => sum + percentage, 0)).to.be.closeTo(100, 0.5);
    const [api, ui, first] = [
      await ask('?dataType=api'),
      await ask('?dataType=ui&days=1'),
      await ask('?limit=1&days=365'),
    ];
    expect(api.endpoints.some(({ endpoint }) => endpoint.includes('ui-data'))).to.equal(false);
    expect(
      ui.endpoints.every(({ endpoint }) => endpoint.includes('ui-data') || !endpoint.startsWith('/api/')),
    ).to.equal(true);
    expect(ui.totalVisits).to.be.greaterThan(0);
    expect([first.endpoints.length, first.totalEndpoints > 1]).to.deep.equal([1, true]);
    for (const query of ['limit=0', 'limit=x', 'days=0', 'days=366', 'dataType=files'])
      expectProblem(await get(`proprietary/ui-data/usage-endpoint-statistics?${query}`), 400, 'INPUT_INVALID');
  });
});

describe('The data for pages of clients, without login', () => {
  it('exists where it needs no account; the rest does not exist', async () => {
    const server = await startServer({
      system: { googlevisibility: true, rootUriPath: '/tools', defaultLocale: 'fr-FR' },
      licence: { tier: 'team' },
    });
    try {
      const get = (path: string): Promise<Answer> => send(`${server.url}${path}`);
      expect((await get('/robots.txt')).body.toString()).to.equal('User-agent: *\nAllow: /\n');
      expect((await get('/js/additionalLanguageCode.js')).body.toString()).to.include('["fr_FR","en_US"]');
      expect(json(await get('/api/v1/proprietary/ui-data/login'))).to.include({
        enableLogin: false,
        passkeys: false,
        firstTimeSetup: false,
      });
      for (const path of ['ui-data/footer-info', 'ui-data/home'])
        expect((await get(`/api/v1/${path}`)).status, path).to.equal(200);
      const withLogin = [
        'proprietary/ui-data/account',
        'proprietary/ui-data/admin-settings',
        'proprietary/ui-data/teams',
        'proprietary/ui-data/database',
        'proprietary/ui-data/documents',
        'proprietary/ui-data/usage-endpoint-statistics',
        'database/createDatabaseBackup',
        'database/delete/a.db',
        'admin/license-info',
        'admin/installation-id',
        'admin/login-agreement',
        'ui-data/tessdata-languages',
      ];
      for (const path of withLogin) expectProblem(await get(`/api/v1/${path}`), 404, 'LOGIN_REQUIRED');
    } finally {
      await server.stop();
    }
  });
});
