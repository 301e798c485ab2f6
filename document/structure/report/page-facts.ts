import type { PDFContext, PDFDict } from 'pdf-lib';
import { asText, entry } from '../../file/objects/index.js';
import { boxOf, pageAttribute, pageBox, type PageEntry } from '../pages/index.js';
import type { Annotation } from '../annotations/index.js';

/** Left, bottom, right, top in units of the page's user space. */
export type Box = readonly [number, number, number, number];

/** The boxes of a page (ISO 32000-1, 14.11.2), clipped to the media box. */
export interface PageBoxes {
  readonly media: Box;
  readonly crop: Box;
  readonly bleed: Box;
  readonly trim: Box;
  readonly art: Box;
}

/** Returns a page's boxes with their defaults: the crop box for the boxes within it, the media box for the crop box. */
export function boxesOf(context: PDFContext, page: PageEntry): PageBoxes {
  const [media, crop] = [pageBox(context, page, 'MediaBox'), pageBox(context, page)];
  const within = (key: string): Box => {
    const own = boxOf(context, pageAttribute(page, key));
    if (own === undefined) return crop;
    const cut: Box = [
      Math.max(media[0], own[0]),
      Math.max(media[1], own[1]),
      Math.min(media[2], own[2]),
      Math.min(media[3], own[3]),
    ];
    return cut[0] < cut[2] && cut[1] < cut[3] ? cut : crop;
  };
  return { media, crop, bleed: within('BleedBox'), trim: within('TrimBox'), art: within('ArtBox') };
}

/** Summary of the annotations of a page. */
export interface AnnotationFacts {
  readonly count: number;
  /** Number of annotations with a subtype, and number of those with contents. */
  readonly withSubtype: number;
  readonly withContents: number;
  /** Annotations that play or show something other than a page: video, sound, 3D. */
  readonly multimedia: readonly { readonly subtype: string; readonly contents: string | undefined }[];
}

/** Subtypes of multimedia annotations (ISO 32000-1, table 169; RichMedia: ISO 32000-2, 13.7.2). */
const PLAYED: ReadonlySet<string> = new Set(['RichMedia', 'Screen', 'Movie', 'Sound', '3D']);

/** Summarizes a page's annotations. */
export function annotationFacts(context: PDFContext, annotations: readonly Annotation[]): AnnotationFacts {
  const contents = (dict: PDFDict): string | undefined => asText(context, entry(dict, 'Contents'));
  return {
    count: annotations.length,
    withSubtype: annotations.filter(({ kind }) => kind !== '').length,
    withContents: annotations.filter(({ dict }) => contents(dict) !== undefined).length,
    multimedia: annotations
      .filter(({ kind }) => PLAYED.has(kind))
      .map(({ kind, dict }) => ({ subtype: kind, contents: contents(dict) })),
  };
}
