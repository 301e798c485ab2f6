import { InputError } from '@quire/registry/errors';
import type { PDFDocument, PDFRef } from 'pdf-lib';
import { type Matrix, PageOverlay, after, formOf, pageFrame } from '@quire/document/content/drawing';
import { type PictureKind, embedPicture, placePicture, readPicture } from '@quire/document/images';
import type { OpenedPdf } from '@quire/document/file/open';

/** An image and its position (`docs/interface/misc.yml`, add-image). */
export interface PlacedImage {
  readonly image: Uint8Array;
  readonly kind: PictureKind | 'svg';
  /** Points from the left and the bottom of the media box, as the reader sees it, to the image's lower left corner. */
  readonly x: number;
  readonly y: number;
  /** In points, the height follows; undefined for the natural size. */
  readonly width?: number;
  /** From 1; of no effect with `everyPage`. */
  readonly pageNumber: number;
  readonly everyPage: boolean;
  readonly signal?: AbortSignal;
}

const FIELD = 'imageFile';

/**
 * Draws an image on top of a page or of all pages, in place: at its natural size (a pixel is a point) or as wide as
 * asked for, upright on rotated pages. An SVG is drawn as vectors, at its own size if that is given in units of length.
 * Throws INPUT_INVALID for a page that the document does not have, IMAGE_UNREADABLE, IMAGE_TOO_LARGE,
 * INPUT_TOO_COMPLEX.
 */
export async function addImage({ document, pages }: OpenedPdf, placed: PlacedImage): Promise<void> {
  const chosen = placed.everyPage ? pages : [pageOf(pages, placed.pageNumber)];
  const drawing =
    placed.kind === 'svg'
      ? await vectorForm(document, placed.image)
      : await pictureForm(document, placed.image, placed.kind);
  const { form } = drawing;
  const scale = placed.width === undefined ? drawing.scale : (drawing.scale * placed.width) / drawing.width;
  const overlay = new PageOverlay(document.context);
  const done = new Set<PDFRef>();
  for (const page of chosen) {
    placed.signal?.throwIfAborted();
    if (done.has(page.ref)) continue;
    done.add(page.ref);
    const { media, matrix } = pageFrame(document.context, page);
    const place: Matrix = [scale, 0, 0, scale, media.left + placed.x, media.bottom + placed.y];
    overlay.add(page, form, { matrix: after(place, matrix), artifact: true });
  }
}

function pageOf(pages: OpenedPdf['pages'], pageNumber: number): OpenedPdf['pages'][number] {
  const page = pages[pageNumber - 1];
  if (page !== undefined) return page;
  const count = pages.length === 1 ? 'one page' : `${pages.length} pages`;
  const detail = `pageNumber is ${pageNumber}; the document has ${count}`;
  throw new InputError('INPUT_INVALID', { detail }, [{ pointer: '/pageNumber', detail }]);
}

interface Drawing {
  readonly form: PDFRef;
  /** In points, at the natural size. */
  readonly width: number;
  /** From the form's coordinates to points. */
  readonly scale: number;
}

async function vectorForm(document: PDFDocument, image: Uint8Array): Promise<Drawing> {
  const { embedSvg } = await import('@quire/document/content/svg');
  return embedSvg(document, image, FIELD);
}

async function pictureForm({ context }: PDFDocument, image: Uint8Array, kind: PictureKind): Promise<Drawing> {
  const picture = await readPicture(image, kind, { field: FIELD });
  const area = { left: 0, bottom: 0, width: picture.width, height: picture.height };
  const content = `${placePicture(picture, { x: 0, y: 0, width: area.width, height: area.height })}\n/I Do`;
  return {
    form: formOf(context, { content, area, resources: { XObject: { I: embedPicture(context, picture) } } }),
    width: area.width,
    scale: 1,
  };
}
