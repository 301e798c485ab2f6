import { PDFArray, type PDFContext, PDFDict, PDFNull, type PDFObject, PDFRef, PDFStream } from 'pdf-lib';

/**
 * Removes every object that the trailer does not reach, and turns references to missing objects into null, in place.
 * What earlier revisions or a reader's recovery left behind is so not written out again.
 */
export function sweep(context: PDFContext): void {
  const reached = new Set<PDFRef>();
  const waiting: PDFObject[] = [];
  const { Root, Info } = context.trailerInfo;
  // Null for a reference that names nothing.
  const visit = (value: PDFObject): boolean => {
    if (value instanceof PDFRef) {
      if (reached.has(value)) return true;
      const object = context.lookup(value);
      if (object === undefined) return false;
      reached.add(value);
      if (isContainer(object) || object instanceof PDFRef) waiting.push(object);
    } else if (isContainer(value)) {
      waiting.push(value);
    }
    return true;
  };
  for (const root of [Root, Info]) if (root !== undefined) visit(root);
  for (let object = waiting.pop(); object !== undefined; object = waiting.pop()) {
    if (object instanceof PDFRef) {
      visit(object);
    } else if (object instanceof PDFArray) {
      for (let i = 0; i < object.size(); i++) if (!visit(object.get(i))) object.set(i, PDFNull);
    } else {
      const dict = object instanceof PDFStream ? object.dict : object;
      if (dict instanceof PDFDict) for (const [key, value] of dict.entries()) if (!visit(value)) dict.delete(key);
    }
  }
  for (const [ref] of context.enumerateIndirectObjects()) if (!reached.has(ref)) context.delete(ref);
  // The trailer's /Size is one more than the largest number in use (ISO 32000-1, table 15).
  context.largestObjectNumber = [...reached].reduce((largest, ref) => Math.max(largest, ref.objectNumber), 0);
}

function isContainer(object: PDFObject): boolean {
  return object instanceof PDFDict || object instanceof PDFArray || object instanceof PDFStream;
}
