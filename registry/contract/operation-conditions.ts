import type { AnyOperation } from './operation.js';
import { holds, type When } from './when.js';

/** The conditions under any of which an appending operation rewrites. */
export function rewriteConditions({ rewritesWhen = [] }: Pick<AnyOperation, 'rewritesWhen'>): readonly When[] {
  return conditions(rewritesWhen);
}

/** Returns whether the metadata of the results is what the operation sets or removes for these parameters. */
export function setsMetadata(
  { setsMetadata: when = [] }: Pick<AnyOperation, 'setsMetadata'>,
  params: Readonly<Record<string, unknown>>,
): boolean {
  return conditions(when).some((one) => holds(one, params));
}

function conditions(when: When | readonly When[]): readonly When[] {
  return Array.isArray(when) ? (when as readonly When[]) : [when as When];
}

/** The operation with the write mode that it has for these parameters. */
export function writingWith<O extends AnyOperation>(operation: O, params: Readonly<Record<string, unknown>>): O {
  return operation.writes === 'append' && rewriteConditions(operation).some((when) => holds(when, params))
    ? { ...operation, writes: 'rewrite' }
    : operation;
}
