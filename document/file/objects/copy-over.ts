import { PDFArray, type PDFContext, PDFDict, type PDFName, type PDFObject, PDFRef } from 'pdf-lib';
import { nameText } from './access.js';

/** Nesting of direct values; a parser's own limit is lower. */
const MAX_DEPTH = 600;

/**
 * Copies a dictionary within its document: direct arrays and dictionaries are copied, indirect objects are shared, and
 * references found in `renamed` are replaced. Throws RangeError for values nested too deeply.
 */
export function copyOver(
  context: PDFContext,
  dict: PDFDict,
  renamed: ReadonlyMap<PDFRef, PDFRef>,
  omit?: ReadonlySet<string>,
): PDFDict {
  const copy = (value: PDFObject, depth: number): PDFObject => {
    if (value instanceof PDFRef) return renamed.get(value) ?? value;
    if (depth > MAX_DEPTH) throw new RangeError('values are nested without end');
    if (value instanceof PDFArray) {
      const array = PDFArray.withContext(context);
      for (const element of value.asArray()) array.push(copy(element, depth + 1));
      return array;
    }
    return value instanceof PDFDict ? entriesOf(value, depth) : value;
  };
  const entriesOf = (from: PDFDict, depth: number): PDFDict => {
    const entries = new Map<PDFName, PDFObject>();
    for (const [key, value] of from.entries())
      if (depth > 0 || omit === undefined || !omit.has(nameText(key))) entries.set(key, copy(value, depth + 1));
    return PDFDict.fromMapWithContext(entries, context);
  };
  return entriesOf(dict, 0);
}
