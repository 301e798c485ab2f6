import { PDFArray, type PDFContext, PDFDict, PDFHexString, PDFName, type PDFObject, PDFRawStream } from 'pdf-lib';
import { asArray, asDict, asName, entry, isString, nameText, resolve, setEntry } from '../../file/objects/index.js';
import { actionKind } from '../../structure/actions/index.js';
import {
  allFieldNodes,
  dropXfa,
  fieldAttribute,
  type FieldNode,
  fullName,
  isField,
  partialName,
  readFields,
  readXfa,
} from '../../forms/fields/index.js';
import { everyObject } from '../../file/objects/index.js';
import { readAnnotations } from '../../structure/annotations/index.js';
import type { PageEntry } from '../../structure/pages/index.js';
import { decodedBytes, isFoundInBytes, isFoundInMarkup } from './found-in.js';
import type { NewNames } from './new-names.js';
import { isFound, type TextFinder } from './text-finder.js';
import { readString } from './text-string.js';

/**
 * Values of a field, from which its widgets are drawn, and captions of widgets (ISO 32000-1, tables 220, 229, 231 and
 * 189).
 */
const VALUES = ['V', 'DV', 'Opt', 'RV'] as const;
const LOOKS = ['CA', 'RC', 'AC'] as const;
/**
 * Entries with one field name or a list of them: targets of actions, and fields that a signature locks (ISO 32000-1,
 * tables 210, 233, 236 and 238).
 */
const CALLERS = ['T', 'Fields'] as const;
const MAX_DEPTH = 50;

/** Returns the widgets of the form that show found text because of a value or a caption. Changes nothing. */
export function widgetsShowing(context: PDFContext, nodes: Iterable<FieldNode>, find: TextFinder): FieldNode[] {
  const holds = holdsText(context, find);
  const fields = new Map<FieldNode, boolean>();
  const fieldHolds = (node: FieldNode): boolean => {
    let known = fields.get(node);
    if (known === undefined)
      fields.set(
        node,
        (known =
          VALUES.some((key) => holds(entry(node.dict, key))) || (node.parent !== undefined && fieldHolds(node.parent))),
      );
    return known;
  };
  return [...nodes].filter((node) => {
    if (entry(node.dict, 'Rect') === undefined) return false;
    const look = asDict(context, entry(node.dict, 'MK'));
    return fieldHolds(node) || (look !== undefined && LOOKS.some((key) => holds(entry(look, key))));
  });
}

/** Returns a function that checks whether the strings, names or text streams of a value contain found text. */
function holdsText(context: PDFContext, find: TextFinder): (value: PDFObject | undefined, depth?: number) => boolean {
  const holds = (value: PDFObject | undefined, depth = 0): boolean => {
    const object = resolve(context, value);
    if (isString(object)) return isFoundInMarkup(readString(object).text, find);
    if (object instanceof PDFName) return isFound(nameText(object), find);
    if (object instanceof PDFArray)
      return depth < MAX_DEPTH && object.asArray().some((element) => holds(element, depth + 1));
    const bytes = object instanceof PDFRawStream ? decodedBytes(context, object) : undefined;
    return bytes !== undefined && isFoundInBytes(bytes, find);
  };
  return holds;
}

/**
 * Empties the values of a widget's fields. Needed if the widget shows text that the values do not contain, because a
 * script formatted it.
 */
export function emptyValues(node: FieldNode): void {
  for (let at: FieldNode | undefined = node; at !== undefined; at = at.parent)
    for (const key of ['V', 'DV', 'RV']) setEntry(at.dict, key, undefined);
}

/**
 * Renames fields whose names contain found text, in place, and the references of actions and locks to them. If only the
 * full name contains it, the last part is renamed (ISO 32000-1, 12.7.3.2).
 */
export function renameFields(context: PDFContext, names: NewNames): void {
  const nodes = [...allFieldNodes(readFields(context))].filter((node) => isField(node));
  const before = nodes.map((node) => fullName(context, node));
  const rename = (node: FieldNode, text: string): void => {
    const name = names.of(text);
    if (name !== undefined) setEntry(node.dict, 'T', PDFHexString.fromText(name));
  };
  for (const node of nodes) rename(node, partialName(context, node.dict));
  for (const node of nodes) rename(node, fullName(context, node));
  const changed = new Map<string, PDFObject>();
  for (const [i, node] of nodes.entries()) {
    const now = fullName(context, node);
    if (now !== before[i]) changed.set(before[i] ?? '', PDFHexString.fromText(now));
  }
  if (changed.size === 0) return;
  for (const object of everyObject(context))
    if (object instanceof PDFDict) for (const key of CALLERS) recall(context, object, key, changed);
}

function recall(context: PDFContext, owner: PDFDict, key: string, changed: ReadonlyMap<string, PDFObject>): void {
  // The /T of a field is its name, not a reference.
  const isCaller = actionKind(context, owner) !== undefined || asName(context, entry(owner, 'Action')) !== undefined;
  const value = isCaller ? entry(owner, key) : undefined;
  const now = (one: PDFObject): PDFObject | undefined => {
    const object = resolve(context, one);
    return isString(object) ? changed.get(readString(object).text) : undefined;
  };
  if (value === undefined) return;
  const list = asArray(context, value);
  if (list === undefined) setEntry(owner, key, now(value) ?? value);
  else for (const [i, one] of list.asArray().entries()) list.set(i, now(one) ?? one);
}

/**
 * Renames the states of check boxes and radio buttons whose names contain found text, in place: in appearances, in
 * selected states, and in field values (ISO 32000-1, 12.7.4.2.3).
 */
export function renameStates(context: PDFContext, pages: readonly PageEntry[], names: NewNames): void {
  const dicts = new Set([
    ...[...allFieldNodes(readFields(context))].map(({ dict }) => dict),
    ...pages.flatMap(({ dict }) => readAnnotations(context, dict).map((one) => one.dict)),
  ]);
  for (const dict of dicts) {
    for (const key of ['AS', 'V', 'DV']) {
      const value = resolve(context, entry(dict, key));
      if (value instanceof PDFName) setEntry(dict, key, names.ofName(value) ?? entry(dict, key));
    }
    const appearances = asDict(context, entry(dict, 'AP'));
    for (const value of appearances?.values() ?? []) {
      const states = resolve(context, value);
      if (!(states instanceof PDFDict)) continue;
      for (const [key, state] of states.entries()) {
        const name = names.ofName(key);
        if (name === undefined) continue;
        states.delete(key);
        states.set(name, state);
      }
    }
  }
}

/**
 * Removes an XFA form that contains found text or cannot be read, in place; the AcroForm fields stay. Returns whether
 * it was removed.
 */
export function dropFoundXfa(context: PDFContext, find: TextFinder): boolean {
  const packets = readXfa(context);
  const known = packets.filter((packet) => packet !== undefined);
  return (known.length < packets.length || isFoundInBytes(Buffer.concat(known), find)) && dropXfa(context);
}

/** Returns the field type of a widget (ISO 32000-1, table 220). */
export function fieldKind(context: PDFContext, node: FieldNode): string | undefined {
  return asName(context, fieldAttribute(node, 'FT'));
}
