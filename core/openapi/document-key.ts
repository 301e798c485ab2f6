import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PluginSpecificConfiguration, ServerRoute } from '@hapi/hapi';
import type { LoadedPlugin } from '@quire/catalog';
import { preparedFolder, readBuild } from './prepared-folder.js';

/** Everything that a server's document depends on. */
interface KeyFacts {
  readonly version: string;
  readonly prefix: string;
  readonly plugins: readonly LoadedPlugin[];
  readonly routes: readonly string[];
}

type RouteFacts = NonNullable<PluginSpecificConfiguration['quire']>;

export interface DocumentedRoute {
  readonly method: string;
  readonly path: string;
  readonly access: RouteFacts['access'];
  readonly docs: NonNullable<RouteFacts['docs']>;
}

/** Returns those routes that are documented. */
export function documentedRoutes(declared: readonly ServerRoute[]): DocumentedRoute[] {
  return declared.flatMap(({ method, path, options }) => {
    const { docs, access } = (typeof options === 'object' ? options.plugins?.quire : undefined) ?? {};
    return docs === undefined ? [] : [{ method: String(method).toLowerCase(), path, access, docs }];
  });
}

/** Returns one line for each documented route: address and access, which depend on settings. */
export function routeLines(routes: readonly DocumentedRoute[]): string[] {
  return routes.map(({ method, path, access }) => `${method} ${path} ${JSON.stringify(access ?? null)}`).sort();
}

/**
 * Returns a name for the document of a server, equal for servers with equal documents. Shipped code is identified by
 * its build, because an image or a package changes the times of files; plugins of others by the state of their files.
 */
export async function documentKey({ version, prefix, plugins, routes }: KeyFacts): Promise<string> {
  const build = await readBuild(preparedFolder);
  const sources = await Promise.all(
    plugins.map(async (plugin) => [
      plugin.name,
      plugin.version,
      plugin.description,
      build.shipped.includes(`${plugin.name}@${plugin.version}`) ? '' : await filesOf(plugin),
    ]),
  );
  const facts = JSON.stringify([build.id, version, prefix, routes, sources]);
  return createHash('sha256').update(facts).digest('hex').slice(0, 32);
}

async function filesOf({ entryUrl }: LoadedPlugin): Promise<readonly string[]> {
  const folder = dirname(fileURLToPath(entryUrl));
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && !entry.parentPath.includes('node_modules'),
  );
  const lines = files.map(async ({ parentPath, name }) => {
    const { size, mtimeMs } = await stat(join(parentPath, name));
    return `${join(parentPath, name)} ${size} ${mtimeMs}`;
  });
  return (await Promise.all(lines)).sort();
}
