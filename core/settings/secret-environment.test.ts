import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownKeys, loadSettings, SettingsError, type Settings } from './index.js';
import { environmentAliases, environmentName, knownKeyByPath } from './known-keys.js';
import { secretVariables, takeSecrets, withoutSecrets } from './secret-environment.mjs';

describe('Secrets in the environment', () => {
  const ofSettings = [
    ...knownKeys.filter(({ secret }) => secret === true).map(({ path }) => environmentName(path)),
    ...environmentAliases.filter(({ path }) => knownKeyByPath.get(path)?.secret === true).map(({ name }) => name),
  ];

  it('are all known to the script that removes them before anything is compiled', () => {
    const shared = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];
    expect([...secretVariables].sort()).to.deep.equal([...ofSettings, ...shared].sort());
  });

  it('have names to which _FILE can be added without meaning another setting', () => {
    const names = new Set(knownKeys.map(({ path }) => environmentName(path)));
    expect(ofSettings.filter((name) => names.has(`${name}_FILE`))).to.deep.equal([]);
  });

  it('are returned once, and then gone for this process and for programs that it starts', () => {
    process.env['MAIL_PASSWORD'] = 'a secret';
    expect(withoutSecrets(process.env)).not.to.have.property('MAIL_PASSWORD');
    expect(takeSecrets().secrets).to.deep.equal({ MAIL_PASSWORD: 'a secret' });
    expect(process.env).not.to.have.property('MAIL_PASSWORD');
    expect(takeSecrets()).to.deep.equal({ secrets: {}, remaining: [] });
  });
});

describe('A secret in a file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-secret-file-'));
    mkdirSync(join(folder, 'data', 'configs'), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const load = (env: Record<string, string>): Settings => loadSettings({ env, cwd: folder });
  const refused = (env: Record<string, string>): string => {
    try {
      load(env);
    } catch (error) {
      if (error instanceof SettingsError) return error.message;
      throw error;
    }
    throw new Error('the settings were accepted');
  };

  it('is named by the variable of the setting with _FILE, and takes precedence over the settings file', () => {
    write('data/configs/settings.yml', 'mail: {password: of the file}\n');
    const settings = load({ MAIL_PASSWORD_FILE: write('password', 'of the operator\n') });
    expect(settings.get('mail.password')).to.equal('of the operator');
    expect(settings.origin('mail.password')).to.equal('environment MAIL_PASSWORD_FILE');
    expect(settings.warnings).to.deep.equal([]);
  });

  it('can be given for every secret setting, and for its other names', () => {
    const samples: Record<string, string> = {
      STORE_SECRET: 'ab'.repeat(32),
      STORE_MONGODB_URL: 'mongodb://user:password@store/',
      JOBS_CALLBACKS_SECRET: `whsec_${'A'.repeat(32)}`,
      SCIM_TOKEN: 'cd'.repeat(32),
    };
    for (const { path } of knownKeys.filter(({ secret }) => secret === true)) {
      const name = environmentName(path);
      const value = samples[name] ?? `value of ${path}`;
      expect(load({ [`${name}_FILE`]: write('secret', value) }).get(path), path).to.equal(value);
    }
    const other = load({ AI_ENGINE_SHARED_SECRET_FILE: write('secret', 'shared') });
    expect(other.get('aiEngine.sharedSecret')).to.equal('shared');
  });

  it('keeps spaces and loses one line break at its end; relative paths count from the working folder', () => {
    write('secret', '\uFEFF two words \r\n');
    expect(load({ MAIL_PASSWORD_FILE: 'secret' }).get('mail.password')).to.equal(' two words ');
    write('secret', 'line\n\n');
    expect(load({ MAIL_PASSWORD_FILE: 'secret' }).get('mail.password')).to.equal('line\n');
  });

  it('is read again with the settings, so that a changed file counts', () => {
    const settings = load({ MAIL_PASSWORD_FILE: write('secret', 'old') });
    write('secret', 'new');
    expect(settings.reload().get('mail.password')).to.equal('new');
  });

  it('is refused when the file is missing, a folder, empty or too large, or when the value is given too', () => {
    const file = join(folder, 'none');
    expect(refused({ MAIL_PASSWORD_FILE: file })).to.include(
      `environment MAIL_PASSWORD_FILE: the file ${file} cannot be read (ENOENT); it should contain the value of ` +
        'mail.password.',
    );
    expect(refused({ MAIL_PASSWORD_FILE: folder })).to.include('cannot be read (EISDIR)');
    expect(refused({ MAIL_PASSWORD_FILE: write('empty', '\n') })).to.include('is empty');
    const large = refused({ MAIL_PASSWORD_FILE: write('large', Buffer.alloc(65_537, 'x')) });
    expect(large).to.include('has 65537 bytes, and a secret has at most 65536').and.not.include('xxx');
    const both = refused({ MAIL_PASSWORD_FILE: write('secret', 'one'), MAIL_PASSWORD: 'two' });
    expect(both).to.include('mail.password is set by MAIL_PASSWORD too; keep one of the two.');
  });

  it('is checked like the setting, without being shown', () => {
    const message = refused({ STORE_SECRET_FILE: write('secret', 'not hexadecimal') });
    expect(message).to.include('environment STORE_SECRET_FILE: store.secret is ********').and.not.include('not hex');
  });

  it('is for secrets only', () => {
    const settings = load({ MAIL_HOST_FILE: write('host', 'mail.example.org') });
    expect(settings.get('mail.host')).to.equal('smtp.example.com');
    expect(settings.warnings).to.deep.equal([
      'MAIL_HOST_FILE has no effect: only secrets can be given as files. Set MAIL_HOST instead.',
    ]);
  });
});
