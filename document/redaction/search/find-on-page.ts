import type { PageText } from '../../content/index.js';
import { type Excerpt, excerptOf, type FoundLine, type FoundText, linesAround } from './found-text.js';
import type { GlyphPlace, PageGlyph, PageGlyphs } from './page-glyphs.js';
import { pageReadings, type SpokenGlyphs, spokenGlyphs } from './page-readings.js';
import type { PdfiumPageText } from './pdfium-text.js';
import { type Reading, readingOf, type TextPiece } from './reading.js';
import { folded } from './searchable.js';
import type { TextMatch } from './search-types.js';
import type { TextSearch } from './text-search.js';

export interface PageFindings {
  /** One entry for each match, even if it was found in several readings. */
  readonly found: readonly FoundText[];
  /**
   * Glyphs that belong to no match, on the lines of matches and on adjacent lines, above or below their letters: they
   * limit the boxes.
   */
  readonly staying: readonly PageGlyph[];
}

/** Matches of another text extractor on the same page, with the positions of their letters. */
export interface SecondReading {
  readonly matches: readonly {
    readonly term: number;
    readonly excerpt: Excerpt;
    readonly places: readonly PageGlyph[];
  }[];
}

/** Returns the glyphs of the pieces that a match touches. */
export function glyphsOfMatch(
  { start, end }: Pick<TextMatch, 'start' | 'end'>,
  { first, last }: Reading,
  pieces: readonly TextPiece[],
): number[] {
  const glyphs: number[] = [];
  let [from, to] = [first[start]!, last[end - 1]!];
  for (let i = start; i < end; i++) [from, to] = [Math.min(from, first[i]!), Math.max(to, last[i]!)];
  for (let i = from; i <= to; i++) {
    const glyph = pieces[i]?.glyph;
    if (glyph !== undefined) glyphs.push(glyph);
  }
  return glyphs;
}

/**
 * Searches a page's text as PDFium extracts it; call it while the page is open. `matches` is empty if nothing was
 * found.
 */
export function searchPdfiumText(text: PdfiumPageText, search: TextSearch): SecondReading {
  const reading = readingOf(text.pieces);
  return {
    matches: search.find(reading.text).map((match) => ({
      term: match.term,
      excerpt: excerptOf(reading.text, match),
      places: glyphsOfMatch(match, reading, text.pieces)
        .map((letter) => text.place(letter))
        .filter((place): place is PageGlyph => place !== undefined),
    })),
  };
}

/** Searches all readings of a page and merges the matches of a second extractor. */
export function findOnPage(page: PageText, search: TextSearch, second?: SecondReading): PageFindings {
  const { glyphs, ways } = pageReadings(page);
  const matches: Match[] = [];
  const seen = new Set<string>();
  for (const pieces of ways) {
    const reading = readingOf(pieces);
    for (const match of search.find(reading.text)) {
      const numbers = glyphsOfMatch(match, reading, pieces).sort((a, b) => a - b);
      const key = `${match.term}:${numbers.join(' ')}`;
      if (seen.has(key)) continue;
      seen.add(key);
      matches.push({ terms: [match.term], excerpt: excerptOf(reading.text, match), glyphs: numbers, beside: [] });
    }
  }
  const spoken = second === undefined && seen.size === 0 ? [] : spokenGlyphs(page);
  if (second !== undefined && second.matches.length > 0) {
    const index = new GlyphIndex(
      glyphs.all(),
      second.matches.flatMap(({ places }) => places),
    );
    for (const { term, excerpt, places } of second.matches) {
      const numbers: number[] = [];
      const beside: GlyphPlace[] = [];
      for (const place of places) {
        const number = index.at(place);
        if (number === undefined) beside.push(place);
        else numbers.push(number);
      }
      if (beside.length > 0) numbers.push(...spokenFor(excerpt.text, spoken));
      const key = `${term}:${numbers.sort((a, b) => a - b).join(' ')}`;
      if (beside.length === 0 && seen.has(key)) continue;
      seen.add(key);
      matches.push({ terms: [term], excerpt, glyphs: numbers, beside });
    }
  }
  if (matches.length === 0) return { found: [], staying: [] };
  const fellows = new Map(spoken.flatMap(({ glyphs: group }) => group.map((glyph) => [glyph, group] as const)));
  const whole = matches.map((match) => ({
    ...match,
    glyphs: [...new Set(match.glyphs.flatMap((glyph) => fellows.get(glyph) ?? [glyph]))],
  }));
  const gone = new Set(whole.flatMap((match) => match.glyphs));
  const found = joinOverlapping(whole).map(({ terms, excerpt, glyphs: numbers, beside }) => ({
    term: terms[0]!,
    terms,
    excerpt,
    lines: linesAround([...numbers.map((glyph) => glyphs.at(glyph)), ...beside]),
  }));
  const lines = found.flatMap((one) => one.lines);
  return { found, staying: lines.length === 0 ? [] : stayingNear(lines, glyphs, gone) };
}

function stayingNear(lines: readonly FoundLine[], glyphs: PageGlyphs, gone: ReadonlySet<number>): PageGlyph[] {
  const isAdjacent = (one: GlyphPlace, line: FoundLine): boolean =>
    one.angle === line.angle && Math.abs(one.line - line.line) < line.em + one.em;
  return glyphs
    .inRuns((run) => lines.some((line) => isAdjacent(run, line)))
    .filter((number) => !gone.has(number))
    .map((number) => glyphs.at(number))
    .filter(
      (glyph) =>
        glyph.text.trim() !== '' &&
        lines.some((line) => isAdjacent(glyph, line) && glyph.to > line.from && glyph.from < line.to),
    );
}

/**
 * PDFium reports no correct positions for /ActualText: there the text itself, possibly reversed, identifies the glyphs.
 */
function spokenFor(text: string, spoken: readonly SpokenGlyphs[]): number[] {
  const plain = (one: string): string => folded(one).replaceAll(/\s/g, '');
  const forms = [plain(text), plain([...text].reverse().join(''))];
  return spoken
    .filter((group) => {
      const said = plain(group.text);
      return said !== '' && forms.some((form) => form.includes(said) || said.includes(form));
    })
    .flatMap(({ glyphs }) => glyphs);
}

interface Match {
  readonly terms: readonly number[];
  readonly excerpt: Excerpt;
  readonly glyphs: readonly number[];
  readonly beside: readonly GlyphPlace[];
}

/** Merges matches that share glyphs: both extractors may find the same word, and one term may contain another. */
function joinOverlapping(matches: readonly Match[]): Match[] {
  const owner = new Map<number, number>();
  const groups: (Match | undefined)[] = [];
  for (const match of matches) {
    const touched = new Set(match.glyphs.flatMap((glyph) => owner.get(glyph) ?? []));
    const parts = [...touched].map((group) => groups[group]!);
    for (const group of touched) groups[group] = undefined;
    const joined = {
      terms: [...new Set([...parts.flatMap(({ terms }) => terms), ...match.terms])],
      excerpt: parts.map(({ excerpt }) => excerpt).reduce(longer, match.excerpt),
      glyphs: [...new Set([...parts.flatMap(({ glyphs }) => glyphs), ...match.glyphs])],
      beside: [...parts.flatMap(({ beside }) => beside), ...match.beside],
    };
    for (const glyph of joined.glyphs) owner.set(glyph, groups.length);
    groups.push(joined);
  }
  return groups.filter((group) => group !== undefined);
}

function longer(one: Excerpt, other: Excerpt): Excerpt {
  return other.text.length >= one.text.length ? other : one;
}

/**
 * Finds the glyph at a position that another extractor reports. Only glyphs near the requested positions are indexed.
 */
class GlyphIndex {
  readonly #cells = new Map<number, number[]>();

  constructor(
    private readonly glyphs: readonly PageGlyph[],
    places: Iterable<PageGlyph>,
  ) {
    for (const {
      origin: [x, y],
    } of places)
      for (const [dx, dy] of AROUND) this.#cells.set(cell(x + dx, y + dy), []);
    for (let number = 0; number < glyphs.length; number++) {
      const [x, y] = glyphs[number]!.origin;
      this.#cells.get(cell(x, y))?.push(number);
    }
  }

  /** Returns the nearest glyph within a twentieth of the font size. */
  at({ origin: [x, y], em }: PageGlyph): number | undefined {
    let [nearest, distance] = [undefined as number | undefined, Math.max(0.05, em / 20)];
    for (const [dx, dy] of AROUND) {
      for (const number of this.#cells.get(cell(x + dx, y + dy)) ?? []) {
        const { origin } = this.glyphs[number]!;
        const away = Math.hypot(origin[0] - x, origin[1] - y);
        if (away < distance) [nearest, distance] = [number, away];
      }
    }
    return nearest;
  }
}

const AROUND = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [dx, dy] as const));

/**
 * Returns a hash of the one-point square around a position; collisions are harmless because distances are compared
 * afterwards.
 */
function cell(x: number, y: number): number {
  return Math.imul(Math.round(x), 73_856_093) ^ Math.imul(Math.round(y), 19_349_663);
}
