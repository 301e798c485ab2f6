import type { ByteWriter } from './byte-writer.js';
import { deflateFitted } from '../zlib/index.js';

/** The cross-reference entry of one object; positions count from the header. */
export type Line =
  | { readonly kind: 'free'; readonly generation: number }
  | { readonly kind: 'at'; readonly position: number; readonly generation: number }
  | { readonly kind: 'in'; readonly stream: number; readonly index: number };

/** Entries of consecutive object numbers. */
export type Run = readonly [first: number, lines: readonly Line[]];

/** Writes the trailer entries besides /Size: `/Root 1 0 R`. */
export type TrailerEntries = (out: ByteWriter) => void;

/** The head of the list of free objects (ISO 32000-1, 7.5.4). */
export const FREE_LIST_HEAD: Line = { kind: 'free', generation: 65_535 };

/** The largest offset that fits into a table's ten digits. */
export const MAX_TABLE_OFFSET = 9_999_999_999;

/** The names of a filter and its parameters take more bytes than deflating so few saves. */
const MAX_PLAIN_BYTES = 72;

/**
 * Writes a cross-reference table, its trailer and `startxref`. Free objects all point to number 0, which the standard
 * allows.
 */
export function writeTable(
  out: ByteWriter,
  start: number,
  all: readonly Run[],
  size: number,
  trailer: TrailerEntries,
): void {
  out.text('xref\n');
  for (const [first, run] of all) {
    out.text(`${first} ${run.length}\n`);
    for (const line of run) {
      const [offset, generation] =
        line.kind === 'at' ? [line.position, line.generation] : [0, line.kind === 'free' ? line.generation : 0];
      out.text(
        `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} ` +
          `${line.kind === 'at' ? 'n' : 'f'} \n`,
      );
    }
  }
  if (all.length === 0) out.text('0 0\n');
  out.text(`trailer\n<</Size ${size}`);
  trailer(out);
  out.text(`>>\nstartxref\n${start}\n%%EOF\n`);
}

/**
 * Writes a cross-reference stream (ISO 32000-1, 7.5.8) as object `number` at `start`, its own entry among the given
 * ones, and `startxref`. Rows are encoded as differences to the row above (PNG's Up), which deflates to a third; a few
 * rows are written as they are.
 */
export function writeStream(
  out: ByteWriter,
  start: number,
  number: number,
  all: readonly Run[],
  size: number,
  trailer: TrailerEntries,
): void {
  const widths = widthsOf(all);
  const columns = widths.reduce((sum, width) => sum + width, 0);
  const plain = table(all, widths);
  const packs = plain.length > MAX_PLAIN_BYTES;
  const data = packs ? deflateFitted(predicted(plain, columns)) : plain;
  const filter = packs ? `/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns ${columns}>>` : '';
  const whole = all.length === 1 && all[0]?.[0] === 0;
  const index = whole ? '' : `/Index[${all.map(([first, run]) => `${first} ${run.length}`).join(' ')}]`;
  out.text(`${number} 0 obj\n<</Type/XRef/Size ${size}/W[${widths.join(' ')}]${index}`);
  trailer(out);
  out.text(`${filter}/Length ${data.length}>>\nstream\n`);
  out.bytes(data);
  out.text(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`);
}

/** Types of entries (ISO 32000-1, table 18). */
const [UNUSED, AT, IN] = [0, 1, 2] as const;
/** The second field of a row: where an object is. */
const placeOf = (line: Line): number => (line.kind === 'at' ? line.position : line.kind === 'in' ? line.stream : 0);
const thirdOf = (line: Line): number => (line.kind === 'in' ? line.index : line.generation);

function widthsOf(all: readonly Run[]): readonly [number, number, number] {
  let [place, third] = [0, 0];
  for (const [, run] of all)
    for (const line of run) {
      place = Math.max(place, placeOf(line));
      third = Math.max(third, thirdOf(line));
    }
  return [1, widthOf(place), widthOf(third)];
}

function widthOf(largest: number): number {
  let width = 1;
  for (let rest = Math.floor(largest / 256); rest > 0; rest = Math.floor(rest / 256)) width++;
  return width;
}

function table(all: readonly Run[], [, wide, narrow]: readonly [number, number, number]): Uint8Array {
  const rows = all.reduce((sum, [, run]) => sum + run.length, 0);
  const plain = new Uint8Array(rows * (1 + wide + narrow));
  let at = 0;
  const put = (number: number, width: number): void => {
    for (let j = at + width - 1, value = number; j >= at; j--) {
      plain[j] = value % 256;
      value = Math.floor(value / 256);
    }
    at += width;
  };
  for (const [, run] of all)
    for (const line of run) {
      put(line.kind === 'at' ? AT : line.kind === 'in' ? IN : UNUSED, 1);
      put(placeOf(line), wide);
      put(thirdOf(line), narrow);
    }
  return plain;
}

function predicted(plain: Uint8Array, columns: number): Uint8Array {
  const rows = plain.length / columns;
  const data = new Uint8Array(rows * (columns + 1));
  for (let row = 0; row < rows; row++) {
    data[row * (columns + 1)] = 2;
    for (let j = 0; j < columns; j++) {
      const above = row === 0 ? 0 : (plain[(row - 1) * columns + j] ?? 0);
      data[row * (columns + 1) + 1 + j] = (plain[row * columns + j] ?? 0) - above;
    }
  }
  return data;
}

/** Joins entries of consecutive numbers; `lines` are in ascending order. */
export function runsOf(lines: Iterable<readonly [number: number, line: Line]>): Run[] {
  const all: [number, Line[]][] = [];
  for (const [number, line] of lines) {
    const last = all.at(-1);
    if (last === undefined || number !== last[0] + last[1].length) all.push([number, [line]]);
    else last[1].push(line);
  }
  return all;
}
