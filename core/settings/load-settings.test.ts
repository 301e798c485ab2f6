import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  knownKeys,
  listenHost,
  loadSettings,
  printSettings,
  SettingsError,
  sizeToBytes,
  durationToMs,
  type Settings,
} from './index.js';
import { environmentName } from './known-keys.js';

describe('settings', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-settings-'));
    mkdirSync(join(folder, 'data', 'configs'), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (text: string, name = 'settings.yml'): void =>
    writeFileSync(join(folder, 'data', 'configs', name), text);
  const load = (env: Record<string, string> = {}): Settings => loadSettings({ env, cwd: folder });
  const refused = (env: Record<string, string> = {}): string => {
    try {
      load(env);
    } catch (error) {
      if (error instanceof SettingsError) return error.message;
      throw error;
    }
    throw new Error('the settings were taken');
  };

  it('starts without a file of the operator, as shipped', () => {
    const settings = load();
    expect(settings.get('server.port')).to.equal(8080);
    expect(settings.origin('server.port')).to.equal('shipped');
    expect(settings.get('plugins').map(({ use }) => use)).to.include('@quire/plugin-general');
    expect(settings.paths.configs).to.equal(join(folder, 'data', 'configs'));
  });

  it('ships a file that says the same as the table of keys', () => {
    const settings = load();
    for (const key of knownKeys)
      if (key.type !== 'plugins') expect(settings.get(key.path), key.path).to.deep.equal(key.default);
  });

  it('takes an empty file and one of comments alone', () => {
    write('');
    expect(load().get('server.port')).to.equal(8080);
    write('# nothing yet\n');
    expect(load().get('server.port')).to.equal(8080);
  });

  it('says in one sentence what to use instead of each key without effect, and refers to keys that act', () => {
    const acting = new Set(knownKeys.filter(({ acts }) => acts).map(({ path }) => path));
    const sections = new Set(knownKeys.map(({ path }) => path.split('.')[0] ?? ''));
    for (const { path, instead } of knownKeys) {
      if (instead === undefined) continue;
      expect(instead, path).to.match(/^[A-Z].{20,}\.$/);
      const named = instead.match(/\b[a-zA-Z]\w*(?:\.[a-zA-Z][\w-]*)+/g) ?? [];
      for (const name of named.filter((each) => sections.has(each.split('.')[0] ?? '')))
        expect(
          [...acting].some((each) => each === name || each.startsWith(`${name}.`)),
          `${path} names ${name}, which acts`,
        ).to.equal(true);
    }
  });

  it('warns once about each key that is set and has no effect, and not about defaults', () => {
    write('telegram:\n  enabled: true\n  botToken: 123:secret\n  pollingIntervalMillis: 2000\n');
    const { warnings } = load({ PREMIUM_KEY: 'secret' });
    expect(warnings).to.have.lengthOf(3);
    expect(warnings[0]).to.match(/^environment PREMIUM_KEY: premium\.key has no effect\. [A-Z]/);
    expect(warnings[1]).to.match(/^data\/configs\/settings\.yml:2: telegram\.enabled has no effect\. .*automation/);
    expect(warnings.join(' '), 'without the value').not.to.include('secret');
    expect(printSettings(load())).to.match(/telegram\.enabled = true +# \S+:2 \(no effect: .*automation/);
  });

  it('lets the file win over the shipped values, custom_settings.yml over it, and the environment over all', () => {
    write('server:\n  port: 9000\n  host: 10.0.0.1\nsystem: {maxDPI: 300}\n');
    write(
      'server: {host: 10.0.0.2}\nmanagement.endpoints.web.exposure.include: prometheus,health,info\n',
      'custom_settings.yml',
    );
    const settings = load({ SYSTEM_MAXDPI: '200' });
    expect([settings.get('server.port'), settings.get('server.host'), settings.get('system.maxDPI')]).to.deep.equal([
      9000,
      '10.0.0.2',
      200,
    ]);
    expect(settings.get('management.endpoints.web.exposure.include')).to.deep.equal(['prometheus', 'health', 'info']);
    expect(settings.origin('server.port')).to.equal('data/configs/settings.yml:2');
    expect(settings.origin('server.host')).to.equal('data/configs/custom_settings.yml:1');
    expect(settings.origin('system.maxDPI')).to.equal('environment SYSTEM_MAXDPI');
  });

  it('names every unknown key and wrong value with its line and what is near', () => {
    write(
      [
        'server:',
        '  prt: 9000',
        '  port: many',
        'security:',
        '  enableLogn: true',
        '  xFrameOptions: deny',
        'enableLogin: true',
        'nonsense: 1',
        'mail: yes',
        'operations:',
        '  general/rotate-pdf: {timeout: 30}',
      ].join('\n'),
    );
    const message = refused({ SYSTEM_MAXDPI: 'high' });
    for (const line of [
      'data/configs/settings.yml:2: server.prt is not a known key. Did you mean server.port?',
      'data/configs/settings.yml:3: server.port is "many"; allowed is a whole number from 0 to 65535.',
      'data/configs/settings.yml:5: security.enableLogn is not a known key. Did you mean security.enableLogin?',
      'data/configs/settings.yml:6: security.xFrameOptions is "deny"; allowed is one of DENY, SAMEORIGIN, DISABLED.',
      'data/configs/settings.yml:7: enableLogin is not a known key. Did you mean security.enableLogin?',
      'data/configs/settings.yml:8: nonsense is not a known key.',
      'data/configs/settings.yml:9: mail is a section',
      'data/configs/settings.yml:11: operations.general/rotate-pdf.timeout is 30; allowed is a duration',
      'environment SYSTEM_MAXDPI: system.maxDPI is "high"',
    ])
      expect(message).to.include(line);
  });

  it('names line and column of a tab and of broken YAML', () => {
    write('server:\n\tport: 9000\n');
    expect(refused()).to.match(/settings\.yml:2:1: is not valid YAML: .*[Tt]ab/);
    write('server:\n  port: [1\n');
    expect(refused()).to.match(/settings\.yml:\d+:\d+: is not valid YAML/);
    write('server: {port: 1}\nserver: {port: 2}\n');
    expect(refused()).to.match(/settings\.yml:2:1: is not valid YAML: .*unique/);
  });

  it('follows anchors, and refuses ones that are missing or turn in circles', () => {
    write('server: &s {port: 9000}\nstore: {mongodb: {database: &d db}}\nlogging: {level: debug}\n');
    expect(load().get('server.port')).to.equal(9000);
    write('server: {port: *nowhere}\n');
    expect(refused()).to.match(/settings\.yml:1.*(nowhere|anchor)/);
    write('mail: &m\n  host: *m\n');
    expect(refused()).to.include('mail.host');
  });

  it('never shows a secret', () => {
    write('security:\n  customGlobalAPIKey: 0012345\nmail: {password: [1]}\n');
    const message = refused();
    expect(message).to.include('mail.password is ********');
    write('security:\n  customGlobalAPIKey: 0012345\n');
    const settings = load();
    expect(settings.get('security.customGlobalAPIKey')).to.equal('0012345');
    const printed = printSettings(settings);
    expect(printed)
      .to.match(/security\.customGlobalAPIKey = \*{8} +# data\/configs\/settings\.yml:2/)
      .and.not.include('0012345');
    expect(printed).to.include('mail.password = (empty)');
  });

  it('reads lists and objects of the environment', () => {
    const settings = load({
      SECURITY_TIMESTAMP_CUSTOMTSAURLS: 'http://a.example/tsa, http://b.example/tsa',
      TELEGRAM_ALLOWUSERIDS_0: '1',
      TELEGRAM_ALLOWUSERIDS_1_: '2',
      PROCESSEXECUTOR_UNOSERVERENDPOINTS_0_HOST: 'office',
      PROCESSEXECUTOR_UNOSERVERENDPOINTS_0_PORT: '2003',
      SYSTEM_ENABLEANALYTICS: 'TRUE',
    });
    expect(settings.get('security.timestamp.customTsaUrls')).to.deep.equal([
      'http://a.example/tsa',
      'http://b.example/tsa',
    ]);
    expect(settings.get('telegram.allowUserIDs')).to.deep.equal([1, 2]);
    expect(settings.get('processExecutor.unoServerEndpoints')).to.deep.equal([
      { host: 'office', port: 2003, hostLocation: 'auto', protocol: 'http' },
    ]);
    expect(settings.get('system.enableAnalytics')).to.equal(true);
  });

  it('reads the other names of the upload limit', () => {
    expect(load({ SYSTEMFILEUPLOADLIMIT: '100MB' }).get('system.fileUploadLimit')).to.equal('100MB');
    expect(load({ SYSTEM_MAXFILESIZE: '200' }).get('system.fileUploadLimit')).to.equal('200MB');
    expect(load({ SYSTEM_MAXFILESIZE: '200', SYSTEM_FILEUPLOADLIMIT: '1GB' }).get('system.fileUploadLimit')).to.equal(
      '1GB',
    );
    expect(refused({ SYSTEM_FILEUPLOADLIMIT: '100' })).to.include('a size with its unit');
  });

  it('reports an environment variable that is nearly a setting, and still starts', () => {
    expect(load({ SECURITY_ENABLE_LOGIN: 'true', HOME: '/root' }).warnings).to.deep.equal([
      'The environment variable SECURITY_ENABLE_LOGIN is not a setting and has no effect. Did you mean ' +
        'SECURITY_ENABLELOGIN?',
    ]);
  });

  it('takes every key of an existing settings file', () => {
    const lines = knownKeys
      .filter(({ type }) => !['plugins', 'operations'].includes(type))
      .map((key) => `${key.path}: ${JSON.stringify(key.default)}`);
    write(lines.join('\n'));
    expect(() => load()).not.to.throw();
    expect(new Set(knownKeys.map(({ path }) => environmentName(path))).size).to.equal(knownKeys.length);
  });

  it('takes older names of keys', () => {
    write('enterpriseEdition:\n  enabled: true\n');
    expect(load().get('premium.enabled')).to.equal(true);
  });

  it('adds plugins to the shipped ones, replaces entries of the same name, leaves out disabled ones', () => {
    write(
      "plugins:\n  - use: '@acme/quire-plugin-barcode'\n    optional: true\n    options: {symbology: code128}\n" +
        "  - {use: '@quire/plugin-misc', enabled: false}\n",
    );
    const plugins = load().get('plugins');
    expect(plugins.map(({ use }) => use))
      .to.include('@quire/plugin-general')
      .and.not.include('@quire/plugin-misc');
    expect(plugins.find(({ use }) => use === '@acme/quire-plugin-barcode')).to.deep.include({
      optional: true,
      options: { symbology: 'code128' },
      where: 'data/configs/settings.yml:2',
      folder: join(folder, 'data', 'configs'),
    });
    write('plugins:\n  - {optinal: true}\n');
    expect(refused())
      .to.include('plugins[0].use is missing')
      .and.include('plugins[0].optinal is not a known key. Did you mean optional?');
  });

  it('reads ceilings of single operations', () => {
    write(
      'operations:\n  general/rotate-pdf: {timeout: 30s, maxBytes: 100MB, concurrency: 2}\n  misc/repair: ' +
        '{enabled: false}\n',
    );
    const settings = load();
    expect(settings.get('operations')).to.deep.equal({
      'general/rotate-pdf': { enabled: true, timeoutMs: 30_000, maxBytes: 104_857_600, concurrency: 2 },
      'misc/repair': { enabled: false },
    });
    expect(settings.operationOrigin('misc/repair')).to.equal('data/configs/settings.yml:3');
  });

  it('refuses a schedule of backups that means nothing, and takes none', () => {
    expect(refused({ SYSTEM_DATABASEBACKUP_CRON: '0 0 * * *' })).to.match(
      /SYSTEM_DATABASEBACKUP_CRON: .*databaseBackup\.cron is "0 0 \* \* \*"; allowed is six fields/,
    );
    expect(load({ SYSTEM_DATABASEBACKUP_CRON: '' }).get('system.databaseBackup.cron')).to.equal('');
    expect(load({ SYSTEM_DATABASEBACKUP_CRON: '0 0 3 ? * SUN' }).get('system.databaseBackup.cron')).to.match(/SUN/);
  });

  it('listens on loopback while login is off, unless a host is set', () => {
    expect(listenHost(load())).to.equal('127.0.0.1');
    expect(listenHost(load({ SECURITY_ENABLELOGIN: 'true' }))).to.equal('0.0.0.0');
    expect(listenHost(load({ SERVER_HOST: '10.1.1.1' }))).to.equal('10.1.1.1');
  });

  it('cannot be changed after the start, and knows no key outside the table', () => {
    const settings = load();
    expect(() => (settings.get('endpoints.toRemove') as string[]).push('x')).to.throw(TypeError);
    expect(() => settings.get('server.nothing')).to.throw();
  });

  it('moves the base folder, the temporary folder and the sub-path as set', () => {
    const settings = load({
      QUIRE_BASE_PATH: 'elsewhere',
      SYSTEM_TEMPFILEMANAGEMENT_BASETMPDIR: '/tmp/fast',
      SYSTEM_ROOTURIPATH: '/tools/',
    });
    expect(settings.paths.store).to.equal(join(folder, 'elsewhere', 'store'));
    expect(settings.paths.tmp).to.equal('/tmp/fast');
    expect(settings.get('system.rootUriPath')).to.equal('/tools');
  });

  it('refuses a named settings file that does not exist', () => {
    expect(() => loadSettings({ env: {}, cwd: folder, argvFile: 'other.yml' })).to.throw(
      SettingsError,
      'other.yml: does not exist',
    );
  });
});

describe('units of settings', () => {
  it('reads sizes and durations, and refuses what is neither', () => {
    expect([
      sizeToBytes('100MB'),
      sizeToBytes('1.5 kb'),
      sizeToBytes('7'),
      sizeToBytes('MB'),
      sizeToBytes('1PB'),
    ]).to.deep.equal([104_857_600, 1536, 7, undefined, undefined]);
    expect([durationToMs('30s'), durationToMs('5m'), durationToMs('500ms'), durationToMs('30')]).to.deep.equal([
      30_000,
      300_000,
      500,
      undefined,
    ]);
  });
});
