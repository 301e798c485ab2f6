import { deflateSync } from 'node:zlib';
import { PDFDict, PDFName, PDFNumber, type PDFObject, PDFRawStream, type PDFRef } from 'pdf-lib';
import { type LazyDocument, decodeFront } from '../reader/index.js';

const [FILTER, PARAMETERS, LENGTH, SUBTYPE, IMAGE] = ['Filter', 'DecodeParms', 'Length', 'Subtype', 'Image'].map(
  (key) => PDFName.of(key),
) as [PDFName, PDFName, PDFName, PDFName, PDFName];

/**
 * Replaces damaged streams in memory by what can be decoded of them, encoded again, so that a rewritten file is sound.
 * A stream that ends in an image filter or exceeds a limit stays as it is. Returns how many were replaced.
 */
export function replaceDamagedStreams({ context }: LazyDocument, streams: readonly PDFRef[]): number {
  let replaced = 0;
  for (const ref of streams) {
    const stream = context.lookup(ref);
    if (!(stream instanceof PDFRawStream)) continue;
    const data = readablePart(stream);
    if (data === undefined) continue;
    const contents = deflateSync(stream.dict.get(SUBTYPE) === IMAGE ? data : withoutHugeNumbers(data));
    const dict = PDFDict.fromMapWithContext(new Map(stream.dict.entries()), context);
    dict.delete(PARAMETERS);
    dict.set(FILTER, PDFName.of('FlateDecode'));
    dict.set(LENGTH, PDFNumber.of(contents.length));
    context.assign(ref, PDFRawStream.of(dict, contents));
    replaced++;
  }
  return replaced;
}

/** No reader can hold longer numbers; qpdf refuses content with one. */
const HUGE_NUMBERS = /\d{19,}/g;
const MAX_DIGITS = 15;

/** Shortens numbers in damaged content that no honest writer wrote. */
function withoutHugeNumbers(data: Uint8Array): Uint8Array {
  const text = Buffer.from(data).toString('latin1');
  return text.search(HUGE_NUMBERS) >= 0
    ? Buffer.from(
        text.replaceAll(HUGE_NUMBERS, (digits) => digits.slice(0, MAX_DIGITS)),
        'latin1',
      )
    : data;
}

/** Returns what precedes the damage; undefined for a stream that should stay as it is. */
function readablePart(stream: PDFRawStream): Uint8Array | undefined {
  try {
    const resolve = (value: PDFObject | undefined): PDFObject | undefined => stream.dict.context.lookup(value);
    const front = decodeFront(stream, resolve);
    if (front !== undefined) return front.left.length === 0 ? front.data : undefined;
    // Nearly every stream is compressed with Flate: a filter that is not known may have been that.
    const flate = PDFRawStream.of(PDFDict.withContext(stream.dict.context), stream.contents);
    flate.dict.set(FILTER, PDFName.of('FlateDecode'));
    return decodeFront(flate, resolve)?.data ?? new Uint8Array(0);
  } catch {
    return undefined;
  }
}
