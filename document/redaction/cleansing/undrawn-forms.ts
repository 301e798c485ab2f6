import { type PDFContext, PDFRawStream } from 'pdf-lib';
import { besideContent, ContentReader } from '../../content/index.js';
import { asName, entry } from '../../file/objects/index.js';
import type { PageEntry } from '../../structure/pages/index.js';
import { everyObject } from '../../file/objects/index.js';
import { AppearanceText } from './appearance-text.js';
import { rewriteStreams } from './rewrite-streams.js';
import type { TextFinder } from './text-finder.js';

/**
 * Empties forms that no page draws, in place, where something is found in them: left in resources, or called by keys
 * that no reader knows. What pages draw is cut by whoever edits their content; what annotations, patterns and masks
 * draw is not touched. Gives how many were emptied. Errors: INPUT_TOO_COMPLEX.
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
