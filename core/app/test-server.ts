import { existsSync } from 'node:fs';
import { link, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import type { Connectors } from '../automation/index.js';
import { loadSettings } from '../settings/index.js';
import { createServer, type QuireServer } from './create-server.js';
import { productVersion } from './run-main.js';

/** Differences between a test server and a shipped one. */
export interface TestServerOptions {
  /** Nested settings, as in a settings file. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Packages to load instead of the shipped plugins. */
  readonly plugins?: readonly (
    | string
    | { readonly use: string; readonly optional?: boolean; readonly options?: object }
  )[];
  /** Folder that is searched for plugins before the product's own. */
  readonly resolveFrom?: string;
  /** Called with texts that are shown to the operator once; ignored by default. */
  readonly announce?: (text: string) => void;
  /** Kinds of sources and destinations of automations beside the server's own. */
  readonly connectors?: Connectors;
  /** Base folder to reuse; by default a new temporary folder, which is removed on stop. */
  readonly basePath?: string;
}

/** Creates the production server on a free port with its own base folder. The caller starts and stops it. */
export async function createTestServer(
  options: TestServerOptions = {},
): Promise<QuireServer & { readonly basePath: string }> {
  const { productRoot, packageRoot, shippedFile } = installation();
  const basePath = options.basePath ?? (await mkdtemp(join(tmpdir(), 'quire-test-')));
  await mkdir(join(basePath, 'configs'), { recursive: true });
  const own = {
    // Unpacked once for all tests of the same user on this machine.
    browser: { folder: join(tmpdir(), `quire-test-engines-${process.getuid?.() ?? 0}`) },
    logging: { level: 'silent' },
    ...options.settings,
    // None that waits for a next document or a first call, which most tests do not have.
    limits: {
      validatorIdleSeconds: 0,
      readyAfterStartSeconds: 0,
      ...(options.settings?.['limits'] as object | undefined),
    },
    // Never the default port, which somebody may be using.
    server: { port: 0, host: '127.0.0.1', ...(options.settings?.['server'] as object | undefined) },
    ...(options.plugins === undefined ? {} : { plugins: await onlyThese(options.plugins, shippedFile) }),
  };
  await writeFile(join(basePath, 'configs', 'settings.yml'), stringify(own));
  const emptyFile = join(basePath, 'configs', 'shipped-settings.yml');
  if (shippedFile === undefined) await writeFile(emptyFile, '{}\n');
  const settings = loadSettings({
    shippedFile: shippedFile ?? emptyFile,
    env: { QUIRE_BASE_PATH: basePath },
    cwd: productRoot,
  });
  const documents = join(settings.paths.tmp, 'api-docs');
  const shared = process.env['QUIRE_TEST_DOCUMENTS'] ?? '';
  if (shared !== '') await linkFiles(shared, documents);
  const server = await createServer({
    settings,
    resolveFrom: [...(options.resolveFrom === undefined ? [] : [options.resolveFrom]), productRoot],
    version: productVersion(packageRoot),
    passwordCost: { n: 1024, r: 8, p: 1 },
    announce: options.announce ?? (() => undefined),
    ...(options.connectors === undefined ? {} : { connectors: options.connectors }),
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    if (shared !== '') await linkFiles(documents, shared);
    if (options.basePath === undefined) await rm(basePath, { recursive: true, force: true });
  };
  return Object.assign(Object.create(server) as QuireServer, { basePath, stop });
}

/**
 * Links the API documents of one folder into another. Their names say what they depend on. Making one takes seconds, so
 * servers of a test run share them in the folder at QUIRE_TEST_DOCUMENTS.
 */
async function linkFiles(from: string, to: string): Promise<void> {
  const names = (await readdir(from).catch(() => [])).filter((name) => name.endsWith('.json'));
  if (names.length > 0) await mkdir(to, { recursive: true, mode: 0o700 });
  // Those that are there, or that the server removes meanwhile, stay as they are.
  for (const name of names) await link(join(from, name), join(to, name)).catch(() => undefined);
}

/** Finds the server: a checkout with the shipped settings, or the installed package, which ships no settings. */
function installation(): { productRoot: string; packageRoot: string; shippedFile: string | undefined } {
  const core = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
  const productRoot = join(core, '..');
  const file = join(productRoot, 'config', 'settings.yml');
  return existsSync(file)
    ? { productRoot, packageRoot: productRoot, shippedFile: file }
    : { productRoot, packageRoot: core, shippedFile: undefined };
}

/** The operator's list is added to the shipped one, so unwanted shipped plugins are disabled by name. */
async function onlyThese(
  plugins: NonNullable<TestServerOptions['plugins']>,
  shippedFile: string | undefined,
): Promise<object[]> {
  const wanted = plugins.map((plugin) => (typeof plugin === 'string' ? { use: plugin } : plugin));
  if (shippedFile === undefined) return wanted;
  const shipped = parse(await readFile(shippedFile, 'utf8')) as { plugins: { use: string }[] };
  const names = new Set(wanted.map(({ use }) => use));
  return [
    ...wanted,
    ...shipped.plugins.filter(({ use }) => !names.has(use)).map(({ use }) => ({ use, enabled: false })),
  ];
}
