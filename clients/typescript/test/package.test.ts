import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { build } from 'vite';

const folder = fileURLToPath(new URL('..', import.meta.url));
const MOST_BYTES = 15 * 1024;

describe('The package @quire/client', () => {
  it('is at most 15 KB in a browser, compressed, and needs nothing of Node', async () => {
    const out = mkdtempSync(join(tmpdir(), 'quire-bundle-'));
    try {
      const entry = join(folder, 'dist', 'browser.js');
      await build({
        configFile: false,
        logLevel: 'error',
        root: out,
        build: { lib: { entry, formats: ['es'], fileName: 'client' }, outDir: out, minify: 'oxc' },
      });
      const [file = ''] = readdirSync(out).filter((name) => name.startsWith('client'));
      const code = readFileSync(join(out, file));
      expect(gzipSync(code).length).to.be.lessThan(MOST_BYTES);
      expect(code.toString())
        .not.to.match(/node:|require\(/)
        .and.not.to.match(/\bimport\s*[{(*]/);
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });

  it('packs code, types, licence and readme, and no tests', () => {
    const printed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const [{ files }] = JSON.parse(printed) as [{ files: { path: string }[] }];
    const paths = files.map(({ path }) => path);
    expect(paths).to.include.members(['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts', 'dist/browser.js']);
    expect(paths.filter((path) => /test|tsbuildinfo|^src/.test(path))).to.deep.equal([]);
  });

  it('loads where there is no Node', () => {
    const browser = readFileSync(join(folder, 'dist', 'browser.js'), 'utf8');
    expect(browser).to.contain('platform-browser').and.not.to.contain('platform-node');
    const out = mkdtempSync(join(tmpdir(), 'quire-browser-'));
    try {
      const program = join(out, 'program.mjs');
      const entry = JSON.stringify(join(folder, 'dist', 'browser.js'));
      writeFileSync(
        program,
        `const { Quire } = await import(${entry});
         const quire = new Quire({ url: 'http://127.0.0.1:1', apiKey: 'x' });
         await quire.rotatePdf('in.pdf').catch((error) => console.log(error.message));`,
      );
      expect(execFileSync(process.execPath, [program], { encoding: 'utf8' })).to.contain('only Node can open');
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });
});
