import { commonAttributes, type Attribute, type ResourceType, type Schema } from './schema.js';

/** An attribute that a text names (RFC 7644, 3.10). */
export interface AttributePath {
  /** URN of the extension whose object has the attribute; undefined for attributes of the resource itself. */
  readonly extension?: string | undefined;
  readonly attribute: Attribute;
  readonly sub?: Attribute | undefined;
}

/** Finds attributes by name; undefined for a name that is not known. */
export type Scope = (name: string) => AttributePath | undefined;

/** Returns the attribute of a name without regard to case (RFC 7643, 2.1). */
export function attributeOf(attributes: readonly Attribute[], name: string): Attribute | undefined {
  const wanted = name.toLowerCase();
  return attributes.find((one) => one.name.toLowerCase() === wanted);
}

/** The attributes of one type of resource, or of several; the first that has the attribute counts. */
export function scopeOf(types: readonly ResourceType[]): Scope {
  return (name) => {
    for (const type of types) {
      const found = pathOf(type, name);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** The sub-attributes of a list, for filters in brackets. */
export function scopeOfElements({ subAttributes = [] }: Attribute): Scope {
  return (name) => {
    const attribute = attributeOf(subAttributes, name);
    return attribute === undefined ? undefined : { attribute };
  };
}

/** Returns the schema of a type whose URN a text is, or begins with. */
export function schemaOf(type: ResourceType, text: string): Schema | undefined {
  const given = `${text.toLowerCase()}:`;
  return [type.schema, ...type.extensions].find(({ id }) => given.startsWith(`${id.toLowerCase()}:`));
}

function pathOf(type: ResourceType, name: string): AttributePath | undefined {
  if (!/^urn:/i.test(name)) return named([...commonAttributes, ...type.schema.attributes], name);
  const schema = schemaOf(type, name);
  if (schema === undefined || name.length <= schema.id.length) return undefined;
  const found = named(schema.attributes, name.slice(schema.id.length + 1));
  return found === undefined || schema === type.schema ? found : { ...found, extension: schema.id };
}

/** `name` or `name.sub`. */
function named(attributes: readonly Attribute[], name: string): AttributePath | undefined {
  const [first = '', second, ...more] = name.split('.');
  const attribute = attributeOf(attributes, first);
  if (attribute === undefined || more.length > 0) return undefined;
  if (second === undefined) return { attribute };
  const sub = attributeOf(attribute.subAttributes ?? [], second);
  return sub === undefined ? undefined : { attribute, sub };
}
