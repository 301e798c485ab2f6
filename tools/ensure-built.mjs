// Makes sure that packages are installed and sources are compiled, on Node 24; `--always` compiles without a look at
// the times of the files (`npm run build`), `--packages` only installs. Plain Node without dependencies: it runs before
// node_modules exists.
import './node24.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutSecrets } from '../core/settings/secret-environment.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const always = process.argv.includes('--always');
const NOT_SOURCES = ['node_modules', 'dist', 'test', 'fixtures', 'bad-plugins', '.generated', '.types'];
const SOURCES = /(\.ts|\.mjs|tsconfig\.json)$/;
const CONSOLE_SOURCES = /\.(tsx?|css|html|svg|json)$/;
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
const bundler = join(root, 'tools', 'bundle.mjs');
const marker = join(root, 'tools', 'mark-checked.mjs');
const documentMaker = join(root, 'core', 'dist', 'app', 'make-document-cli.js');
const stamp = join(root, 'node_modules', '.quire-built');

if (!installed()) run('Installing packages', 'npm', ['ci', '--no-audit', '--no-fund'], process.platform === 'win32');
if (!process.argv.includes('--packages') && (always || !built())) {
  const startedAt = new Date();
  // The compiler trusts its own build info, which is wrong when output was deleted.
  const force = projects().every((project) => existsSync(join(root, project, 'dist', 'index.js'))) ? [] : ['--force'];
  run('Compiling', process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', ...force]);
  for (const path of projects().flatMap(orphans)) rmSync(path);
  if (existsSync(bundler)) run('Bundling', process.execPath, [bundler]);
  if (existsSync(marker)) run('Checking declarations', process.execPath, [marker]);
  // Bundled for the browser; the compiler only checked its types.
  if (hasConsole()) run('Building the console', process.execPath, [vite, 'build', 'console', '--logLevel', 'warn']);
  // Takes seconds, so the first call for it reads a file.
  if (existsSync(documentMaker)) run('Making the API document', process.execPath, [documentMaker, '--build']);
  // Written as a new file: copies of this folder may share its files by hard links.
  rmSync(stamp, { force: true });
  writeFileSync(stamp, startedAt.toISOString());
}

/**
 * Returns true when node_modules contains what package-lock.json names. npm records what it installed; comparing the
 * two files is exact, unlike modification times (a checkout touches the lock file, an install may not).
 */
function installed() {
  const have = readJson(join(root, 'node_modules', '.package-lock.json'));
  const want = readJson(join(root, 'package-lock.json'));
  if (have === undefined) return false;
  if (want === undefined) return true;
  for (const [path, wanted] of Object.entries(want.packages)) {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) continue;
    const found = have.packages[path];
    // Packages for other platforms are in the lock file but not installed here.
    if (found === undefined && wanted.optional !== true && wanted.devOptional !== true && wanted.peer !== true)
      return false;
    if (found !== undefined && found.version !== wanted.version) return false;
    if (found === undefined || wanted.link !== true) continue;
    if (!existsSync(join(root, path))) return false;
  }
  return true;
}

/** Returns true when every project is compiled and no source is newer than the last compilation. */
function built() {
  if (!existsSync(stamp)) return false;
  const since = Date.parse(readFileSync(stamp, 'utf8'));
  for (const project of projects()) if (!existsSync(join(root, project, 'dist', 'index.js'))) return false;
  for (const file of ['tsconfig.json', 'tsconfig.base.json'])
    if (statSync(join(root, file)).mtimeMs > since) return false;
  if (hasConsole() && !existsSync(join(root, 'console', 'dist', 'index.html'))) return false;
  if (hasConsole() && newerThan(join(root, 'console'), since, CONSOLE_SOURCES)) return false;
  return projects().every((project) => !newerThan(join(root, project), since) && orphans(project).length === 0);
}

/**
 * Returns the output of sources that are gone. The compiler leaves it, and it could still be imported, loaded or
 * documented.
 */
function orphans(project) {
  const folder = join(root, project);
  const dist = join(folder, 'dist');
  const sources = join(folder, readJson(join(folder, 'tsconfig.json')).compilerOptions.rootDir);
  if (!existsSync(dist)) return [];
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      if (path.startsWith(join(dist, 'bundle'))) return false;
      const source = relative(dist, path)
        .replace(/(\.d\.ts|\.js)(\.map)?$/, '.ts')
        .replace(/(\.d\.mts|\.mjs)(\.map)?$/, '.mjs');
      return /\.(ts|mjs)$/.test(source) && !existsSync(join(sources, source));
    });
}

/** Returns the folders of the projects that `tsc -b` compiles for Node. */
function projects() {
  return references().filter((path) => path !== 'console');
}

function hasConsole() {
  return references().includes('console');
}

function references() {
  return readJson(join(root, 'tsconfig.json')).references.map((reference) => reference.path);
}

function newerThan(folder, since, sources = SOURCES) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (NOT_SOURCES.includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (newerThan(path, since, sources)) return true;
    } else if (sources.test(entry.name) && !entry.name.endsWith('.test.ts') && statSync(path).mtimeMs > since)
      return true;
  }
  return false;
}

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

function run(what, command, args, shell = false) {
  console.error(`${what} …`);
  // Output goes to stderr, so that stdout contains only what the calling script prints.
  // npm starts with `#!/usr/bin/env node` and checks `engines` against the Node that it finds.
  const env = {
    ...withoutSecrets(process.env),
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`,
  };
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell, env });
  if (status === 0) return;
  console.error(`${what} failed: ${command} ${args.join(' ')}`);
  process.exit(status ?? 1);
}
