import { InputError } from '@quire/registry';
import { isObject } from '../filter/match-filter.js';
import { readValue } from '../model/read-resource.js';
import type { Attribute, Resource } from '../model/schema.js';

/** What an operation does to its target. */
export interface Change {
  /** Number of the operation. */
  readonly at: number;
  readonly op: 'add' | 'replace' | 'remove';
  readonly value: unknown;
}

/** `opaque`: no schema describes it, so its value is kept as it is. */
export type Target = Attribute & { readonly opaque?: true };

/** Changes an attribute that is no list. Parts of a complex one that are not named stay (RFC 7644, 3.5.2.3). */
export function changeValue(holder: Resource, attribute: Target, { op, value }: Change): void {
  const { name } = attribute;
  if (op === 'remove') {
    if (attribute.required === true)
      throw new InputError('SCIM_VALUE_INVALID', { attribute: name, detail: 'it is required' });
    delete holder[name];
    return;
  }
  const read = attribute.opaque === true ? value : readValue(attribute, value);
  const before = holder[name];
  holder[name] = attribute.type === 'complex' && isObject(before) && isObject(read) ? { ...before, ...read } : read;
}
