import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { API_VERSION, type JoiRoot } from '@quire/registry';
import type { PluginManifest } from './plugin-manifest.js';
import { importPlugin } from './import-plugin.js';
import { verifyPlugin } from './verify-plugin.js';

/** Beside the bundled entry, whose name changes with every module that it imports. */
const MARK = 'checked.json';

/**
 * Checks the declarations of a bundled plugin and writes a mark for the loader, which then does not check them again at
 * every start: that took a ninth of it. Returns the faults; a plugin with faults gets no mark.
 */
export async function markChecked(manifest: PluginManifest, joi: JoiRoot): Promise<readonly string[]> {
  const imported = await importPlugin(manifest);
  if ('fault' in imported) return [imported.fault];
  const { faults } = verifyPlugin(imported.plugin, manifest.prefixes, joi);
  if (faults.length === 0) writeFileSync(markFile(manifest), JSON.stringify({ checked: digestOf(manifest) }));
  return faults;
}

/** Returns true if the build has found no fault in exactly this plugin. */
export function isMarked(manifest: PluginManifest): boolean {
  const file = markFile(manifest);
  if (!existsSync(file)) return false;
  try {
    const { checked } = JSON.parse(readFileSync(file, 'utf8')) as { readonly checked?: unknown };
    return checked === digestOf(manifest);
  } catch {
    return false;
  }
}

const markFile = ({ entry }: PluginManifest): string => join(dirname(entry), MARK);

function digestOf({ entry, name, api, prefixes }: PluginManifest): string {
  return createHash('sha256')
    .update(JSON.stringify([API_VERSION, name, api, prefixes]))
    .update(readFileSync(entry))
    .digest('hex');
}
