// node tools/release/product.mjs <folder> [--arch amd64|arm64] [--without-node]
// Writes the product as it is installed on a host or in an image: the packages of the server with their dependencies as
// locked, the program Node, licences, a bill of materials and the scripts that install programs. Needs a built
// checkout. The folder must not exist.
import '../node24.mjs';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fetchedNode } from '../runtime/fetched-node.mjs';
import { packPackages, publishedPackages, root } from './packages.mjs';

/** Files of the repository beside the packages. The scripts install the programs that tools need. */
const FILES = [
  'LICENSE',
  'THIRD_PARTY_NOTICES.md',
  'package-lock.json',
  'deploy/debian/install.sh',
  'deploy/install-programs.sh',
  'deploy/install-verapdf.sh',
  'deploy/systemd/quire.service',
  'tools/maven-central.sh',
];
const CPU = { amd64: 'x64', arm64: 'arm64' };
const SERVER = '@quire/server';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    arch: { type: 'string', default: process.arch === 'arm64' ? 'arm64' : 'amd64' },
    'without-node': { type: 'boolean' },
  },
});
const [target] = positionals;
const cpu = CPU[values.arch];
if (target === undefined || cpu === undefined) {
  console.error('usage: node tools/release/product.mjs <folder> [--arch amd64|arm64] [--without-node]');
  process.exit(2);
}
await writeProduct(resolve(target));

async function writeProduct(folder) {
  if (existsSync(folder)) throw new Error(`${folder} exists already; name a folder that does not.`);
  for (const file of FILES) copy(file, folder);
  const packages = publishedPackages();
  const needed = closure(packages);
  const packed = new Map(packPackages('', { dryRun: true }).map(({ name, files }) => [name, files]));
  for (const { folder: path, manifest } of needed)
    for (const file of packed.get(manifest.name)) copy(join(path, file), folder);
  writeManifest(folder, needed);
  npmCi(folder);
  execFileSync(process.execPath, [join(root, 'tools/supply-chain/sbom.mjs'), join(folder, 'sbom.cdx.json')]);
  if (values['without-node'] !== true) {
    mkdirSync(join(folder, 'bin'));
    cpSync(fetchedNode({ platform: `linux-${cpu}` }), join(folder, 'bin', 'node'));
  }
}

function copy(file, folder) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  cpSync(join(root, file), join(folder, file));
}

/** Returns the package of the server and the packages of this repository that it needs, directly or not. */
function closure(packages) {
  const byName = new Map(packages.map((entry) => [entry.manifest.name, entry]));
  const found = new Set();
  const add = (name) => {
    const entry = byName.get(name);
    if (entry === undefined || found.has(entry)) return;
    found.add(entry);
    const { dependencies = {}, peerDependencies = {} } = entry.manifest;
    for (const needed of Object.keys({ ...dependencies, ...peerDependencies })) add(needed);
  };
  add(SERVER);
  return [...found];
}

/** The root package names the packages of the server as its only workspaces, and no tool of developers. */
function writeManifest(folder, needed) {
  const {
    scripts: _scripts,
    devDependencies: _tools,
    ...own
  } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = { ...own, workspaces: needed.map(({ folder: path }) => path) };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function npmCi(folder) {
  const args = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  execFileSync('npm', [...args, '--os=linux', `--cpu=${cpu}`, '--libc=glibc'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}` },
  });
  rmSync(join(folder, 'node_modules', '.package-lock.json'), { force: true });
}
