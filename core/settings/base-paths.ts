import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BasePaths } from '@quire/registry';

/** The base folder: QUIRE_BASE_PATH, else `data` in the working folder. */
export function baseFolder(env: Readonly<Record<string, string | undefined>>, cwd: string): string {
  const named = env['QUIRE_BASE_PATH']?.trim() ?? '';
  return resolve(cwd, named === '' ? 'data' : named);
}

/** The server writes in these folders only; `pipeline` and `tmp` may be moved by settings. */
export function basePaths(
  base: string,
  cwd: string,
  moved: { readonly pipeline: string; readonly tmp: string },
): BasePaths {
  const inside = (name: string, instead = ''): string => (instead === '' ? join(base, name) : resolve(cwd, instead));
  return Object.freeze({
    base,
    configs: inside('configs'),
    customFiles: inside('customFiles'),
    pipeline: inside('pipeline', moved.pipeline),
    store: inside('store'),
    tmp: inside('tmp', moved.tmp),
    logs: inside('logs'),
  });
}

/** The shipped settings in a checkout, and where npm has installed the server. */
const SHIPPED = [
  ['config', 'settings.yml'],
  ['node_modules', '@quire', 'server', 'settings.yml'],
];

/** Finds the shipped settings above this module, whether it runs from source or from `dist`. */
export function shippedSettingsFile(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = SHIPPED.map((path) => join(folder, ...path)).find((path) => existsSync(path));
    if (file !== undefined) return file;
    if (folder === dirname(folder)) return join(process.cwd(), 'config', 'settings.yml');
  }
}
