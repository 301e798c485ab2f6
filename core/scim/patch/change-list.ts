import { isDeepStrictEqual } from 'node:util';
import { InputError } from '@quire/registry';
import type { Filter, PatchPath } from '../filter/filter.js';
import { isObject, matches } from '../filter/match-filter.js';
import { readElement, readValue } from '../model/read-resource.js';
import type { Attribute, Resource } from '../model/schema.js';
import { changeValue, type Change } from './change-value.js';

/** Changes a list as a whole, or one part of all its elements. */
export function changeList(holder: Resource, { attribute, sub }: PatchPath, change: Change): void {
  const before = elementsOf(holder, attribute);
  if (sub !== undefined) {
    const elements = before.length === 0 && change.op !== 'remove' ? [{}] : before;
    elements.forEach((element) => changeValue(element as Resource, sub, change));
    return store(holder, attribute, elements, () => false);
  }
  const given = (readValue(attribute, change.value) ?? []) as readonly unknown[];
  const sent = keysOf(given);
  store(holder, attribute, changed(before, given, change), (one) => sent.has(keyOf(one)));
}

function changed(before: readonly unknown[], given: readonly unknown[], { op, value }: Change): readonly unknown[] {
  if (op === 'replace') return given;
  if (op === 'add') return joined(before, given);
  // Entra ID and Okta name the elements to remove in the value.
  const removed = keysOf(given);
  return value === undefined ? [] : before.filter((one) => !removed.has(keyOf(one)));
}

/**
 * Changes the elements that a filter chooses. An element that is added to and does not exist is made from the filter.
 * Throws SCIM_NO_TARGET.
 */
export function changeElements(
  holder: Resource,
  { attribute, sub, filter }: PatchPath & { readonly filter: Filter },
  change: Change,
): void {
  const before = elementsOf(holder, attribute);
  const chosen = before.filter((one) => isObject(one) && matches(one, filter)) as Resource[];
  if (change.op === 'remove' && sub === undefined)
    return store(
      holder,
      attribute,
      before.filter((one) => !chosen.includes(one as Resource)),
      () => false,
    );
  const made = chosen.length === 0 && change.op === 'add' ? elementOf(filter) : undefined;
  const targets: readonly Resource[] = made === undefined ? chosen : [made];
  if (targets.length === 0 && change.op !== 'remove')
    throw new InputError('SCIM_NO_TARGET', {
      operation: change.at,
      detail: `no element of "${attribute.name}" matches the filter of the path`,
    });
  for (const element of targets)
    if (sub === undefined) Object.assign(element, readElement(attribute, change.value));
    else changeValue(element, sub, change);
  const elements = made === undefined ? before : [...before, made];
  store(holder, attribute, elements, (one) => targets.includes(one as Resource));
}

/** Returns the element that a filter of equalities describes; undefined for another filter. */
function elementOf(filter: Filter): Resource | undefined {
  if (filter.kind === 'and') {
    const [left, right] = [elementOf(filter.left), elementOf(filter.right)];
    return left === undefined || right === undefined ? undefined : { ...left, ...right };
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || filter.value === null) return undefined;
  return { [filter.path.attribute.name]: filter.value };
}

/** Elements with the same value are one (RFC 7644, 3.5.2.1). */
function joined(before: readonly unknown[], added: readonly unknown[]): readonly unknown[] {
  const [known, result] = [new Map(before.map((one) => [keyOf(one), one])), [...before]];
  for (const one of added) {
    const same = known.get(keyOf(one));
    if (same === undefined) result.push(one);
    else if (isObject(same) && isObject(one) && !isDeepStrictEqual(same, one)) Object.assign(same, one);
    known.set(keyOf(one), same ?? one);
  }
  return result;
}

function keysOf(elements: readonly unknown[]): ReadonlySet<string> {
  return new Set(elements.map(keyOf));
}

function keyOf(element: unknown): string {
  if (!isObject(element)) return JSON.stringify(element);
  return element['value'] === undefined ? JSON.stringify(element) : `value ${JSON.stringify(element['value'])}`;
}

function elementsOf(holder: Resource, { name }: Attribute): unknown[] {
  const found = holder[name];
  return Array.isArray(found) ? (found as unknown[]) : [];
}

/** A primary element that was sent takes the place of the earlier one (RFC 7644, 3.5.2). */
function store(
  holder: Resource,
  { name }: Attribute,
  elements: readonly unknown[],
  isSent: (element: unknown) => boolean,
): void {
  holder[name] = elements;
  if (elements.length === 0) delete holder[name];
  const primary = elements.filter((one): one is Resource => isObject(one) && one['primary'] === true);
  if (primary.some(isSent)) primary.filter((one) => !isSent(one)).forEach((one) => (one['primary'] = false));
}
