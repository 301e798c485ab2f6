import { type PDFContext, type PDFObject, PDFRef } from 'pdf-lib';
import { arrayOf, elements, entry, setEntry } from '../file/objects/index.js';
import { acroFormOf, type FieldNode } from './fields/index.js';
import type { FormField } from './form-model.js';

/**
 * Adds fields that are only listed in a page's annotations to the form, in place, so that every viewer finds their
 * values (ISO 32000-1, table 218, Fields).
 */
export function addUnlistedFields(context: PDFContext, fields: Iterable<Pick<FormField, 'node' | 'unlisted'>>): void {
  const form = acroFormOf(context);
  if (form === undefined) return;
  const added = new Map<FieldNode | undefined, PDFRef[]>();
  for (const field of fields) {
    if (!field.unlisted) continue;
    for (let node: FieldNode | undefined = field.node; node !== undefined; node = node.parent) {
      if (node.ref === undefined) continue;
      const refs = added.get(node.parent) ?? [];
      if (!refs.includes(node.ref)) refs.push(node.ref);
      added.set(node.parent, refs);
    }
  }
  for (const [parent, refs] of added) {
    const [dict, key] = parent === undefined ? [form, 'Fields'] : [parent.dict, 'Kids'];
    const had = elements(context, entry(dict, key));
    const fresh = refs.filter((ref) => !had.some((value: PDFObject) => value instanceof PDFRef && value === ref));
    if (fresh.length > 0) setEntry(dict, key, arrayOf(context, [...had, ...fresh]));
  }
}
