import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import { writePlugin } from '../../test/kit/generators/new-plugin.js';
import { loadWorkspacePlugins } from '../load-workspace-plugins.js';
import { isNightly } from '../../test/suites/nightly.js';
import { packPackages, root } from './packages.mjs';

interface Manifest {
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Development tools of a new plugin; what it builds on is packed. */
const TOOLS = ['mocha', 'tsx', 'typescript', '@types/mocha', '@types/node'];

describe('a folder with only the packed packages', function () {
  this.timeout(600_000);
  let folder: string;
  let server: ChildProcess;
  let url: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-installed-'));
    const packed = packPackages(join(folder, 'packed'));
    const dependencies = Object.fromEntries(packed.map(({ name, file }) => [name, `file:packed/${basename(file)}`]));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
    if (isNightly) npm('install', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund');
    else unpack(packed);
    ({ server, url } = await start());
  });
  after(async () => {
    await stop(server);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts the server on a free port; resolves with the address that it prints. */
  async function start(): Promise<{ readonly server: ChildProcess; readonly url: string }> {
    const child = spawn(process.execPath, [join(folder, 'node_modules', '.bin', 'quire-server')], {
      cwd: folder,
      env: { ...process.env, QUIRE_BASE_PATH: '', SERVER_PORT: '0', SYSTEM_ENABLEURLTOPDF: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        printed += data.toString();
      });
    const exited = once(child, 'exit');
    for (;;) {
      const found = /listening on (http:\S+)/.exec(printed)?.[1];
      if (found !== undefined) return { server: child, url: found };
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server stopped:\n${printed}`);
      await Promise.race([exited, once(child.stdout, 'data'), once(child.stderr, 'data')]);
    }
  }

  it('contains no file of the repository outside the packages', () => {
    expect(existsSync(join(folder, 'config'))).to.equal(false);
    expect(existsSync(join(folder, 'node_modules', '@quire', 'server', 'settings.yml'))).to.equal(true);
    expect(existsSync(join(folder, 'node_modules', '@quire', 'core', 'main.ts'))).to.equal(false);
  });

  it('serves every tool, and rotates a PDF', async () => {
    const form = new FormData();
    const pdf = readFileSync(join(root, 'plugins', 'general', 'fixtures', 'two-pages.pdf'));
    form.append('fileInput', new Blob([pdf]), 'two-pages.pdf');
    form.append('angle', '90');
    const rotated = await fetch(`${url}/api/v1/general/rotate-pdf`, { method: 'POST', body: form });
    expect([rotated.status, rotated.headers.get('content-type')]).to.deep.equal([200, 'application/pdf']);
    expect(Buffer.from(await rotated.arrayBuffer()).toString('latin1')).to.include('/Rotate 90');

    const { paths } = (await (await fetch(`${url}/v1/api-docs`)).json()) as { readonly paths: object };
    const plugins = await loadWorkspacePlugins();
    const declared = plugins.flatMap(({ plugin }) => plugin.operations.map(({ path }) => `/api/v1/${path}`));
    expect(declared.filter((path) => !(path in paths))).to.deep.equal([]);
  });

  it('serves the console, the page of the API and the examples of tools', async () => {
    for (const path of ['/', '/swagger-ui/index.html', '/swagger-assets/examples/quire-plugin-general/two-pages.pdf'])
      expect((await fetch(`${url}${path}`)).status, path).to.equal(200);
  });

  it('keeps its data in the folder it was started in', () => {
    expect(existsSync(join(folder, 'data', 'store'))).to.equal(true);
  });

  it('prints the effective settings', () => {
    const printed = execFileSync(
      process.execPath,
      [join(folder, 'node_modules', '.bin', 'quire-server'), 'settings', '--changed'],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, SERVER_PORT: '8099' } },
    );
    expect(printed).to.match(/server\.port.*8099/);
  });

  it('compiles a new plugin, which passes its tests and the conformance kit', async () => {
    const plugin = join(folder, 'new-plugin');
    await writePlugin({ name: 'my-edit', folder: plugin, workspace: false });
    for (const tool of TOOLS) link(join(root, 'node_modules', tool), tool);
    for (const command of ['typescript/bin/tsc -b', 'mocha/bin/mocha.js']) {
      const [script = '', ...args] = command.split(' ');
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'node_modules', script), ...args], {
        cwd: plugin,
        encoding: 'utf8',
        env: { ...process.env, QUIRE_KIT_EXTENT: 'sample', QUIRE_TEST_RESULTS: '' },
      });
      expect(status, `${stdout}${stderr}`).to.equal(0);
    }
  });

  /**
   * What npm would install, without npm, which takes ten times as long: the packed packages, and what they declare to
   * depend on from this checkout.
   */
  function unpack(packed: readonly { readonly name: string; readonly file: string }[]): void {
    const names = new Set(packed.map(({ name }) => name));
    for (const { name, file } of packed) {
      const target = join(folder, 'node_modules', name);
      mkdirSync(target, { recursive: true });
      execFileSync('tar', ['xzf', file, '-C', target, '--strip-components=1']);
      const { bin = {}, dependencies = {}, peerDependencies = {} } = manifestOf(target);
      for (const [command, path] of Object.entries(bin)) link(join(target, path), '.bin', command);
      for (const dependency of Object.keys({ ...dependencies, ...peerDependencies }))
        if (!names.has(dependency)) link(join(root, 'node_modules', dependency), dependency);
    }
  }

  /** Links to a path in `node_modules`, unless that is there. */
  function link(path: string, ...at: readonly string[]): void {
    const place = join(folder, 'node_modules', ...at);
    if (existsSync(place) || !existsSync(path)) return;
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(path, place);
  }

  function npm(...args: string[]): void {
    execFileSync('npm', [...args, '--ignore-scripts'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  }
});

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
