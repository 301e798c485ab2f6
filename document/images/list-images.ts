import { type PDFContext, type PDFDict, type PDFObject, PDFRawStream } from 'pdf-lib';
import { DocumentError } from '../errors.js';
import { asDict, asName, entry, resolve } from '../file/objects/index.js';
import { contentStreams, decodedContent, type PageEntry, pageAttribute } from '../structure/pages/index.js';
import { inlineImages } from './inline-images.js';

/** An image of a page. */
export interface PageImage {
  /** 0-based index of the page. */
  readonly page: number;
  /** The image's dictionary and encoded samples; an inline image has the keys of an image XObject. */
  readonly stream: PDFRawStream;
}

/** The most images of one document. */
const MAX_IMAGES = 20_000;
/** The most images and forms of one document that are visited. */
const MAX_XOBJECTS = 100_000;

/**
 * Yields the images of a document page by page, each once, with the first page that has it: those in the page's
 * resources in order, drawn or not, then those of its form XObjects, then inline images. Only content is decoded.
 * Throws INPUT_TOO_COMPLEX.
 */
export function* listImages(context: PDFContext, pages: readonly PageEntry[]): Generator<PageImage> {
  const walk = new Walk(context);
  let found = 0;
  for (const [page, place] of pages.entries()) {
    for (const stream of walk.imagesOf(place)) {
      if (++found > MAX_IMAGES) throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'images', limit: MAX_IMAGES });
      yield { page, stream };
    }
  }
}

interface Content {
  readonly streams: readonly PDFRawStream[];
  readonly resources: PDFDict | undefined;
}

class Walk {
  private readonly seen = new Set<PDFObject>();
  private readonly read = new Set<PDFObject>();

  constructor(private readonly context: PDFContext) {}

  *imagesOf(page: PageEntry): Generator<PDFRawStream> {
    const { context } = this;
    const resources = asDict(context, pageAttribute(page, 'Resources'));
    const contents: Content[] = [{ streams: contentStreams(context, entry(page.dict, 'Contents')), resources }];
    // Without recursion; visited objects are skipped, so a form inside itself ends.
    const waiting = [resources];
    for (let at = 0; at < waiting.length; at++) yield* this.imagesIn(waiting[at], contents, waiting);
    for (const content of contents) yield* this.inlineImagesIn(content);
  }

  private *imagesIn(
    resources: PDFDict | undefined,
    contents: Content[],
    waiting: (PDFDict | undefined)[],
  ): Generator<PDFRawStream> {
    const { context, seen } = this;
    for (const [, value] of asDict(context, resources && entry(resources, 'XObject'))?.entries() ?? []) {
      const object = resolve(context, value);
      if (!(object instanceof PDFRawStream) || seen.has(object)) continue;
      seen.add(object);
      if (seen.size > MAX_XOBJECTS)
        throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'XObjects', limit: MAX_XOBJECTS });
      const subtype = asName(context, entry(object.dict, 'Subtype'));
      if (subtype === 'Image') yield object;
      if (subtype !== 'Form') continue;
      const inner = asDict(context, entry(object.dict, 'Resources'));
      // A form without resources uses the page's (ISO 32000-1, table 95).
      contents.push({ streams: [object], resources: inner ?? waiting[0] });
      if (inner !== undefined && !waiting.includes(inner)) waiting.push(inner);
    }
  }

  private *inlineImagesIn({ streams, resources }: Content): Generator<PDFRawStream> {
    const { context, read } = this;
    const [first] = streams;
    if (first === undefined || read.has(first)) return;
    read.add(first);
    // A page's streams form one content, split between operators (ISO 32000-1, table 30). Streams that cannot be
    // decoded draw nothing.
    const parts = streams.flatMap((stream) => [decodedContent(context, stream) ?? [], [10]]);
    yield* inlineImages(context, Buffer.concat(parts.map((part) => Uint8Array.from(part))), resources);
  }
}
