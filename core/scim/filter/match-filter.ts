import type { AttributePath } from '../model/attribute-path.js';
import type { Attribute, Resource } from '../model/schema.js';
import type { Filter, FilterValue, Operator } from './filter.js';

/** Returns whether a resource, or an element of a list, matches a filter. */
export function matches(resource: Resource, filter: Filter): boolean {
  switch (filter.kind) {
    case 'and':
      return matches(resource, filter.left) && matches(resource, filter.right);
    case 'or':
      return matches(resource, filter.left) || matches(resource, filter.right);
    case 'not':
      return !matches(resource, filter.of);
    case 'present':
      return valuesAt(resource, filter.path).some(isPresent);
    case 'elements':
      return valuesAt(resource, filter.path).some((one) => isObject(one) && matches(one, filter.filter));
    case 'compare':
      return compares(resource, filter);
  }
}

/** Returns the values of an attribute, each element of a list by itself. */
export function valuesAt(resource: Resource, { extension, attribute, sub }: AttributePath): unknown[] {
  const holder = extension === undefined ? resource : resource[extension];
  const values = isObject(holder) ? listed(holder[attribute.name]) : [];
  return sub === undefined ? values : values.flatMap((one) => (isObject(one) ? listed(one[sub.name]) : []));
}

/** Returns a text by which texts are equal as the attribute compares them. */
export function comparable({ caseExact, type }: Attribute, value: unknown): string {
  const text = String(value);
  if (type === 'dateTime') return new Date(text).toISOString();
  return caseExact === true ? text : text.toLowerCase();
}

export function isObject(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function compares(resource: Resource, { path, operator, value }: Filter & { readonly kind: 'compare' }): boolean {
  const values = valuesAt(resource, path);
  if (value === null) return values.some(isPresent) === (operator === 'ne');
  const attribute = path.sub ?? path.attribute;
  if (operator === 'ne') return !values.some((one) => holds(attribute, one, 'eq', value));
  return values.some((one) => holds(attribute, one, operator, value));
}

function holds(attribute: Attribute, found: unknown, operator: Operator, value: FilterValue): boolean {
  if (!isPresent(found) || isObject(found)) return false;
  if (typeof value === 'boolean') return found === value;
  const [left, right] = [comparable(attribute, found), comparable(attribute, value)];
  switch (operator) {
    case 'eq':
      return left === right;
    case 'ne':
      return left !== right;
    case 'co':
      return left.includes(right);
    case 'sw':
      return left.startsWith(right);
    case 'ew':
      return left.endsWith(right);
    case 'gt':
      return left > right;
    case 'ge':
      return left >= right;
    case 'lt':
      return left < right;
    case 'le':
      return left <= right;
  }
}

function listed(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return !isObject(value) || Object.keys(value).length > 0;
}
