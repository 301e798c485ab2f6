import { PDFDict, PDFName, PDFNumber, type PDFObject, PDFRawStream } from 'pdf-lib';
import { DocumentError } from '../../errors.js';
import { decodeNoting } from './decode-stream.js';
import type { Parsed } from './indirect-object.js';
import type { WindowParser } from './window-parser.js';

/** An inflated object stream (ISO 32000-1, 7.5.7). */
export interface ObjectStream {
  readonly data: Uint8Array;
  /** Object numbers in the order of the stream, and where each begins in `data`. */
  readonly numbers: readonly number[];
  readonly offsets: readonly number[];
  /** True when something else than numbers is among the positions. */
  readonly broken: boolean;
}

/**
 * Inflates an object stream and reads the positions of its objects; undefined when the object is not an object stream.
 * Throws the errors of `decodeStream`.
 */
export function openObjectStream(
  stream: PDFObject | undefined,
  resolve: (value: PDFObject | undefined) => PDFObject | undefined,
): ObjectStream | undefined {
  if (!(stream instanceof PDFRawStream)) return undefined;
  const number = (key: string): number | undefined => {
    const value = resolve(stream.dict.get(PDFName.of(key)));
    return value instanceof PDFNumber && value.asNumber() >= 0 ? Math.trunc(value.asNumber()) : undefined;
  };
  const first = number('First');
  if (first === undefined || number('N') === undefined) return undefined;
  const decoded = decodeNoting(stream, resolve);
  if (decoded === undefined) return undefined;
  const { data, damaged } = decoded;
  const head = Buffer.from(data.buffer, data.byteOffset, Math.min(first, data.byteLength)).toString('latin1');
  const values = (head.match(/\d+/g) ?? []).map(Number);
  const pairs = Math.min(number('N') ?? 0, values.length >> 1);
  const numbers = new Array<number>(pairs);
  const offsets = new Array<number>(pairs);
  for (let i = 0; i < pairs; i++) {
    numbers[i] = values[2 * i] ?? 0;
    offsets[i] = first + (values[2 * i + 1] ?? 0);
  }
  return { data, numbers, offsets, broken: damaged || /[^\d\s\0]/.test(head.replaceAll(/%[^\r\n]*/g, '')) };
}

/** Parses one object of an object stream; the index of its entry is a hint, its number decides. */
export function objectIn(
  stream: ObjectStream,
  number: number,
  hint: number,
  parser: WindowParser,
): Pick<Parsed, 'object' | 'hasStrings' | 'nulled' | 'broken'> | undefined {
  const index = stream.numbers[hint] === number ? hint : stream.numbers.indexOf(number);
  const offset = stream.offsets[index];
  if (offset === undefined || offset >= stream.data.length) return undefined;
  const next = stream.offsets[index + 1];
  const ends = next !== undefined && next > offset ? [next, stream.data.length] : [stream.data.length];
  let partly: ReturnType<typeof objectIn>;
  for (const end of ends) {
    parser.begin(stream.data, offset, end);
    try {
      const object = parser.parseObject();
      if (parser.streamAt !== undefined && object instanceof PDFDict) return undefined;
      const { hasStrings, nulled } = parser;
      if (!parser.broken) return { object, hasStrings, nulled, broken: false };
      partly ??= { object, hasStrings, nulled, broken: true };
    } catch (error) {
      if (error instanceof DocumentError) throw error;
    }
  }
  return partly;
}
