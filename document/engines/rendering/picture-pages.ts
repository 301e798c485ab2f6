import { type PDFContext, PDFName, PDFNumber, type PDFRawStream } from 'pdf-lib';
import { invert, matrixNumbers, multiply, scaling, uprightPage } from '../../structure/geometry/index.js';
import { flattenForm } from '../../forms/index.js';
import { dictOf, setEntry } from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import type { PageEntry } from '../../structure/pages/index.js';
import { acroFormOf } from '../../forms/fields/index.js';
import { dropContentReferences, dropPageContentReferences } from '../../structure/tags/index.js';
import type { PdfiumDocument } from '../pdfium/index.js';
import type { PixelSize, PointSize } from './limits.js';
import type { PictureStore } from './picture-store.js';
import { renderPage } from './render-page.js';
import { withDrawable } from './with-drawable.js';

/** A rendered page: RGBA, rows from the top. */
export interface PagePixels extends PixelSize {
  readonly pixels: Uint8Array;
}

/** The image that a page will show. */
export interface PagePicture extends PixelSize {
  readonly jpeg: Uint8Array;
  /** 1 for grey, 3 for RGB. */
  readonly components: 1 | 3;
}

export interface PicturePagesOptions {
  /**
   * Pixels of each page, from their displayed sizes in points; called before the first page is rendered, so that it can
   * reject large ones.
   */
  readonly sizes: (pages: readonly PointSize[]) => readonly PixelSize[];
  /** Converts the rendered page to an image; by default unchanged, in RGB. */
  readonly paint?: (drawn: PagePixels, page: number) => Promise<PagePicture>;
  /** Storage for images until they are written. */
  readonly store: PictureStore;
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

const QUALITY = 90;

/**
 * Replaces every page by one image of its appearance, annotations and fields included, in place. Boxes, rotation and
 * unit of the pages stay, and so do bookmarks, links, named destinations, labels, attachments and metadata; text,
 * fields, tags, layers and scripts are removed. Throws PDF_DAMAGED for a page that cannot be rendered,
 * INPUT_TOO_COMPLEX when memory is exhausted, and the errors of `sizes`.
 */
export async function picturePages(opened: OpenedPdf, options: PicturePagesOptions): Promise<void> {
  const { context } = opened.document;
  const { pages } = opened;
  const sizes = options.sizes(pages.map((page) => uprightPage(context, page)));
  const paint = options.paint ?? plainPicture;
  await drawing(opened, options, async (source) => {
    for (const [i, page] of pages.entries()) {
      options.signal?.throwIfAborted();
      const size = sizes[i] ?? { width: 1, height: 1 };
      const picture = await paint({ ...size, pixels: renderPage(source, i, { ...size, annotations: true }) }, i);
      showPicture(context, page, pictureStream(context, picture, options.store));
      options.progress?.(i + 1, pages.length);
    }
  });
  for (const { dict } of new Set(pages)) dropPageContentReferences(context, dict);
  dropContentReferences(context);
}

async function plainPicture({ pixels, width, height }: PagePixels): Promise<PagePicture> {
  const { default: sharp } = await import('sharp');
  const jpeg = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' })
    .toBuffer();
  return { width, height, jpeg, components: 3 };
}

function pictureStream(
  context: PDFContext,
  { width, height, jpeg, components }: PagePicture,
  store: PictureStore,
): PDFRawStream {
  return store.add(
    dictOf(context, {
      Type: PDFName.of('XObject'),
      Subtype: PDFName.of('Image'),
      Width: PDFNumber.of(width),
      Height: PDFNumber.of(height),
      BitsPerComponent: PDFNumber.of(8),
      ColorSpace: PDFName.of(components === 1 ? 'DeviceGray' : 'DeviceRGB'),
      Filter: PDFName.of('DCTDecode'),
    }),
    jpeg,
  );
}

/**
 * The image fills the visible area of the page, upright; its unit square is mapped through the displayed page back into
 * user space.
 */
function showPicture(context: PDFContext, page: PageEntry, picture: PDFRawStream): void {
  const { matrix, width, height } = uprightPage(context, page);
  const place = multiply(scaling(width, height), invert(matrix) ?? matrix);
  const resources = dictOf(context, { XObject: dictOf(context, { P: context.register(picture) }) });
  setEntry(page.dict, 'Resources', resources);
  setEntry(
    page.dict,
    'Contents',
    context.register(context.stream(`q ${matrixNumbers(context, place).asArray().join(' ')} cm /P Do Q`)),
  );
}

/** Quire draws fields without appearances better than PDFium, and in more alphabets. */
async function drawing(
  opened: OpenedPdf,
  { store, signal }: PicturePagesOptions,
  fn: (source: PdfiumDocument) => Promise<void>,
): Promise<void> {
  const hasForm = acroFormOf(opened.document.context) !== undefined;
  if (hasForm) await flattenForm(opened, signal === undefined ? {} : { signal });
  return withDrawable(opened, { path: `${store.path}.pdf`, rewritten: hasForm }, fn);
}
