import { InputError } from '@quire/registry';
import { isObject } from '../filter/match-filter.js';
import { attributeOf, schemaOf } from './attribute-path.js';
import { refuseDeep } from './refuse-deep.js';
import { commonAttributes, type Attribute, type Resource, type ResourceType, type Schema } from './schema.js';

/**
 * Reads a resource as it was sent: attributes get the spelling and the type of the schema; what is read-only, empty or
 * null is left out. Attributes that no schema has are kept. Throws SCIM_SYNTAX_INVALID or SCIM_VALUE_INVALID.
 */
export function readResource(type: ResourceType, given: unknown): Resource {
  if (!isObject(given)) throw new InputError('SCIM_SYNTAX_INVALID', { detail: 'the body is not a JSON object' });
  refuseDeep(given);
  refuseOtherSchemas(type, given);
  return fieldsOf(Object.entries(given), (name, value) => {
    const extension = /^urn:/i.test(name) ? schemaOf(type, name) : undefined;
    if (extension === type.schema) return [name, undefined];
    if (extension !== undefined && extension.id.length === name.length)
      return [extension.id, readExtension(extension, value)];
    const attribute = attributeOf([...commonAttributes, ...type.schema.attributes], name);
    return attribute === undefined ? [name, value] : [attribute.name, readValue(attribute, value)];
  });
}

/** Reads the value of an attribute; undefined for one that cannot be written, and for nothing. */
export function readValue(attribute: Attribute, value: unknown): unknown {
  if (attribute.mutability === 'readOnly' || attribute.mutability === 'writeOnly') return undefined;
  if (value === null || value === undefined) return undefined;
  if (attribute.multiValued !== true) return readElement(attribute, value);
  const elements = (Array.isArray(value) ? (value as unknown[]) : [value])
    .filter((one) => one !== null)
    .map((one) => readElement(attribute, one));
  if (elements.filter((one) => isObject(one) && one['primary'] === true).length > 1)
    throw invalid(attribute, 'at most one value can be primary');
  return elements.length === 0 ? undefined : elements;
}

/** Reads one element of a list, or the value of an attribute that is no list. */
export function readElement(attribute: Attribute, value: unknown): unknown {
  if (attribute.type === 'complex') return readParts(attribute, value);
  if (attribute.type === 'boolean') {
    // Some clients send the texts "True" and "False".
    const text = String(value).toLowerCase();
    if (text !== 'true' && text !== 'false') throw invalid(attribute, 'it is true or false');
    return text === 'true';
  }
  if (typeof value !== 'string' && typeof value !== 'number') throw invalid(attribute, 'it is a text');
  return String(value);
}

function readParts(attribute: Attribute, value: unknown): Resource {
  const { subAttributes = [] } = attribute;
  const isPlain = typeof value === 'string' && subAttributes.some(({ name }) => name === 'value');
  if (isPlain) return { value };
  if (!isObject(value)) throw invalid(attribute, 'it is an object');
  return fieldsOf(Object.entries(value), (name, part) => {
    const sub = attributeOf(subAttributes, name);
    return sub === undefined ? [name, part] : [sub.name, readValue(sub, part)];
  });
}

function readExtension({ id, attributes }: Schema, value: unknown): Resource | undefined {
  if (value === null) return undefined;
  if (!isObject(value)) throw new InputError('SCIM_VALUE_INVALID', { attribute: id, detail: 'it is an object' });
  const read = fieldsOf(Object.entries(value), (name, given) => {
    const attribute = attributeOf(attributes, name);
    return attribute === undefined ? [name, given] : [attribute.name, readValue(attribute, given)];
  });
  return Object.keys(read).length === 0 ? undefined : read;
}

/** An object of the members that are present. */
function fieldsOf(
  entries: readonly (readonly [string, unknown])[],
  read: (name: string, value: unknown) => readonly [string, unknown],
): Resource {
  return Object.fromEntries(
    entries
      .map(([name, value]) => read(name, value))
      .filter(([name, value]) => name !== '__proto__' && !isNothing(value)),
  );
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function refuseOtherSchemas({ name, schema }: ResourceType, given: Resource): void {
  const { schemas } = given;
  if (schemas === undefined) return;
  const named = Array.isArray(schemas) ? schemas.map((one) => String(one).toLowerCase()) : [];
  if (!named.includes(schema.id.toLowerCase()))
    throw new InputError('SCIM_SYNTAX_INVALID', { detail: `"schemas" does not name ${schema.id}, that of a ${name}` });
}

function invalid({ name }: Attribute, detail: string): InputError {
  return new InputError('SCIM_VALUE_INVALID', { attribute: name, detail });
}
