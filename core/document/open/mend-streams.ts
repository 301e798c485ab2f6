import { type PDFContext, PDFName, PDFNumber, PDFRawStream, PDFRef } from 'pdf-lib';

const LENGTH = PDFName.of('Length');
const END = 'endstream';

/**
 * Puts right where streams end, in place. Where /Length is a reference, pdf-lib looks for the word `endstream` and takes a line end before
 * it as not belonging to the data, so data that ends in one loses a byte or two; and data that holds the word `stream` swallows objects.
 * Gives false when the latter happened: such a file needs another reader.
 */
export function mendStreamEnds(context: PDFContext, bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream)) continue;
    const lengthRef = object.dict.get(LENGTH);
    if (!(lengthRef instanceof PDFRef)) continue;
    const value = context.lookup(lengthRef);
    if (!(value instanceof PDFNumber)) continue;
    const length = value.asNumber();
    const found = object.contents.length;
    if (length < found) {
      const rest = Buffer.from(object.contents.buffer, object.contents.byteOffset + length, Math.min(found - length, 32)).toString('latin1').trimStart();
      if (rest.startsWith(END)) return false;
    } else if (length > found && length - found <= 2 && found > 0) {
      const at = file.indexOf(object.contents);
      const tail = at < 0 ? '' : file.toString('latin1', at + length, at + length + 16).trimStart();
      if (tail.startsWith(END)) context.assign(ref, PDFRawStream.of(object.dict, bytes.slice(at, at + length)));
    }
  }
  return true;
}
