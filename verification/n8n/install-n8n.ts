import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const node = join(root, 'clients', 'n8n');
const { n8n, lint } = JSON.parse(readFileSync(join(import.meta.dirname, 'versions.json'), 'utf8')) as {
  readonly n8n: string;
  readonly lint: Readonly<Record<string, string>>;
};

/** Runs a program in a folder and prints what it prints. */
function run(folder: string, program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { cwd: folder, stdio: 'inherit' });
}

/**
 * Compiles packages. This repository switches scripts off, and `npm run` passes that on to every npm below it. Without
 * optimisation, which would take most of the installation's time.
 */
function compileNative(cache: string, folder: string, packages: readonly string[]): void {
  const args = ['rebuild', ...packages, '--ignore-scripts=false', `--nodedir=${headers(cache)}`];
  const env = { ...process.env, CFLAGS: '-O0', CXXFLAGS: '-O0' };
  execFileSync('npm', args, { cwd: folder, stdio: 'inherit', env });
}

/** Installs packages into a folder of the cache, once for each set of versions. Returns the folder. */
function installed(cache: string, name: string, packages: readonly string[], native: readonly string[] = []): string {
  const folder = join(cache, name);
  const mark = join(folder, 'installed.txt');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === packages.join(' ')) return folder;
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
  // Without scripts: some fetch programs for services that are not used here.
  const options = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
  run(folder, 'npm', 'install', ...packages, ...options);
  if (native.length > 0) compileNative(cache, folder, native);
  writeFileSync(mark, packages.join(' '));
  return folder;
}

/** Returns a folder with the headers of this Node, from npm, as not every network reaches nodejs.org. */
function headers(cache: string): string {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = installed(cache, 'headers', [`${name}@${process.versions.node}`]);
  return join(folder, 'node_modules', name);
}

/**
 * Copies the node beside the tools of n8n, checks it with n8n's linter, generated properties included, and compiles it
 * with n8n's types. Returns the folder of the package.
 *
 * @throws Error when the linter or the compiler finds something
 */
export function lintedNode(cache: string): string {
  const tools = installed(
    cache,
    'lint',
    Object.entries(lint).map(([name, version]) => `${name}@${version}`),
  );
  const folder = join(cache, 'node');
  rmSync(folder, { recursive: true, force: true });
  cpSync(node, folder, { recursive: true, filter: (path) => !/[\\/](node_modules|dist|test)$/.test(path) });
  symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'));
  const compile = (): void => run(folder, process.execPath, join(tools, 'node_modules/typescript/bin/tsc'), '-p', '.');
  compile();
  const generated = join(folder, 'nodes', 'Quire', 'generated.ts');
  writeFileSync(generated, generatedSource(folder));
  run(folder, process.execPath, join(tools, 'node_modules/eslint/bin/eslint.js'), '--max-warnings=0', '.');
  rmSync(generated);
  for (const name of ['Quire', 'QuireTrigger'])
    for (const file of ['quire.svg', 'quire.dark.svg', `${name}.node.json`])
      cpSync(join(folder, 'nodes', name, file), join(folder, 'dist', 'nodes', name, file));
  return folder;
}

/** The generated properties as source text, as the linter reads no JSON. */
function generatedSource(folder: string): string {
  const { properties } = JSON.parse(readFileSync(join(folder, 'nodes', 'Quire', 'operations.json'), 'utf8')) as {
    readonly properties: unknown;
  };
  const text = JSON.stringify(properties, null, 1).replaceAll(/^( *)"(\w+)":/gm, '$1$2:');
  // Rules that take product names, addresses and enumerations for mistakes, and want categories in the singular.
  const off = [
    'node-param-operation-option-action-miscased',
    'node-param-description-miscased-url',
    'node-param-resource-with-plural-option',
  ].map((rule) => `n8n-nodes-base/${rule}`);
  return (
    `/* eslint-disable ${off.join(', ')} */\n` +
    `import type { INodeProperties } from 'n8n-workflow';\n\nexport const properties: INodeProperties[] = ${text};\n`
  );
}

/** Packs the node and installs it as a community node of an n8n whose settings are in `home`. Returns n8n's program. */
export function installedN8n(cache: string, packageFolder: string, home: string): string {
  const n8nFolder = installed(cache, 'n8n', [`n8n@${n8n}`], ['sqlite3', 'isolated-vm']);
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', home], {
      cwd: packageFolder,
      encoding: 'utf8',
    }),
  ) as readonly { readonly filename: string }[];
  if (packed === undefined) throw new Error('npm pack made no file');
  const nodes = join(home, '.n8n', 'nodes');
  mkdirSync(nodes, { recursive: true });
  writeFileSync(join(nodes, 'package.json'), '{"private": true}\n');
  run(nodes, 'npm', 'install', join(home, packed.filename), '--legacy-peer-deps', '--no-audit', '--no-fund');
  return join(n8nFolder, 'node_modules', 'n8n', 'bin', 'n8n');
}
