import { type PDFArray, type PDFContext, PDFDict, PDFNumber, type PDFObject } from 'pdf-lib';
import { arrayOf, asArray, asDict, asName, asNumber, elements, entry, setEntry } from '../../file/objects/index.js';
import { boxOf } from '../pages/index.js';
import { applyToBox, applyToPoint, type Box, type Matrix, scaleOf, turns } from './matrix.js';
import { boxNumbers } from './write-numbers.js';

/**
 * Returns the measure dictionary of a moved object (ISO 32000-1, 12.9): a rectilinear one measures lengths on the page,
 * so its factors shrink when the page grows. Returns undefined if the value is not a dictionary. `from` is the viewport
 * that contains a geospatial one (ISO 32000-2, 12.10).
 */
export function movedMeasure(
  context: PDFContext,
  value: PDFObject | undefined,
  matrix: Matrix,
  from?: Box,
): PDFDict | undefined {
  const own = asDict(context, value);
  if (own === undefined) return undefined;
  const copy = PDFDict.fromMapWithContext(new Map(own.entries()), context);
  if (asName(context, entry(own, 'Subtype')) === 'GEO') {
    if (from !== undefined && turns(matrix))
      for (const key of ['LPTS', 'Bounds']) setEntry(copy, key, turnedPoints(context, entry(own, key), matrix, from));
    return copy;
  }
  const origin = elements(context, entry(own, 'O')).map((part) => asNumber(context, part));
  if (origin[0] !== undefined && origin[1] !== undefined)
    setEntry(
      copy,
      'O',
      arrayOf(
        context,
        applyToPoint(matrix, [origin[0], origin[1]]).map((part) => PDFNumber.of(part)),
      ),
    );
  const scale = scaleOf(matrix) || 1;
  // Without /Y both axes have the same scale; on a page that is rotated by 90 degrees they are swapped.
  const [x, y] = [entry(own, 'X'), entry(own, 'Y')].map((formats) => scaledFormats(context, formats, scale));
  const onSide = turns(matrix) && Math.abs(matrix[1]) > Math.abs(matrix[0]);
  setEntry(copy, 'X', onSide ? (y ?? x) : x);
  setEntry(copy, 'Y', onSide && y !== undefined ? x : y);
  return copy;
}

/** Moves the viewports of a page: returns new ones for the page that shows it (ISO 32000-1, table 260). */
export function movedViewports(context: PDFContext, value: PDFObject | undefined, matrix: Matrix): PDFObject[] {
  return elements(context, value).flatMap((item) => {
    const own = asDict(context, item);
    const box = own === undefined ? undefined : boxOf(context, entry(own, 'BBox'));
    if (own === undefined || box === undefined) return [];
    const copy = PDFDict.fromMapWithContext(new Map(own.entries()), context);
    setEntry(copy, 'BBox', boxNumbers(context, applyToBox(matrix, box)));
    setEntry(copy, 'Measure', movedMeasure(context, entry(own, 'Measure'), matrix, box));
    return [copy];
  });
}

/** The first format defines how many of its units a page unit has; the others subdivide it (ISO 32000-1, table 262). */
function scaledFormats(context: PDFContext, value: PDFObject | undefined, scale: number): PDFArray | undefined {
  const formats = asArray(context, value)?.asArray();
  const first = formats === undefined ? undefined : asDict(context, formats[0]);
  const factor = first === undefined ? undefined : asNumber(context, entry(first, 'C'));
  if (formats === undefined || first === undefined || factor === undefined) return asArray(context, value);
  const copy = PDFDict.fromMapWithContext(new Map(first.entries()), context);
  setEntry(copy, 'C', PDFNumber.of(factor / scale));
  return arrayOf(context, [copy, ...formats.slice(1)]);
}

/** Rotates points that are fractions of a viewport's width and height along with the viewport. */
function turnedPoints(
  context: PDFContext,
  value: PDFObject | undefined,
  matrix: Matrix,
  from: Box,
): PDFObject | undefined {
  const parts = asArray(context, value)
    ?.asArray()
    .map((part) => asNumber(context, part) ?? 0);
  if (parts === undefined) return value;
  const to = applyToBox(matrix, from);
  const moved: PDFNumber[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [x, y] = applyToPoint(matrix, [
      from[0] + (parts[i] ?? 0) * (from[2] - from[0]),
      from[1] + (parts[i + 1] ?? 0) * (from[3] - from[1]),
    ]);
    moved.push(
      ...[(x - to[0]) / (to[2] - to[0]), (y - to[1]) / (to[3] - to[1])].map((part) =>
        PDFNumber.of(Math.round(part * 1e6) / 1e6),
      ),
    );
  }
  return arrayOf(context, moved);
}
