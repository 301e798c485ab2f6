import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const platform = `${process.platform}-${process.arch}`;
const version = process.versions.node;
/** Nothing listens here. */
const CLOSED = 'http://127.0.0.1:9/';
/** Makes a process believe that it is an old Node; its children are what they are. */
const asOld = (old: string): string =>
  `data:text/javascript,if (!process.env.OLD_NODE) { process.env.OLD_NODE = '1'; Object.defineProperty(process,` +
  `'versions', { value: { ...process.versions, node: '${old}' } }); }`;

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe('tools/node24.mjs', function suite() {
  this.timeout(120_000);
  let folder: string;
  let registry: Registry;
  const cache = (): string => join(folder, '.cache');
  const program = (): string => join(cache(), `node-${version}-${platform}`, 'bin', 'node');

  before(async () => {
    registry = await startRegistry();
  });
  after(() => registry.stop());
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'quire-node24-')));
    for (const path of ['tools/node24.mjs', 'tools/runtime/fetched-node.mjs', 'core/settings/secret-environment.mjs'])
      cpSync(join(repository, path), join(folder, path));
    registry.requests.length = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Pins a package whose program is a script, and publishes it in the registry. */
  function pin(script: string, integrity?: string): void {
    const tarball = packed(folder, script);
    registry.tarball = tarball;
    writeFileSync(
      join(folder, 'tools/runtime/node.json'),
      JSON.stringify({
        version,
        packages: { [platform]: { package: 'node-for-tests', version, integrity: integrity ?? digestOf(tarball) } },
      }),
    );
  }

  /** Runs a script on a Node that believes to be `old`; undefined for the real version. */
  async function run(old: string | undefined, args: readonly string[], url = registry.url): Promise<Ended> {
    const env = { ...process.env, npm_config_registry: url, npm_config_cache: join(folder, 'npm'), OLD_NODE: '' };
    const child = spawn(process.execPath, [...(old === undefined ? [] : ['--import', asOld(old)]), ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const status = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { status: await status, stdout, stderr };
  }
  const print = (): Promise<Ended> => run('20.19.0', ['tools/node24.mjs']);
  const script = ['--import', './tools/node24.mjs', '--input-type=module', '--eval'];

  it('fetches the pinned Node from the configured registry, once', async () => {
    pin(`#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
    const { stdout, stderr } = await print();
    expect(stdout.trim(), stderr).to.equal(program());
    expect(registry.requests).to.include('/node-for-tests/-/node-for-tests.tgz');
    registry.requests.length = 0;
    expect(await print()).to.deep.include({ status: 0, stdout: `${program()}\n`, stderr: '' });
    expect(registry.requests).to.deep.equal([]);
  });

  it('runs a script with its arguments on the fetched Node, first on PATH, and returns its exit code', async () => {
    pin(`#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
    const code =
      'console.log(JSON.stringify([process.versions.node, process.argv.slice(1), process.env.PATH])); process.exit(7);';
    const { status, stdout, stderr } = await run('22.1.0', [...script, code, 'one', 'two words']);
    expect(status, stderr).to.equal(7);
    const [found, args, path] = JSON.parse(stdout) as [string, string[], string];
    expect([found, args]).to.deep.equal([version, ['one', 'two words']]);
    expect(path.startsWith(join(program(), '..'))).to.equal(true);
  });

  it('uses the running Node when it is version 24 and asks no registry', async () => {
    const { stdout } = await run(undefined, [...script, 'console.log(process.ppid)']);
    expect(stdout.trim()).to.equal(String(process.pid));
    expect((await run(undefined, ['tools/node24.mjs'])).stdout.trim()).to.equal(process.execPath);
    expect(registry.requests).to.deep.equal([]);
  });

  it('refuses a package with another digest and keeps nothing of it', async () => {
    pin('#!/bin/sh\n', `sha512-${Buffer.alloc(64).toString('base64')}`);
    const { status, stdout, stderr } = await print();
    expect([status, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.match(/node-for-tests@\S+ is not the pinned one and was not used/);
    expect(readdirSync(join(program(), '..'))).to.deep.equal([]);
  });

  it('says without a registry what it needs, where a copy may be put, and that Node 24 may be installed', async () => {
    pin('#!/bin/sh\n');
    const { status, stderr } = await run('20.19.0', ['tools/node24.mjs'], CLOSED);
    expect(status).to.equal(1);
    expect(stderr)
      .to.include('Quire runs on Node 24, and this is Node 20.19.0')
      .and.include('ECONNREFUSED')
      .and.include(program())
      .and.include('nvm install 24');
  });

  it('uses a program that was put into its place without a network', async () => {
    pin('#!/bin/sh\n');
    mkdirSync(join(program(), '..'), { recursive: true });
    writeFileSync(program(), '#!/bin/sh\n', { mode: 0o755 });
    const { stdout } = await run('20.19.0', ['tools/node24.mjs'], CLOSED);
    expect(stdout.trim()).to.equal(program());
  });

  it('keeps no program that does not run on this machine', async () => {
    pin('#!/bin/sh\necho no such library >&2\nexit 127\n');
    const { status, stderr } = await print();
    expect(status).to.equal(1);
    expect(stderr).to.include('does not run on this machine: no such library');
    expect(existsSync(program())).to.equal(false);
  });

  it('names the platforms that have a package when this one has none', async () => {
    writeFileSync(
      join(folder, 'tools/runtime/node.json'),
      JSON.stringify({ version, packages: { 'plan9-mips': { package: 'x', version, integrity: '' } } }),
    );
    const { status, stderr } = await print();
    expect(status).to.equal(1);
    expect(stderr).to.include(`can be fetched for ${platform} (available: plan9-mips)`);
  });

  it('needs Node 20.19 to start', async () => {
    const { status, stderr } = await run('20.18.3', ['tools/node24.mjs']);
    expect(status).to.equal(1);
    expect(stderr).to.include('Quire needs Node 20.19 or newer to start; this is 20.18.3.');
  });
});

describe('the runtime', () => {
  const pins = JSON.parse(read('tools/runtime/node.json')) as {
    version: string;
    packages: Record<string, { package: string; version: string; integrity: string }>;
  };

  it('is the same major version for the start script, npm, nvm, the image and this test', () => {
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    expect(engines.node).to.equal('24.x');
    expect(read('.nvmrc').trim()).to.equal('24');
    expect(process.versions.node).to.match(/^24\./);
    const images = [...read('deploy/Dockerfile').matchAll(/node:(\d+)\./g)].map(([, major]) => major);
    expect(new Set(images)).to.deep.equal(new Set(['24']));
    expect(pins.version).to.match(/^24\./);
    for (const [name, { version: pinned, integrity }] of Object.entries(pins.packages)) {
      expect(pinned, name).to.match(/^24\.\d+\.\d+$/);
      expect(integrity, name).to.match(/^sha512-[A-Za-z0-9+/]{86}==$/);
    }
  });

  it('covers the platforms that servers run on with the pinned version', () => {
    for (const name of ['linux-x64', 'linux-arm64']) expect(pins.packages[name]?.version).to.equal(pins.version);
  });
});

interface Registry {
  readonly url: string;
  readonly requests: string[];
  tarball: Buffer;
  stop(): Promise<unknown>;
}

/** A registry with one package, `node-for-tests`, whose tarball is set by each test. */
async function startRegistry(): Promise<Registry> {
  const state = { requests: [] as string[], tarball: Buffer.alloc(0) };
  const server = createServer((request, response) => {
    state.requests.push(request.url ?? '');
    if (request.url?.endsWith('.tgz')) return response.end(state.tarball);
    const dist = { tarball: `${url}node-for-tests/-/node-for-tests.tgz`, integrity: digestOf(state.tarball) };
    const name = 'node-for-tests';
    response.setHeader('content-type', 'application/json');
    return response.end(
      JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { name, version, dist } } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return Object.assign(state, { url, stop: () => new Promise((resolve) => server.close(resolve)) });
}

function digestOf(bytes: Buffer): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}

/** Returns a package with a script as its program, packed by npm. */
function packed(folder: string, script: string): Buffer {
  const source = join(folder, 'source');
  mkdirSync(join(source, 'bin'), { recursive: true });
  writeFileSync(join(source, 'package.json'), JSON.stringify({ name: 'node-for-tests', version }));
  writeFileSync(join(source, 'bin', 'node'), script, { mode: 0o755 });
  execFileSync('npm', ['pack', '--silent'], { cwd: source });
  return readFileSync(join(source, `node-for-tests-${version}.tgz`));
}
