import { InputError } from '@quire/registry';
import type { Filter } from '../filter/filter.js';
import { comparable, isObject, matches, valuesAt } from '../filter/match-filter.js';
import type { AttributePath, Scope } from './attribute-path.js';
import type { Projection } from './project.js';
import type { Resource } from './schema.js';

/** A query of resources (RFC 7644, 3.4.2). */
export interface ListQuery extends Projection {
  readonly filter?: string | undefined;
  readonly sortBy?: string | undefined;
  readonly descending: boolean;
  /** From 1. */
  readonly startIndex: number;
  readonly count: number;
}

export interface ResourcePage {
  readonly total: number;
  readonly resources: readonly Resource[];
}

/** Most resources of one answer. */
export const MOST_RESULTS = 200;
export const USUAL_RESULTS = 100;

/** Returns the attribute to sort by; undefined for none. Throws SCIM_PATH_INVALID. */
export function sortPath(sortBy: string | undefined, scope: Scope): AttributePath | undefined {
  if (sortBy === undefined || sortBy === '') return undefined;
  const path = scope(sortBy);
  if (path === undefined)
    throw new InputError('SCIM_PATH_INVALID', { path: sortBy.slice(0, 100), detail: 'sortBy names no attribute' });
  if (path.sub !== undefined || path.attribute.type !== 'complex') return path;
  const sub = path.attribute.subAttributes?.find(({ name }) => name === 'value');
  return { ...path, sub };
}

/** Returns those that match, in order; without a path in the order given. */
export function select(
  resources: readonly Resource[],
  filter: Filter | undefined,
  path: AttributePath | undefined,
  descending: boolean,
): readonly Resource[] {
  const found = filter === undefined ? [...resources] : resources.filter((one) => matches(one, filter));
  if (path === undefined) return found;
  // Resources without the attribute come last in ascending order (RFC 7644, 3.4.2.3).
  const keyed = found.map((resource) => ({ resource, key: sortKey(resource, path) }));
  const direction = descending ? -1 : 1;
  keyed.sort((a, b) => direction * compared(a.key, b.key));
  return keyed.map(({ resource }) => resource);
}

/** Returns the part of a list that a query asks for. */
export function pageOf<T>(list: readonly T[], { startIndex, count }: Pick<ListQuery, 'startIndex' | 'count'>): T[] {
  return list.slice(startIndex - 1, startIndex - 1 + count);
}

/** Returns whether a filter depends on an attribute. */
export function mentions(filter: Filter | undefined, name: string): boolean {
  if (filter === undefined) return false;
  if (filter.kind === 'not') return mentions(filter.of, name);
  if ('path' in filter) return filter.path.attribute.name === name;
  return mentions(filter.left, name) || mentions(filter.right, name);
}

/** Returns the text that an attribute must equal wherever the filter holds, so that it can be looked up. */
export function exactText(filter: Filter | undefined, name: string, sub?: string): string | undefined {
  if (filter?.kind === 'and') return exactText(filter.left, name, sub) ?? exactText(filter.right, name, sub);
  if (filter?.kind === 'elements' && sub !== undefined && filter.path.attribute.name === name)
    return exactText(filter.filter, sub);
  if (filter?.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string') return undefined;
  const { attribute, sub: part } = filter.path;
  return attribute.name === name && part?.name === sub ? filter.value : undefined;
}

/** Returns the body of an answer with a list (RFC 7644, 3.4.2). */
export function listBody({ total, resources }: ResourcePage, startIndex: number): Resource {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

/** The primary value, else the first. */
function sortKey(resource: Resource, path: AttributePath): string | undefined {
  const holder = { ...path, sub: undefined };
  const elements = valuesAt(resource, holder);
  const chosen = elements.find((one) => isObject(one) && one['primary'] === true) ?? elements[0];
  const value = path.sub !== undefined && isObject(chosen) ? chosen[path.sub.name] : chosen;
  return value === undefined || isObject(value) ? undefined : comparable(path.sub ?? path.attribute, value);
}

function compared(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return a < b ? -1 : Number(a > b);
}
