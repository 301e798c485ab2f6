import { open, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { baseName } from '@quire/registry';
import type { Settings } from '../../../settings/index.js';

export interface PresetPipeline {
  /** The unparsed text of the file. */
  readonly json: string;
  readonly name: string;
}

const DEEPEST = 20;
const MOST = 1000;
const LARGEST = 1024 * 1024;

/**
 * Returns the saved pipelines of the web tool: every .json file in `<pipeline>/defaultWebUIConfigs`, or in the folder
 * from the settings.
 */
export async function presetPipelines(settings: Settings): Promise<PresetPipeline[]> {
  const named = settings.get('system.customPaths.pipeline.webUIConfigsDir');
  const files = await jsonFiles(
    named === '' ? join(settings.paths.pipeline, 'defaultWebUIConfigs') : resolve(named),
    0,
  );
  const read = await Promise.all(
    files
      .sort()
      .slice(0, MOST)
      .map(async (path) => ({ path, json: await textOf(path) })),
  );
  return read.flatMap(({ path, json }) =>
    json === undefined ? [] : [{ json, name: nameIn(json) ?? baseName(path.split(/[/\\]/).at(-1) ?? path) }],
  );
}

async function jsonFiles(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    if (found.length >= MOST) break;
    if (entry.isFile() && /\.json$/i.test(entry.name)) found.push(join(folder, entry.name));
    else if (entry.isDirectory() && depth < DEEPEST)
      found.push(...(await jsonFiles(join(folder, entry.name), depth + 1)));
  }
  return found;
}

/** Returns undefined for a file that was removed meanwhile, or is too large to be a pipeline. */
async function textOf(path: string): Promise<string | undefined> {
  const handle = await open(path, 'r').catch(() => undefined);
  try {
    if (handle === undefined || (await handle.stat()).size > LARGEST) return undefined;
    return await handle.readFile('utf8');
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}

function nameIn(json: string): string | undefined {
  try {
    const { name } = JSON.parse(json.replace(/^\ufeff/, '')) as { name?: unknown };
    return typeof name === 'string' && name.trim() !== '' ? name : undefined;
  } catch {
    return undefined;
  }
}
