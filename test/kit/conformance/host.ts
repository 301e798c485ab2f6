import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createTestServer } from '../test-server.js';
import type { Subject } from './subject.js';

/** A running server with the plugin under test. */
export interface TestHost {
  readonly url: string;
  /** Names of what remains in the server's folder for temporary files after the last answer has been read. */
  leftovers(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** Conformance tests must not depend on other servers: the default timestamp authority is made unreachable. */
const OFFLINE = { 'security.timestamp.defaultTsaUrl': 'http://127.0.0.1:9/' };
/** Features that are off by default are tested as well. */
const ALLOWED = { 'system.enableUrlToPDF': true };
/** Programs that stay running for the next document keep their own folders, and the API description is kept. */
const warm = new Set(['browser', 'libreoffice', 'verapdf', 'api-docs']);

/**
 * Returns settings that the plugin's examples need. Called when the server starts, so that services in them can be
 * started first.
 */
export type HostSettings = () => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>;

/** Starts the production server with this plugin alone, on a free port and a temporary folder. */
async function startHost(
  subject: Subject,
  settings: HostSettings = () => ({}),
  prepare?: (url: string) => Promise<void>,
): Promise<TestHost> {
  const server = await createTestServer({
    plugins: [subject.root],
    settings: { ...OFFLINE, ...ALLOWED, ...(await settings()) },
  });
  const url = await server.start();
  await prepare?.(url);
  return {
    url,
    leftovers: () => settledFiles(join(server.basePath, 'tmp')),
    stop: () => server.stop(),
  };
}

/** A host that starts when the first test needs it. */
export function lazyHost(
  subject: Subject,
  settings?: HostSettings,
  prepare?: (url: string) => Promise<void>,
): { get: () => Promise<TestHost>; stop: () => Promise<void> } {
  let host: Promise<TestHost> | undefined;
  return {
    get: () => (host ??= startHost(subject, settings, prepare)),
    stop: async () => {
      const started = host;
      host = undefined;
      // A host that failed to start has already failed its tests.
      await (await started?.catch(() => undefined))?.stop();
    },
  };
}

/**
 * A client has its answer shortly before the server has cleaned up; whatever still exists after three seconds is
 * reported.
 */
async function settledFiles(folder: string): Promise<string[]> {
  let files = await filesBelow(folder);
  for (let i = 0; files.length > 0 && i < 60; i++) {
    await wait(50);
    files = await filesBelow(folder);
  }
  return files;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const isWarm = (place: string): boolean => warm.has(relative(folder, place).split(sep)[0] ?? '');
  return entries
    .filter((entry) => entry.isFile() && !/^worker-\d+\.pid$/.test(entry.name) && !isWarm(entry.parentPath))
    .map((entry) => entry.name);
}
