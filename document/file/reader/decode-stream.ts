import { constants, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject, type PDFRawStream } from 'pdf-lib';
import { bounds, inflateLimit, inflatesTooFar } from '../../bounds.js';
import { DocumentError } from '../../errors.js';
import { takeInflated } from '../source/index.js';
import { chunkFor, inflateBeginning, inflateShort } from '../zlib/index.js';
import { LONG_FILTERS } from './long-filters.js';
import { undoPrediction } from './predictors.js';

const [FILTER, FILTER_SHORT] = [PDFName.of('Filter'), PDFName.of('F')];
const [PARAMETERS, PARAMETERS_SHORT] = [PDFName.of('DecodeParms'), PDFName.of('DP')];
/** The most bytes recovered from damaged data. */
const MAX_RECOVERED_BYTES = 16 * 1024 * 1024;

/**
 * Decodes a stream through its filters: Flate, LZW (with every predictor), ASCIIHex, ASCII85, RunLength (ISO 32000-1,
 * 7.4); undefined for other filters or when nothing is readable. Truncated data is decoded as far as it goes. Throws
 * PDF_OBJECT_TOO_LARGE above 256 MiB, PDF_RATIO above 10 MiB and 1:200, PDF_FILTERS.
 */
export function decodeStream(
  stream: PDFRawStream,
  resolve: (value: PDFObject | undefined) => PDFObject | undefined,
): Uint8Array | undefined {
  return decodeNoting(stream, resolve)?.data;
}

/** As `decodeStream`, and says whether something in the data was skipped or is missing. */
export function decodeNoting(
  stream: PDFRawStream,
  resolve: (value: PDFObject | undefined) => PDFObject | undefined,
): { readonly data: Uint8Array; readonly damaged: boolean } | undefined {
  let damaged = false;
  const front = decodeFront(stream, resolve, undefined, () => (damaged = true));
  return front?.left.length === 0 ? { data: front.data, damaged } : undefined;
}

const FLATE = PDFName.of('FlateDecode');
/** Deflate packs 1:1032 at most, so a stream of this many bytes cannot inflate to more than any stream may. */
const HARMLESS_PACKED = Math.floor(bounds.freeBytes / 1032);

/**
 * The first `most` bytes of what `decodeStream` returns, in a view that the next call writes to; undefined for a stream
 * that is not short and simply Flate, or is damaged there: it has to be decoded.
 */
export function decodeBeginning({ dict, contents }: PDFRawStream, most: number): Uint8Array | undefined {
  if (contents.length > HARMLESS_PACKED || dict.get(FILTER) !== FLATE) return undefined;
  if (dict.has(PARAMETERS) || dict.has(PARAMETERS_SHORT)) return undefined;
  const beginning = inflateBeginning(contents, most);
  return beginning?.length === 0 ? undefined : beginning;
}

/** A stream decoded up to its first image filter. */
export interface DecodedFront {
  readonly data: Uint8Array;
  /** Long names of the remaining filters (ISO 32000-1, tables 6 and 94). */
  readonly left: readonly string[];
}

/**
 * Decodes a stream as far as `decodeStream` can and names the remaining filters: none, or those of an image (DCTDecode,
 * JPXDecode). Undefined when nothing is readable. Decodes at most `limit` bytes, by default what `bounds.ts` allows,
 * and calls `onDamage` where data is skipped or ends early. Throws the errors of `decodeStream`.
 */
export function decodeFront(
  stream: PDFRawStream,
  resolve: (value: PDFObject | undefined) => PDFObject | undefined,
  limit = inflateLimit(stream.contents.length),
  onDamage: () => unknown = () => undefined,
): DecodedFront | undefined {
  const filters = listOf(resolve(stream.dict.get(FILTER) ?? stream.dict.get(FILTER_SHORT)), resolve);
  const parameters = listOf(resolve(stream.dict.get(PARAMETERS) ?? stream.dict.get(PARAMETERS_SHORT)), resolve);
  if (filters.length > bounds.filters)
    throw new DocumentError('PDF_FILTERS', { found: filters.length, limit: bounds.filters });
  let data: Uint8Array | undefined = stream.contents;
  for (const [i, filter] of filters.entries()) {
    if (data === undefined || !(filter instanceof PDFName)) return undefined;
    if (pictureFilters.has(longName(filter)))
      return { data, left: filters.slice(i).map((name) => (name instanceof PDFName ? longName(name) : '')) };
    const own = parameters[i];
    const number = (key: string, otherwise: number): number => {
      const value = own instanceof PDFDict ? resolve(own.get(PDFName.of(key))) : undefined;
      return value instanceof PDFNumber ? value.asNumber() : otherwise;
    };
    data = decodeOnce(longName(filter), data, { limit, number, onDamage });
  }
  return data === undefined ? undefined : { data, left: [] };
}

/** Filters that only readers of images decode. */
const pictureFilters: ReadonlySet<string> = new Set(['DCTDecode', 'CCITTFaxDecode', 'JBIG2Decode', 'JPXDecode']);

const longName = (filter: PDFName): string => LONG_FILTERS.get(filter.decodeText()) ?? filter.decodeText();

interface Decoding {
  /** Most bytes of the result. */
  readonly limit: number;
  /** Returns a number among the filter's parameters. */
  readonly number: (key: string, otherwise: number) => number;
  readonly onDamage: () => unknown;
}

function decodeOnce(filter: string, data: Uint8Array, decoding: Decoding): Uint8Array | undefined {
  const { limit, number, onDamage } = decoding;
  const unpredicted = (plain: Uint8Array | undefined): Uint8Array | undefined =>
    plain &&
    undoPrediction(plain, {
      predictor: number('Predictor', 1),
      colors: number('Colors', 1),
      bitsPerComponent: number('BitsPerComponent', 8),
      columns: number('Columns', 1),
    });
  switch (filter) {
    case 'FlateDecode':
      return unpredicted(inflate(data, limit, onDamage));
    case 'LZWDecode':
      return unpredicted(unpackLzw(data, number('EarlyChange', 1), limit, onDamage));
    case 'ASCIIHexDecode':
      return decodeHex(data, onDamage);
    case 'ASCII85Decode':
      return decodeAscii85(data, onDamage);
    case 'RunLengthDecode':
      return unpackRuns(data, limit);
    // The data has been decrypted already.
    case 'Crypt':
      return data;
    default:
      return undefined;
  }
}

function listOf(
  value: PDFObject | undefined,
  resolve: (value: PDFObject | undefined) => PDFObject | undefined,
): (PDFObject | undefined)[] {
  if (value instanceof PDFArray) return value.asArray().map(resolve);
  return value instanceof PDFName || value instanceof PDFDict ? [value] : [];
}

/** Inflates as far as possible when the data is damaged, truncated or lacks a checksum; skips a damaged zlib header. */
function inflate(data: Uint8Array, limit: number, onDamage: () => unknown): Uint8Array | undefined {
  const known = takeInflated(data, limit);
  if (known !== undefined) return known.data;
  const short = inflateShort(data)?.data;
  if (short !== undefined && short.length <= limit) return new Uint8Array(short);
  const chunkSize = chunkFor(data.length);
  const zlib = (length: number, most: number): Uint8Array =>
    inflateSync(data.subarray(0, length), { ...options(most), chunkSize });
  const raw = (length: number, most: number): Uint8Array =>
    inflateRawSync(data.subarray(2, length), { ...options(most), chunkSize });
  for (const attempt of [zlib, raw]) {
    const whole = tryInflate(() => attempt(data.length, limit));
    if (whole === 'too large') throw inflatesTooFar(limit);
    if (whole !== undefined) return whole;
    onDamage();
  }
  return inflateFront(data.length, (length) => zlib(length, Math.min(limit, MAX_RECOVERED_BYTES)));
}

const options = (maxOutputLength: number): ZlibOptions => ({ maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });

/** The longest prefix that inflates, found by bisection: the data before the damage. */
function inflateFront(size: number, attempt: (length: number) => Uint8Array): Uint8Array | undefined {
  let best: Uint8Array | undefined;
  for (let [good, bad] = [0, size]; bad - good > 1;) {
    const middle = (good + bad) >> 1;
    const part = tryInflate(() => attempt(middle));
    if (part === undefined || part === 'too large') bad = middle;
    else [good, best] = [middle, part];
  }
  return best !== undefined && best.length > 0 ? best : undefined;
}

function tryInflate(attempt: () => Uint8Array): Uint8Array | 'too large' | undefined {
  try {
    return attempt();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : undefined;
  }
}

function decodeHex(data: Uint8Array, onDamage: () => unknown): Uint8Array {
  const encoded = Buffer.from(data).toString('latin1').split('>')[0] ?? '';
  if (/[^\da-f\s\0]/i.test(encoded)) onDamage();
  const text = encoded.replaceAll(/[^\da-f]/gi, '');
  return Buffer.from(text.length % 2 === 0 ? text : `${text}0`, 'hex');
}

function decodeAscii85(data: Uint8Array, onDamage: () => unknown): Uint8Array {
  const text =
    Buffer.from(data)
      .toString('latin1')
      .replace(/^\s*<~/, '')
      .split('~')[0] ?? '';
  if (/[^!-uz\s\0]/.test(text)) onDamage();
  const out = Buffer.alloc(text.length * 4);
  let to = 0;
  let group: number[] = [];
  const flush = (digits: readonly number[], bytes: number): void => {
    const value = digits.reduce((sum, digit) => sum * 85 + digit, 0) % 2 ** 32;
    for (let i = 0; i < bytes; i++) out[to++] = Math.floor(value / 256 ** (3 - i)) % 256;
  };
  for (const character of text) {
    const digit = character.charCodeAt(0) - 33;
    if (character === 'z' && group.length === 0) flush([0], 4);
    else if (digit >= 0 && digit < 85 && group.push(digit) === 5) {
      flush(group, 4);
      group = [];
    }
  }
  if (group.length > 1) flush([...group, 84, 84, 84, 84].slice(0, 5), group.length - 1);
  return out.subarray(0, to);
}

function unpackRuns(data: Uint8Array, limit: number): Uint8Array {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (let at = 0; at < data.length && data[at] !== 128;) {
    const length = data[at] ?? 128;
    const piece =
      length < 128 ? data.subarray(at + 1, at + 2 + length) : new Uint8Array(257 - length).fill(data[at + 1] ?? 0);
    at += length < 128 ? length + 2 : 2;
    pieces.push(piece);
    size += piece.length;
    if (size > limit) throw inflatesTooFar(limit);
  }
  return Buffer.concat(pieces, size);
}

function unpackLzw(data: Uint8Array, earlyChange: number, limit: number, onDamage: () => unknown): Uint8Array {
  let out = Buffer.alloc(Math.max(1024, data.length * 4));
  let size = 0;
  // Each code is a range of the output so far: its start and its length.
  const starts = new Int32Array(4097);
  const lengths = new Int32Array(4097);
  let next = 258;
  let width = 9;
  let previous: { readonly start: number; readonly length: number } | undefined;
  let bits = 0;
  let held = 0;
  for (const byte of data) {
    held = ((held << 8) | byte) & 0xffffff;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (held >> bits) & ((1 << width) - 1);
    if (code === 257) break;
    if (code === 256) {
      next = 258;
      width = 9;
      previous = undefined;
      continue;
    }
    const length = code < 256 ? 1 : code < next ? (lengths[code] ?? 0) : (previous?.length ?? 0) + 1;
    if (code > next || (code === next && previous === undefined)) {
      onDamage();
      break;
    }
    if (size + length > limit) throw inflatesTooFar(limit);
    if (size + length > out.length) out = Buffer.concat([out, Buffer.alloc(Math.max(out.length, length))]);
    const from = code < next ? (starts[code] ?? 0) : (previous?.start ?? 0);
    for (let i = 0; i < length; i++) out[size + i] = code < 256 ? code : (out[from + i] ?? 0);
    if (previous !== undefined && next < 4096) {
      starts[next] = previous.start;
      lengths[next] = previous.length + 1;
      next++;
    }
    previous = { start: size, length };
    size += length;
    if (next + earlyChange >= 1 << width && width < 12) width++;
  }
  return out.subarray(0, size);
}
