import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, PDFRawStream, type PDFRef } from 'pdf-lib';
import { inflateLimit } from '../../bounds.js';
import { asName, resolve } from '../objects/index.js';
import { decodeStream } from '../reader/index.js';
import { deflateFitted, inflateShort } from '../zlib/index.js';
import { isBilevel } from './colour.js';

const inflateAsync = promisify(inflate);
const deflateAsync = promisify(deflate);
const [FILTER, DECODE_PARMS, FLATE, SUBTYPE] = [
  PDFName.of('Filter'),
  PDFName.of('DecodeParms'),
  PDFName.of('FlateDecode'),
  PDFName.of('Subtype'),
] as const;
/** zlib works on the threads of the process, beside the one that parses. */
const CONCURRENCY = 4;
/** In bytes: shorter data is packed faster than another thread begins with it. */
const MAX_AT_ONCE_BYTES = 8 * 1024;
/** Compressed data stays in memory until it is written; above this many bytes, the remaining streams stay unchanged. */
const MAX_PENDING_BYTES = 256 * 1024 * 1024;
/** Shorter data does not shrink. */
const MIN_BYTES = 64;
/** Up to this size a stream is compressed with and without its predictor. */
const MAX_COMPARED_BYTES = 4 * 1024 * 1024;
/** Streams that are limited in size may inflate to so many times the limit. */
const MOST_INFLATION = 8;
/** Of streams that are alike, some are packed first, to see whether packing the others is worth it. */
const [FEWEST_SAMPLES, MOST_SAMPLES] = [5, 16] as const;
/** One in so many streams is such a sample. */
const SAMPLED_SHARE = 4;
/** Of fewer streams, samples would be most of them. */
const FEWEST_ALIKE = 3 * FEWEST_SAMPLES;
/** Larger streams are always packed. */
const MAX_ALIKE_BYTES = 64 * 1024;
/** The part of their bytes that streams have to become smaller by. */
const WORTH_IT = 0.01;
/** First byte of zlib's data: Flate with a window of 32 KB. */
const ZLIB_HEADER = 0x78;
/** The upper two bits of its second byte: 2 is the default level, 3 a higher one. */
const DEFAULT_LEVEL = 2;
/** Lossless filters that Flate beats. */
const LOSSLESS_FILTERS = new Set([
  'LZWDecode',
  'LZW',
  'ASCIIHexDecode',
  'AHx',
  'ASCII85Decode',
  'A85',
  'RunLengthDecode',
  'RL',
]);

type Entry = readonly [PDFRef, PDFRawStream];

export interface PackLimits {
  /** Compressed streams of more bytes stay as they are, and those that inflate to much more than that. */
  readonly maxBytes?: number | undefined;
  /** Leaves many small streams that are compressed already as they are, if samples of them shrink by less than 1 %. */
  readonly sampled?: boolean | undefined;
  /** Leaves streams that zlib has deflated at its default level or above, unless they are images. */
  readonly leaveDeflated?: boolean | undefined;
}

/**
 * Compresses the streams of a document with Flate as tightly as possible, in place and without loss: uncompressed ones,
 * compressed ones again, and those with weaker filters; images of one bit per pixel as JBIG2. Predictors stay where
 * they pay off. Metadata stays uncompressed, for programs that look for it without a parser. Returns how many became
 * smaller.
 */
export async function packStreams(
  context: PDFContext,
  streams: Iterable<Entry>,
  { maxBytes = Infinity, sampled = false, leaveDeflated = false }: PackLimits = {},
): Promise<number> {
  const left = new Set(streams);
  if (leaveDeflated) for (const entry of left) if (isDeflatedWell(context, entry[1])) left.delete(entry);
  let packed = 0;
  for (const group of sampled ? alike(context, left) : []) {
    const count = Math.max(FEWEST_SAMPLES, Math.ceil(group.length / SAMPLED_SHARE));
    const step = Math.ceil(group.length / Math.min(MOST_SAMPLES, count));
    const samples = group.filter((_, at) => at % step === 0);
    const before = bytesIn(samples);
    packed += await packEach(context, samples, maxBytes);
    const after = bytesIn(samples.map(([ref, stream]) => [ref, asStream(context.lookup(ref)) ?? stream]));
    for (const entry of before - after < before * WORTH_IT ? group : samples) left.delete(entry);
  }
  return packed + (await packEach(context, left, maxBytes));
}

/** True for data behind zlib's header (RFC 1950, CMF and FLEVEL) of its default level, 6, or a higher one. */
function isDeflatedWell(context: PDFContext, { dict, contents }: PDFRawStream): boolean {
  if (asName(context, dict.get(SUBTYPE)) === 'Image' || dict.has(DECODE_PARMS)) return false;
  if (asName(context, dict.get(FILTER)) !== 'FlateDecode') return false;
  return contents[0] === ZLIB_HEADER && (contents[1] ?? 0) >> 6 >= DEFAULT_LEVEL;
}

/** Groups of small streams, not images, that writers have compressed in the same way: pages of text, for example. */
function alike(context: PDFContext, entries: Iterable<Entry>): Entry[][] {
  const groups = Map.groupBy(entries, ([, stream]) => {
    const { dict } = stream;
    const subtype = asName(context, dict.get(SUBTYPE));
    if (subtype === 'Image' || dict.has(DECODE_PARMS) || asName(context, dict.get(FILTER)) !== 'FlateDecode') return '';
    const { contents } = stream;
    // The second byte says how hard the writer compressed (RFC 1950, FLEVEL).
    return contents.length > MAX_ALIKE_BYTES ? '' : `${subtype} ${contents[1]}`;
  });
  groups.delete('');
  return [...groups.values()].filter((group) => group.length >= FEWEST_ALIKE);
}

const asStream = (object: PDFObject | undefined): PDFRawStream | undefined =>
  object instanceof PDFRawStream ? object : undefined;

const bytesIn = (entries: readonly Entry[]): number =>
  entries.reduce((sum, [, { contents }]) => sum + contents.length, 0);

async function packEach(context: PDFContext, streams: Iterable<Entry>, maxBytes: number): Promise<number> {
  let packed = 0;
  let waiting = 0;
  const each = streams[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const [ref, stream] of { [Symbol.iterator]: () => each }) {
      if (waiting > MAX_PENDING_BYTES) return;
      const smaller = await pack(context, stream, maxBytes);
      if (smaller === undefined) continue;
      context.assign(ref, smaller);
      waiting += smaller.contents.length;
      packed++;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return packed;
}

async function pack(context: PDFContext, stream: PDFRawStream, maxBytes: number): Promise<PDFRawStream | undefined> {
  const { dict } = stream;
  if (dict.has(PDFName.of('F')) || asName(context, dict.get(PDFName.of('Type'))) === 'Metadata') return undefined;
  const filters = filtersOf(context, dict.get(FILTER));
  const { contents } = stream;
  if (filters === undefined || contents.length < MIN_BYTES) return undefined;
  if (filters.length > 0 && contents.length > maxBytes) return undefined;
  const flate = await packFlate(context, stream, filters, maxBytes);
  if (!isBilevel(context, stream)) return flate;
  // Loads image libraries, which most documents do not need here.
  const { asBilevel, bilevelCode } = await import('./pack-bilevel.js');
  const image = await asBilevel(context, stream, bilevelCode(context));
  return image !== undefined && bytesOf(image) < bytesOf(flate ?? stream) ? image : flate;
}

/** The entries of the dictionary, such as decode parameters, cost bytes too. */
function bytesOf({ dict, contents }: PDFRawStream): number {
  return dict.sizeInBytes() + contents.length;
}

async function packFlate(
  context: PDFContext,
  stream: PDFRawStream,
  filters: readonly string[],
  maxBytes: number,
): Promise<PDFRawStream | undefined> {
  const { dict, contents } = stream;
  if (filters[0] === 'FlateDecode' || filters[0] === 'Fl') {
    const again = await repacked(contents, Math.min(inflateLimit(contents.length), maxBytes * MOST_INFLATION));
    // Damaged data is decoded only as far as it goes: recompressing would lose the rest.
    if (again === undefined) return undefined;
    const same = again.length < contents.length ? PDFRawStream.of(dict, again) : undefined;
    // Predictors help photographs and make drawings larger.
    const bare =
      dict.has(DECODE_PARMS) && contents.length <= MAX_COMPARED_BYTES
        ? await deflated(context, stream, decoded(context, stream))
        : undefined;
    return bare !== undefined && bare.contents.length < (same ?? stream).contents.length ? bare : same;
  }
  const plain =
    filters.length === 0
      ? contents
      : filters.some((filter) => LOSSLESS_FILTERS.has(filter)) && !filters.includes('Crypt')
        ? decoded(context, stream)
        : undefined;
  return deflated(context, stream, plain);
}

/** The stream with this data and Flate as its only filter; undefined when it does not shrink. */
async function deflated(
  context: PDFContext,
  stream: PDFRawStream,
  plain: Uint8Array | undefined,
): Promise<PDFRawStream | undefined> {
  if (plain === undefined) return undefined;
  const data = await tightly(plain);
  // The filter entry costs bytes too.
  if (data.length + 20 >= stream.contents.length) return undefined;
  const entries = new Map(stream.dict.entries());
  entries.delete(DECODE_PARMS);
  entries.set(FILTER, FLATE);
  return PDFRawStream.of(PDFDict.fromMapWithContext(entries, context), data);
}

/** The names of a stream's filters; undefined when they are unreadable. */
function filtersOf(context: PDFContext, value: PDFObject | undefined): string[] | undefined {
  const object = resolve(context, value);
  const names = (object instanceof PDFArray ? object.asArray() : object === undefined ? [] : [object]).map((name) =>
    asName(context, name),
  );
  return names.every((name) => name !== undefined) ? names : undefined;
}

/**
 * Recompresses deflated data, which may get larger; undefined for truncated data and for what inflates to more than is
 * allowed, which must stay unchanged for viewers.
 */
async function repacked(contents: Uint8Array, maxOutputLength: number): Promise<Uint8Array | undefined> {
  try {
    const short = inflateShort(contents)?.data;
    if (short === undefined) return await tightly(await inflateAsync(contents, { maxOutputLength }));
    if (short.length > maxOutputLength) return undefined;
    return await tightly(short.length > MAX_AT_ONCE_BYTES ? Buffer.from(short) : short);
  } catch {
    return undefined;
  }
}

/** Reads data that is not longer than `MAX_AT_ONCE_BYTES` before it returns. */
const tightly = (plain: Uint8Array): Buffer | Promise<Buffer> =>
  plain.length <= MAX_AT_ONCE_BYTES ? deflateFitted(plain) : deflateAsync(plain, { level: 9, memLevel: 9 });

function decoded(context: PDFContext, stream: PDFRawStream): Uint8Array | undefined {
  try {
    return decodeStream(stream, (value) => resolve(context, value));
  } catch {
    return undefined;
  }
}
