import { guardDocument, openPdf, savePdf } from '@quire/document/open';
import { normaliseAngle, pageRotation } from '@quire/document/pages';
import { catalogOf, setEntry } from '@quire/document/objects';
import { PDFNumber } from 'pdf-lib';

/**
 * Turns every page clockwise by a multiple of 90 degrees, on top of the rotation that it has or inherits; the sum is written as 0, 90, 180
 * or 270 (ISO 32000-1, 7.7.3.3). Errors: those of `openPdf`.
 */
export async function rotatePages(bytes: Uint8Array, angle: number, modified?: Date): Promise<Uint8Array> {
  const { document, pages, objectStreams } = await openPdf(bytes);
  return guardDocument('fileInput', () => {
    const turned = new Set<unknown>();
    for (const page of pages) {
      // A page that hangs in the tree twice is one dictionary and turns once.
      if (turned.has(page.dict)) continue;
      turned.add(page.dict);
      setEntry(page.dict, 'Rotate', PDFNumber.of(normaliseAngle(pageRotation(document.context, page) + angle)));
    }
    // Usage rights and certification refer to bytes that are written anew; kept, they make viewers warn.
    const catalog = catalogOf(document.context);
    if (catalog !== undefined) setEntry(catalog, 'Perms', undefined);
    return savePdf(document, { objectStreams, ...(modified === undefined ? {} : { modified }) });
  });
}
