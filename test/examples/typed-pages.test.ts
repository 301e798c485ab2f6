import { type ChildProcess, spawnSync } from 'node:child_process';
import { constants, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';
import { expectPdf } from '../kit/expect-pdf.js';
import { startProcess } from '../http/support/process.js';
import { productRoot } from '../http/support/server.js';
import { isNightly } from '../suites/nightly.js';

interface Block {
  readonly language: string;
  readonly text: string;
}

/** Returns the fenced blocks of a page, in order. */
function blocksOf(page: string): Block[] {
  const text = readFileSync(join(productRoot, page), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', block = '']) => ({
    language,
    text: block,
  }));
}

/** Splits a block into the file that its first line names in a comment, and the rest. */
function fileOf({ text }: Block): { readonly path: string; readonly content: string } {
  const [first = '', ...rest] = text.split('\n');
  return { path: /^(?:\/\/|#) (\S+)$/.exec(first)?.[1] ?? '', content: rest.join('\n') };
}

/** Copies the compiled checkout with its packages: `npm install` must not change those of this one. */
function copyCheckout(target: string): void {
  const left = new Set(['.git', 'data', 'tmp', 'coverage', 'examples/plugin-qr-code/node_modules']);
  cpSync(productRoot, target, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (path) => !left.has(relative(productRoot, path)),
  });
}

/**
 * In the nightly run only, because it copies the checkout and installs packages. Else
 * `tools/release/installed-server.test.ts` compiles a new plugin against the packed packages, and runs its tests and
 * the conformance kit.
 */
const describeNightly = isNightly ? describe : (): undefined => undefined;

describeNightly('what the pages say to type', function () {
  this.timeout(600_000);
  let folder: string;
  let checkout: string;
  let child: ChildProcess | undefined;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-typed-'));
    checkout = join(folder, 'quire');
    copyCheckout(checkout);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(async () => {
    if (child !== undefined) {
      const gone = new Promise((resolve) => child?.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
      child = undefined;
    }
    for (const path of ['data', 'node_modules/quire-plugin-qr-code'])
      rmSync(join(checkout, path), { recursive: true, force: true });
  });

  /** Runs commands as a person types them; returns their output and the folder that they end in. */
  function type(commands: string, cwd: string): { readonly output: string; readonly cwd: string } {
    const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', `${commands}\npwd`], {
      cwd,
      encoding: 'utf8',
      env: {
        ...process.env,
        npm_config_prefer_offline: 'true',
        QUIRE_BASE_PATH: join(checkout, 'data'),
      },
      maxBuffer: 1 << 26,
    });
    expect(status, `${commands}\n${stdout}${stderr}`).to.equal(0);
    const lines = stdout.trimEnd().split('\n');
    return { cwd: lines.at(-1) ?? cwd, output: lines.slice(0, -1).join('\n') };
  }

  function write(target: string, content: string): void {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }

  it('builds, tests and installs the example package (examples/plugin-qr-code/README.md)', () => {
    for (const { language, text } of blocksOf('examples/plugin-qr-code/README.md'))
      if (language === 'sh') type(text, checkout);
      else write(join(checkout, 'data', 'configs', 'settings.yml'), text);
    const { output } = type('npm run plugins:verify', checkout);
    expect(output)
      .to.match(/quire-plugin-qr-code 0\.1\.0 .*: 1 operations/)
      .and.to.contain('misc/add-qr-code');
    expect(output, 'the shipped plugins').to.contain('@quire/plugin-general');
  });

  it('leads from nothing to the first call of a new plugin (docs/guides/write-a-plugin.md)', async () => {
    let cwd = checkout;
    let output = '';
    let url = '';
    for (const block of blocksOf('docs/guides/write-a-plugin.md'))
      if (block.language !== 'sh') {
        const { path, content } = fileOf(block);
        write(join(cwd, path), content);
      } else if (block.text === 'npm start\n') {
        expect(output, 'plugins:verify').to.contain('misc/add-qr-code').and.to.contain('@quire/plugin-general');
        const main = [process.execPath, join(checkout, 'core', 'dist', 'main.js')];
        const server = await startProcess(join(checkout, 'data'), { SERVER_PORT: '0' }, main, 60);
        child = server.child;
        expect(server.url, server.text()).not.to.equal('');
        url = server.url;
      } else ({ cwd, output } = type(block.text.replace('http://127.0.0.1:8080', url), cwd));
    const result = new Uint8Array(readFileSync(join(checkout, 'letter_qr.pdf')));
    await expectPdf(result)
      .pages(2)
      .text(1, /Dear customer/);
  });
});

describe('the guide to plugins', () => {
  it('shows the files of its example', () => {
    const example = join(productRoot, 'examples', 'plugin-qr-code');
    const files = blocksOf('docs/guides/write-a-plugin.md').filter(({ language }) => language === 'ts');
    expect(files).to.have.length(3);
    for (const block of files) {
      const { path, content } = fileOf(block);
      expect(content, path).to.equal(readFileSync(join(example, path), 'utf8'));
    }
  });
});
