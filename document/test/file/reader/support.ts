import { deflateSync } from 'node:zlib';
import { bounds } from '../../../bounds.js';

/** A cross-reference entry of a generated file: a position, or an object stream and an index. */
export type Place = number | readonly [stream: number, index: number];

/** Lays out objects one after another and returns their positions. */
export function layOut(
  objects: Readonly<Record<number, string>>,
  before = '%PDF-1.7\n',
): { text: string; places: Map<number, number> } {
  let text = before;
  const places = new Map<number, number>();
  for (const [number, body] of Object.entries(objects)) {
    places.set(Number(number), text.length);
    text += `${number} 0 obj\n${body}\nendobj\n`;
  }
  return { text, places };
}

/** Returns a stream object's text. */
export function streamText(dict: string, data: Uint8Array): string {
  return `<<${dict}/Length ${data.length}>>\nstream\n${Buffer.from(data).toString('latin1')}\nendstream`;
}

/** Returns a table of these positions, with trailer and startxref. */
export function table(at: number, places: ReadonlyMap<number, number>, trailer: string, lineEnd = ' \n'): string {
  const entry = (offset: number, generation: number, kind: string): string =>
    `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} ${kind}${lineEnd}`;
  const runs = [...places].map(([number, offset]) => `${number} 1\n${entry(offset, 0, 'n')}`).join('');
  return `xref\n0 1\n${entry(0, 65_535, 'f')}${runs}trailer\n<<${trailer}>>\nstartxref\n${at}\n%%EOF\n`;
}

/** Encodes the rows of a cross-reference stream with a PNG predictor (the filter types in turn) or none. */
export function crossReferenceStream(
  number: number,
  places: ReadonlyMap<number, Place>,
  trailer: string,
  predictor: 0 | 10 | 2 = 10,
): string {
  const numbers = [...places.keys()].sort((a, b) => a - b);
  const rows = numbers.map((each) => {
    const place = places.get(each) ?? 0;
    return typeof place === 'number'
      ? [1, place >> 16, (place >> 8) & 255, place & 255, 0]
      : [2, 0, place[0] >> 8, place[0] & 255, place[1]];
  });
  const zeros = [0, 0, 0, 0, 0];
  const predicted = rows.flatMap((row, i) => {
    const up = rows[i - 1] ?? zeros;
    if (predictor === 0) return row;
    if (predictor === 2) return row.map((byte, j) => (byte - (row[j - 1] ?? 0)) & 255);
    const kind = i % 5;
    return [
      kind,
      ...row.map((byte, j) => (byte - guess(kind, row[j - 1] ?? 0, up[j] ?? 0, j === 0 ? 0 : (up[j - 1] ?? 0))) & 255),
    ];
  });
  const parameters = predictor === 0 ? '' : `/DecodeParms<</Predictor ${predictor === 2 ? 2 : 15}/Columns 5>>`;
  const index = numbers.map((each) => `${each} 1`).join(' ');
  const dict = `/Type/XRef/W[1 3 1]/Index[${index}]/Filter/FlateDecode${parameters}${trailer}`;
  return `${number} 0 obj\n${streamText(dict, deflateSync(Uint8Array.from(predicted)))}\nendobj\n`;
}

function guess(kind: number, left: number, up: number, corner: number): number {
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  if (kind !== 4) return 0;
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** The bytes of a text with one byte per character. */
export function latin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** A catalog and two pages. */
export const TWO_PAGES: Readonly<Record<number, string>> = {
  1: '<</Type/Catalog/Pages 2 0 R>>',
  2: '<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>',
  3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>',
  4: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>',
};

/** A file of these objects with a table. */
export function plain(objects: Readonly<Record<number, string>> = TWO_PAGES, extra = ''): string {
  const { text, places } = layOut(objects);
  return text + table(text.length, places, `/Size ${places.size + 1}/Root 1 0 R${extra}`);
}

/** Runs work with lower limits: a test of a limit need not be as large or slow as the limit itself. */
export function withBounds(lower: Partial<Record<keyof typeof bounds, number>>, work: () => void): void {
  const before = { ...bounds };
  Object.assign(bounds, lower);
  try {
    work();
  } finally {
    Object.assign(bounds, before);
  }
}
