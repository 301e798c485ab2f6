import { PDFArray, type PDFContext, PDFDict, PDFHexString, type PDFObject } from 'pdf-lib';
import { arrayOf, asName, asText, entry, isString, resolve, setEntry } from '../file/objects/index.js';
import { actionKind, readScript } from '../structure/actions/index.js';
import { everyObject } from '../file/objects/index.js';
import { renameInScript } from '../structure/actions/field-scripts.js';
import { scriptText } from '../structure/actions/scripts.js';

/** The entries in which actions list fields, by reference or by full name (ISO 32000-1, 12.6.4.10 and 12.7.5). */
const LISTS: Readonly<Record<string, string>> = { Hide: 'T', SubmitForm: 'Fields', ResetForm: 'Fields' };

/**
 * Renames fields wherever the document refers to them, in place: in actions, scripts and the locks of signatures.
 * `names` maps old full names to new ones.
 */
export function renameReferences(context: PDFContext, names: ReadonlyMap<string, string>): void {
  if (names.size === 0) return;
  const rename = (name: string): string | undefined => {
    const whole = names.get(name);
    if (whole !== undefined) return whole;
    // A number at the end selects one widget of a field.
    const [, path = '', widget = ''] = /^(.+)(\.#?\d+)$/.exec(name) ?? [];
    const other = names.get(path);
    return other === undefined ? undefined : other + widget;
  };
  for (const object of everyObject(context)) {
    if (!(object instanceof PDFDict)) continue;
    const list =
      listKey(context, object) ??
      (['SigFieldLock', 'TransformParams'].includes(asName(context, entry(object, 'Type')) ?? '')
        ? 'Fields'
        : undefined);
    if (list !== undefined) {
      editList(context, object, list, (one) => {
        const other = isString(one) ? rename(asText(context, one) ?? '') : undefined;
        return other === undefined ? one : PDFHexString.fromText(other);
      });
    }
    const script = actionKind(context, object) === 'JavaScript' ? readScript(context, object) : undefined;
    if (script === undefined) continue;
    const changed = renameInScript(script, { field: rename, destination: () => undefined });
    if (changed !== script) setEntry(object, 'JS', scriptText(context, changed));
  }
}

/**
 * Removes deleted fields from the field lists of actions, in place. `names` are full names that no field has any more.
 */
export function dropReferences(context: PDFContext, gone: ReadonlySet<PDFDict>, names: ReadonlySet<string>): void {
  for (const object of everyObject(context)) {
    const key = object instanceof PDFDict ? listKey(context, object) : undefined;
    if (!(object instanceof PDFDict) || key === undefined) continue;
    // An empty list is kept: without a list, an action applies to all fields (ISO 32000-1, tables 236 and 238).
    editList(context, object, key, (one) => {
      const value = resolve(context, one);
      return (value instanceof PDFDict && gone.has(value)) ||
        (isString(value) && names.has(asText(context, value) ?? ''))
        ? undefined
        : one;
    });
  }
}

function listKey(context: PDFContext, dict: PDFDict): string | undefined {
  return LISTS[actionKind(context, dict) ?? ''];
}

function editList(
  context: PDFContext,
  dict: PDFDict,
  key: string,
  edit: (one: PDFObject) => PDFObject | undefined,
): void {
  const value = entry(dict, key);
  if (value === undefined) return;
  const list = resolve(context, value);
  const before = list instanceof PDFArray ? list.asArray() : [value];
  const after = before.flatMap((one) => edit(one) ?? []);
  if (after.length === before.length && after.every((one, i) => one === before[i])) return;
  const [only] = after;
  setEntry(dict, key, list instanceof PDFArray || only === undefined ? arrayOf(context, after) : only);
}
