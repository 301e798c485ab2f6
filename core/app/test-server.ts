import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { loadSettings } from '../settings/index.js';
import { createServer, type QuireServer } from './create-server.js';
import { productVersion } from './run-main.js';

/** How a server for tests differs from a shipped one. */
export interface TestServerOptions {
  /** Nested settings, as an operator would write them. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Packages to load instead of the shipped ones. */
  readonly plugins?: readonly (
    string | { readonly use: string; readonly optional?: boolean; readonly options?: object }
  )[];
  /** Folder from which plugins are resolved before the product's own. */
  readonly resolveFrom?: string;
  /** Gets what the operator is shown once; nobody by default. */
  readonly announce?: (text: string) => void;
  /** Base folder to use again; a new temporary one when absent, removed on stop. */
  readonly basePath?: string;
}

/** The production server on a free port with a base folder of its own. The caller starts and stops it. */
export async function createTestServer(
  options: TestServerOptions = {},
): Promise<QuireServer & { readonly basePath: string }> {
  const { productRoot, packageRoot, shippedFile } = installation();
  const basePath = options.basePath ?? (await mkdtemp(join(tmpdir(), 'quire-test-')));
  await mkdir(join(basePath, 'configs'), { recursive: true });
  const own = {
    // Unpacked once for all tests of this machine's user.
    browser: { folder: join(tmpdir(), `quire-test-engines-${process.getuid?.() ?? 0}`) },
    server: { port: 0, host: '127.0.0.1' },
    logging: { level: 'silent' },
    ...options.settings,
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
  const server = await createServer({
    settings,
    resolveFrom: [...(options.resolveFrom === undefined ? [] : [options.resolveFrom]), productRoot],
    version: productVersion(packageRoot),
    passwordCost: { n: 1024, r: 8, p: 1 },
    announce: options.announce ?? (() => undefined),
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    if (options.basePath === undefined) await rm(basePath, { recursive: true, force: true });
  };
  return Object.assign(Object.create(server) as QuireServer, { basePath, stop });
}

/** Where the server is: a checkout with its shipped settings, or the installed package alone, which ships none. */
function installation(): { productRoot: string; packageRoot: string; shippedFile: string | undefined } {
  const core = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
  const productRoot = join(core, '..');
  const file = join(productRoot, 'config', 'settings.yml');
  return existsSync(file)
    ? { productRoot, packageRoot: productRoot, shippedFile: file }
    : { productRoot, packageRoot: core, shippedFile: undefined };
}

/** An operator's list is added to the shipped one, so the shipped plugins that are not wanted are disabled by name. */
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
