import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { root } from './load-workspace-plugins.js';

describe('the build', function () {
  this.timeout(60_000);
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-build-'));
    const options = { rootDir: 'src', outDir: 'dist', composite: true, types: [] };
    write('tsconfig.json', JSON.stringify({ files: [], references: [{ path: 'library' }] }));
    write('tsconfig.base.json', '{}');
    write('library/tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['src/**/*.ts'] }));
    write('library/src/index.ts', 'export const one = 1;\n');
    write('library/src/parts/two.ts', 'export const two = 2;\n');
    write('node_modules/.package-lock.json', JSON.stringify({ packages: {} }));
    symlinkSync(join(root, 'node_modules', 'typescript'), join(folder, 'node_modules', 'typescript'));
    mkdirSync(join(folder, 'tools'));
    mkdirSync(join(folder, 'core', 'settings'), { recursive: true });
    for (const name of ['tools/ensure-built.mjs', 'tools/node24.mjs', 'core/settings/secret-environment.mjs'])
      copyFileSync(join(root, name), join(folder, name));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  /** Builds if necessary; returns whether the compiler ran. */
  function build(...args: readonly string[]): boolean {
    const command = [join(folder, 'tools', 'ensure-built.mjs'), ...args];
    const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
    return stderr.includes('Compiling');
  }
  const isThere = (path: string): boolean => existsSync(join(folder, path));

  it('compiles once: what npm run build has compiled, the next command finds', () => {
    expect(build('--always')).to.equal(true);
    expect(isThere('library/dist/parts/two.js')).to.equal(true);
    expect(build()).to.equal(false);
    expect(build('--always')).to.equal(true);
  });

  it('compiles again after an edit', () => {
    build();
    const later = Date.now() / 1000 + 60;
    utimesSync(join(folder, 'library', 'src', 'index.ts'), later, later);
    expect(build()).to.equal(true);
  });

  it('removes the output of a source that was removed', () => {
    build();
    rmSync(join(folder, 'library', 'src', 'parts', 'two.ts'));
    expect(build()).to.equal(true);
    expect(isThere('library/dist/parts/two.js')).to.equal(false);
    expect(isThere('library/dist/parts/two.d.ts')).to.equal(false);
    expect(isThere('library/dist/index.js')).to.equal(true);
    expect(build()).to.equal(false);
  });
});
