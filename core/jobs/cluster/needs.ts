import { createHash } from 'node:crypto';
import compare from 'semver/functions/compare.js';
import major from 'semver/functions/major.js';
import valid from 'semver/functions/valid.js';

/**
 * The needs of a job towards the node that runs it: operations with the versions of their plugins
 * (`general/rotate-pdf@1.2.0`), sorted, each once.
 */
export type Needs = readonly string[];

/** The operations of a node: path to plugin version. */
export type Abilities = ReadonlyMap<string, string>;

/**
 * Not an operation but a need of jobs whose inputs are with their record, where earlier versions do not look. No
 * operation has an `@` in its path.
 */
export const READS_ATTACHED = { path: '@attached-files', version: '1.0.0' } as const;

/** Returns needs in their canonical form. */
export function needsOf(operations: Iterable<{ readonly path: string; readonly version: string }>): Needs {
  return [...new Set([...operations].map(({ path, version }) => `${path}@${version}`))].sort();
}

/** Splits a need into path and version. */
export function splitNeed(need: string): { path: string; version: string } {
  const at = need.lastIndexOf('@');
  return { path: need.slice(0, at), version: need.slice(at + 1) };
}

/**
 * Returns true when work that was accepted for one version of a plugin may run in another: same major version, and not
 * older (docs/internals/adr/0039-jobs-and-nodes.md).
 */
export function mayRun(accepted: string, present: string): boolean {
  if (valid(accepted) === null || valid(present) === null) return accepted === present;
  return major(accepted) === major(present) && compare(present, accepted) >= 0;
}

/** Returns the needs that these abilities do not meet. */
export function unmet(needs: Needs, abilities: Abilities): Needs {
  return needs.filter((need) => {
    const { path, version } = splitNeed(need);
    const present = abilities.get(path);
    return present === undefined || !mayRun(version, present);
  });
}

/** Returns a short name for a set of needs or abilities: equal sets have equal names. */
export function digestOf(list: readonly string[]): string {
  return createHash('sha256').update(list.join('\n')).digest('base64url').slice(0, 22);
}
