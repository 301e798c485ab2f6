import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, isPlugin } from '@quire/registry';

/** The root folder of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

export interface WorkspacePlugin {
  /** Folder name under plugins/. */
  readonly folder: string;
  /** Absolute path of the folder. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly plugin: Plugin;
}

/** Imports every compiled plugin under plugins/, sorted by folder. */
export async function loadWorkspacePlugins(): Promise<WorkspacePlugin[]> {
  const plugins: WorkspacePlugin[] = [];
  for (const folder of readdirSync(join(root, 'plugins')).sort()) {
    const path = join(root, 'plugins', folder);
    if (!existsSync(join(path, 'package.json'))) continue;
    const { name, version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
    };
    const module = (await import(pathToFileURL(join(path, 'dist', 'index.js')).href)) as { default?: unknown };
    if (!isPlugin(module.default)) throw new Error(`plugins/${folder} has no plugin as its default export`);
    plugins.push({ folder, path, name, version, plugin: module.default });
  }
  return plugins;
}
