import { type Pdfium, type PdfiumDocument, withMemory } from '@quire/document/engines/pdfium';

const [TEXT, PATH, FORM] = [1, 2, 5];
const LINK = 2;
/** FPDF_ANNOT_APPEARANCEMODE_NORMAL */
const NORMAL = 0;
/** The smallest QR code has 21 rows of modules; fewer lines cannot draw one. */
export const MIN_SEGMENTS = 100;
/** Maximum number of objects to examine; a page with more may contain anything. */
const MAX_OBJECTS = 20_000;
const MAX_DEPTH = 12;
/** Block elements and geometric shapes, which can draw a code as text. */
const BLOCKS = /[\u2580-\u259f\u25a0-\u25ff]/;

/** Something drawn on a page, in points of the page before it is turned. */
export interface DrawnObject {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
  /** Lines and curves of paths, those in forms included. */
  readonly segments: number;
  readonly texts: number;
  /** Images, shadings and annotations. */
  readonly others: number;
  readonly isForm: boolean;
}

export interface CodeBearer {
  /** `vectors` if lines or glyphs could draw a QR code, `pictures` if only images and the like could. */
  readonly may: 'no' | 'vectors' | 'pictures';
  /** False if the text is known and has no glyphs that could draw a code. */
  readonly glyphs: boolean;
  /** What the page draws; undefined if there is too much to list. */
  readonly objects: readonly DrawnObject[] | undefined;
}

/** Reports whether a page may contain a QR code, without rendering it: not if it has plain text only. */
export function codeBearer(document: PdfiumDocument, index: number): CodeBearer {
  const { pdfium } = document;
  const objects = document.withPage(index, (page) => {
    const left = { objects: MAX_OBJECTS };
    const found: DrawnObject[] = annotationsOf(pdfium, page, left);
    const count = pdfium.FPDFPage_CountObjects(page);
    for (let i = 0; i < count && left.objects > 0; i++)
      found.push(drawnObject(pdfium, pdfium.FPDFPage_GetObject(page, i), left));
    return left.objects > 0 ? found : undefined;
  });
  if (objects === undefined) return { may: 'vectors', glyphs: true, objects };
  const total = (of: 'segments' | 'texts' | 'others'): number => objects.reduce((sum, object) => sum + object[of], 0);
  // Glyphs without a known meaning may be anything.
  const text = total('texts') > 0 ? document.pageText(index) : 'none';
  const glyphs = BLOCKS.test(text) || !/[\p{L}\p{N}]/u.test(text);
  if (glyphs || total('segments') >= MIN_SEGMENTS) return { may: 'vectors', glyphs, objects };
  return { may: total('others') > 0 ? 'pictures' : 'no', glyphs, objects };
}

interface Left {
  objects: number;
}

function drawnObject(pdfium: Pdfium, object: number, left: Left): DrawnObject {
  const counted = { segments: 0, texts: 0, others: 0 };
  countObject(pdfium, object, counted, left, 0);
  const box = withMemory(pdfium, 16, (at) => {
    // Without bounds it may be anywhere.
    if (!pdfium.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12)) return undefined;
    return floats(pdfium, at);
  });
  const [from = -Infinity, bottom = -Infinity, right = Infinity, top = Infinity] = box ?? [];
  return { left: from, bottom, right, top, ...counted, isForm: pdfium.FPDFPageObj_GetType(object) === FORM };
}

function countObject(
  pdfium: Pdfium,
  object: number,
  counted: { segments: number; texts: number; others: number },
  left: Left,
  depth: number,
): void {
  if (--left.objects <= 0) return;
  const type = pdfium.FPDFPageObj_GetType(object);
  if (type === TEXT) counted.texts++;
  else if (type === PATH) counted.segments += Math.max(0, pdfium.FPDFPath_CountSegments(object));
  else if (type !== FORM) counted.others++;
  else if (depth >= MAX_DEPTH) left.objects = 0;
  else {
    const inner = pdfium.FPDFFormObj_CountObjects(object);
    for (let i = 0; i < inner && left.objects > 0; i++)
      countObject(pdfium, pdfium.FPDFFormObj_GetObject(object, i), counted, left, depth + 1);
  }
}

/** The annotations of a page; links without an appearance draw nothing. */
function annotationsOf(pdfium: Pdfium, page: number, left: Left): DrawnObject[] {
  const found: DrawnObject[] = [];
  const count = pdfium.FPDFPage_GetAnnotCount(page);
  for (let i = 0; i < count && --left.objects > 0; i++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, i);
    if (annotation === 0) continue;
    try {
      const isLink = pdfium.FPDFAnnot_GetSubtype(annotation) === LINK;
      if (isLink && pdfium.FPDFAnnot_GetAP(annotation, NORMAL, 0, 0) <= 2) continue;
      const box = withMemory(pdfium, 16, (at) =>
        pdfium.FPDFAnnot_GetRect(annotation, at) ? floats(pdfium, at) : undefined,
      );
      const [from = -Infinity, top = Infinity, right = Infinity, bottom = -Infinity] = box ?? [];
      found.push({ left: from, bottom, right, top, segments: 0, texts: 0, others: 1, isForm: false });
    } finally {
      pdfium.FPDFPage_CloseAnnot(annotation);
    }
  }
  return found;
}

const floats = (pdfium: Pdfium, at: number): Float32Array =>
  new Float32Array(pdfium.pdfium.HEAPU8.slice(at, at + 16).buffer);
