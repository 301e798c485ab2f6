import { decodeWindows1252 } from '@quire/document/file/charsets';
import { refuseBook, refuseProtected } from '../book.js';

/** The records of a Palm database. */
export interface Records {
  readonly count: number;
  /** Empty beyond the last one. */
  record(n: number): Buffer;
}

/**
 * Header in the first record of a Mobipocket book, or of the KF8 part of one. Record numbers are relative to that
 * record.
 */
export interface MobiHeader {
  readonly compression: number;
  readonly textRecords: number;
  readonly version: number;
  readonly title: string;
  readonly decode: (bytes: Uint8Array) => string;
  readonly utf8: boolean;
  /** First picture or font. */
  readonly resources: number;
  readonly huff: { readonly first: number; readonly count: number };
  /** Flags of the data that follows the text of each record. */
  readonly trailing: number;
  readonly ncx: number;
  readonly kf8: { readonly fdst: number; readonly fragments: number; readonly skeletons: number };
  /** Values of the extended header by their types. */
  readonly exth: ReadonlyMap<number, readonly Buffer[]>;
}

const MAX_RECORDS = 65_535;
/** The index that means "no record". */
export const NONE = 0xffffffff;

/** Types of the extended header. */
export const exthTypes = {
  author: 100,
  boundary: 121,
  fixedLayout: 122,
  coverOffset: 201,
  resolution: 307,
  title: 503,
  language: 524,
  direction: 527,
} as const;

/** Reads the list of records (Palm database format). Errors: BOOK_UNREADABLE. */
export function readRecords(bytes: Uint8Array): Records {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const kind = buffer.subarray(60, 68).toString('latin1');
  if (buffer.subarray(0, 3).toString('latin1') === 'TPZ')
    throw refuseBook('it is a Topaz book, a format of Kindle that is not read');
  if (buffer.subarray(0, 4).toString('latin1') === 'CONT' || buffer.subarray(1, 7).toString('latin1') === 'DRMION')
    throw refuseBook('it is a KFX book, a format of Kindle that is not read');
  if (kind !== 'BOOKMOBI' && kind !== 'TEXtREAd') throw refuseBook('it is not a Mobipocket or Kindle book');
  const count = Math.min(buffer.readUInt16BE(76), MAX_RECORDS);
  if (count === 0 || 78 + count * 8 > buffer.length) throw refuseBook('its list of records is cut off');
  const offset = (n: number): number => (n < count ? buffer.readUInt32BE(78 + n * 8) : buffer.length);
  return {
    count,
    record: (n) =>
      Number.isInteger(n) && n >= 0 && n < count
        ? buffer.subarray(offset(n), Math.max(offset(n), offset(n + 1)))
        : buffer.subarray(0, 0),
  };
}

/** Reads the header in a record. Errors: BOOK_UNREADABLE, BOOK_PROTECTED. */
export function readHeader(record: Buffer): MobiHeader {
  if (record.length < 16) throw refuseBook('its first record is cut off');
  const word = (at: number): number => (at + 4 <= record.length ? record.readUInt32BE(at) : NONE);
  if (record.readUInt16BE(12) !== 0) throw refuseProtected(`its text is encrypted (type ${record.readUInt16BE(12)})`);
  const mobi = record.subarray(16, 20).toString('latin1') === 'MOBI';
  const length = mobi ? word(20) : 0;
  const within = (at: number): number => (mobi && at + 4 <= 16 + length ? word(at) : NONE);
  const utf8 = mobi && word(28) === 65001;
  const decode = (bytes: Uint8Array): string => (utf8 ? new TextDecoder().decode(bytes) : decodeWindows1252(bytes));
  const exth = mobi && (word(128) & 0x40) !== 0 ? readExth(record.subarray(16 + length)) : new Map<number, Buffer[]>();
  const named = mobi ? record.subarray(word(84), word(84) + Math.min(word(88), 2000)) : record.subarray(0, 0);
  return {
    compression: record.readUInt16BE(0),
    textRecords: record.readUInt16BE(8),
    version: mobi ? word(36) : 0,
    title: decode(exth.get(exthTypes.title)?.[0] ?? named).trim(),
    decode,
    utf8,
    resources: within(108),
    huff: { first: within(112), count: within(116) },
    trailing: mobi && length >= 228 ? (within(240) === NONE ? 0 : within(240) & 0xffff) : 0,
    ncx: within(244),
    kf8: { fdst: within(192), fragments: within(248), skeletons: within(252) },
    exth,
  };
}

function readExth(data: Buffer): Map<number, Buffer[]> {
  const values = new Map<number, Buffer[]>();
  if (data.subarray(0, 4).toString('latin1') !== 'EXTH' || data.length < 12) return values;
  let at = 12;
  for (let left = data.readUInt32BE(8); left > 0 && at + 8 <= data.length; left--) {
    const [type, length] = [data.readUInt32BE(at), data.readUInt32BE(at + 4)];
    if (length < 8) break;
    values.set(type, [...(values.get(type) ?? []).slice(0, 50), data.subarray(at + 8, at + length)]);
    at += length;
  }
  return values;
}
