import type { ByteTerms } from './byte-terms.js';
import { blank } from './byte-terms.js';
import { overwriteFound } from './overwrite.js';
import type { TextFinder } from '../document-data/text-finder.js';

/** Bytes [from, to) of an image file that are text or describe it, not pixels. */
type Region = readonly [from: number, to: number];

const JPEG = { application: 0xe0, comment: 0xfe, scan: 0xda, end: Buffer.of(0xff, 0xd9) } as const;
const JPX = { comment: 0x64, tile: 0x90, start: Buffer.of(0xff, 0x4f) } as const;

/**
 * Overwrites found text in comments, metadata and previews within JPEG and JPEG 2000 data, and behind its end; pixels
 * stay. Returns undefined if there is none.
 */
export function cleanCodedImage(
  data: Uint8Array,
  filter: string,
  find: TextFinder,
  terms: ByteTerms,
): Uint8Array | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  const regions = filter === 'DCTDecode' ? jpegRegions(bytes) : filter === 'JPXDecode' ? jpxRegions(bytes) : [];
  let clean: Buffer | undefined;
  for (const [from, to] of regions) {
    const part = bytes.subarray(from, to);
    const first = overwriteFound(part, find);
    const put = terms.overwritten(first ?? part, blank) ?? first;
    if (put === undefined) continue;
    clean ??= Buffer.from(bytes);
    clean.set(put, from);
  }
  return clean;
}

function jpegRegions(bytes: Buffer): Region[] {
  const end = bytes.lastIndexOf(JPEG.end);
  const regions: Region[] = end < 0 ? [] : [[end + 2, bytes.length]];
  for (const { marker, from, to } of segments(bytes, 2, JPEG.scan))
    if (marker === JPEG.comment || (marker & 0xf0) === JPEG.application) regions.push([from, to]);
  return regions;
}

/** Boxes (ISO/IEC 15444-1, I.4) other than the code stream, and comments in its main header (A.9.2). */
function jpxRegions(bytes: Buffer): Region[] {
  if (bytes.indexOf(JPX.start) === 0) return commentsOf(bytes, 0);
  const regions: Region[] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const [length, type] = [bytes.readUInt32BE(at), bytes.toString('latin1', at + 4, at + 8)];
    const head = length === 1 ? 16 : 8;
    const size =
      length === 0 ? bytes.length - at : length === 1 && at + 16 <= bytes.length ? longLength(bytes, at) : length;
    if (size < head) break;
    const end = Math.min(bytes.length, at + size);
    if (type === 'jp2c') regions.push(...commentsOf(bytes, at + head));
    else regions.push([at + head, end]);
    at = end;
  }
  return regions;
}

const longLength = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64BE(at + 8));

function commentsOf(bytes: Buffer, start: number): Region[] {
  return [...segments(bytes, start + 2, JPX.tile)]
    .filter(({ marker }) => marker === JPX.comment)
    .map(({ from, to }) => [from, to] as const);
}

/** Marker segments from a place on, up to the marker with which the coded data begins. */
function* segments(
  bytes: Buffer,
  start: number,
  last: number,
): Generator<{ readonly marker: number; readonly from: number; readonly to: number }> {
  for (let at = start; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    if (marker === last) return;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return;
    yield { marker, from: at + 4, to: Math.min(bytes.length, at + 2 + length) };
    at += 2 + length;
  }
}
