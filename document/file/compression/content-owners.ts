import { type PDFContext, PDFDict, PDFName, PDFRawStream } from 'pdf-lib';
import { asDict, asName, asNumber, entry, resolve } from '../objects/index.js';
import type { OpenedPdf } from '../open/index.js';
import { contentStreams, decodedContent, pageAttribute } from '../../structure/pages/index.js';

const [BBOX, RESOURCES] = [PDFName.of('BBox'), PDFName.of('Resources')] as const;

/** Content with the resources that its names refer to: a page, a form, a tiling pattern, a Type 3 font. */
export interface ContentOwner {
  /** Undefined when it uses the resources of the page that shows it (ISO 32000-1, 7.8.3). */
  readonly resources: PDFDict | undefined;
  readonly streams: readonly PDFRawStream[];
}

/** Yields everything in a document that may have content, whether or not a page refers to it. */
export function* contentOwners({ document: { context }, pages }: OpenedPdf): Generator<ContentOwner> {
  for (const page of pages)
    yield {
      resources: asDict(context, pageAttribute(page, 'Resources')),
      streams: contentStreams(context, entry(page.dict, 'Contents')),
    };
  for (const [, object] of context.enumerateIndirectObjects()) {
    const dict = object instanceof PDFRawStream ? object.dict : object instanceof PDFDict ? object : undefined;
    const streams = dict === undefined ? undefined : contentOf(context, object, dict);
    if (dict !== undefined && streams !== undefined)
      yield { resources: asDict(context, entry(dict, 'Resources')), streams };
  }
}

/** A stream's content; undefined when it cannot be read for any reason. */
export function readableContent(context: PDFContext, stream: PDFRawStream): Uint8Array | undefined {
  try {
    return decodedContent(context, stream);
  } catch {
    return undefined;
  }
}

/** Some writers omit the /Subtype of forms. */
function contentOf(context: PDFContext, object: unknown, dict: PDFDict): readonly PDFRawStream[] | undefined {
  if (object instanceof PDFRawStream) {
    const isContent =
      asName(context, entry(dict, 'Subtype')) === 'Form' ||
      asNumber(context, entry(dict, 'PatternType')) === 1 ||
      dict.has(BBOX) ||
      dict.has(RESOURCES);
    return isContent ? [object] : undefined;
  }
  if (asName(context, entry(dict, 'Subtype')) !== 'Type3') return undefined;
  const glyphs =
    asDict(context, entry(dict, 'CharProcs'))
      ?.values()
      .map((value) => resolve(context, value)) ?? [];
  return glyphs.filter((glyph): glyph is PDFRawStream => glyph instanceof PDFRawStream);
}
