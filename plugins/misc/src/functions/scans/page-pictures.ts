import { type Pdfium, type PdfiumDocument, withMemory } from '@quire/document/engines/pdfium';

const [TEXT, IMAGE] = [1, 3];
/** Text render mode 3 draws nothing: the text layer of a recognised scan (ISO 32000-1, table 106). */
const INVISIBLE = 3;
/** Maximum number of objects to examine. */
const MAX_OBJECTS = 20_000;
const POINTS_PER_INCH = 72;
/** Device units per point for exact places: PDFium returns whole numbers. */
const UNITS = 64;
/** Maximum deviation from upright, as a share of the image's side. */
const SLANT = 0.0005;

/** An image of a page, as drawn; places are in points from the upper left corner of the page as displayed. */
export interface DrawnPicture {
  /** Size in pixels, as stored. */
  readonly width: number;
  readonly height: number;
  /** Pixels per inch in the direction in which there are more. */
  readonly dpi: number;
  /** Place, and by how much it is turned clockwise; undefined for an image that is mirrored or slanted. */
  readonly place?: Place;
  /** True if the page may show less than the whole image, or what is below it. */
  readonly covered: boolean;
  /** Bytes as stored. */
  readonly length: number;
  readonly bytes: () => Uint8Array;
}

export interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly turn: 0 | 90 | 180 | 270;
}

/**
 * Passes the images of a page that draws images and nothing else to `look`, undefined for any other page. Data can be
 * read only while `look` runs.
 */
export function withPagePictures<T>(
  document: PdfiumDocument,
  index: number,
  look: (pictures: readonly DrawnPicture[] | undefined) => T,
): T {
  const { pdfium } = document;
  return document.withPage(index, (page) => {
    const objects = pdfium.FPDFPage_CountObjects(page);
    if (objects < 1 || objects > MAX_OBJECTS || pdfium.FPDFPage_GetAnnotCount(page) > 0) return look(undefined);
    const pictures: DrawnPicture[] = [];
    for (let i = 0; i < objects; i++) {
      const object = pdfium.FPDFPage_GetObject(page, i);
      const type = pdfium.FPDFPageObj_GetType(object);
      if (type === TEXT && pdfium.FPDFTextObj_GetTextRenderMode(object) === INVISIBLE) continue;
      const picture = type === IMAGE ? drawnPicture(document, index, page, object) : undefined;
      if (picture === undefined) return look(undefined);
      pictures.push(picture);
    }
    return look(pictures.length === 0 ? undefined : pictures);
  });
}

/** The resolution above which rendering a page adds nothing, if it draws only images. */
export function ownDpi(document: PdfiumDocument, index: number): number | undefined {
  return withPagePictures(document, index, (pictures) =>
    pictures === undefined ? undefined : Math.max(...pictures.map(({ dpi }) => dpi)),
  );
}

function drawnPicture(document: PdfiumDocument, index: number, page: number, object: number): DrawnPicture | undefined {
  const { pdfium } = document;
  const size = pixelsOf(pdfium, object);
  const corners = cornersOf(document, index, page, object);
  if (size === undefined || corners === undefined) return undefined;
  const { origin, along, down } = corners;
  const [wide, high] = [Math.hypot(along.x, along.y), Math.hypot(down.x, down.y)];
  if (!(wide > 0 && high > 0)) return undefined;
  const place = placeOf(origin, along, down);
  return {
    ...size,
    dpi: POINTS_PER_INCH * Math.max(size.width / wide, size.height / high),
    ...(place === undefined ? {} : { place }),
    covered:
      pdfium.FPDFPageObj_HasTransparency(object) ||
      pdfium.FPDFClipPath_CountPaths(pdfium.FPDFPageObj_GetClipPath(object)) > 0,
    length: pdfium.FPDFImageObj_GetImageDataRaw(object, 0, 0),
    bytes: () => {
      const length = pdfium.FPDFImageObj_GetImageDataRaw(object, 0, 0);
      return withMemory(pdfium, length, (at) => {
        const written = pdfium.FPDFImageObj_GetImageDataRaw(object, at, length);
        return pdfium.pdfium.HEAPU8.slice(at, at + Math.min(length, written));
      });
    },
  };
}

function pixelsOf(pdfium: Pdfium, object: number): { width: number; height: number } | undefined {
  return withMemory(pdfium, 8, (at) => {
    if (!pdfium.FPDFImageObj_GetImagePixelSize(object, at, at + 4)) return undefined;
    const [width = 0, height = 0] = new Uint32Array(pdfium.pdfium.HEAPU8.slice(at, at + 8).buffer);
    return width > 0 && height > 0 ? { width, height } : undefined;
  });
}

interface Vector {
  readonly x: number;
  readonly y: number;
}

/** The upper left corner of an image on the page as displayed, and its upper and left edges. */
function cornersOf(
  document: PdfiumDocument,
  index: number,
  page: number,
  object: number,
): { origin: Vector; along: Vector; down: Vector } | undefined {
  const { pdfium } = document;
  const { width, height } = document.pageGeometry(index);
  return withMemory(pdfium, 24, (at) => {
    if (!pdfium.FPDFPageObj_GetMatrix(object, at)) return undefined;
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = new Float32Array(pdfium.pdfium.HEAPU8.slice(at, at + 24).buffer);
    const shown = (x: number, y: number): Vector => {
      const [right, bottom] = [Math.round(width * UNITS), Math.round(height * UNITS)];
      pdfium.FPDF_PageToDevice(page, 0, 0, right, bottom, 0, x, y, at, at + 4);
      const [across = 0, below = 0] = new Int32Array(pdfium.pdfium.HEAPU8.slice(at, at + 8).buffer);
      return { x: across / UNITS, y: below / UNITS };
    };
    const [origin, end, foot] = [shown(c + e, d + f), shown(a + c + e, b + d + f), shown(e, f)];
    return {
      origin,
      along: { x: end.x - origin.x, y: end.y - origin.y },
      down: { x: foot.x - origin.x, y: foot.y - origin.y },
    };
  });
}

function placeOf(origin: Vector, along: Vector, down: Vector): Place | undefined {
  const most = SLANT * Math.max(Math.hypot(along.x, along.y), Math.hypot(down.x, down.y)) + 2 / UNITS;
  const lies = Math.abs(along.y) <= most && Math.abs(down.x) <= most;
  if (!lies && (Math.abs(along.x) > most || Math.abs(down.y) > most)) return undefined;
  const [first, second] = lies ? [along.x, down.y] : [along.y, -down.x];
  // One of them alone is a mirror image.
  if (first > 0 !== second > 0) return undefined;
  const turn = lies ? (first > 0 ? 0 : 180) : first > 0 ? 90 : 270;
  const [x, y] = [along.x + down.x, along.y + down.y];
  return {
    left: Math.min(origin.x, origin.x + x),
    top: Math.min(origin.y, origin.y + y),
    width: Math.abs(x),
    height: Math.abs(y),
    turn,
  };
}
