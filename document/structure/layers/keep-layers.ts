import { PDFArray, type PDFContext, PDFDict, PDFRef, type PDFObject } from 'pdf-lib';
import {
  arrayOf,
  asDict,
  dictOf,
  elements,
  entry,
  isString,
  type ObjectCopier,
  resolve,
  setEntry,
} from '../../file/objects/index.js';

/** Lists of a layer configuration (ISO 32000-1, table 101). */
const LISTS = ['ON', 'OFF', 'Order', 'RBGroups', 'Locked', 'AS'] as const;

/**
 * Copies the optional content properties, limited to the groups that the copied pages use; returns undefined if there
 * are none.
 */
export function keepLayers(context: PDFContext, catalog: PDFDict, copier: ObjectCopier): PDFDict | undefined {
  const properties = asDict(context, entry(catalog, 'OCProperties'));
  if (properties === undefined) return undefined;
  const used = elements(context, entry(properties, 'OCGs')).flatMap((group) => {
    const place = group instanceof PDFRef ? copier.placeOf(group) : undefined;
    return place === undefined ? [] : [place];
  });
  if (used.length === 0) return undefined;
  const { target } = copier;
  const config = (value: PDFObject | undefined): PDFDict | undefined => {
    const dict = asDict(context, value);
    if (dict === undefined) return undefined;
    const copy = copier.copyDict(dict, new Set(LISTS));
    for (const key of LISTS) {
      const list = restrict(context, copier, entry(dict, key), 0);
      if (list !== undefined) setEntry(copy, key, list);
    }
    return copy;
  };
  const configs = elements(context, entry(properties, 'Configs')).flatMap((value) => config(value) ?? []);
  return dictOf(target, {
    OCGs: arrayOf(target, used),
    D: config(entry(properties, 'D')) ?? dictOf(target, {}),
    Configs: configs.length > 0 ? arrayOf(target, configs) : undefined,
  });
}

/**
 * Copies a list of groups without those that were not copied. Empty nested lists are removed, labels stay with their
 * groups.
 */
function restrict(
  context: PDFContext,
  copier: ObjectCopier,
  value: PDFObject | undefined,
  depth: number,
): PDFArray | undefined {
  const list = resolve(context, value);
  if (!(list instanceof PDFArray) || depth > 50) return undefined;
  const kept: PDFObject[] = [];
  let groups = 0;
  let before = false;
  for (const item of list.asArray()) {
    const object = resolve(context, item);
    if (object instanceof PDFArray) {
      // A nested list belongs to the preceding group; without it, its members move up a level.
      const nested = restrict(context, copier, object, depth + 1);
      if (nested !== undefined) kept.push(...(before || hasLabel(nested) ? [nested] : nested.asArray()));
      groups += nested === undefined ? 0 : 1;
      before = false;
    } else if (isString(object)) {
      kept.push(object);
    } else if (item instanceof PDFRef && copier.placeOf(item) !== undefined) {
      kept.push(copier.placeOf(item) ?? item);
      groups += 1;
      before = true;
    } else if (object instanceof PDFDict && !(item instanceof PDFRef)) {
      const usage = copier.copyDict(object, new Set(['OCGs']));
      const members = restrict(context, copier, entry(object, 'OCGs'), depth + 1);
      if (members !== undefined) {
        setEntry(usage, 'OCGs', members);
        kept.push(usage);
        groups += 1;
      }
    } else {
      before = false;
    }
  }
  return groups === 0 ? undefined : arrayOf(copier.target, kept);
}

function hasLabel(list: PDFArray): boolean {
  return isString(list.asArray()[0]);
}
