import type { PDFDict } from 'pdf-lib';
import { ContentReader, type Quad, readPageText } from '@quire/document/content';
import type { Colour } from '@quire/document/content/drawing';
import {
  columnOrder,
  compileFault,
  glyphsOfMatch,
  linesAround,
  type PageGlyph,
  PageGlyphs,
  type Reading,
  readingOf,
  type SearchTerm,
  type TextPiece,
  TextSearch,
} from '@quire/document/redaction/search';
import type { OpenedPdf } from '@quire/document/file/open';
import { pageBox } from '@quire/document/structure/pages';
import { listIn, parseList } from './areas.js';
import { boxOfLine } from './boxes.js';
import type { PlannedArea } from './plan.js';

/** Everything from one phrase to another, both included; without an end, to the end of the document. */
export interface TextRange {
  readonly startString: string;
  readonly endString?: string;
}

/** A position in a document's text: page, and character in reading order. */
interface Place {
  readonly page: number;
  readonly start: number;
  readonly end: number;
}

interface ReadPage {
  readonly glyphs: readonly PageGlyph[];
  readonly pieces: readonly TextPiece[];
  readonly reading: Reading;
}

const MAX_RANGES = 1000;
/** A first line with fewer characters is not used as an anchor. */
const MIN_ANCHOR_LENGTH = 4;

/**
 * Parses the field `ranges` (`docs/interface/security.yml`, redact-execute); returns an error text that starts with the
 * position if it is invalid.
 */
export function parseRanges(text: string): TextRange[] | string {
  const list = parseList(text, '{"startString", "endString"}');
  if (typeof list === 'string') return list;
  if (list.length > MAX_RANGES) return `may have at most ${MAX_RANGES} ranges`;
  const ranges: TextRange[] = [];
  for (const [i, one] of list.entries()) {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return `/${i} must be an object`;
    const { startString, endString } = one as { readonly startString?: unknown; readonly endString?: unknown };
    if (typeof startString !== 'string' || startString.trim() === '') return `/${i}/startString must be text`;
    if (endString !== undefined && endString !== null && typeof endString !== 'string')
      return `/${i}/endString must be text`;
    ranges.push(
      typeof endString === 'string' && endString.trim() !== ''
        ? { startString: startString.trim(), endString: endString.trim() }
        : { startString: startString.trim() },
    );
  }
  return ranges;
}

/**
 * Finds the ranges in a document: each start opens a range to the next end in reading order, column by column. Returns
 * their lines as areas by page, and the number of ranges that were not found. Throws the errors of `ContentReader`,
 * PATTERN_TOO_SLOW.
 */
export function placeRanges(
  opened: OpenedPdf,
  ranges: readonly TextRange[],
  colour: Colour,
  padding: number,
  signal: AbortSignal,
): { readonly areas: Map<PDFDict, PlannedArea[]>; readonly skipped: number } {
  const {
    document: { context },
    pages,
  } = opened;
  const reader = new ContentReader(context);
  const read = (index: number): ReadPage => {
    signal.throwIfAborted();
    const page = pages[index]!;
    const [left, , right] = pageBox(context, page);
    const glyphs = new PageGlyphs(readPageText(reader, page).runs).all();
    const pieces = columnOrder(glyphs, (left + right) / 2);
    return { glyphs, pieces, reading: readingOf(pieces) };
  };
  const texts = pages.map((_page, index) => read(index).reading.text);
  const chosen = new Map<number, (readonly [number, number])[]>();
  let skipped = 0;
  for (const { startString, endString } of ranges) {
    const starts = placesOf(texts, startString);
    const ends = endString === undefined ? undefined : placesOf(texts, endString);
    let found = false;
    for (const start of starts) {
      const end =
        ends === undefined
          ? { page: texts.length - 1, end: texts.at(-1)?.length ?? 0 }
          : ends.find((one) => one.page > start.page || (one.page === start.page && one.start >= start.end));
      if (end === undefined) continue;
      found = true;
      for (let page = start.page; page <= end.page; page++) {
        const stretch = [
          page === start.page ? start.start : 0,
          page === end.page ? end.end : texts[page]!.length,
        ] as const;
        if (stretch[1] > stretch[0]) listIn(chosen, page).push(stretch);
      }
    }
    if (!found) skipped++;
  }
  const areas = new Map<PDFDict, PlannedArea[]>();
  for (const [index, stretches] of chosen) {
    const { glyphs, pieces, reading } = read(index);
    const gone = new Set(stretches.flatMap(([start, end]) => glyphsOfMatch({ start, end }, reading, pieces)));
    const staying = glyphs.filter((glyph, number) => !gone.has(number) && glyph.text.trim() !== '');
    const rgb: readonly [number, number, number] = [colour.red, colour.green, colour.blue];
    areas.set(
      pages[index]!.dict,
      linesAround([...gone].map((glyph) => glyphs[glyph]!)).flatMap((line): PlannedArea[] => {
        const quad: Quad = boxOfLine(line, staying, padding);
        const area: PlannedArea = { quad, text: [line.quad], colour: rgb, boxes: [{ quad, colour }] };
        return padding > 0 ? [area, { quad, kinds: ['text'], boxes: [] }] : [area];
      }),
    );
  }
  return { areas, skipped };
}

/**
 * Positions of an anchor: searched as a pattern, then exactly, then without punctuation, then by its first line only;
 * the first search that finds any wins.
 */
function placesOf(texts: readonly string[], anchor: string): Place[] {
  const words = anchor.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const [firstLine = ''] = anchor.split(/\r\n?|\n/);
  const ways: SearchTerm[] = [
    { text: anchor, regex: true },
    { text: anchor },
    ...(words.length > 0 ? [{ text: words.join('[^\\p{L}\\p{N}]*'), regex: true }] : []),
    ...(firstLine.trim().length >= MIN_ANCHOR_LENGTH && firstLine !== anchor ? [{ text: firstLine }] : []),
  ];
  for (const way of ways) {
    if (compileFault(way) !== undefined) continue;
    const search = new TextSearch([way]);
    const places = texts
      .flatMap((text, page) => search.find(text).map(({ start, end }): Place => ({ page, start, end })))
      .sort((a, b) => a.page - b.page || a.start - b.start);
    if (places.length > 0) return places;
  }
  return [];
}
