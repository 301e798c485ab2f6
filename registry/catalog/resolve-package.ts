import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

/**
 * Finds the root folder of a package as Node does: in `node_modules` of each folder and of its parents. A name that
 * starts with a dot or a slash is a folder. `package.json` need not be exported. Undefined when the package is not
 * found.
 */
export function resolvePackage(name: string, folders: readonly string[]): string | undefined {
  for (const folder of folders) {
    if (/^\.{0,2}[/\\]/.test(name) || isAbsolute(name)) {
      const root = resolve(folder, name);
      if (existsSync(join(root, 'package.json'))) return realpathSync(root);
      continue;
    }
    if (!/^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i.test(name)) return undefined;
    for (let at = resolve(folder); ; at = dirname(at)) {
      const root = join(at, 'node_modules', name);
      if (existsSync(join(root, 'package.json'))) return realpathSync(root);
      if (at === dirname(at)) break;
    }
  }
  return undefined;
}

const conditions = ['import', 'node', 'default'];

/**
 * Returns the file that `import` of the package would load, from `exports` or `main`; undefined when it is outside the
 * package or not stated.
 */
export function entryFile(root: string, manifest: Readonly<Record<string, unknown>>): string | undefined {
  const target =
    exportTarget(rootExport(manifest['exports'])) ??
    (manifest['exports'] === undefined ? String(manifest['main'] ?? 'index.js') : undefined);
  if (target === undefined) return undefined;
  const file = resolve(root, target);
  return relative(root, file).startsWith('..') ? undefined : file;
}

function rootExport(exports: unknown): unknown {
  return isRecord(exports) && Object.keys(exports).some((key) => key.startsWith('.')) ? exports['.'] : exports;
}

function exportTarget(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(exportTarget).find((target) => target !== undefined);
  if (!isRecord(value)) return undefined;
  for (const [condition, inner] of Object.entries(value)) {
    const target = conditions.includes(condition) ? exportTarget(inner) : undefined;
    if (target !== undefined) return target;
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
