import type { LoadedPlugin } from '@quire/catalog';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A library that processes documents in the server. */
export interface EngineFact {
  readonly name: string;
  readonly version: string;
  /** Packages that depend on it. */
  readonly usedBy: readonly string[];
}

/**
 * Returns core's document engine and every library that the plugins depend on, with the installed versions. Reads
 * package files, so call it once.
 */
export function engineFacts(plugins: readonly LoadedPlugin[]): readonly EngineFact[] {
  const engines = new Map<string, { version: string; usedBy: string[] }>();
  const add = (name: string, from: string, user: string): void => {
    const version = versionOf(name, from);
    if (version === undefined) return;
    const known = engines.get(name) ?? { version, usedBy: [] };
    known.usedBy.push(user);
    engines.set(name, known);
  };
  add('@quire/document', dirname(fileURLToPath(import.meta.url)), '@quire/core');
  for (const { name, root } of plugins) {
    const { dependencies = {} } = readJson(join(root, 'package.json')) as { dependencies?: Record<string, string> };
    for (const dependency of Object.keys(dependencies))
      if (dependency !== '@quire/registry') add(dependency, root, name);
  }
  return [...engines].map(([name, fact]) => ({ name, ...fact })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Returns the installed version, looked up as Node finds the package; its `exports` may hide package.json from
 * `require`.
 */
function versionOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = join(folder, 'node_modules', name, 'package.json');
    if (existsSync(file)) return (readJson(file) as { version?: string }).version;
    if (folder === dirname(folder)) return undefined;
  }
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
