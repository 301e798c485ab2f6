import { isObject } from '../filter/match-filter.js';
import { scopeOf, schemaOf, type AttributePath } from './attribute-path.js';
import { commonAttributes, type Resource, type ResourceType } from './schema.js';

/** Which attributes an answer has (RFC 7644, 3.9). */
export interface Projection {
  readonly only?: readonly string[] | undefined;
  readonly except?: readonly string[] | undefined;
}

/** Returns whether an answer has an attribute, so that what is expensive is read only then. */
export function includes(type: ResourceType, { only, except }: Projection, name: string): boolean {
  const names = (list: readonly string[]): boolean => list.some((one) => scopeOf([type])(one)?.attribute.name === name);
  if (only !== undefined) return names(only);
  return except === undefined || !except.some((one) => one.toLowerCase() === name.toLowerCase());
}

/** Returns the attributes of a resource that were asked for; `id` and `schemas` always. Unknown names are ignored. */
export function project(type: ResourceType, resource: Resource, { only, except }: Projection): Resource {
  if (only === undefined && except === undefined) return resource;
  const always = new Set(commonAttributes.filter(({ returned }) => returned === 'always').map(({ name }) => name));
  const result = only === undefined ? structuredClone(resource) : pick(resource, always);
  for (const name of only ?? except ?? []) {
    const path = pathOf(type, name);
    if (path === undefined || always.has(path.attribute?.name ?? '')) continue;
    if (only === undefined) drop(result, path);
    else add(result, resource, path);
  }
  return result;
}

/** An attribute, or an extension as a whole. */
type Named = Partial<AttributePath>;

function pathOf(type: ResourceType, name: string): Named | undefined {
  const schema = /^urn:/i.test(name) ? schemaOf(type, name) : undefined;
  if (schema !== undefined && schema.id.length === name.length)
    return schema === type.schema ? undefined : { extension: schema.id };
  return scopeOf([type])(name);
}

function pick(resource: Resource, names: ReadonlySet<string>): Resource {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => names.has(name)));
}

function drop(result: Resource, { extension, attribute, sub }: Named): void {
  const holder = extension === undefined ? result : result[extension];
  if (attribute === undefined) delete result[extension ?? ''];
  else if (isObject(holder) && sub === undefined) delete holder[attribute.name];
  else if (isObject(holder)) {
    const found = holder[attribute.name];
    for (const element of Array.isArray(found) ? (found as unknown[]) : [found])
      if (isObject(element)) delete element[sub?.name ?? ''];
  }
}

function add(result: Resource, resource: Resource, { extension, attribute, sub }: Named): void {
  const from = extension === undefined ? resource : resource[extension];
  if (!isObject(from)) return;
  if (attribute === undefined) {
    result[extension ?? ''] = from;
    return;
  }
  const found = from[attribute.name];
  if (found === undefined) return;
  const holder = extension === undefined ? result : ((result[extension] ??= {}) as Resource);
  holder[attribute.name] = sub === undefined ? found : partOf(found, sub.name, holder[attribute.name]);
}

/** `before`: the parts that were added already. */
function partOf(found: unknown, name: string, before: unknown): unknown {
  if (Array.isArray(found))
    return found.map((one: unknown, at) => partOf(one, name, Array.isArray(before) ? before[at] : undefined));
  const part = isObject(found) ? found[name] : undefined;
  return { ...(isObject(before) ? before : {}), ...(part === undefined ? {} : { [name]: part }) };
}
