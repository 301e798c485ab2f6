import type { Catalog } from '@quire/catalog';
import type { KeyScope } from '@quire/registry';
import { categoryOf } from './availability.js';

/** The part of a route that decides whether a limited key may call it. */
export interface CalledRoute {
  readonly method: string;
  /** Pattern of the route, without the context path. */
  readonly path: string;
  /** A GET that changes data. */
  readonly changes?: boolean | undefined;
}

/**
 * Routes that keys limited to categories may call, too: what every client needs, jobs and their files (their ids are
 * random), and pipelines, whose steps are checked one by one.
 */
const ALWAYS = /^\/api\/v1\/(info\/|capabilities$|console\/|auth\/me$|general\/(job|files)\/\{|pipeline\/)/;

/** First parts of the paths of core's own endpoints that are worth a key of their own. */
const CORE_CATEGORIES = ['admin', 'audit', 'storage'];

/** Returns the categories that a key can be limited to. */
export function keyCategories({ operations, endpoints }: Pick<Catalog, 'operations' | 'endpoints'>): string[] {
  const paths = [...operations.keys(), ...endpoints.map(({ endpoint }) => endpoint.path)];
  const own = paths.filter((path) => !path.startsWith('/')).map(categoryOf);
  return [...new Set([...CORE_CATEGORIES, ...own])].sort();
}

/** Returns the first part of a path after `/api/v1`. */
function firstPart(path: string): string {
  return path.replace(/^\/api\/v1(?=\/)/, '').split('/')[1] ?? '';
}

/** Returns why a key with this scope may not call a route; undefined if it may. */
export function scopeFault(scope: KeyScope | undefined, route: CalledRoute): string | undefined {
  if (scope === undefined) return undefined;
  const reads = /^(get|head)$/i.test(route.method) && route.changes !== true;
  if (scope.readOnly === true && !reads) return 'it is read-only: it may send only GET requests that change nothing';
  if (scope.categories === undefined || ALWAYS.test(route.path)) return undefined;
  const category = firstPart(route.path);
  if (scope.categories.includes(category)) return undefined;
  return `it is limited to the categories ${scope.categories.join(', ')}, and this call is in ${category || 'none'}`;
}
