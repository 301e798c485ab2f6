import { type PDFContext, PDFDict, PDFName, PDFRawStream, type PDFRef } from 'pdf-lib';
import {
  type Box,
  boxAround,
  type ContentColour,
  ContentName,
  type ContentReader,
  type Frame,
  identity,
  inverse,
  type Matrix,
  multiply,
  operatorText,
  quadOf,
} from '../../content/index.js';
import { asName, asNumber, elements, entry, resolve, setEntry } from '../../file/objects/index.js';
import { boxOf } from '../../structure/pages/index.js';

/** Fraction of a step that is ignored as a rounding error. */
const EDGE = 1e-6;

/** A tiling pattern and the positions of its tiles (ISO 32000-1, 8.7.3). */
export interface Tiling {
  readonly stream: PDFRawStream;
  /** From pattern space to default user space of the page. */
  readonly matrix: Matrix;
  readonly cell: Box;
  readonly stepX: number;
  readonly stepY: number;
  /** True for a pattern without colours, which is drawn in the current colour. */
  readonly isUncoloured: boolean;
}

/**
 * Returns the tiling pattern of a colour; undefined for other colours and patterns. Pattern space is relative to the
 * page or form that uses the pattern.
 */
export function tilingOf(reader: ContentReader, frame: Frame, { pattern }: ContentColour): Tiling | undefined {
  const { context } = reader;
  const stream = pattern === undefined ? undefined : resolve(context, reader.resource(frame, 'Pattern', pattern));
  if (!(stream instanceof PDFRawStream)) return undefined;
  const cell = boxOf(context, entry(stream.dict, 'BBox'));
  const [stepX, stepY] = (['XStep', 'YStep'] as const).map((key) =>
    Math.abs(asNumber(context, entry(stream.dict, key)) ?? 0),
  ) as [number, number];
  if (cell === undefined || stepX === 0 || stepY === 0) return undefined;
  return {
    stream,
    matrix: multiply(reader.matrix(stream.dict), frame.ctm ?? identity),
    cell,
    stepX,
    stepY,
    isUncoloured: asNumber(context, entry(stream.dict, 'PaintType')) === 2,
  };
}

/**
 * Returns the positions, in steps, of the tiles that are visible in a box of the page; undefined if there are too many.
 */
export function tilesIn(
  { matrix, cell, stepX, stepY }: Tiling,
  box: Box,
  most: number,
): readonly (readonly [number, number])[] | undefined {
  const back = inverse(matrix);
  if (back === undefined || box.some((edge) => !Number.isFinite(edge))) return undefined;
  const [left, bottom, right, top] = boxAround(quadOf(back, box));
  // Tiles that only touch the box show nothing in it.
  const first = (low: number, high: number, step: number): number => Math.floor((low - high) / step + EDGE) + 1;
  const last = (high: number, low: number, step: number): number => Math.ceil((high - low) / step - EDGE) - 1;
  const [x0, x1] = [first(left, cell[2], stepX), last(right, cell[0], stepX)];
  const [y0, y1] = [first(bottom, cell[3], stepY), last(top, cell[1], stepY)];
  if (!((x1 - x0 + 1) * (y1 - y0 + 1) <= most)) return undefined;
  const tiles: [number, number][] = [];
  for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) tiles.push([x * stepX, y * stepY]);
  return tiles;
}

/** Returns the matrix from tile space to default user space of the page. */
export function tileMatrix({ matrix }: Tiling, [x, y]: readonly [number, number]): Matrix {
  return multiply([1, 0, 0, 1, x, y], matrix);
}

/**
 * Returns a form that draws one tile from a pattern cell or a changed copy of it. With `isPiece` it is a transparency
 * group, so that opacity applies to the tile as a whole.
 */
export function tileForm(context: PDFContext, cell: PDFRawStream, isPiece: boolean): PDFRef {
  const dict = PDFDict.fromMapWithContext(new Map(cell.dict.entries()), context);
  for (const key of ['PatternType', 'PaintType', 'TilingType', 'XStep', 'YStep', 'Matrix'])
    setEntry(dict, key, undefined);
  setEntry(dict, 'Type', PDFName.of('XObject'));
  setEntry(dict, 'Subtype', PDFName.of('Form'));
  if (isPiece) setEntry(dict, 'Group', context.obj({ S: 'Transparency' }));
  return context.register(PDFRawStream.of(dict, cell.contents));
}

/**
 * Returns the operators that set the colour of an uncoloured pattern; undefined if its colour space does not define it.
 */
export function underlyingColour(
  reader: ContentReader,
  frame: Frame,
  { space, values }: ContentColour,
): string | undefined {
  const { context } = reader;
  const [, base] = elements(context, reader.resource(frame, 'ColorSpace', space));
  if (base === undefined) return undefined;
  const name = asName(context, base) ?? frame.resourceName('ColorSpace', base, 'Tint');
  return ['cs', 'CS']
    .map(
      (set) => `${operatorText(set, new ContentName(name))}\n${operatorText(set === 'cs' ? 'scn' : 'SCN', ...values)}`,
    )
    .join('\n');
}
