import { existsSync, readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestServer, type TestServerOptions } from '@quire/core';

export type TestServer = Awaited<ReturnType<typeof createTestServer>>;

/** The plugin whose operations misbehave. */
export const unrulyPlugin = fileURLToPath(new URL('../../fixtures/unruly-plugin', import.meta.url));

/** The plugins of a server that names none. */
export const usualPlugins: readonly string[] = [
  '@quire/plugin-general',
  '@quire/plugin-misc',
  '@quire/plugin-filter',
  unrulyPlugin,
];

/** The root folder of the repository. */
export const productRoot = fileURLToPath(new URL('../../..', import.meta.url));

/** Starts a server with the page operations, the filters, the misbehaving operations, and these settings. */
export async function startServer(
  settings: TestServerOptions['settings'] = {},
  basePath?: string,
  plugins: readonly string[] = usualPlugins,
): Promise<TestServer> {
  const server = await createTestServer({
    // The misbehaving operations tell of themselves in files that a confined worker could not write.
    settings: { ...settings, security: { isolation: ['limits'], ...(settings['security'] as object | undefined) } },
    plugins: [...plugins],
    ...(basePath === undefined ? {} : { basePath }),
  });
  await server.start();
  return server;
}

/**
 * Waits until a condition is true; fails with its description. The limit only distinguishes a hang from a busy machine:
 * whatever must not be waited for must take longer.
 */
export async function until(what: string, holds: () => boolean | Promise<boolean>, seconds = 25): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited ${seconds} seconds in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Files and folders of requests that are still on disk. */
export function leftovers(basePath: string): string[] {
  const runs = join(basePath, 'tmp', 'runs');
  return existsSync(runs) ? readdirSync(runs) : [];
}

/** Files in the server's temporary folder that this process still has open. */
export function openDescriptors(basePath: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(join(basePath, 'tmp')) ? [target] : [];
    } catch {
      return [];
    }
  });
}

/** Waits until no file, folder or descriptor of any request is left. */
export async function quiet(server: { readonly basePath: string }): Promise<void> {
  await until('no temporary file is left', () => leftovers(server.basePath).length === 0);
  await until('no temporary file is open', () => openDescriptors(server.basePath).length === 0);
}

/** Returns whether a process is running; one that has ended and was not reaped yet is not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

/** Paths of the files in a folder and its subfolders. Skips what a running server removes meanwhile. */
export function filesBelow(folder: string): string[] {
  return present(() => readdirSync(folder, { withFileTypes: true })).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });
}

function present<T>(list: () => T[]): T[] {
  try {
    return list();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  }
}

/** Total bytes in a folder and its subfolders. */
export function folderSize(folder: string): number {
  return filesBelow(folder).reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}
