import { inflateRawSync, inflateSync } from 'node:zlib';
import { PDFArray, PDFDict, PDFName, PDFNull, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import { inflateLimit } from '../../bounds.js';
import type { LazyDocument, PageTree } from '../reader/index.js';

/** Damage of a file, as sentences for reports. */
export interface Damage {
  /** Faults that the reader corrects without losing content. */
  readonly repaired: readonly string[];
  /** Pages, content and objects that cannot be read. */
  readonly lost: readonly string[];
}

/** In bytes of compressed streams: a larger sound file is not decoded only to be checked. */
const CHECKED_BYTES = 32 * 1024 * 1024;
/** Most pages that one sentence names. */
const NAMED_PAGES = 10;
const TAIL_BYTES = 1024;
const [CONTENTS, FILTER, PARENT] = ['Contents', 'Filter', 'Parent'].map((key) => PDFName.of(key)) as [
  PDFName,
  PDFName,
  PDFName,
];

/**
 * Finds what is damaged in an opened document. In a file whose structure is sound, the page tree and the content
 * streams of the pages are checked, up to 32 MiB of them; in one whose cross-reference or objects had to be repaired,
 * every object that the catalog reaches. Objects above the reader's limits count as missing.
 */
export function findDamage(document: LazyDocument, { pages, missing: lostPages }: PageTree): Damage {
  const contents = checkContents(document, pages);
  const unsound = document.recovered || lostPages.length > 0 || contents.damaged.length > 0;
  const others = unsound ? checkObjects(document, contents.checked) : { missing: 0, damaged: 0 };
  const total = pages.length + lostPages.length;
  const reason = lostPages.length > 0 && isCutOff(document) ? '; the file seems cut off' : '';
  const lost = [
    ...(lostPages.length > 0 ? [`${capital(pageList(lostPages))} of ${total} cannot be read${reason}.`] : []),
    ...(contents.damaged.length > 0
      ? [`The content of ${pageList(contents.damaged)} of ${total} is missing or damaged.`]
      : []),
    ...(others.missing > 0
      ? [count(others.missing, 'referenced object is', 'referenced objects are', 'missing or unreadable')]
      : []),
    ...(others.damaged > 0
      ? [count(others.damaged, 'other stream is', 'other streams are', 'damaged and only partly readable')]
      : []),
  ];
  // Read last: only then is it known which objects were misplaced.
  return { repaired: document.recovered ? document.warnings : [], lost };
}

interface CheckedContents {
  /** Numbers of the pages with a content stream that is missing or does not decode to its end. */
  readonly damaged: readonly number[];
  /** The entries of /Contents that were judged. */
  readonly checked: ReadonlySet<PDFObject>;
}

function checkContents(document: LazyDocument, pages: PageTree['pages']): CheckedContents {
  const verdicts = new Map<PDFObject, boolean>();
  let left = document.recovered ? Infinity : CHECKED_BYTES;
  const isSound = (value: PDFObject): boolean => {
    const known = verdicts.get(value);
    if (known !== undefined) return known;
    const stream = resolve(document, value);
    if (stream instanceof PDFRawStream) left -= stream.contents.length;
    if (left < 0) return true;
    const sound = stream instanceof PDFRawStream ? decodes(document, stream) : stream !== undefined;
    verdicts.set(value, sound);
    return sound;
  };
  const damaged = pages.flatMap(({ number, dict }) => {
    const value = dict.get(CONTENTS);
    if (value === undefined || left < 0) return [];
    const contents = resolve(document, value);
    const streams = contents instanceof PDFArray ? contents.asArray() : [value];
    return streams.every((each) => each === PDFNull || isSound(each)) ? [] : [number];
  });
  return { damaged, checked: new Set(verdicts.keys()) };
}

/**
 * Reads every object that the catalog reaches, except those in `checked`. Returns how many are missing, and how many
 * streams do not decode.
 */
function checkObjects(
  document: LazyDocument,
  checked: ReadonlySet<PDFObject>,
): { readonly missing: number; readonly damaged: number } {
  const seen = new Set(checked);
  const waiting: PDFObject[] = [document.trailer];
  let [missing, damaged] = [0, 0];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    if (next instanceof PDFRef || next instanceof PDFDict || next instanceof PDFArray) seen.add(next);
    if (next instanceof PDFRef) {
      const found = lookup(document, next);
      if (found === undefined) missing++;
      else waiting.push(found);
    } else if (next instanceof PDFRawStream) {
      if (!decodes(document, next)) damaged++;
      waiting.push(next.dict);
    } else if (next instanceof PDFDict) {
      for (const [key, value] of next.entries()) if (key !== PARENT) waiting.push(value);
    } else if (next instanceof PDFArray) for (const value of next.asArray()) waiting.push(value);
  }
  return { missing, damaged };
}

/**
 * False for Flate data that stops early or contradicts its checksum (RFC 1950, 2.2); other filters have no means to
 * tell. A stream without a checksum whose last block is complete is sound.
 */
function decodes(document: LazyDocument, stream: PDFRawStream): boolean {
  const filter = resolve(document, stream.dict.get(FILTER));
  const first = filter instanceof PDFArray ? resolve(document, filter.asArray()[0]) : filter;
  if (first !== PDFName.of('FlateDecode')) return true;
  const data = stream.contents;
  const limits = { maxOutputLength: inflateLimit(data.length) };
  try {
    inflateSync(data, limits);
    return true;
  } catch (error) {
    if (isTooLarge(error)) return true;
    if (error instanceof Error && error.message === 'incorrect data check') return false;
  }
  try {
    inflateRawSync(data.subarray(2), limits);
    return true;
  } catch (error) {
    return isTooLarge(error);
  }
}

/** The limits of decompression are for the operation that decodes the stream. */
const isTooLarge = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';

/** Returns undefined for an object that is missing, null, unreadable or above a limit of the reader. */
function resolve(document: LazyDocument, value: PDFObject | undefined): PDFObject | undefined {
  let object = value;
  for (let hop = 0; object instanceof PDFRef && hop < 32; hop++) object = lookup(document, object);
  return object === PDFNull || object instanceof PDFRef ? undefined : object;
}

/** The limits of the reader are for the operation that needs the object; here it counts as unreadable. */
function lookup(document: LazyDocument, ref: PDFRef): PDFObject | undefined {
  try {
    return document.lookup(ref);
  } catch {
    return undefined;
  }
}

function isCutOff({ windows }: LazyDocument): boolean {
  const tail = windows.bytes(Math.max(0, windows.size - TAIL_BYTES), windows.size);
  return !Buffer.from(tail).includes('%%EOF');
}

function pageList(numbers: readonly number[]): string {
  const named = numbers.slice(0, NAMED_PAGES).join(', ');
  const more = numbers.length - NAMED_PAGES;
  return `${numbers.length === 1 ? 'page' : 'pages'} ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function count(number: number, one: string, more: string, rest: string): string {
  return `${number} ${number === 1 ? one : more} ${rest}.`;
}
