import { type PDFContext, type PDFDict, PDFRef } from 'pdf-lib';
import { applyTo } from '../../index.js';
import { asDict, asName, asNumber, asText, elements, entry } from '../../../file/objects/index.js';
import { boxOf } from '../../../structure/pages/index.js';
import { destinationPage, type NamedDestinations } from '../../../structure/names/index.js';
import { isoDate } from '../../../structure/metadata/index.js';
import { readAnnotations } from '../../../structure/annotations/index.js';
import type { JsonAnnotation } from '../model.js';
import { type PageSpace, rounded } from '../page-space.js';
import { dropUndefined } from './read-fonts.js';
import type { RawWriter } from '../raw-writer.js';

/** Most annotations of one page that are exported. */
const MAX_ANNOTATIONS = 20_000;
/** The page is the one with which the annotation is exported. */
const OMITTED: ReadonlySet<string> = new Set(['P']);

/** An annotation and its JSON. */
export interface ReadAnnotation {
  readonly element: JsonAnnotation;
  readonly dict: PDFDict;
}

/** Exports annotations. `raw` writes their trees; without it they are left out. */
export class AnnotationTeller {
  constructor(
    private readonly context: PDFContext,
    private readonly named: NamedDestinations,
    private readonly pages: readonly PDFRef[],
    private readonly raw?: RawWriter,
  ) {}

  /** Exports a page's annotations in order. */
  tell(page: PDFDict, space: PageSpace): ReadAnnotation[] {
    return readAnnotations(this.context, page)
      .slice(0, MAX_ANNOTATIONS)
      .map(({ value, dict, kind }) => ({
        dict,
        element: this.#tellOne(value instanceof PDFRef ? value : dict, dict, kind, space),
      }));
  }

  #tellOne(value: PDFRef | PDFDict, dict: PDFDict, kind: string, space: PageSpace): JsonAnnotation {
    const { context } = this;
    const text = (key: string): string | undefined => asText(context, entry(dict, key));
    const rawData = this.raw?.tree(value, OMITTED);
    return dropUndefined<JsonAnnotation>({
      subtype: kind === '' ? undefined : kind,
      contents: text('Contents'),
      rect: shownBox(boxOf(context, entry(dict, 'Rect')), space),
      appearanceState: asName(context, entry(dict, 'AS')),
      color: elements(context, entry(dict, 'C')).map((value) => rounded(asNumber(context, value) ?? 0, 6)),
      flags: asNumber(context, entry(dict, 'F')),
      destination: this.#destination(dict),
      iconName: asName(context, entry(dict, 'Name')),
      subject: text('Subj'),
      author: text('T'),
      creationDate: isoDate(text('CreationDate')),
      modificationDate: isoDate(text('M')),
      rawData,
    });
  }

  #destination(dict: PDFDict): string | undefined {
    const { context } = this;
    const action = asDict(context, entry(dict, 'A'));
    const uri =
      action === undefined || asName(context, entry(action, 'S')) !== 'URI'
        ? undefined
        : asText(context, entry(action, 'URI'));
    if (uri !== undefined) return uri;
    const target =
      entry(dict, 'Dest') ??
      (action !== undefined && asName(context, entry(action, 'S')) === 'GoTo' ? entry(action, 'D') : undefined);
    const page = target === undefined ? undefined : destinationPage(context, this.named, target, this.pages);
    const index = page === undefined ? -1 : this.pages.indexOf(page);
    return index < 0 ? undefined : `#page=${index + 1}`;
  }
}

/** A box of the page as the editor has it. */
export function shownBox(
  box: readonly [number, number, number, number] | undefined,
  { shown }: PageSpace,
): number[] | undefined {
  return box === undefined
    ? undefined
    : [...applyTo(shown, box[0], box[1]), ...applyTo(shown, box[2], box[3])].map((side) => rounded(side));
}
