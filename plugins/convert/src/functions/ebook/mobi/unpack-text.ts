import { bookLimits, refuseBook } from '../book.js';
import type { MobiHeader, Records } from './headers.js';

type Unpack = (packed: Buffer) => Buffer;

/** Texts in a dictionary are packed with itself; deeper than this they would never end. */
const MAX_DEPTH = 32;
/** Records hold 4096 bytes of text. */
const MAX_RECORD = 256 * 1024;

/** Puts the text of all records together. `start` is the record of the header. Errors: BOOK_UNREADABLE. */
export function unpackText(records: Records, start: number, header: MobiHeader, signal: AbortSignal): Buffer {
  const unpack = unpacker(records, start, header);
  const pieces: Buffer[] = [];
  let size = 0;
  for (let n = 1; n <= header.textRecords; n++) {
    signal.throwIfAborted();
    const piece = unpack(withoutTrailing(records.record(start + n), header.trailing));
    if ((size += piece.length) > bookLimits.markup)
      throw refuseBook(`its text has more than ${bookLimits.markup} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function unpacker(records: Records, start: number, { compression, huff }: MobiHeader): Unpack {
  switch (compression) {
    case 1:
      return (packed) => packed;
    case 2:
      return unpackPalmDoc;
    case 17_480:
      return huffCdic(records, start, huff);
    default:
      throw refuseBook(`its text is packed in a way that is not known (${compression})`);
  }
}

/**
 * Removes the trailing entries of a record: for each flag bit but the lowest an entry that ends with its own size, then
 * the bytes of a split character.
 */
function withoutTrailing(record: Buffer, flags: number): Buffer {
  let end = record.length;
  for (let bit = 1; bit < 16; bit++) {
    if ((flags & (1 << bit)) === 0 || end <= 0) continue;
    let size = 0;
    for (const byte of record.subarray(Math.max(0, end - 4), end))
      size = (byte & 0x80) === 0 ? (size << 7) | (byte & 0x7f) : byte & 0x7f;
    end -= size;
  }
  if ((flags & 1) !== 0 && end > 0) end -= (record[end - 1]! & 3) + 1;
  return record.subarray(0, Math.max(0, end));
}

/** PalmDOC: literals, runs of literals, pairs of distance and length, blanks with a letter. */
function unpackPalmDoc(packed: Buffer): Buffer {
  // The longest that one byte becomes is five.
  const out = Buffer.allocUnsafe(Math.min(MAX_RECORD, packed.length * 8 + 16));
  let size = 0;
  const put = (byte: number): void => {
    if (size < out.length) out[size++] = byte;
  };
  for (let at = 0; at < packed.length; at++) {
    const byte = packed[at]!;
    if (byte >= 1 && byte <= 8) {
      for (let left = byte; left > 0 && at + 1 < packed.length; left--) put(packed[++at]!);
    } else if (byte < 0x80) put(byte);
    else if (byte >= 0xc0) {
      put(0x20);
      put(byte ^ 0x80);
    } else {
      const pair = (byte << 8) | (packed[++at] ?? 0);
      const distance = (pair >> 3) & 0x7ff;
      if (distance === 0 || distance > size) continue;
      for (let left = (pair & 7) + 3; left > 0; left--) put(out[size - distance]!);
    }
  }
  return Buffer.from(out.subarray(0, size));
}

interface Phrase {
  bytes: Buffer;
  plain: boolean;
}

/** HUFF and CDIC records: codes of one to 32 bits for phrases of a dictionary, which are packed in the same way. */
function huffCdic(records: Records, start: number, { first, count }: MobiHeader['huff']): Unpack {
  const huff = records.record(start + first);
  if (huff.subarray(0, 4).toString('latin1') !== 'HUFF' || huff.length < 24 || count > 4096)
    throw refuseBook('its table of codes is missing');
  const [short, long] = [huff.readUInt32BE(8), huff.readUInt32BE(12)];
  if (short + 1024 > huff.length || long + 256 > huff.length) throw refuseBook('its table of codes is cut off');
  const table = Array.from({ length: 256 }, (_each, i) => huff.readUInt32BE(short + i * 4));
  const least = Array.from({ length: 33 }, (_each, i) => (i === 0 ? 0 : huff.readUInt32BE(long + (i - 1) * 8)));
  const most = Array.from({ length: 33 }, (_each, i) => (i === 0 ? 0 : huff.readUInt32BE(long + (i - 1) * 8 + 4)));
  const dictionary: Phrase[] = [];
  for (let n = 1; n < count; n++) readPhrases(records.record(start + first + n), dictionary);

  const unpack = (packed: Buffer, depth: number): Buffer => {
    if (depth > MAX_DEPTH) throw refuseBook('its dictionary leads back to itself');
    const pieces: Buffer[] = [];
    let size = 0;
    const bits = packed.length * 8;
    for (let at = 0; at < bits;) {
      const window = bitsAt(packed, at);
      const entry = table[window >>> 24]!;
      let length = entry & 0x1f;
      let value = entry >>> 8;
      if (length === 0) throw refuseBook('its text holds a code that means nothing');
      if ((entry & 0x80) === 0) {
        while (length < 32 && window >>> (32 - length) < least[length]!) length++;
        value = most[length]!;
      }
      at += length;
      if (at > bits) break;
      const phrase = dictionary[value - (window >>> (32 - length))];
      if (phrase === undefined) throw refuseBook('its text holds a code that means nothing');
      if (!phrase.plain) {
        phrase.bytes = unpack(phrase.bytes, depth + 1);
        phrase.plain = true;
      }
      pieces.push(phrase.bytes);
      if ((size += phrase.bytes.length) > MAX_RECORD) throw refuseBook('a record of its text unpacks to too much');
    }
    return Buffer.concat(pieces);
  };
  return (packed) => unpack(packed, 0);
}

function readPhrases(record: Buffer, dictionary: Phrase[]): void {
  if (record.subarray(0, 4).toString('latin1') !== 'CDIC' || record.length < 16)
    throw refuseBook('its dictionary is missing');
  const [header, total, bits] = [record.readUInt32BE(4), record.readUInt32BE(8), record.readUInt32BE(12)];
  const wanted = Math.min(bits > 16 ? 0 : 2 ** bits, total - dictionary.length);
  for (let i = 0; i < wanted && header + i * 2 + 2 <= record.length; i++) {
    const at = header + record.readUInt16BE(header + i * 2);
    const mark = at + 2 <= record.length ? record.readUInt16BE(at) : 0;
    dictionary.push({ bytes: record.subarray(at + 2, at + 2 + (mark & 0x7fff)), plain: (mark & 0x8000) !== 0 });
  }
}

/** The 32 bits from a position on, zeros behind the end. */
function bitsAt(bytes: Buffer, position: number): number {
  const at = position >>> 3;
  const shift = position & 7;
  const high =
    (((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>>
    0;
  return shift === 0 ? high : ((high << shift) | ((bytes[at + 4] ?? 0) >>> (8 - shift))) >>> 0;
}
