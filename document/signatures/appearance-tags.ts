import { type PDFContext, type PDFRef, PDFString } from 'pdf-lib';
import { asDict, setEntry } from '../file/objects/index.js';
import type { PageEntry } from '../structure/pages/index.js';
import { AnnotationTags } from '../structure/annotations/index.js';

const DESCRIPTION = 'Digital signature';

/**
 * Adds a signature's widget to the structure tree of a tagged document, in place (ISO 14289-1, 7.18.4). Does nothing in
 * a document without tags.
 */
export function tagWidget(context: PDFContext, widget: PDFRef, page: PageEntry): void {
  const dict = asDict(context, widget);
  if (dict !== undefined && new AnnotationTags(context).tag(widget, page, 'Form', DESCRIPTION))
    setEntry(dict, 'TU', PDFString.of(DESCRIPTION));
}
