import { isQuireError, type QuireError } from '@quire/registry';
import { expect } from 'chai';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownKeys, loadSettings, SettingsFile } from './index.js';

describe('The settings file, changed by an administrator', () => {
  let folder: string;
  let configs: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-settings-file-'));
    configs = join(folder, 'data', 'configs');
    mkdirSync(configs, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const put = (text: string, name = 'settings.yml'): void => writeFileSync(join(configs, name), text);
  const text = (): string => readFileSync(join(configs, 'settings.yml'), 'utf8');
  const open = (env: Record<string, string> = {}): SettingsFile => new SettingsFile(loadSettings({ env, cwd: folder }));
  const write = (file: SettingsFile, values: Record<string, unknown>): readonly string[] =>
    file.write(new Map(Object.entries(values)), (path) => `/settings/${path}`);
  const refused = (file: SettingsFile, values: Record<string, unknown>): QuireError => {
    const before = existsSync(join(configs, 'settings.yml')) ? text() : undefined;
    try {
      write(file, values);
    } catch (error) {
      expect(existsSync(join(configs, 'settings.yml')) ? text() : undefined, 'the file stays as it was').to.equal(
        before,
      );
      expect(readdirSync(configs).filter((name) => name.startsWith('.settings-'))).to.deep.equal([]);
      if (isQuireError(error)) return error;
      throw error;
    }
    throw new Error('the values were taken');
  };

  it('keeps comments, order, quotes and blank lines', () => {
    put(
      [
        '# My server',
        'server:',
        '  # behind the proxy',
        '  port: 9000   # not 8080',
        "  host: '10.0.0.1'",
        '',
        'system: # all about it',
        '  maxDPI: 300',
        '',
        '# the end',
        '',
      ].join('\n'),
    );
    write(open(), { 'server.port': 9001, 'system.fileUploadLimit': '100MB', 'ui.appNameNavbar': 'Papers' });
    expect(text()).to.equal(
      [
        '# My server',
        'server:',
        '  # behind the proxy',
        '  port: 9001 # not 8080',
        "  host: '10.0.0.1'",
        '',
        'system:',
        '  # all about it',
        '  maxDPI: 300',
        '  fileUploadLimit: 100MB',
        'ui:',
        '  appNameNavbar: Papers',
        '',
        '# the end',
        '',
      ].join('\n'),
    );
  });

  it('is made when there is none, for the server alone to read, and in effect after a restart', () => {
    const file = open();
    expect(file.pending()).to.deep.equal([]);
    expect(write(file, { 'system.maxDPI': 200, 'endpoints.toRemove': ['repair', 'crop'] })).to.deep.equal([
      'system.maxDPI',
      'endpoints.toRemove',
    ]);
    expect(statSync(join(configs, 'settings.yml')).mode & 0o777).to.equal(0o600);
    expect(file.pending()).to.deep.equal([
      { path: 'system.maxDPI', value: 200 },
      { path: 'endpoints.toRemove', value: ['repair', 'crop'] },
    ]);
    expect(new Map(file.values(false)).get('system.maxDPI')).to.equal(500);
    expect(new Map(file.values(true)).get('system.maxDPI')).to.equal(200);
    expect(loadSettings({ env: {}, cwd: folder }).get('endpoints.toRemove')).to.deep.equal(['repair', 'crop']);
  });

  it('is edited where a key stands: in dotted names, flow maps, empty sections and under former names', () => {
    put(
      'server.port: 9000\nsystem: {maxDPI: 300, showUpdate: false}\nlimits:\nenterpriseEdition: {enabled: ' +
        'true}\nmanagement.endpoint.health.show-details: always\n',
    );
    write(open(), {
      'server.port': 9001,
      'system.maxDPI': 400,
      'limits.maxPages': 7,
      'premium.enabled': false,
      'server.keepAliveSeconds': 9,
    });
    const now = loadSettings({ env: {}, cwd: folder });
    expect([
      now.get('server.port'),
      now.get('system.maxDPI'),
      now.get('system.showUpdate'),
      now.get('limits.maxPages'),
      now.get('premium.enabled'),
      now.get('server.keepAliveSeconds'),
    ]).to.deep.equal([9001, 400, false, 7, false, 9]);
    expect(text()).to.include('server.port: 9001').and.to.include('enterpriseEdition:').and.not.to.include('premium:');
  });

  it('is filled from empty files and files of comments alone', () => {
    for (const before of ['', '# nothing yet\n', '\uFEFF', '---\n', '~\n']) {
      put(before);
      write(open(), { 'system.maxDPI': 123 });
      expect(loadSettings({ env: {}, cwd: folder }).get('system.maxDPI'), JSON.stringify(before)).to.equal(123);
    }
    put('# nothing yet\n');
    write(open(), { 'system.maxDPI': 123 });
    expect(text()).to.match(/^# nothing yet\n/);
  });

  it('loses a key for null, which then stands as shipped', () => {
    put('system:\n  maxDPI: 300\n  showUpdate: false\n');
    const file = open();
    expect(write(file, { 'system.maxDPI': null, 'system.defaultLocale': null })).to.deep.equal(['system.maxDPI']);
    expect(text()).to.equal('system:\n  showUpdate: false\n');
    expect(file.pending()).to.deep.equal([{ path: 'system.maxDPI', value: 500 }]);
  });

  it('is not touched for values that stand so already', () => {
    put('system:   {maxDPI:   300}\n');
    expect(
      write(open({ SYSTEM_SHOWUPDATE: 'false' }), {
        'system.maxDPI': 300,
        'system.showUpdate': false,
        'server.port': 8080,
      }),
    ).to.deep.equal([]);
    expect(text()).to.equal('system:   {maxDPI:   300}\n');
  });

  it('shows secrets as stars, and keeps them when stars come back', () => {
    put('mail:\n  password: s3cr3t-canary\n');
    const file = open();
    expect(new Map(file.values(true)).get('mail.password')).to.equal('********');
    expect(write(file, { 'mail.password': '********', 'mail.from': 'a@b.example' })).to.deep.equal(['mail.from']);
    expect(text()).to.include('password: s3cr3t-canary');
    write(file, { 'mail.password': 'another-canary' });
    expect(file.pending()).to.deep.include({ path: 'mail.password', value: '********' });
    expect(refused(file, { 'mail.password': ['third-canary'] }).message)
      .to.include('********')
      .and.not.to.include('canary');
  });

  it('turns a licence key into a licence that is asked for', () => {
    expect(write(open(), { 'premium.key': 'ABC' })).to.deep.equal(['premium.key', 'premium.enabled']);
    expect(loadSettings({ env: {}, cwd: folder }).get('premium.enabled')).to.equal(true);
  });

  it('accepts only settings that the server can start with, and reports every fault with its place', () => {
    const error = refused(open(), {
      'system.maxDIP': 1,
      'system.maxDPI': 'high',
      'server.port': 70000,
      'ui.logoStyle': 'baroque',
      'system.showUpdate': 'maybe',
      'endpoints.toRemove': [1, {}],
      plugins: [],
      'nonsense.key': 1,
      system: 1,
      'system.a-b': 1,
      'system.__proto__.x': 1,
      'system.a.b.c.d.e.f.g.h.i.j': 1,
      'system.defaultLocale': 'en',
    });
    expect(error.code).to.equal('SETTINGS_REJECTED');
    const details = Object.fromEntries(error.errors.map(({ pointer, detail }) => [pointer, detail]));
    expect(details['/settings/system.maxDIP']).to.include('Did you mean system.maxDPI?');
    expect(details['/settings/system.maxDPI']).to.include('"high"');
    expect(details['/settings/server.port']).to.include('0 to 65535');
    expect(details['/settings/ui.logoStyle']).to.include('classic, modern');
    expect(details['/settings/plugins']).to.include('in no section');
    expect(details['/settings/system.a-b']).to.include('is not a valid key');
    expect(details['/settings/system.a.b.c.d.e.f.g.h.i.j']).to.include('levels');
    expect(Object.keys(details)).to.have.members(
      [
        'system.maxDIP',
        'system.maxDPI',
        'server.port',
        'ui.logoStyle',
        'system.showUpdate',
        'endpoints.toRemove',
        'plugins',
        'nonsense.key',
        'system',
        'system.a-b',
        'system.__proto__.x',
        'system.a.b.c.d.e.f.g.h.i.j',
      ].map((path) => `/settings/${path}`),
    );
  });

  it('refuses what the environment or custom_settings.yml decides, by name', () => {
    put('server: {host: 10.0.0.2}\n', 'custom_settings.yml');
    const error = refused(open({ SYSTEM_MAXDPI: '200' }), {
      'system.maxDPI': 300,
      'server.host': '10.0.0.3',
      'server.port': 9000,
    });
    expect(error.errors.map(({ pointer, detail }) => `${pointer}: ${detail}`)).to.deep.equal([
      '/settings/server.host: server.host is set in custom_settings.yml:1, which goes before the settings file',
      '/settings/system.maxDPI: system.maxDPI is set by the environment variable SYSTEM_MAXDPI, which goes ' +
        'before the settings file',
    ]);
  });

  it('is never overwritten while it is broken, and says why', () => {
    for (const broken of [
      'server:\n\tport: 9000\n',
      'server:\n  prot: 9000\n',
      'server:\n  port: many\n',
      'server: {port: 1}\nserver: {port: 2}\n',
      '- a\n- b\n',
    ]) {
      rmSync(join(configs, 'settings.yml'), { force: true });
      const file = open();
      put(broken);
      const error = refused(file, { 'system.maxDPI': 100 });
      expect(error.code, broken).to.equal('SETTINGS_FILE_BROKEN');
      expect(error.message).to.include('settings.yml:');
      expect(() => file.pending()).to.throw(/settings\.yml:/);
    }
  });

  it('refuses a change that an anchor would carry further', () => {
    put('server: &s\n  port: 9000\nsystem:\n  maxDPI: &d 300\nlimits:\n  maxPages: *d\n');
    write(open(), { 'limits.maxPages': 5 });
    expect(text()).to.include('maxDPI: &d 300').and.to.include('maxPages: 5');
    put('system:\n  maxDPI: &d 300\nlimits:\n  maxPages: *d\n');
    expect(refused(open(), { 'system.maxDPI': 200 }).message).to.include('limits.maxPages would change as well');
  });

  it('loses nothing of the operator, who writes between two changes', () => {
    const file = open();
    write(file, { 'system.maxDPI': 200 });
    put(`${text()}  showUpdate: false\n`);
    write(file, { 'server.port': 9000 });
    const now = loadSettings({ env: {}, cwd: folder });
    expect([now.get('system.maxDPI'), now.get('system.showUpdate'), now.get('server.port')]).to.deep.equal([
      200,
      false,
      9000,
    ]);
    expect(file.pending().map(({ path }) => path)).to.have.members([
      'system.maxDPI',
      'system.showUpdate',
      'server.port',
    ]);
  });

  it('stays where a link points to', () => {
    writeFileSync(join(folder, 'elsewhere.yml'), 'server: {port: 9000}\n');
    symlinkSync(join(folder, 'elsewhere.yml'), join(configs, 'settings.yml'));
    write(open(), { 'server.port': 9001 });
    expect(realpathSync(join(configs, 'settings.yml'))).to.equal(join(realpathSync(folder), 'elsewhere.yml'));
    expect(readFileSync(join(folder, 'elsewhere.yml'), 'utf8')).to.include('9001');
  });

  it('says when it cannot be written', () => {
    const running = loadSettings({ env: {}, cwd: folder });
    // A file where the folder should be stops even root.
    writeFileSync(join(folder, 'file'), '');
    const file = new SettingsFile({ ...running, operatorFile: join(folder, 'file', 'settings.yml') });
    expect(refused(file, { 'system.maxDPI': 100 }).code).to.equal('SETTINGS_NOT_WRITABLE');
  });

  it('takes back every value that it shows', () => {
    const file = open();
    const shown = file.values(false).filter(([path]) => knownKeys.some((key) => key.path === path && !/-/.test(path)));
    expect(shown.length).to.be.greaterThan(200);
    expect(write(file, Object.fromEntries(shown.filter(([, value]) => value !== null)))).to.deep.equal([]);
  });
});
