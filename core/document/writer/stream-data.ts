import { constants, deflateSync, inflateSync } from 'node:zlib';
import { PDFArray, PDFName, type PDFObject, PDFRef, type PDFStream } from 'pdf-lib';
import { inflateLimit } from '../bounds.js';
import { type Data, bytesOf, dataOf } from './body.js';
import type { Replaced } from './serialize.js';

/** What is done to streams on their way. */
export interface StreamPacking {
  /** Deflates streams that have no filter, but for metadata, which others want to find without inflating. */
  readonly compressStreams?: boolean;
  /** Inflates and deflates again what is deflated, with this zlib level (true: 9), and takes the smaller. Loses nothing. */
  readonly recompress?: boolean | number;
}

const FILTER = PDFName.of('Filter');
const DECODE_PARMS = PDFName.of('DecodeParms');
const FLATE = PDFName.of('FlateDecode');
const TYPE = PDFName.of('Type');
const METADATA = PDFName.of('Metadata');
const NONE: Replaced = new Map();
/** Shorter data does not get shorter. */
const WORTH_IT = 64;

/** Gives a stream's data as it is to be written, and what its dictionary says otherwise because of it. */
export function packed(stream: PDFStream, packing: StreamPacking, lookup: (ref: PDFRef) => PDFObject | undefined): { readonly data: Data; readonly replaced: Replaced } {
  const resolve = (value: PDFObject | undefined): PDFObject | undefined => (value instanceof PDFRef ? lookup(value) : value);
  const data = dataOf(stream);
  const filters = filtersOf(resolve(stream.dict.get(FILTER)), resolve);
  if (stream.dict.has(PDFName.of('F')) || data.length < WORTH_IT) return { data, replaced: NONE };
  if (filters.length === 0 && packing.compressStreams === true && resolve(stream.dict.get(TYPE)) !== METADATA) {
    const deflated = deflateSync(bytesOf(data), { level: 9 });
    if (deflated.length + 20 < data.length) return { data: deflated, replaced: new Map([[FILTER, FLATE], [DECODE_PARMS, undefined]]) };
  }
  const level = packing.recompress === true ? 9 : packing.recompress;
  if (typeof level === 'number' && filters[0] === FLATE) return { data: recompressed(bytesOf(data), level), replaced: NONE };
  return { data, replaced: NONE };
}

function filtersOf(value: PDFObject | undefined, resolve: (value: PDFObject | undefined) => PDFObject | undefined): (PDFObject | undefined)[] {
  if (value instanceof PDFArray) return value.asArray().map(resolve);
  return value instanceof PDFName ? [value] : [];
}

/** The same deflated data, smaller when that goes: predictors stay, since only the packing is made anew. What is broken stays as it is. */
function recompressed(data: Uint8Array, level: number): Uint8Array {
  try {
    const plain = inflateSync(data, { maxOutputLength: inflateLimit(data.length) });
    const again = deflateSync(plain, { level, memLevel: 9, strategy: constants.Z_DEFAULT_STRATEGY });
    return again.length < data.length ? again : data;
  } catch {
    return data;
  }
}
