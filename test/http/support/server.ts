import { existsSync, readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestServer, type TestServerOptions } from '@quire/core';

/** A started server and where it stands. */
export type TestServer = Awaited<ReturnType<typeof createTestServer>>;

/** The plugin whose operations misbehave. */
export const unrulyPlugin = fileURLToPath(new URL('../../fixtures/unruly-plugin', import.meta.url));

/** The product's folder. */
export const productRoot = fileURLToPath(new URL('../../..', import.meta.url));

/** Starts a server with the page operations, the filters, the misbehaving operations, and these settings. */
export async function startServer(
  settings: TestServerOptions['settings'] = {},
  basePath?: string,
): Promise<TestServer> {
  const server = await createTestServer({
    settings,
    plugins: ['@quire/plugin-general', '@quire/plugin-misc', '@quire/plugin-filter', unrulyPlugin],
    ...(basePath === undefined ? {} : { basePath }),
  });
  await server.start();
  return server;
}

/**
 * Waits until something holds; fails with what it waits for. The bound only tells a hang from a machine with much to
 * do: keep what must not be waited for longer than it.
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

/** Files below the server's temporary folder that this process still holds open. */
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

/** Waits until nothing of any request is left: no file, no folder, no descriptor. */
export async function quiet(server: { readonly basePath: string }): Promise<void> {
  await until('no temporary file is left', () => leftovers(server.basePath).length === 0);
  await until('no temporary file is open', () => openDescriptors(server.basePath).length === 0);
}

/** True while a process runs; one that ended and was not reaped yet does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

/** Files below a folder, as paths. A file or folder that a running server removes meanwhile is not there any more. */
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

/** Bytes below a folder. */
export function folderSize(folder: string): number {
  return filesBelow(folder).reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}
