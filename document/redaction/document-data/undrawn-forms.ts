import { type PDFContext, PDFRawStream } from 'pdf-lib';
import { besideContent, ContentReader } from '../../content/index.js';
import { asName, entry } from '../../file/objects/index.js';
import type { PageEntry } from '../../structure/pages/index.js';
import { everyObject } from '../../file/objects/index.js';
import { AppearanceText } from './appearance-text.js';
import { rewriteStreams } from './rewrite-streams.js';
import type { TextFinder } from './text-finder.js';

/**
 * Empties form XObjects with found text that no page draws, in place: unused resources, and forms under unknown keys.
 * Forms that pages draw are left to the content editor; those of annotations, patterns and masks are not touched.
 * Returns the number of emptied forms. Throws INPUT_TOO_COMPLEX.
 */
export function emptyUndrawnForms(context: PDFContext, pages: readonly PageEntry[], find: TextFinder): number {
  const texts = new AppearanceText(context, find);
  const found = new Set<PDFRawStream>();
  for (const object of everyObject(context)) {
    if (
      object instanceof PDFRawStream &&
      asName(context, entry(object.dict, 'Subtype')) === 'Form' &&
      texts.inForm(object)
    )
      found.add(object);
  }
  if (found.size === 0) return 0;
  const reader = new ContentReader(context);
  for (const page of pages) {
    reader.page(page, {
      form: ({ use }) => {
        if (use !== undefined) found.delete(use.stream);
      },
    });
  }
  const beside = besideContent(context, pages);
  return rewriteStreams(
    context,
    new Map([...found].filter((stream) => !beside.has(stream)).map((stream) => [stream, new Uint8Array()] as const)),
  );
}
