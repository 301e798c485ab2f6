import { InputError } from '@quire/registry';
import { isObject } from '../filter/match-filter.js';
import type { PatchPath } from '../filter/filter.js';
import { parsePath } from '../filter/parse-filter.js';
import { schemaOf, scopeOf } from '../model/attribute-path.js';
import { readResource } from '../model/read-resource.js';
import type { Resource, ResourceType } from '../model/schema.js';
import { changeElements, changeList } from './change-list.js';
import { changeValue, type Change } from './change-value.js';
import type { PatchOperation } from './patch-request.js';

/** Attributes that clients send beside others, and that stay as they are. */
const passed: ReadonlySet<string> = new Set(['schemas', 'id', 'meta']);

/**
 * Returns a resource after all operations. Throws SCIM_PATH_INVALID, SCIM_NO_TARGET, SCIM_READ_ONLY, SCIM_VALUE_INVALID
 * or SCIM_SYNTAX_INVALID; then nothing was changed.
 */
export function applyPatch(type: ResourceType, before: Resource, operations: readonly PatchOperation[]): Resource {
  const resource = structuredClone(before);
  for (const operation of operations) applyOperation(type, resource, operation);
  return readResource(type, resource);
}

function applyOperation(type: ResourceType, resource: Resource, operation: PatchOperation): void {
  const { at, op, path, value } = operation;
  if (path !== undefined) return applyAt(type, resource, path, operation);
  if (op === 'remove') throw new InputError('SCIM_NO_TARGET', { operation: at, detail: '"remove" needs a "path"' });
  if (!isObject(value))
    throw new InputError('SCIM_SYNTAX_INVALID', {
      detail: `operation ${at} has no "path", and its value no attributes`,
    });
  for (const [name, part] of Object.entries(value))
    if (!passed.has(name.toLowerCase())) applyAt(type, resource, name, { ...operation, value: part });
}

function applyAt(type: ResourceType, resource: Resource, path: string, operation: PatchOperation): void {
  if (/^urn:/i.test(path) && applyToExtension(type, resource, path, operation)) return;
  // Entra ID names further attributes as they were created.
  if (Object.hasOwn(resource, path) && scopeOf([type])(path) === undefined) {
    changeValue(resource, { name: path, type: 'string', description: '', opaque: true }, changeOf(operation));
    return;
  }
  applyToPath(resource, parsePath(path, scopeOf([type])), operation);
}

/** A path that is an extension as a whole, or of one that no schema describes. */
function applyToExtension(type: ResourceType, resource: Resource, path: string, operation: PatchOperation): boolean {
  const schema = schemaOf(type, path);
  if (schema !== undefined && schema.id.length < path.length) return false;
  if (schema !== undefined && !isObject(operation.value) && operation.op !== 'remove') return false;
  if (schema !== undefined && isObject(operation.value)) {
    const prefix = schema === type.schema ? '' : `${schema.id}:`;
    for (const [name, part] of Object.entries(operation.value))
      if (!passed.has(name.toLowerCase())) applyAt(type, resource, `${prefix}${name}`, { ...operation, value: part });
    return true;
  }
  if (schema === type.schema) return false;
  // As the resource has it, or as a whole.
  const known = Object.keys(resource).find((name) => name.toLowerCase() === path.toLowerCase());
  const owner = schema?.id ?? known ?? (isObject(operation.value) ? path : path.slice(0, path.lastIndexOf(':')));
  const name = owner.length < path.length ? path.slice(owner.length + 1) : undefined;
  const holder = name === undefined ? resource : holderOf(resource, owner);
  changeValue(holder, { name: name ?? owner, type: 'string', description: '', opaque: true }, changeOf(operation));
  return true;
}

function applyToPath(resource: Resource, path: PatchPath, operation: PatchOperation): void {
  const { attribute, sub, extension } = path;
  if (attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly')
    throw new InputError('SCIM_READ_ONLY', {
      attribute: attribute.name,
      detail: attribute.name === 'groups' ? 'change the members of the groups instead' : 'leave it out',
    });
  if (attribute.mutability === 'writeOnly') return;
  const holder = extension === undefined ? resource : holderOf(resource, extension);
  const change = changeOf(operation);
  if (path.filter !== undefined) changeElements(holder, { ...path, filter: path.filter }, change);
  else if (attribute.multiValued === true) changeList(holder, path, change);
  else if (sub === undefined) changeValue(holder, attribute, change);
  else changePart(holder, attribute.name, sub, change);
}

/** The object of an extension; made where the resource has none. */
function holderOf(resource: Resource, extension: string): Resource {
  const found = (resource[extension] ??= {});
  if (isObject(found)) return found;
  throw new InputError('SCIM_PATH_INVALID', { path: extension, detail: 'its value has no attributes' });
}

function changePart(holder: Resource, name: string, sub: NonNullable<PatchPath['sub']>, change: Change): void {
  const parts = isObject(holder[name]) ? holder[name] : {};
  changeValue(parts, sub, change);
  holder[name] = parts;
  if (Object.keys(parts).length === 0) delete holder[name];
}

/** Nothing as value removes the attribute (RFC 7643, 2.5). */
function changeOf({ at, op, value }: PatchOperation): Change {
  return value === null ? { at, op: 'remove', value: undefined } : { at, op, value };
}
