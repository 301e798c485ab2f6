import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The build that a prepared document belongs to. */
export interface Build {
  /** New for each build. */
  readonly id: string;
  /** The plugins of the build, as `name@version`. */
  readonly shipped: readonly string[];
}

/** Documents that `npm run build` has made: `build.json`, and `<key>.json` for the shipped plugins. */
export const preparedFolder = join(dirname(fileURLToPath(import.meta.url)), 'prepared');

/** Reads the build; without one, every plugin counts as somebody else's. */
export async function readBuild(folder: string): Promise<Build> {
  try {
    return JSON.parse(await readFile(join(folder, 'build.json'), 'utf8')) as Build;
  } catch {
    return { id: '', shipped: [] };
  }
}
