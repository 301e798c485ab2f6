import type { Book } from './book.js';
import { readContents } from './mobi/contents.js';
import { exthTypes, type MobiHeader, NONE, readHeader, readRecords, type Records } from './mobi/headers.js';
import { readIndex } from './mobi/index-records.js';
import { readKf8 } from './mobi/kf8.js';
import { readMobi6 } from './mobi/mobi6.js';
import { Resources } from './mobi/resources.js';
import { unpackText } from './mobi/unpack-text.js';
import { readText } from './read-text.js';

/**
 * Reads a Mobipocket or Kindle book (`.mobi`, `.azw3`): the KF8 part where there is one, else the older one. Its
 * pictures and fonts are written into `folder`. Errors: BOOK_UNREADABLE, BOOK_PROTECTED.
 */
export function readMobi(bytes: Uint8Array, folder: string, signal: AbortSignal): Book {
  const records = readRecords(bytes);
  let [start, header]: [number, MobiHeader] = [0, readHeader(records.record(0))];
  const first = header;
  const boundary = numberIn(header, exthTypes.boundary);
  if (
    header.version < 8 &&
    boundary !== undefined &&
    boundary !== NONE &&
    records
      .record(boundary - 1)
      .subarray(0, 8)
      .toString('latin1') === 'BOUNDARY'
  ) {
    [start, header] = [boundary, readHeader(records.record(boundary))];
  }
  const text = unpackText(records, start, header, signal);
  if (header.version === 0) return readText(text, header.title);
  // Both parts of a book share the images that the first header lists.
  const resources = new Resources(records, first.resources === NONE ? records.count : first.resources, folder);
  const from: Records = { count: records.count, record: (n) => records.record(start + n) };
  const contents = readContents(readIndex(from, header.ncx), header);
  const parts =
    header.version >= 8
      ? readKf8({ records: from, header, text, resources, contents })
      : readMobi6({ header, text, resources, contents });
  const cover = numberIn(first, exthTypes.coverOffset);
  const coverFile = cover === undefined || cover === NONE ? undefined : resources.file(cover);
  const said = (type: number): string[] =>
    (header.exth.get(type) ?? []).map((value) => header.decode(value).trim()).filter((value) => value !== '');
  const language = said(exthTypes.language).find((each) => /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(each));
  return {
    title: header.title,
    authors: said(exthTypes.author).slice(0, 20),
    ...(language === undefined ? {} : { language }),
    rightToLeft: said(exthTypes.direction)[0] === 'rtl',
    ...parts,
    ...(coverFile === undefined ? {} : { cover: coverFile }),
    files: resources.files,
  };
}

function numberIn({ exth }: MobiHeader, type: number): number | undefined {
  const value = exth.get(type)?.[0];
  return value !== undefined && value.length >= 4 ? value.readUInt32BE(0) : undefined;
}
