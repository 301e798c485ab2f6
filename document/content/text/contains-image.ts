import { type PDFContext, type PDFDict, type PDFObject, PDFStream } from 'pdf-lib';
import { asDict, asName, entry, resolve } from '../../file/objects/index.js';
import { guardDocument, withPdf } from '../../file/open/index.js';
import type { PdfInput } from '../../file/source/index.js';
import { pageAttribute } from '../../structure/pages/index.js';
import type { PageChoice } from './contains-text.js';

/**
 * Returns whether one of the chosen pages has an image XObject in its resources, also inside form XObjects, drawn or
 * not; inline images and those of annotations do not count. Images are not decoded, so a broken one counts.
 */
export async function containsImage(input: PdfInput, choose: PageChoice): Promise<boolean> {
  return guardDocument('fileInput', () =>
    withPdf(input, { repair: false }, ({ document, pages }) => {
      const seen = new Set<PDFDict>();
      return choose(pages.length).some((index) => {
        const page = pages[index];
        return page !== undefined && hasImage(document.context, pageAttribute(page, 'Resources'), seen);
      });
    }),
  );
}

/**
 * Walks forms without recursion; resources that were looked at before are not looked at again, so a form within itself
 * ends.
 */
function hasImage(context: PDFContext, resources: PDFObject | undefined, seen: Set<PDFDict>): boolean {
  const waiting: (PDFObject | undefined)[] = [resources];
  while (waiting.length > 0) {
    const dict = asDict(context, waiting.pop());
    if (dict === undefined || seen.has(dict)) continue;
    seen.add(dict);
    for (const [, value] of asDict(context, entry(dict, 'XObject'))?.entries() ?? []) {
      const object = resolve(context, value);
      if (!(object instanceof PDFStream)) continue;
      const subtype = asName(context, entry(object.dict, 'Subtype'));
      if (subtype === 'Image') return true;
      if (subtype === 'Form') waiting.push(entry(object.dict, 'Resources'));
    }
  }
  return false;
}
