import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const script = fileURLToPath(new URL('release.mjs', import.meta.url));

describe('npm run release', function () {
  this.timeout(120_000);
  let folder: string;
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const manifest = (path: string): { version: string; dependencies?: Record<string, string> } =>
    JSON.parse(read(`${path}/package.json`)) as { version: string; dependencies?: Record<string, string> };
  const run = (...args: string[]): string =>
    execFileSync(process.execPath, [script, '--root', folder, '--date', '2026-11-28', ...args], { encoding: 'utf8' });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-release-'));
    const workspaces = ['config', 'core', 'document', 'plugins/one', 'plugins/two'];
    write('.', { name: 'repository', version: '0.1.0', private: true, workspaces });
    write('config', {
      name: '@quire/server',
      version: '0.1.0',
      dependencies: { '@quire/core': '^0.1.0', '@quire/plugin-one': '^0.2.1', '@quire/plugin-two': '^1.0.0' },
    });
    write('core', { name: '@quire/core', version: '0.1.0' });
    write('document', { name: '@quire/document', version: '0.1.0' });
    write('plugins/one', { name: '@quire/plugin-one', version: '0.2.1' }, '### Fixed\n\n- A fault.\n');
    write('plugins/two', { name: '@quire/plugin-two', version: '1.0.0' }, '### Removed\n\n- A field.\n');
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n');
    execFileSync('npm', ['install', '--offline', '--ignore-scripts'], { cwd: folder, stdio: 'ignore' });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(path: string, content: object, entries?: string): void {
    const file = join(folder, path, 'package.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(content));
    if (entries === undefined) return;
    writeFileSync(
      join(folder, path, 'CHANGELOG.md'),
      `# Changelog\n\n## Unreleased\n\n${entries}\n## 0.0.1\n\n- First.\n`,
    );
  }

  it('gives the server and each plugin the version that its own changelog asks for', () => {
    run();
    expect(['.', 'config', 'core', 'plugins/one', 'plugins/two', 'document'].map((path) => manifest(path).version)) //
      .to.deep.equal(['0.2.0', '0.2.0', '0.2.0', '0.2.2', '2.0.0', '0.1.0']);
    expect(manifest('config').dependencies).to.deep.equal({
      '@quire/core': '^0.2.0',
      '@quire/plugin-one': '^0.2.2',
      '@quire/plugin-two': '^2.0.0',
    });
    expect(read('package-lock.json')).to.include('"version": "2.0.0"');
  });

  it('turns the section Unreleased into that of the version, and finds nothing to do afterwards', () => {
    run();
    expect(read('plugins/two/CHANGELOG.md')).to.equal(
      '# Changelog\n\n## Unreleased\n\n## [2.0.0] - 2026-11-28\n\n### Removed\n\n- A field.\n\n## 0.0.1\n\n- First.\n',
    );
    expect(run()).to.include('nothing to release');
  });

  it('bumps a package without a changelog on request, and changes nothing in a dry run', () => {
    expect(run('--dry-run', '--bump', '@quire/document=minor')).to.include('@quire/document 0.1.0 -> 0.2.0');
    expect(manifest('document').version).to.equal('0.1.0');
    run('--bump', '@quire/document=minor');
    expect(manifest('document').version).to.equal('0.2.0');
  });
});
