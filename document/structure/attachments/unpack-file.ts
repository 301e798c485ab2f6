import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createInflate } from 'node:zlib';
import { type PDFContext, PDFName, PDFNumber, type PDFRawStream } from 'pdf-lib';
import { isTooComplex } from '../../errors.js';
import { asDict, elements, entry, resolve } from '../../file/objects/index.js';
import { decodeStream, lateData } from '../../file/reader/index.js';

/** Result of extracting an embedded file: its size in bytes, or the reason why it was discarded. */
export interface Unpacked {
  readonly outcome: 'written' | 'too large' | 'unreadable';
  readonly size: number;
  /** Number of bytes that were decoded, including discarded ones. */
  readonly worked: number;
}

class TooLarge extends Error {}

/**
 * Extracts an embedded file to `path`, which must not exist yet, up to `limit` bytes. Truncated data is written as far
 * as it can be decoded. Rejects only if `signal` aborts or the disk fails.
 */
export async function unpackFile(
  context: PDFContext,
  stream: PDFRawStream,
  path: string,
  limit: number,
  signal?: AbortSignal,
): Promise<Unpacked> {
  const packing = packingOf(context, stream);
  if (packing === 'other') return unpackInMemory(context, stream, path, limit);
  const data = lateData(stream);
  if (packing === 'plain' && (data ?? stream.contents).length > limit)
    return { outcome: 'too large', size: 0, worked: 0 };
  let size = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      done(size > limit ? new TooLarge() : null, chunk);
    },
  });
  const pieces = Readable.from(copied(data?.pieces() ?? [stream.contents]), { objectMode: false });
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const options = signal === undefined ? {} : { signal };
  try {
    if (packing === 'plain') await pipeline(pieces, count, target, options);
    else await pipeline(pieces, createInflate({ finishFlush: constants.Z_SYNC_FLUSH }), count, target, options);
    return { outcome: 'written', size, worked: size };
  } catch (error) {
    await rm(path, { force: true });
    if (error instanceof TooLarge) return { outcome: 'too large', size: 0, worked: size };
    if (!isZlibError(error)) throw error;
    const rest = await unpackInMemory(context, stream, path, limit);
    return { ...rest, worked: rest.worked + size };
  }
}

/** A chunk is only valid until the next one is requested, but streams buffer several. */
function* copied(pieces: Iterable<Uint8Array>): Iterable<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece);
}

/** Determines how the data is compressed, and whether it can be decompressed in chunks. */
function packingOf(context: PDFContext, { dict }: PDFRawStream): 'plain' | 'deflated' | 'other' {
  const value = resolve(context, entry(dict, 'Filter'));
  const filters = value instanceof PDFName ? [value] : elements(context, value).map((each) => resolve(context, each));
  if (filters.length === 0) return value === undefined ? 'plain' : 'other';
  const parameters =
    asDict(context, entry(dict, 'DecodeParms') ?? entry(dict, 'DP')) ??
    asDict(context, elements(context, entry(dict, 'DecodeParms'))[0]);
  const predictor = parameters === undefined ? undefined : resolve(context, entry(parameters, 'Predictor'));
  const predicts = predictor instanceof PDFNumber && predictor.asNumber() > 1;
  const [only] = filters;
  return filters.length === 1 && only instanceof PDFName && only.decodeText() === 'FlateDecode' && !predicts
    ? 'deflated'
    : 'other';
}

async function unpackInMemory(
  context: PDFContext,
  stream: PDFRawStream,
  path: string,
  limit: number,
): Promise<Unpacked> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = decodeStream(stream, (value) => resolve(context, value));
  } catch (error) {
    if (!isTooComplex(error)) throw error;
    return { outcome: 'too large', size: 0, worked: limit };
  }
  if (bytes === undefined) return { outcome: 'unreadable', size: 0, worked: 0 };
  if (bytes.length > limit) return { outcome: 'too large', size: 0, worked: bytes.length };
  await pipeline(Readable.from([Buffer.from(bytes)]), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return { outcome: 'written', size: bytes.length, worked: bytes.length };
}

function isZlibError(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && /^Z_/.test(code);
}
