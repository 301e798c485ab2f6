import { type PDFContext, PDFDict, type PDFObject, type PDFRef } from 'pdf-lib';
import { arrayOf, asDict, asName, elements, entry, resolve, setEntry } from '../../file/objects/index.js';
import { type NamedDestinations, targetOf } from '../names/destinations.js';

/** An annotation of a page (ISO 32000-1, 12.5). */
export interface Annotation {
  /** The entry of the page's list: a reference, or the dictionary itself. */
  readonly value: PDFObject;
  readonly dict: PDFDict;
  /** Its /Subtype: Link, Widget, Popup …; empty if missing. */
  readonly kind: string;
}

/** Reads a page's annotations in order; entries that are not dictionaries are skipped. */
export function readAnnotations(context: PDFContext, page: PDFDict): Annotation[] {
  return elements(context, entry(page, 'Annots')).flatMap((value) => {
    const dict = resolve(context, value);
    return dict instanceof PDFDict ? [{ value, dict, kind: asName(context, entry(dict, 'Subtype')) ?? '' }] : [];
  });
}

/** Returns true for a link to a page of this document that is not among the given pages. */
export function linksToOtherPage(
  context: PDFContext,
  named: NamedDestinations,
  { dict, kind }: Annotation,
  all: readonly PDFRef[],
  pages: ReadonlySet<PDFRef>,
): boolean {
  if (kind !== 'Link') return false;
  const target = targetOf(context, named, dict, all);
  return target.kind === 'page' && !pages.has(target.page);
}

/**
 * Removes annotations from a page in place, including their pop-ups. Returns the number of removed annotations without
 * pop-ups.
 */
export function dropAnnotations(
  context: PDFContext,
  page: PDFDict,
  drops: (annotation: Annotation) => boolean,
): number {
  const annotations = readAnnotations(context, page);
  const gone = new Set(annotations.filter(drops).map(({ dict }) => dict));
  if (gone.size === 0) return 0;
  const kept = annotations.filter(({ dict, kind }) => {
    const parent = kind === 'Popup' ? asDict(context, entry(dict, 'Parent')) : undefined;
    return !gone.has(dict) && (parent === undefined || !gone.has(parent));
  });
  setEntry(
    page,
    'Annots',
    kept.length > 0
      ? arrayOf(
          context,
          kept.map(({ value }) => value),
        )
      : undefined,
  );
  return gone.size;
}
