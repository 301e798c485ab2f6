import { expect } from 'chai';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectProblem, json, send, type Answer } from '../support/client.js';
import { sessionOf, startWithLogin } from '../support/login.js';
import { startServer, type TestServer } from '../support/server.js';

/** Every member of app-config in `docs/interface/platform.yml`, except those of Drive, which exist while it is on. */
const members = [
  'dependenciesReady',
  'baseUrl',
  'contextPath',
  'serverPort',
  'frontendUrl',
  'enableMobileScanner',
  'mobileScannerConvertToPdf',
  'mobileScannerImageResolution',
  'mobileScannerPageFormat',
  'mobileScannerStretchToFit',
  'appNameNavbar',
  'languages',
  'logoStyle',
  'defaultLocale',
  'defaultHideUnavailableTools',
  'defaultHideUnavailableConversions',
  'hideDisabledToolsGoogleDrive',
  'hideDisabledToolsMobileQRScanner',
  'googleDriveEnabled',
  'enableLogin',
  'showSettingsWhenNoLogin',
  'enableOAuth',
  'enableSaml',
  'enableEmailInvites',
  'storageEnabled',
  'storageSharingEnabled',
  'storageShareLinksEnabled',
  'storagePublicLinksEnabled',
  'storageLinkDays',
  'storageShareEmailEnabled',
  'storageGroupSigningEnabled',
  'adminAreas',
  'isAdmin',
  'isNewServer',
  'setupOpen',
  'passwordResetEnabled',
  'isNewUser',
  'enableAlphaFunctionality',
  'shouldShowUpdate',
  'enableAnalytics',
  'enablePosthog',
  'enableScarf',
  'enableDesktopInstallSlide',
  'premiumEnabled',
  'aiEngineEnabled',
  'aiFeatures',
  'timestampDefaultTsaUrl',
  'timestampCustomTsaUrls',
  'timestampTsaPresets',
  'serverCertificateEnabled',
  'hardwareSigningAvailable',
  'termsAndConditions',
  'privacyPolicy',
  'cookiePolicy',
  'impressum',
  'accessibilityStatement',
  'runningProOrHigher',
  'runningEE',
  'license',
  'SSOAutoLogin',
  'localLoginEnabled',
  'loginProviders',
  'appVersion',
  'machineType',
  'activeSecurity',
];

describe('The client configuration', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({
      endpoints: { toRemove: ['remove-pages', 'no-such-tool'], groupsToRemove: ['Security', 'Automation'] },
      ui: { appNameNavbar: 'Papers', languages: ['en', 'de'] },
      system: { showUpdateOnlyAdmin: false, defaultLocale: 'de_DE' },
      legal: { impressum: '/impressum', loginAgreement: { enabled: true, fallbackText: 'Be **kind**.' } },
      licence: { tier: 'team' },
      storage: { enabled: true, sharing: { enabled: true } },
    });
  });
  after(() => server.stop());
  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    send(`${server.url}/api/v1/${path}`, { headers });

  it('holds every member of the contract, with the values of the settings', async () => {
    const config = json(await get('config/app-config'));
    expect(config).to.have.all.keys(members);
    expect(config).to.deep.include({
      appNameNavbar: 'Papers',
      languages: ['en', 'de'],
      impressum: '/impressum',
      enableLogin: false,
      license: 'SERVER',
      runningProOrHigher: true,
      runningEE: false,
      premiumEnabled: true,
      serverPort: '0',
      contextPath: '/',
      isAdmin: false,
      shouldShowUpdate: true,
      enableAnalytics: null,
      defaultLocale: 'de_DE',
      frontendUrl: '',
      isNewServer: true,
    });
    expect([config['storageEnabled'], config['storageSharingEnabled']], 'storage needs login').to.deep.equal([
      false,
      false,
    ]);
    expect(config['timestampTsaPresets']).to.have.length(5);
    expect(config['aiFeatures']).to.have.all.keys(
      'chat',
      'documentQuestions',
      'createPdf',
      'mathAuditor',
      'pdfComment',
      'classify',
    );
    expect(config['baseUrl']).to.equal(server.url);
    expect((await get('config/app-config', { host: 'evil"><script>:1' })).status).to.equal(421);
  });

  it('reports by key what is enabled', async () => {
    for (const [key, answer] of [
      ['rotate-pdf', true],
      ['/rotate-pdf', true],
      ['remove-pages', false],
      ['Remove-pages', true],
      ['handleData', false],
      ['no-such-tool', false],
      ['unknown-tool', true],
    ] as const) {
      expect(json(await get(`config/endpoint-enabled?endpoint=${encodeURIComponent(key)}`)), key).to.equal(answer);
    }
    expect(json(await get('config/endpoints-enabled?endpoints=rotate-pdf,%20remove-pages'))).to.deep.equal({
      'rotate-pdf': true,
      'remove-pages': false,
    });
    expect(
      json(await get('config/endpoints-availability?endpoints=rotate-pdf&endpoints=remove-pages,unknown-tool')),
    ).to.deep.equal({
      'rotate-pdf': { enabled: true, reason: null },
      'remove-pages': { enabled: false, reason: 'CONFIG' },
      'unknown-tool': { enabled: true, reason: 'UNKNOWN' },
    });
    expect(json(await get('config/endpoints-availability'))).to.include.keys(
      'rotate-pdf',
      'remove-pages',
      'handleData',
      'filter-page-count',
    );
    expect(json(await get('settings/get-endpoints-status')))
      .to.deep.include({ 'remove-pages': false, handleData: false })
      .and.not.to.have.property('rotate-pdf');
    for (const path of [
      'config/endpoint-enabled',
      'config/endpoints-enabled',
      'config/group-enabled',
      'config/endpoint-enabled?endpoint=',
      'config/endpoint-enabled?endpoint=a&endpoint=b',
    ])
      expectProblem(await get(path), 400, 'INPUT_INVALID');
  });

  it('agrees with what the route answers', async () => {
    const state = json<Record<string, { enabled: boolean; reason: string | null }>>(
      await get('config/endpoints-availability'),
    );
    for (const path of server.catalog.operations.keys()) {
      const key = path.split('/').at(-1) ?? '';
      const { status } = await send(`${server.url}/api/v1/${path}`, { method: 'POST' });
      expect(status, path).to.equal(state[key]?.enabled === true ? 415 : state[key]?.reason === 'CONFIG' ? 403 : 503);
    }
  });

  it('reports whether a group is enabled', async () => {
    for (const [group, answer] of [
      ['PageOps', false],
      ['Security', false],
      ['Automation', false],
      ['filter', true],
      ['Java', true],
      ['pageops', false],
      ['__proto__', false],
    ] as const) {
      expect(json(await get(`config/group-enabled?group=${group}`)), group).to.equal(answer);
    }
  });

  it('returns the login agreement in the requested language, the default, or from the settings', async () => {
    const agreement = async (lang?: string): Promise<Record<string, unknown>> =>
      json(await get(`config/login-disclaimer${lang === undefined ? '' : `?lang=${encodeURIComponent(lang)}`}`));
    expect(await agreement()).to.deep.equal({
      enabled: true,
      showInAnonymousMode: true,
      content: 'Be **kind**.',
      format: 'markdown',
    });
    const folder = join(server.basePath, 'customFiles', 'disclaimer');
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of [
      ['en', 'english'],
      ['en_GB', 'british'],
      ['de', 'deutsch'],
      ['fr', 'x'.repeat(257 * 1024)],
      ['it', '  \n'],
    ] as const)
      writeFileSync(join(folder, `${name}.md`), text);
    writeFileSync(join(server.basePath, 'customFiles', 'secret.md'), 'secret');
    for (const [lang, content] of [
      ['en', 'english'],
      ['en_GB', 'british'],
      ['en-GB', 'british'],
      ['en-US', 'english'],
      ['pl', 'deutsch'],
      ['fr', 'deutsch'],
      ['it', 'deutsch'],
      ['../secret', 'deutsch'],
      ['', 'deutsch'],
    ] as const) {
      expect((await agreement(lang))['content'], lang).to.equal(content);
    }
  });

  it('keeps the first choice on analytics: 200, then 208', async () => {
    const choose = (value: string): Promise<Answer> =>
      send(`${server.url}/api/v1/settings/update-enable-analytics?enabled=${value}`, { method: 'POST' });
    expectProblem(await choose('perhaps'), 400, 'INPUT_INVALID');
    expectProblem(
      await send(`${server.url}/api/v1/settings/update-enable-analytics`, { method: 'POST' }),
      400,
      'INPUT_INVALID',
    );
    expect(
      (await Promise.all([choose('false'), choose('false'), choose('false')])).map(({ status }) => status).sort(),
    ).to.deep.equal([200, 208, 208]);
    expect((await choose('true')).status).to.equal(208);
    expect(json(await get('config/app-config'))).to.include({
      enableAnalytics: false,
      enablePosthog: false,
      enableScarf: false,
    });
  });
});

describe('The configuration with login on', () => {
  it('is public where a client needs it before login, and recognises its administrator', async () => {
    const server = await startWithLogin(
      {},
      { system: { enableAnalytics: true }, storage: { enabled: true, sharing: { enabled: true } } },
    );
    try {
      const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
        send(`${server.url}/api/v1/${path}`, { headers });
      expect(json(await get('config/app-config'))).to.include({
        enableLogin: true,
        isAdmin: false,
        shouldShowUpdate: false,
        storageSharingEnabled: true,
        enableAnalytics: true,
      });
      expect((await get('config/login-disclaimer')).status).to.equal(200);
      for (const path of [
        'config/endpoint-enabled?endpoint=crop',
        'config/endpoints-availability',
        'settings/get-endpoints-status',
        'capabilities',
      ])
        expectProblem(await get(path), 401, 'KEY_INVALID');
      const boss = await sessionOf(server);
      expect(json(await get('config/app-config', boss))).to.include({ isAdmin: true, shouldShowUpdate: true });
      const choose = `${server.url}/api/v1/settings/update-enable-analytics?enabled=false`;
      expectProblem(await send(choose, { method: 'POST' }), 401, 'KEY_INVALID');
      expect((await send(choose, { method: 'POST', headers: boss })).status, 'the settings have chosen').to.equal(208);
    } finally {
      await server.stop();
    }
  });
});
