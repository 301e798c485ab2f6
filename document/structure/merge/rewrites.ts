import { PDFArray, type PDFContext, type PDFDict, PDFHexString, PDFName, PDFNumber, type PDFObject } from 'pdf-lib';
import {
  arrayOf,
  asByteString,
  asName,
  asNumber,
  asText,
  byteString,
  elements,
  entry,
  isString,
  resolve,
  setEntry,
} from '../../file/objects/index.js';
import { renameInScript } from '../actions/field-scripts.js';
import type { Rewrites } from './merge-source.js';
import { readScript, scriptText } from '../actions/scripts.js';

/**
 * Creates the copier's `alter` function for one input. It visits every dictionary once, and so finds every reference to
 * something that is renamed.
 */
export function rewriter(
  source: PDFContext,
  target: PDFContext,
  plan: Rewrites,
): (copy: PDFDict, original: PDFDict) => void {
  const dests = plan.destStrings.size + plan.destNames.size > 0;
  const structure = plan.roles.size + plan.classes.size + plan.ids.size > 0;
  return (copy, original) => {
    shiftStructKey(source, copy, original, plan);
    const fieldName = plan.fieldDicts.size > 0 ? plan.fieldDicts.get(original) : undefined;
    if (fieldName !== undefined) setEntry(copy, 'T', PDFHexString.fromText(fieldName));
    if (plan.fonts.size > 0) {
      const appearance = asText(source, entry(original, 'DA'));
      if (appearance !== undefined) setEntry(copy, 'DA', renameFonts(appearance, plan.fonts));
    }
    if (dests) {
      renameDest(source, copy, original, 'Dest', plan);
      if (asName(source, entry(original, 'S')) === 'GoTo') renameDest(source, copy, original, 'D', plan);
    }
    if (plan.fieldNames.size + plan.destStrings.size > 0) renameInAction(source, target, copy, original, plan);
    if (plan.fieldNames.size > 0) renameFieldNames(source, target, copy, original, plan.fieldNames);
    if (structure) renameStructure(source, target, copy, original, plan);
  };
}

/** Replaces the font names in a default appearance string (`/Helv 12 Tf 0 g`; ISO 32000-1, 12.7.3.3). */
export function renameFonts(appearance: string, fonts: ReadonlyMap<string, string>): PDFHexString {
  const renamed = appearance.replace(/\/([^\s/()<>[\]{}%]+)(?=\s+[-+.\d]+\s+Tf\b)/g, (whole, name: string) => {
    const other = fonts.get(PDFName.of(name).decodeText());
    return other === undefined ? whole : PDFName.of(other).toString();
  });
  return byteString(renamed);
}

/** A script is a text string or a text stream (ISO 32000-1, 12.6.4.16). */
function renameInAction(
  source: PDFContext,
  target: PDFContext,
  copy: PDFDict,
  original: PDFDict,
  plan: Rewrites,
): void {
  const script = readScript(source, original);
  if (script === undefined) return;
  const field = (name: string): string | undefined => {
    const [, path = name, widget = ''] = /^(.*?)(\.#?\d+)?$/.exec(name) ?? [];
    const whole = plan.fieldPaths.get(name);
    const other = plan.fieldPaths.get(path);
    // A number after the name selects one of the field's widgets.
    return whole ?? (other === undefined ? undefined : other + widget);
  };
  const changed = renameInScript(script, { field, destination: (name) => plan.destStrings.get(name) });
  if (changed !== script) setEntry(copy, 'JS', scriptText(target, changed));
}

const STRUCT_KEYS = ['StructParents', 'StructParent'].map((key) => PDFName.of(key));

function shiftStructKey(source: PDFContext, copy: PDFDict, original: PDFDict, plan: Rewrites): void {
  for (const key of STRUCT_KEYS) {
    const value = original.get(key);
    if (value === undefined) continue;
    const number = asNumber(source, value);
    if (number !== undefined && plan.structKeys.has(number)) copy.set(key, PDFNumber.of(number + plan.structOffset));
    else copy.delete(key);
  }
}

function renameDest(source: PDFContext, copy: PDFDict, original: PDFDict, key: string, plan: Rewrites): void {
  const value = resolve(source, entry(original, key));
  if (isString(value)) {
    const other = plan.destStrings.get(asByteString(source, value) ?? '');
    if (other !== undefined) setEntry(copy, key, byteString(other));
  } else if (value instanceof PDFName) {
    const other = plan.destNames.get(value.decodeText());
    if (other !== undefined) setEntry(copy, key, PDFName.of(other));
  }
}

/** Entries in which actions and locks list fields by full name (ISO 32000-1, 12.6.4.10, 12.7.5, 12.7.4.5). */
const FIELD_LISTS: Readonly<Record<string, string>> = { Hide: 'T', SubmitForm: 'Fields', ResetForm: 'Fields' };

function renameFieldNames(
  source: PDFContext,
  target: PDFContext,
  copy: PDFDict,
  original: PDFDict,
  names: ReadonlyMap<string, string>,
): void {
  const key =
    FIELD_LISTS[asName(source, entry(original, 'S')) ?? ''] ??
    (asName(source, entry(original, 'Type')) === 'SigFieldLock' ? 'Fields' : undefined);
  if (key === undefined) return;
  const value = resolve(source, entry(original, key));
  const renamed = (name: PDFObject | undefined): PDFObject | undefined => {
    const text = asText(source, name);
    if (text === undefined) return undefined;
    const top = text.split('.', 1)[0] ?? '';
    const other = names.get(top);
    return other === undefined ? undefined : PDFHexString.fromText(other + text.slice(top.length));
  };
  if (isString(value)) {
    setEntry(copy, key, renamed(value) ?? value);
  } else if (value instanceof PDFArray) {
    const copied = resolve(target, entry(copy, key));
    const list = copied instanceof PDFArray ? copied.asArray() : elements(source, value).filter(isString);
    setEntry(
      copy,
      key,
      arrayOf(
        target,
        list.map((item) => (isString(item) ? (renamed(item) ?? item) : item)),
      ),
    );
  }
}

function renameStructure(
  source: PDFContext,
  target: PDFContext,
  copy: PDFDict,
  original: PDFDict,
  plan: Rewrites,
): void {
  const type = asName(source, entry(original, 'Type'));
  const role = asName(source, entry(original, 'S'));
  if (role !== undefined && entry(original, 'P') !== undefined && (type === undefined || type === 'StructElem')) {
    const other = entry(original, 'NS') === undefined ? plan.roles.get(role) : undefined;
    if (other !== undefined) setEntry(copy, 'S', PDFName.of(other));
    const id = plan.ids.get(asByteString(source, entry(original, 'ID')) ?? '');
    if (id !== undefined) setEntry(copy, 'ID', byteString(id));
    const classes = resolve(source, entry(original, 'C'));
    if (plan.classes.size > 0 && classes !== undefined)
      setEntry(copy, 'C', renameClasses(source, target, classes, plan.classes));
  }
  // Table cells refer to their header cells by ID (ISO 32000-1, table 349).
  if (
    plan.ids.size > 0 &&
    asName(source, entry(original, 'O')) === 'Table' &&
    entry(original, 'Headers') !== undefined
  ) {
    const headers = elements(source, entry(original, 'Headers')).map((header) => {
      const id = plan.ids.get(asByteString(source, header) ?? '');
      return id === undefined ? resolve(source, header) : byteString(id);
    });
    setEntry(copy, 'Headers', arrayOf(target, headers.filter(isString)));
  }
}

function renameClasses(
  source: PDFContext,
  target: PDFContext,
  value: PDFObject,
  names: ReadonlyMap<string, string>,
): PDFObject {
  const one = (item: PDFObject | undefined): PDFObject[] => {
    const object = resolve(source, item);
    if (object instanceof PDFName) return [PDFName.of(names.get(object.decodeText()) ?? object.decodeText())];
    return object instanceof PDFNumber ? [object] : [];
  };
  return value instanceof PDFArray ? arrayOf(target, value.asArray().flatMap(one)) : (one(value)[0] ?? value);
}
