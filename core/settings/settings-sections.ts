import { knownKeys } from './known-keys.js';

/**
 * Sections that administrators read and write: those of existing clients (`docs/interface/platform.yml`, admin settings
 * rules), then our own.
 */
export const adminSections = [
  'security',
  'system',
  'ui',
  'endpoints',
  'metrics',
  'mail',
  'storage',
  'premium',
  'processExecutor',
  'autoPipeline',
  'legal',
  'telegram',
  'aiEngine',
  'mcp',
  'scim',
  'policies',
  'server',
  'console',
  'limits',
  'jobs',
  'store',
  'logging',
  'policy',
  'document',
  'licence',
  'management',
] as const;

const sections: ReadonlySet<string> = new Set(adminSections);

/** Paths of every key in these sections. */
export const adminPaths: readonly string[] = knownKeys
  .map(({ path }) => path)
  .filter((path) => sections.has(path.split('.')[0] ?? ''));

/** Dotted entries as an object of objects, below `prefix`, which is left out of the names. */
export function nested(entries: Iterable<readonly [string, unknown]>, prefix = ''): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [path, value] of entries) {
    if (prefix !== '' && !path.startsWith(`${prefix}.`)) continue;
    const names = (prefix === '' ? path : path.slice(prefix.length + 1)).split('.');
    let inner = root;
    for (const name of names.slice(0, -1)) inner = (inner[name] ??= {}) as Record<string, unknown>;
    inner[names.at(-1) ?? path] = value;
  }
  return root;
}
