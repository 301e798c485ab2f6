import { isQuireError, type QuireError } from '@quire/registry';
import { expect } from 'chai';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownKeys, loadSettings, SettingsFile } from './index.js';

describe('Settings that are written by HTTP', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-settings-http-'));
    mkdirSync(join(folder, 'data', 'configs'), { recursive: true });
    file = join(folder, 'data', 'configs', 'settings.yml');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const put = (text: string): void => writeFileSync(file, text);
  const text = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const open = (env: Record<string, string> = {}): SettingsFile => new SettingsFile(loadSettings({ env, cwd: folder }));
  const write = (on: SettingsFile, values: Record<string, unknown>): readonly string[] =>
    on.write(new Map(Object.entries(values)), (path) => `/settings/${path}`);
  const refused = (on: SettingsFile, values: Record<string, unknown>): QuireError => {
    const before = text();
    try {
      write(on, values);
    } catch (error) {
      expect(text(), 'the file stays as it was').to.equal(before);
      if (isQuireError(error)) return error;
      throw error;
    }
    throw new Error('the values were accepted');
  };

  it('lets nobody name a program, a file, a folder or the store by HTTP', () => {
    const values: Readonly<Record<string, unknown>> = {
      'system.customPaths.operations.soffice': '/bin/sh',
      'system.customPaths.pipeline.webUIConfigsDir': '/etc',
      'system.customPaths.pipeline.pipelineDir': '/srv',
      'system.customPaths.pipeline.watchedFoldersDir': '/home',
      'system.customPaths.pipeline.watchedFoldersDirs': ['/home'],
      'system.customPaths.pipeline.finishedFoldersDir': '/home',
      'system.tempFileManagement.baseTmpDir': '/',
      'system.tempFileManagement.prefix': '../',
      'system.tessdataDir': '/root',
      'system.caBundle': '/etc/shadow',
      'storage.local.basePath': '/',
      'autoPipeline.outputFolder': '/',
      'policies.allowedFolderRoots': ['/'],
      'store.mongodb.url': 'mongodb://elsewhere',
      'store.mongodb.database': 'other',
      'store.secret': '0'.repeat(64),
      'store.backups.keep': 1,
    };
    for (const [path, value] of Object.entries(values)) {
      const { code, message } = refused(open(), { [path]: value });
      expect(code, path).to.equal('SETTINGS_REJECTED');
      expect(message, path)
        .to.include(`${path} can be set only in the settings file (settings.yml)`)
        .and.include(path.replaceAll('.', '_').toUpperCase());
    }
    expect(write(open(), { 'system.customPaths.operations.soffice': '', 'store.secret': '********' })).to.deep.equal(
      [],
    );
    put('system:\n  tessdataDir: /opt/tessdata\n');
    expect(refused(open(), { 'system.tessdataDir': null }).message).to.include('system.tessdataDir');
    expect(write(open(), { 'system.tessdataDir': '/opt/tessdata' }), 'as it is').to.deep.equal([]);
  });

  it('has no key that names a place of the machine and can be written by HTTP', () => {
    const places = knownKeys.filter(
      ({ path, meaning }) =>
        /(Dirs?|basePath|Folder|Roots|caBundle|Cert|privateKey|-command|-script)$|^store\.|^system\.(customPaths|datasource)\./.test(
          path,
        ) || /^(path|folder|absolute path|file) of/.test(meaning),
    );
    expect(places.length).to.be.greaterThan(20);
    expect(
      places.filter(({ fileOnly, allowed }) => fileOnly !== true && allowed === undefined).map(({ path }) => path),
    ).to.deep.equal([]);
  });

  it('keeps a secret only for the address that it was given for', () => {
    put(
      'mail:\n  host: mail.example.org\n  password: hunter2\naiEngine:\n  models:\n    baseUrl: https://a.example/v1\n    apiKey: sk\n',
    );
    for (const values of [
      { 'mail.host': 'evil.example' },
      { 'mail.host': 'evil.example', 'mail.password': '********' },
      { 'mail.port': 26, 'mail.password': '********' },
      { 'mail.sslEnable': true },
      { 'mail.host': null },
    ])
      expect(refused(open(), values).message, JSON.stringify(values)).to.match(
        /^.*mail\.\w+ changes the address that mail\.password is sent to: send mail\.password again/,
      );
    for (const baseUrl of ['https://evil.example/v1', 'http://a.example/v1', 'https://a.example:8443/v1', ''])
      expect(
        refused(open(), { 'aiEngine.models.baseUrl': baseUrl, 'aiEngine.models.apiKey': '********' }).message,
        baseUrl,
      ).to.include('aiEngine.models.apiKey');
    expect(write(open(), { 'aiEngine.models.baseUrl': 'https://a.example/v2' }), 'another path').to.have.length(1);
    expect(
      write(open(), { 'aiEngine.models.baseUrl': 'https://b.example/v1', 'aiEngine.models.apiKey': 'sk' }),
    ).to.have.length(1);
    expect(write(open(), { 'mail.host': 'b.example', 'mail.password': null })).to.have.length(2);
    expect(write(open(), { 'mail.host': 'c.example' }), 'no secret is left').to.have.length(1);
  });

  it('keeps a secret of the environment from addresses that are changed by HTTP', () => {
    const file = open({ MAIL_PASSWORD: 'hunter2' });
    expect(refused(file, { 'mail.host': 'evil.example' }).message).to.include('mail.password');
    expect(refused(file, { 'mail.host': 'evil.example', 'mail.password': null }).message).to.include('MAIL_PASSWORD');
  });

  it('knows every address that a secret is sent to', () => {
    const paths = new Set(knownKeys.map(({ path }) => path));
    for (const { path, secret, sentTo = [] } of knownKeys)
      for (const address of sentTo) expect([secret, paths.has(address)], path).to.deep.equal([true, true]);
  });

  it('accepts a sub-path only if it is a URL path', () => {
    for (const path of [
      'tools',
      '/a b',
      '/../etc',
      '/a/../b',
      '/.',
      '//x',
      '/a?b',
      '/a#b',
      '/%2e',
      '/{x}',
      `/${'x'.repeat(200)}`,
    ])
      expect(refused(open(), { 'system.rootUriPath': path }).message, path).to.include('a URL path');
    expect(write(open(), { 'system.rootUriPath': '/tools/v1.2' })).to.deep.equal(['system.rootUriPath']);
  });
});
