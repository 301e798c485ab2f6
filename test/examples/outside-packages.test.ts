import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { productRoot } from '../http/support/server.js';
import { writePlugin } from '../kit/generators/new-plugin.js';
import { operationTemplates, type TemplateName } from '../kit/generators/templates/index.js';
import { isNightly } from '../suites/nightly.js';

/** The packages that a plugin author installs, as folders of this repository. */
const PUBLISHED = ['registry', 'registry/catalog', 'document', 'console', 'core', 'test/kit'];
const TOOLS = ['chai', 'mocha', 'tsx', 'typescript', '@types/mocha', '@types/node', 'pdf-lib'];

/**
 * In the nightly run only. Else `tools/release/installed-server.test.ts` compiles and tests a plugin from a template
 * against the packed packages.
 */
const describeNightly = isNightly ? describe : (): undefined => undefined;
const templates = Object.keys(operationTemplates) as TemplateName[];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

describeNightly('plugins that are built without a checkout of the server', function () {
  this.timeout(600_000);
  let folder: string;
  const example = join(productRoot, 'examples', 'plugin-qr-code');

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-outside-'));
    const packed = join(folder, 'packed');
    mkdirSync(packed);
    const dependencies: Record<string, string> = { ...manifestOf(example).dependencies };
    for (const name of PUBLISHED) {
      const source = join(productRoot, name);
      const [file] = JSON.parse(npm(source, 'pack', '--json', '--pack-destination', packed)) as [{ filename: string }];
      dependencies[manifestOf(source).name] = `file:packed/${file.filename.replace('@', '').replace('/', '-')}`;
    }
    const { devDependencies, peerDependencies } = manifestOf(example);
    for (const tool of TOOLS) dependencies[tool] = peerDependencies?.[tool] ?? devDependencies?.[tool] ?? '';
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
    npm(folder, 'install', '--prefer-offline', '--no-audit', '--no-fund');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Compiles and tests a plugin in a folder beside the installed packages. */
  function check(plugin: string): void {
    const bin = (name: string, path: string): string => join(folder, 'node_modules', name, path);
    for (const command of [[bin('typescript', 'bin/tsc'), '-b'], [bin('mocha', 'bin/mocha.js')]]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: plugin, encoding: 'utf8' });
      expect(status, `${stdout}${stderr}`).to.equal(0);
    }
  }

  it('compile and pass the conformance kit: the example of the guide', () => {
    const plugin = join(folder, 'plugin-qr-code');
    cpSync(example, plugin, { recursive: true, filter: (path) => !/(node_modules|dist|tsbuildinfo)$/.test(path) });
    check(plugin);
  });

  for (const template of templates)
    it(`compile and pass the conformance kit: a new plugin from the template "${template}"`, async () => {
      const plugin = join(folder, `new-${template}`);
      await writePlugin({ name: `my-${template}`, folder: plugin, workspace: false, template });
      check(plugin);
    });
});

describeNightly('A new plugin beside a checkout of the server', function () {
  this.timeout(300_000);
  it('installs and passes its tests as the README says', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quire-beside-'));
    try {
      const plugin = join(folder, 'barcode');
      await writePlugin({ name: 'barcode', folder: plugin, workspace: false, checkout: productRoot });
      npm(plugin, 'install', '--prefer-offline', '--no-audit', '--no-fund');
      const { status, stdout, stderr } = spawnSync('npm', ['test'], { cwd: plugin, encoding: 'utf8' });
      expect(status, `${stdout}${stderr}`).to.equal(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', [...args, '--ignore-scripts'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
  });
}
