import type { PDFArray, PDFDict } from 'pdf-lib';
import { asArray, asDict, entry, nameText, resolve } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import { pageAttribute } from '@quire/document/structure/pages';
import { readAnnotations } from '@quire/document/structure/annotations';

/** How many annotations a document has, and of which kinds. */
export interface AnnotationTally {
  readonly totalCount: number;
  /** By /Subtype, in the order in which kinds appear first. */
  readonly typeBreakdown: Readonly<Record<string, number>>;
}

/** Where annotations are counted that do not say what they are (/Subtype is required: ISO 32000-1, table 164). */
const UNKNOWN = 'Unknown';

/** Counts the annotations of all pages, form widgets and pop-ups among them; of one on two pages, both. */
export function countAnnotations({ document: { context }, pages }: OpenedPdf): AnnotationTally {
  // Thousands of pages may name one list: it is read once.
  const lists = new Map<PDFArray, { readonly page: PDFDict; times: number }>();
  for (const { dict } of pages) {
    const list = asArray(context, entry(dict, 'Annots'));
    if (list === undefined) continue;
    const known = lists.get(list);
    if (known === undefined) lists.set(list, { page: dict, times: 1 });
    else known.times++;
  }
  const counts = new Map<string, number>();
  let totalCount = 0;
  for (const { page, times } of lists.values()) {
    for (const { kind } of readAnnotations(context, page)) {
      const name = kind === '' ? UNKNOWN : kind;
      counts.set(name, (counts.get(name) ?? 0) + times);
      totalCount += times;
    }
  }
  return { totalCount, typeBreakdown: Object.fromEntries(counts) };
}

/** The names under which pages know their fonts. */
export interface FontNames {
  readonly fontCount: number;
  /** Resource names (`F1`), each once in the document, in the order in which they appear first. */
  readonly fonts: readonly string[];
}

/**
 * Returns the font names in the resources of pages, inherited ones included (ISO 32000-1, 7.8.3); forms and appearances
 * are not searched.
 */
export function fontNames({ document: { context }, pages }: OpenedPdf): FontNames {
  const seen = new Set<PDFDict>();
  const names = new Set<string>();
  for (const page of pages) {
    const resources = asDict(context, pageAttribute(page, 'Resources'));
    const fonts = resources && asDict(context, entry(resources, 'Font'));
    if (fonts === undefined || seen.has(fonts)) continue;
    seen.add(fonts);
    // An entry whose object is not there is as good as absent (ISO 32000-1, 7.3.10).
    for (const [name, font] of fonts.entries()) if (resolve(context, font) !== undefined) names.add(nameText(name));
  }
  return { fontCount: names.size, fonts: [...names] };
}
