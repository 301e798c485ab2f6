import { inflateRawSync, inflateSync } from 'node:zlib';
import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject, type PDFRawStream } from 'pdf-lib';
import { inflateLimit } from '../../bounds.js';
import { decodeFront, LONG_FILTERS } from '../reader/index.js';
import { keepInflated } from '../source/index.js';
import { chunkFor, inflateShort, isSoundShort } from '../zlib/index.js';

/**
 * `header`: everything can be decoded, but strict readers refuse the stream. `damaged`: a part is lost or changed.
 * `foreign`: the filter is not one of the standard's.
 */
export type StreamState = 'sound' | 'header' | 'damaged' | 'foreign';

const FILTER = PDFName.of('Filter');
const [PARAMETERS, PARAMETERS_SHORT] = [PDFName.of('DecodeParms'), PDFName.of('DP')];
const FLATE = PDFName.of('FlateDecode');
const LZW = PDFName.of('LZWDecode');
/** Bits of a row of samples; readers count them in 32 bits. */
const MAX_ROW_BITS = 2 ** 31;
/** All filters (ISO 32000-1, table 6). */
const KNOWN: ReadonlySet<PDFObject> = new Set(
  [
    'ASCII85Decode',
    'ASCIIHexDecode',
    'LZWDecode',
    'FlateDecode',
    'RunLengthDecode',
    'Crypt',
    'CCITTFaxDecode',
    'JBIG2Decode',
    'DCTDecode',
    'JPXDecode',
  ].map((name) => PDFName.of(name)),
);
const ABBREVIATIONS: ReadonlyMap<PDFObject | undefined, PDFName> = new Map(
  [...LONG_FILTERS].map(([short, long]) => [PDFName.of(short), PDFName.of(long)]),
);
/** Filters whose data can be told to be damaged, but only by decoding them with code that is slower than zlib. */
const SLOW: ReadonlySet<PDFObject | undefined> = new Set(
  ['ASCII85Decode', 'ASCIIHexDecode', 'LZWDecode'].map((name) => PDFName.of(name)),
);

export type Resolve = (value: PDFObject | undefined) => PDFObject | undefined;

/** Returns the first filter of a stream by its full name. */
function firstFilter(stream: PDFRawStream, resolve: Resolve): PDFObject | undefined {
  const filter = resolve(stream.dict.get(FILTER));
  const first = filter instanceof PDFArray ? resolve(filter.asArray()[0]) : filter;
  return ABBREVIATIONS.get(first) ?? first;
}

/** True for a stream that is slow to check. */
export const isSlow = (stream: PDFRawStream, resolve: Resolve): boolean => SLOW.has(firstFilter(stream, resolve));

/**
 * Decodes a stream to see whether it is damaged: Flate data that stops early or contradicts its checksum (RFC 1950,
 * 2.2), impossible codes and characters of the other filters. A stream without a checksum whose last block is complete
 * is sound, and so is an empty one. With `keep`, what a sound one inflates to is kept for its next reader.
 */
export function stateOf(stream: PDFRawStream, resolve: Resolve, keep = false): StreamState {
  const first = firstFilter(stream, resolve);
  if ((first === FLATE || first === LZW) && hasImpossibleRows(stream, resolve)) return 'damaged';
  if (first === FLATE) return flateState(stream.contents, keep);
  if (first instanceof PDFName && !KNOWN.has(first)) return 'foreign';
  if (!SLOW.has(first)) return 'sound';
  let state: StreamState = 'sound';
  try {
    decodeFront(stream, resolve, inflateLimit(stream.contents.length), () => (state = 'damaged'));
  } catch {
    // The limits of decompression are for the operation that decodes the stream.
    return 'sound';
  }
  return state;
}

/** True when the first filter undoes a predictor with parameters that table 8 of ISO 32000-1 excludes. */
function hasImpossibleRows(stream: PDFRawStream, resolve: Resolve): boolean {
  const given = resolve(stream.dict.get(PARAMETERS) ?? stream.dict.get(PARAMETERS_SHORT));
  const parameters = given instanceof PDFArray ? resolve(given.asArray()[0]) : given;
  if (!(parameters instanceof PDFDict)) return false;
  const number = (key: string, otherwise: number): number => {
    const value = resolve(parameters.get(PDFName.of(key)));
    return value instanceof PDFNumber ? value.asNumber() : otherwise;
  };
  if (number('Predictor', 1) < 2) return false;
  const [colors, bits, columns] = [number('Colors', 1), number('BitsPerComponent', 8), number('Columns', 1)];
  const possible = colors >= 1 && columns >= 1 && [1, 2, 4, 8, 16].includes(bits);
  return !possible || colors * bits * columns > MAX_ROW_BITS;
}

const CUT_OFF = 'unexpected end of file';

/** Some writers flush the data and never close it: it then ends with an empty stored block (RFC 1951, 3.2.4). */
const endsWithFlush = (data: Uint8Array): boolean => Buffer.from(data.subarray(-4)).equals(FLUSH);
const FLUSH = Buffer.from([0, 0, 0xff, 0xff]);

function flateState(data: Uint8Array, keep: boolean): StreamState {
  if (data.length === 0) return 'sound';
  const short = keep ? inflateShort(data) : undefined;
  if (short !== undefined) keepInflated(data, short);
  if (short !== undefined || isSoundShort(data)) return 'sound';
  const limits = { maxOutputLength: inflateLimit(data.length), chunkSize: chunkFor(data.length) };
  let reason = '';
  try {
    inflateSync(data, limits);
    return 'sound';
  } catch (error) {
    if (isTooLarge(error)) return 'sound';
    if (error instanceof Error) reason = error.message;
  }
  if (reason === 'incorrect data check') return 'damaged';
  if (reason === CUT_OFF && endsWithFlush(data)) return 'sound';
  try {
    inflateRawSync(data.subarray(2), limits);
    return reason === CUT_OFF ? 'sound' : 'header';
  } catch (error) {
    return isTooLarge(error) ? 'sound' : 'damaged';
  }
}

/** The limits of decompression are for the operation that decodes the stream. */
const isTooLarge = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
