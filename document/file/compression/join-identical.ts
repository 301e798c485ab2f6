import { createHash } from 'node:crypto';
import { PDFArray, type PDFContext, PDFDict, type PDFObject, type PDFRawStream, PDFRef, PDFStream } from 'pdf-lib';

/**
 * Makes every reference to a copy of a stream (equal dictionary and bytes) point to the first one, in place: merged
 * documents contain their fonts and images many times. Returns the remaining streams.
 */
export function joinIdentical(
  context: PDFContext,
  streams: readonly (readonly [PDFRef, PDFRawStream])[],
): [PDFRef, PDFRawStream][] {
  const first = new Map<string, PDFRef>();
  const moved = new Map<PDFRef, PDFRef>();
  const left: [PDFRef, PDFRawStream][] = [];
  for (const [ref, stream] of streams) {
    const key = createHash('sha256').update(stream.dict.toString()).update(stream.contents).digest('base64');
    const known = first.get(key);
    if (known !== undefined) {
      moved.set(ref, known);
      continue;
    }
    first.set(key, ref);
    left.push([ref, stream]);
  }
  if (moved.size > 0) for (const [, object] of context.enumerateIndirectObjects()) redirect(object, moved);
  for (const ref of moved.keys()) context.delete(ref);
  return left;
}

function redirect(object: PDFObject, moved: ReadonlyMap<PDFRef, PDFRef>): void {
  const waiting: PDFObject[] = [object];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next instanceof PDFStream) next = next.dict;
    if (next instanceof PDFDict) {
      for (const [key, value] of next.entries()) {
        if (value instanceof PDFRef) next.set(key, moved.get(value) ?? value);
        else if (value instanceof PDFDict || value instanceof PDFArray) waiting.push(value);
      }
    } else if (next instanceof PDFArray) {
      for (let i = 0; i < next.size(); i++) {
        const value = next.get(i);
        if (value instanceof PDFRef) next.set(i, moved.get(value) ?? value);
        else if (value instanceof PDFDict || value instanceof PDFArray) waiting.push(value);
      }
    }
  }
}
