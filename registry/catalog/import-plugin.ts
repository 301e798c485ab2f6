import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { isPlugin, type Plugin } from '@quire/registry';
import type { PluginManifest } from './plugin-manifest.js';

/** Imports the entry of a plugin. Returns the fault if that fails, or if it exports no plugin. */
export async function importPlugin(
  manifest: PluginManifest,
): Promise<{ readonly plugin: Plugin } | { readonly fault: string }> {
  if (!existsSync(manifest.entry))
    return { fault: `its entry ${manifest.entry} does not exist. Build the package first.` };
  try {
    const module = (await import(pathToFileURL(manifest.entry).href)) as { readonly default?: unknown };
    if (!isPlugin(module.default)) return { fault: 'its default export was not created with definePlugin.' };
    const { operations, endpoints } = module.default;
    return Array.isArray(operations) && Array.isArray(endpoints)
      ? { plugin: module.default }
      : { fault: 'operations and endpoints must be lists.' };
  } catch (error) {
    return { fault: `it cannot be imported: ${error instanceof Error ? error.message : String(error)}` };
  }
}
