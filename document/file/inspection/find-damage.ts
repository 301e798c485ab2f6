import { inflateRawSync, inflateSync } from 'node:zlib';
import { PDFArray, PDFDict, PDFName, PDFNull, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import { inflateLimit } from '../../bounds.js';
import { DocumentError, isTooComplex } from '../../errors.js';
import type { LazyDocument } from '../reader/index.js';

/** Damage of a file, as sentences for reports. */
export interface Damage {
  /** Faults that the reader corrects without losing content. */
  readonly repaired: readonly string[];
  /** Pages, content and objects that cannot be read. */
  readonly lost: readonly string[];
}

/** No writer creates deeper trees. */
const MAX_DEPTH = 500;
/** In bytes of compressed streams: a larger sound file is not decoded only to be checked. */
const CHECKED_BYTES = 32 * 1024 * 1024;
/** Most pages that one sentence names. */
const NAMED_PAGES = 10;
const TAIL_BYTES = 1024;
const [KIDS, PAGES, CONTENTS, FILTER, PARENT, ROOT] = ['Kids', 'Pages', 'Contents', 'Filter', 'Parent', 'Root'].map(
  (key) => PDFName.of(key),
) as [PDFName, PDFName, PDFName, PDFName, PDFName, PDFName];

/**
 * Finds what is damaged in an opened document. In a file whose structure is sound, the page tree and the content
 * streams of the pages are checked, up to 32 MiB of them; in one whose cross-reference or objects had to be repaired,
 * every object that the catalog reaches. Throws the errors of `lookup`.
 */
export function findDamage(document: LazyDocument): Damage {
  const { pages, lost: lostPages } = walkTree(document);
  const damaged = damagedContents(document, pages);
  const unsound = document.recovered || lostPages.length > 0 || damaged.length > 0;
  const deep = unsound ? checkObjects(document) : { missing: 0, damaged: 0 };
  const others = Math.max(0, deep.damaged - damaged.length);
  const total = pages.length + lostPages.length;
  const reason = lostPages.length > 0 && isCutOff(document) ? '; the file seems cut off' : '';
  const lost = [
    ...(lostPages.length > 0 ? [`${capital(pageList(lostPages))} of ${total} cannot be read${reason}.`] : []),
    ...(damaged.length > 0 ? [`The content of ${pageList(damaged)} of ${total} is missing or damaged.`] : []),
    ...(deep.missing > 0 ? [count(deep.missing, 'referenced object is', 'referenced objects are', 'missing')] : []),
    ...(others > 0 ? [count(others, 'other stream is', 'other streams are', 'damaged and only partly readable')] : []),
  ];
  // Read last: only then is it known which objects were misplaced.
  return { repaired: document.recovered ? document.warnings : [], lost };
}

interface Page {
  readonly number: number;
  readonly dict: PDFDict;
}

/** Returns the pages of the tree with their numbers, and the numbers of those that are missing or null. */
function walkTree(document: LazyDocument): { readonly pages: readonly Page[]; readonly lost: readonly number[] } {
  const pages: Page[] = [];
  const lost: number[] = [];
  const seen = new Set<PDFDict>();
  const walk = (value: PDFObject | undefined, depth: number): void => {
    const node = resolve(document, value);
    if (!(node instanceof PDFDict)) {
      if (depth > 0) lost.push(pages.length + lost.length + 1);
      return;
    }
    if (!node.has(KIDS)) {
      if (depth > 0) pages.push({ number: pages.length + lost.length + 1, dict: node });
      return;
    }
    if (seen.has(node) || depth > MAX_DEPTH) return;
    seen.add(node);
    const kids = resolve(document, node.get(KIDS));
    if (kids instanceof PDFArray) for (const kid of kids.asArray()) walk(kid, depth + 1);
  };
  const catalog = resolve(document, document.trailer.get(ROOT));
  if (catalog instanceof PDFDict) walk(catalog.get(PAGES), 0);
  return { pages, lost };
}

/** Returns the numbers of the pages with a content stream that is missing or does not decode to its end. */
function damagedContents(document: LazyDocument, pages: readonly Page[]): number[] {
  const verdicts = new Map<PDFObject, boolean>();
  let left = document.recovered ? Infinity : CHECKED_BYTES;
  const isSound = (value: PDFObject): boolean => {
    const known = verdicts.get(value);
    if (known !== undefined) return known;
    const stream = resolve(document, value);
    if (stream === undefined) return false;
    if (!(stream instanceof PDFRawStream)) return true;
    const data = stream.contents;
    left -= data.length;
    const sound = left < 0 || decodes(document, stream, data);
    verdicts.set(value, sound);
    return sound;
  };
  return pages.flatMap(({ number, dict }) => {
    const value = dict.get(CONTENTS);
    if (value === undefined || left < 0) return [];
    const contents = resolve(document, value);
    const streams = contents instanceof PDFArray ? contents.asArray() : [value];
    return streams.every((each) => each === PDFNull || isSound(each)) ? [] : [number];
  });
}

/** Reads every object that the catalog reaches. Returns how many are missing, and how many streams do not decode. */
function checkObjects(document: LazyDocument): { readonly missing: number; readonly damaged: number } {
  const seen = new Set<PDFObject>();
  const waiting: PDFObject[] = [document.trailer];
  let [missing, damaged] = [0, 0];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    if (next instanceof PDFRef || next instanceof PDFDict || next instanceof PDFArray) seen.add(next);
    if (next instanceof PDFRef) {
      const found = document.lookup(next);
      if (found === undefined) missing++;
      else waiting.push(found);
    } else if (next instanceof PDFRawStream) {
      if (!decodes(document, next, next.contents)) damaged++;
      waiting.push(next.dict);
    } else if (next instanceof PDFDict) {
      for (const [key, value] of next.entries()) if (key !== PARENT) waiting.push(value);
    } else if (next instanceof PDFArray) waiting.push(...next.asArray());
  }
  return { missing, damaged };
}

/**
 * False for Flate data that stops early or contradicts its checksum (RFC 1950, 2.2); other filters have no means to
 * tell. A stream without a checksum whose last block is complete is sound.
 */
function decodes(document: LazyDocument, stream: PDFRawStream, data: Uint8Array): boolean {
  const filter = resolve(document, stream.dict.get(FILTER));
  const first = filter instanceof PDFArray ? resolve(document, filter.asArray()[0]) : filter;
  if (first !== PDFName.of('FlateDecode') && first !== PDFName.of('Fl')) return true;
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

/** Returns undefined for a missing or null object, also for one that is too large to be read. */
function resolve(document: LazyDocument, value: PDFObject | undefined): PDFObject | undefined {
  let object = value;
  try {
    for (let hop = 0; object instanceof PDFRef && hop < 32; hop++) object = document.lookup(object);
  } catch (error) {
    if (error instanceof DocumentError && isTooComplex(error)) throw error;
    return undefined;
  }
  return object === PDFNull || object instanceof PDFRef ? undefined : object;
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
