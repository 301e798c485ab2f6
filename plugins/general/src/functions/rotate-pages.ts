import { guardDocument, withPdf, writePdf } from '@quire/document/open';
import { normaliseAngle, pageRotation } from '@quire/document/pages';
import { catalogOf, setEntry } from '@quire/document/objects';
import { PDFNumber } from 'pdf-lib';

/** How to write the result. */
export interface RotateOptions {
  readonly mode: 'append' | 'rewrite';
  readonly modified?: Date;
}

/**
 * Turns every page clockwise by a multiple of 90 degrees, on top of the rotation that it has or inherits; the sum is written as 0, 90, 180
 * or 270 (ISO 32000-1, 7.7.3.3), into a new file at `target`. Only the pages are read, and appended only they are written.
 * Errors: those of `openPdf`.
 */
export async function rotatePages(source: string, target: string, angle: number, options: RotateOptions): Promise<void> {
  await withPdf({ path: source }, { mend: options.mode === 'rewrite' }, (opened) => guardDocument('fileInput', () => {
    const { document, pages } = opened;
    const turned = new Set<unknown>();
    for (const page of pages) {
      // A page that hangs in the tree twice is one dictionary and turns once.
      if (turned.has(page.dict)) continue;
      turned.add(page.dict);
      setEntry(page.dict, 'Rotate', PDFNumber.of(normaliseAngle(pageRotation(document.context, page) + angle)));
    }
    // Usage rights and certification refer to bytes that are written anew; kept, they make viewers warn.
    const catalog = options.mode === 'rewrite' ? catalogOf(document.context) : undefined;
    if (catalog !== undefined) setEntry(catalog, 'Perms', undefined);
    writePdf(opened, target, options);
  }));
}
