import { placePage, type Quad, showPage } from '@quire/document/content';
import {
  findOnPage,
  type FoundLine,
  linesAround,
  type PageGlyph,
  PageGlyphs,
  type PdfiumPageText,
  quadAlong,
  type TextSearch,
  withPdfiumText,
} from '@quire/document/redaction/search';
import { type OpenedPdf, withPdf } from '@quire/document/file/open';
import { readPdf } from '@quire/document/content/text';
import { listIn } from './areas.js';
import { PageReader } from './page-reader.js';
import { BATCH, searchPdfiumPages } from './search.js';

/** Text and data that a result must not contain. */
export interface Expectation {
  readonly search: TextSearch | undefined;
  /** Areas in which no letter may be left, by page index. */
  readonly areas: ReadonlyMap<number, readonly Quad[]>;
  /** Changed pages, which both readers read again. */
  readonly touched: ReadonlySet<number>;
  /** Unchanged pages that PDFium need not read, unless they were touched later; it reads all others. */
  readonly sure: ReadonlySet<number>;
  readonly pageCount: number;
}

/** Text left on a page: letters in areas, and lines of matches. */
export interface LeftOver {
  readonly quads: readonly Quad[];
  readonly lines: readonly FoundLine[];
  /** The letters themselves, if PDFium reports them. */
  readonly letters: readonly PageGlyph[];
}

/**
 * Reads a result again with both readers and reports, by page index, text that should have been removed. Letters of
 * PDFium without a position count as left if a match consists only of them. Throws the errors of reading,
 * PATTERN_TOO_SLOW.
 */
export async function verifyRedaction(
  path: string,
  expectation: Expectation,
  signal: AbortSignal,
  onPage: (done: number, total: number) => void,
): Promise<Map<number, LeftOver>> {
  const { search, areas, touched } = expectation;
  const left = new Map<number, { quads: Quad[]; lines: FoundLine[]; letters: PageGlyph[] }>();
  const add = (
    index: number,
    quads: readonly Quad[],
    lines: readonly FoundLine[],
    letters: readonly PageGlyph[] = [],
  ): void => {
    const known = left.get(index) ?? { quads: [], lines: [], letters: [] };
    left.set(index, known);
    for (const quad of quads) known.quads.push(quad);
    for (const line of lines) known.lines.push(line);
    for (const letter of letters) known.letters.push(letter);
  };
  if (search === undefined && areas.size === 0) return left;
  await readPdf({ path }, (document) => {
    if (search !== undefined)
      for (const [index, { matches }] of searchPdfiumPages(
        document,
        pagesToRead(expectation, document.pageCount),
        search,
        signal,
        onPage,
      ))
        for (const { places } of matches) add(index, [], linesAround(places), places);
    for (const [index, inAreas] of areas) {
      signal.throwIfAborted();
      const letters =
        withPdfiumText(document, index, (text) =>
          placesOf(text).filter((place) => inAreas.some((quad) => holds(quad, centreOf(place)))),
        ) ?? [];
      if (letters.length > 0) add(index, letters.map(around), [], letters);
    }
  });
  if (touched.size === 0) return left;
  await withPdf({ path }, {}, (opened) => {
    const reader = new PageReader(opened);
    const holding = search === undefined ? undefined : pagesHolding(opened, reader, touched, search, signal);
    for (const index of touched) {
      const page = opened.pages[index];
      if (page === undefined) continue;
      signal.throwIfAborted();
      const lines =
        search === undefined || holding?.has(index) !== true
          ? []
          : findOnPage(placePage(showPage(reader.content, page)), search).found.flatMap((found) => found.lines);
      if (lines.length > 0) add(index, [], lines);
      const inAreas = areas.get(index);
      if (inAreas === undefined) continue;
      const quads = new PageGlyphs(placePage(showPage(reader.content, page)).runs)
        .all()
        .filter((place) => place.text.trim() !== '' && inAreas.some((quad) => holds(quad, centreOf(place))))
        .map(around);
      if (quads.length > 0) add(index, quads, []);
    }
  });
  return left;
}

/** Indexes of the pages in whose texts something is found. */
function pagesHolding(
  { pages }: OpenedPdf,
  reader: PageReader,
  indexes: ReadonlySet<number>,
  search: TextSearch,
  signal: AbortSignal,
): Set<number> {
  const holding = new Set<number>();
  let batch: { readonly index: number; readonly text: string }[] = [];
  const flush = (): void => {
    for (const at of search.holding(batch.map(({ text }) => text))) holding.add(batch[at]!.index);
    batch = [];
  };
  for (const index of indexes) {
    const page = pages[index];
    if (page === undefined) continue;
    signal.throwIfAborted();
    for (const text of reader.read(page).texts) batch.push({ index, text });
    if (batch.length >= BATCH) flush();
  }
  flush();
  return holding;
}

/** All pages if the second reader counts other pages than the first. */
function pagesToRead({ touched, sure, pageCount }: Expectation, counted: number): number[] {
  const all = Array.from({ length: pageCount }, (_none, index) => index);
  return counted === pageCount ? all.filter((index) => touched.has(index) || !sure.has(index)) : all;
}

/**
 * Quads of a page's glyphs that match letters which PDFium places elsewhere on the same line: readers space fonts
 * without widths differently.
 */
export function elsewhere(glyphs: readonly PageGlyph[], letters: readonly PageGlyph[]): Quad[] {
  const alike = new Map<string, PageGlyph[]>();
  for (const letter of letters) {
    const known = listIn(alike, `${letter.text} ${letter.angle}`);
    if (!known.some(({ line, em }) => Math.abs(line - letter.line) < em / 100)) known.push(letter);
  }
  return glyphs
    .filter(
      (glyph) =>
        alike.get(`${glyph.text} ${glyph.angle}`)?.some(({ line, em }) => Math.abs(line - glyph.line) < em / 2) ===
        true,
    )
    .map(around);
}

function placesOf(text: PdfiumPageText): PageGlyph[] {
  return text.pieces.flatMap(({ text: letter, glyph }) => {
    const place = letter.trim() === '' || glyph === undefined ? undefined : text.place(glyph);
    return place === undefined ? [] : [place];
  });
}

function centreOf({ along: [x, y], from, to, line, above, below }: PageGlyph): readonly [number, number] {
  const [way, across] = [(from + to) / 2, line + (above + below) / 2];
  return [x * way - y * across, y * way + x * across];
}

function around(place: PageGlyph): Quad {
  return quadAlong(place, place.from, place.to, place.line + place.below, place.line + place.above);
}

/** True for a point inside a convex quad with corners in either direction; a point on an edge is outside. */
function holds([x0, y0, x1, y1, x2, y2, x3, y3]: Quad, [x, y]: readonly [number, number]): boolean {
  const sides = [
    [x0, y0, x1, y1],
    [x1, y1, x2, y2],
    [x2, y2, x3, y3],
    [x3, y3, x0, y0],
  ].map(([ax = 0, ay = 0, bx = 0, by = 0]) => (bx - ax) * (y - ay) - (by - ay) * (x - ax));
  return sides.every((side) => side > 1e-6) || sides.every((side) => side < -1e-6);
}
