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

/** A page as it is seen: RGBA, rows from the top. */
export interface PagePixels extends PixelSize {
  readonly pixels: Uint8Array;
}

/** A picture as a page shall show it. */
export interface PagePicture extends PixelSize {
  readonly jpeg: Uint8Array;
  /** 1 for grey, 3 for RGB. */
  readonly components: 1 | 3;
}

/** How pages become pictures. */
export interface PicturePagesOptions {
  /**
   * Pixels of each page, for their sizes in points as they are shown; asked before the first is drawn, so that what is
   * too large can be refused.
   */
  readonly sizes: (pages: readonly PointSize[]) => readonly PixelSize[];
  /** Makes a picture of what was drawn; as it is, in RGB, when absent. */
  readonly paint?: (drawn: PagePixels, page: number) => Promise<PagePicture>;
  /** Where pictures wait to be written. */
  readonly store: PictureStore;
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

const QUALITY = 90;

/**
 * Makes every page one picture of what it shows, annotations and fields included, in place: boxes, rotation and unit of
 * the pages stay, and so do bookmarks, links, named destinations, labels, attachments and metadata; text, fields, tags,
 * layers and scripts are no more. Errors: PDF_DAMAGED for a page that cannot be drawn, INPUT_TOO_COMPLEX without memory
 * for it, and what `sizes` throws.
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
 * The picture fills what is seen of the page, upright; its unit square goes through the page as shown back into user
 * space.
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

/** Fields without appearances are drawn better, and in more alphabets, by us. */
async function drawing(
  opened: OpenedPdf,
  { store, signal }: PicturePagesOptions,
  fn: (source: PdfiumDocument) => Promise<void>,
): Promise<void> {
  const hasForm = acroFormOf(opened.document.context) !== undefined;
  if (hasForm) await flattenForm(opened, signal === undefined ? {} : { signal });
  return withDrawable(opened, { path: `${store.path}.pdf`, anew: hasForm }, fn);
}
