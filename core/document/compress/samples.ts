import { inflateSync } from 'node:zlib';
import type { PDFContext, PDFRawStream } from 'pdf-lib';
import { asDict, asName, asNumber, elements, entry, resolve } from '../objects/index.js';

/** Names of a stream's filters, in order of decoding. */
export function filtersOf(context: PDFContext, stream: PDFRawStream): string[] {
  const filter = entry(stream.dict, 'Filter') ?? entry(stream.dict, 'F');
  const single = asName(context, filter);
  if (single !== undefined) return [single];
  return elements(context, filter).map((item) => asName(context, item) ?? '');
}

/** Undoes a stream's Flate filters and gives what is left to undo; undefined when it is broken or larger than `limit` bytes. */
export function inflate(context: PDFContext, stream: PDFRawStream, limit: number): { data: Uint8Array; rest: string[] } | undefined {
  const rest = filtersOf(context, stream);
  const parms = entry(stream.dict, 'DecodeParms') ?? entry(stream.dict, 'DP');
  const list = resolve(context, parms) === undefined ? [] : asDict(context, parms) !== undefined ? [parms] : elements(context, parms);
  let data: Uint8Array = stream.contents;
  for (let i = 0; rest[0] === 'FlateDecode' || rest[0] === 'Fl'; i++) {
    try {
      data = inflateSync(data, { maxOutputLength: limit });
    } catch {
      return undefined;
    }
    rest.shift();
    const dict = asDict(context, list[i]);
    const number = (key: string, otherwise: number): number => (dict === undefined ? otherwise : (asNumber(context, entry(dict, key)) ?? otherwise));
    const plain = undoPredictor(data, number('Predictor', 1), number('Colors', 1), number('BitsPerComponent', 8), number('Columns', 1));
    if (plain === undefined) return undefined;
    data = plain;
  }
  return { data, rest };
}

/** PNG predictors (10 to 15, the tag is in each row) and none; TIFF's own is rare and left (ISO 32000-1, 7.4.4.4). */
function undoPredictor(data: Uint8Array, predictor: number, colors: number, bits: number, columns: number): Uint8Array | undefined {
  if (predictor <= 1) return data;
  if (predictor < 10) return undefined;
  const step = Math.max(1, (colors * bits) >> 3);
  const width = Math.ceil((colors * bits * columns) / 8);
  const rows = Math.floor((data.length + width) / (width + 1));
  const out = new Uint8Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const tag = data[row * (width + 1)] ?? 0;
    const from = row * (width + 1) + 1;
    const to = row * width;
    for (let i = 0; i < width; i++) {
      const left = i >= step ? (out[to + i - step] ?? 0) : 0;
      const up = row > 0 ? (out[to - width + i] ?? 0) : 0;
      const corner = row > 0 && i >= step ? (out[to - width + i - step] ?? 0) : 0;
      out[to + i] = (data[from + i] ?? 0) + predicted(tag, left, up, corner);
    }
  }
  return out;
}

function predicted(tag: number, left: number, up: number, corner: number): number {
  switch (tag) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4: {
      const p = left + up - corner;
      const [a, b, c] = [Math.abs(p - left), Math.abs(p - up), Math.abs(p - corner)];
      return a <= b && a <= c ? left : b <= c ? up : corner;
    }
    default:
      return 0;
  }
}
