// Makes the API document of a server in a process of its own, because that takes seconds. Reads a MakeRequest from
// standard input and writes the document to standard output. `--build` prepares what a server as it is shipped answers
// first instead: its document (core/dist/openapi/prepared) and the tools of the console (core/dist/console/prepared).
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { prepareOperations } from '../console/index.js';
import { preparedFolder, type MakeRequest } from '../openapi/index.js';
import { loadSettings } from '../settings/index.js';
import { createServer, type QuireServer } from './create-server.js';
import { productVersion } from './run-main.js';

const productRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

if (process.argv.includes('--build')) await prepare();
else await answer(JSON.parse(await text(process.stdin)) as MakeRequest);

/** Writes the document of a server with these settings. Throws if its routes differ from the asking server's. */
async function answer({ settings, resolveFrom, routes }: MakeRequest): Promise<void> {
  await withServer({ settings, resolveFrom }, async (server) => {
    const own = server.documentSource();
    if (JSON.stringify(own.routes) !== JSON.stringify(routes))
      throw new Error('the routes of this process differ from those of the server');
    process.stdout.write(JSON.stringify(await own.document()));
  });
}

/** Prepares the answers of a server as it is shipped. */
async function prepare(): Promise<void> {
  await rm(preparedFolder, { recursive: true, force: true });
  await mkdir(preparedFolder, { recursive: true });
  await withServer({ settings: undefined, resolveFrom: [productRoot] }, async (server) => {
    const shipped = server.catalog.plugins.map(({ name, version }) => `${name}@${version}`);
    await writeFile(join(preparedFolder, 'build.json'), JSON.stringify({ id: randomUUID(), shipped }));
    const own = server.documentSource();
    const document = await own.document();
    await writeFile(join(preparedFolder, `${await own.key()}.json`), JSON.stringify(document));
    await own.writeViews(preparedFolder, document);
    await prepareOperations(server.catalog);
  });
}

interface Wanted {
  /** Undefined: those that are shipped. */
  readonly settings: object | undefined;
  readonly resolveFrom: readonly string[];
}

/** Assembles a server that never listens, with a base folder of its own. */
async function withServer(
  { settings, resolveFrom }: Wanted,
  use: (server: QuireServer) => Promise<void>,
): Promise<void> {
  const base = await mkdtemp(join(tmpdir(), 'quire-api-docs-'));
  try {
    await mkdir(join(base, 'configs'), { mode: 0o700 });
    const shippedFile = join(base, 'configs', 'shipped-settings.yml');
    const changes = { ...settings, logging: { level: 'silent' } };
    await writeFile(join(base, 'configs', 'settings.yml'), stringify(changes), { mode: 0o600 });
    // A request names every plugin, so the shipped list must not be added to it.
    if (settings !== undefined) await writeFile(shippedFile, '{}\n');
    const server = await createServer({
      settings: loadSettings({
        ...(settings === undefined ? {} : { shippedFile }),
        env: { QUIRE_BASE_PATH: base },
        cwd: productRoot,
      }),
      resolveFrom,
      version: productVersion(productRoot),
      announce: () => undefined,
    });
    try {
      await use(server);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}
