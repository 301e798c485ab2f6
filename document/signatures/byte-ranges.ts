import type { ByteWindows } from '../file/reader/index.js';
import { placesIn } from './file-dictionary.js';
import type { ByteRange } from './signature-slot.js';

/** Covered ranges of a signature and its value, from the bytes of the file. */
export interface SignedRange {
  readonly byteRange: ByteRange;
  /** The value with its padding. */
  readonly contents: Uint8Array;
}

/** How a range is not what it must be: a sentence without its full stop. */
export interface RangeFault {
  readonly fault: string;
}

/** The first byte that a range leaves to the rest of the file. */
export function endOf([, , start, length]: ByteRange): number {
  return start + length;
}

/**
 * Reads what the signature dictionary at `position` covers. Of the ways in which a range may be written, only that one
 * counts which leaves out nothing but the digits of the dictionary's own value, `[0 a b c]` (ISO 32000-2, 12.8.1):
 * whatever else is left out may have been changed.
 */
export function readRange(windows: ByteWindows, position: number): SignedRange | RangeFault {
  const entries = placesIn(windows, position);
  if (entries === undefined) return { fault: 'the signature dictionary cannot be read' };
  const [range, otherRange] = entries.get('ByteRange') ?? [];
  const [value, otherValue] = entries.get('Contents') ?? [];
  if (range === undefined) return { fault: 'the signature has no ByteRange' };
  if (value === undefined) return { fault: 'the signature has no Contents' };
  if (otherRange !== undefined || otherValue !== undefined)
    return { fault: 'the signature has its ByteRange or its Contents twice' };
  const found =
    /^\[[\0\t\n\f\r ]*(\d{1,15})[\0\t\n\f\r ]+(\d{1,15})[\0\t\n\f\r ]+(\d{1,15})[\0\t\n\f\r ]+(\d{1,15})[\0\t\n\f\r ]*\]$/.exec(
      windows.text(range.start, Math.min(range.end, range.start + 4096)),
    );
  const [first = 0, length = 0, second = 0, rest = 0] = found?.slice(1).map(Number) ?? [];
  if (found === null) return { fault: 'the ByteRange of the signature is not four numbers' };
  if (first !== 0) return { fault: 'the ByteRange does not begin with the first byte of the file' };
  if (second + rest > windows.size) return { fault: 'the ByteRange goes beyond the end of the file' };
  if (length !== value.start || second !== value.end)
    return { fault: 'the ByteRange leaves out something else than the value of the signature' };
  const digits = windows.text(value.start + 1, value.end - 1).replace(/[\0\t\n\f\r ]/g, '');
  if (windows.text(value.start, value.start + 1) !== '<' || !/^[\da-f]+$/i.test(digits))
    return { fault: 'the value of the signature is not written in hexadecimal digits' };
  return {
    byteRange: [0, length, second, rest],
    contents: new Uint8Array(Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')),
  };
}

/** The bytes within a range, piece by piece; each is good until the next is asked for. */
export function* bytesWithin(windows: ByteWindows, [first, length, second, rest]: ByteRange): Iterable<Uint8Array> {
  yield* windows.pieces(first, first + length);
  yield* windows.pieces(second, second + rest);
}
