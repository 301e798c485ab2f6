import { type PDFContext, PDFDict, PDFName, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import { applyToBox, type Box, type Matrix, multiply, translation } from '../../structure/geometry/matrix.js';
import { asDict, asName, asNumber, dictOf, elements, entry, resolve, setEntry } from '../../file/objects/index.js';
import { type PageEntry, boxOf, pageRotation } from '../../structure/pages/index.js';
import { matrixOperands } from './numbers.js';
import type { PageOverlay } from './page-overlay.js';

/** Annotation flags (ISO 32000-1, table 165). */
export const annotationFlags = {
  invisible: 1,
  hidden: 2,
  print: 4,
  noZoom: 8,
  noRotate: 16,
  noView: 32,
  readOnly: 64,
} as const;

/** Returns an annotation's flags, 0 by default. */
export function flagsOf(context: PDFContext, annotation: PDFDict): number {
  return asNumber(context, entry(annotation, 'F')) ?? 0;
}

/**
 * Returns the normal appearance of an annotation, the one that /AS names if there are several (ISO 32000-1, 12.5.5).
 */
export function normalAppearance(context: PDFContext, annotation: PDFDict): PDFRef | undefined {
  const appearances = asDict(context, entry(annotation, 'AP'));
  const normal = appearances === undefined ? undefined : entry(appearances, 'N');
  const states = resolve(context, normal);
  const state = asName(context, entry(annotation, 'AS'));
  const chosen = states instanceof PDFDict ? (state === undefined ? undefined : entry(states, state)) : normal;
  return chosen instanceof PDFRef && resolve(context, chosen) instanceof PDFRawStream ? chosen : undefined;
}

/** An annotation's appearance on its page. */
export interface DrawnAnnotation {
  readonly annotation: PDFDict;
  /** The form XObject shown. */
  readonly form: PDFRef;
  /** Its transformation to the page's user space. */
  readonly matrix: Matrix;
}

/**
 * Finds what annotations of a page show on the screen: hidden ones, those for the printer alone and those without an
 * appearance show nothing.
 */
export function drawnAnnotations(
  context: PDFContext,
  page: PageEntry,
  annotations: Iterable<PDFDict>,
): DrawnAnnotation[] {
  const turn = pageRotation(context, page);
  const { hidden, noView } = annotationFlags;
  return [...annotations].flatMap((annotation) => {
    const form =
      (flagsOf(context, annotation) & (hidden | noView)) !== 0 ? undefined : normalAppearance(context, annotation);
    const matrix = form === undefined ? undefined : appearanceMatrix(context, annotation, form, turn);
    return form === undefined || matrix === undefined ? [] : [{ annotation, form, matrix }];
  });
}

/**
 * Flattens the appearances of annotations into page content, in order; the annotations themselves stay. Optional
 * content stays in its layer. `mark` may return the operator that opens marked content around one. Returns the form
 * XObject drawn, or undefined without any.
 */
export function paintAppearances(
  context: PDFContext,
  overlay: PageOverlay,
  page: PageEntry,
  drawn: readonly DrawnAnnotation[],
  mark?: (drawn: DrawnAnnotation, index: number) => string | undefined,
): PDFRef | undefined {
  if (drawn.length === 0) return undefined;
  const [objects, layers] = [dictOf(context, {}), dictOf(context, {})];
  const parts = drawn.map((one, i) => {
    const { annotation, form, matrix } = one;
    completeForm(context, form);
    objects.set(PDFName.of(`A${i}`), form);
    const layer: PDFObject | undefined = entry(annotation, 'OC');
    if (layer !== undefined) layers.set(PDFName.of(`L${i}`), layer);
    const opened = [layer === undefined ? undefined : `/OC /L${i} BDC`, mark?.(one, i)].filter(
      (part) => part !== undefined,
    );
    return [...opened, `q ${matrixOperands(matrix)} cm /A${i} Do Q`, ...opened.map(() => 'EMC')].join(' ');
  });
  const boxes = drawn.map(({ form, matrix }) =>
    applyToBox(multiply(formMatrix(context, form), matrix), formBox(context, form) ?? [0, 0, 0, 0]),
  );
  const [left, bottom] = [0, 1].map((i) => Math.floor(Math.min(...boxes.map((box) => box[i] ?? 0))));
  const [right, top] = [2, 3].map((i) => Math.ceil(Math.max(...boxes.map((box) => box[i] ?? 0))));
  const form = context.register(
    context.flateStream(parts.join('\n'), {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [left ?? 0, bottom ?? 0, right ?? 0, top ?? 0],
      Resources: dictOf(context, { XObject: objects, Properties: layers.keys().length > 0 ? layers : undefined }),
    }),
  );
  overlay.add(page, form);
  return form;
}

/** Adds the entries that a form XObject must have (ISO 32000-1, table 95), so that page content can draw it. */
export function completeForm(context: PDFContext, form: PDFRef): void {
  const stream = asDict(context, form);
  if (stream === undefined) return;
  setEntry(stream, 'Type', PDFName.of('XObject'));
  setEntry(stream, 'Subtype', PDFName.of('Form'));
}

/**
 * Returns the matrix from an appearance to its annotation's rectangle (ISO 32000-1, 12.5.5, algorithm "appearance
 * streams"); an annotation that does not rotate with its page is anchored at its upper left corner (12.5.3). Undefined
 * if nothing of it is visible.
 */
function appearanceMatrix(
  context: PDFContext,
  annotation: PDFDict,
  form: PDFRef,
  pageTurn: number,
): Matrix | undefined {
  const rect = boxOf(context, entry(annotation, 'Rect'));
  const own = formBox(context, form);
  if (rect === undefined || own === undefined) return undefined;
  const [left, bottom, right, top] = applyToBox(formMatrix(context, form), own);
  if (!(right > left && top > bottom && rect[2] > rect[0] && rect[3] > rect[1])) return undefined;
  const [sx, sy] = [(rect[2] - rect[0]) / (right - left), (rect[3] - rect[1]) / (top - bottom)];
  const upright: Matrix = [sx, 0, 0, sy, rect[0] - left * sx, rect[1] - bottom * sy];
  if ((flagsOf(context, annotation) & annotationFlags.noRotate) === 0 || pageTurn === 0) return upright;
  const [cos = 1, sin = 0] =
    [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
    ][pageTurn / 90] ?? [];
  return multiply(
    multiply(multiply(upright, translation(-rect[0], -rect[3])), [cos, sin, -sin, cos, 0, 0]),
    translation(rect[0], rect[3]),
  );
}

function formBox(context: PDFContext, form: PDFRef): Box | undefined {
  const stream = asDict(context, form);
  return stream === undefined ? undefined : boxOf(context, entry(stream, 'BBox'));
}

function formMatrix(context: PDFContext, form: PDFRef): Matrix {
  const stream = asDict(context, form);
  const numbers =
    stream === undefined
      ? []
      : elements(context, entry(stream, 'Matrix')).map((value) => asNumber(context, value) ?? 0);
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers.length === 6 ? numbers : [];
  return [a, b, c, d, e, f];
}
