import {
  actualTextOf,
  type PageText,
  placePage,
  plainText,
  type ShownPage,
  withDrawnText,
  withoutFlatBlanks,
} from '../../content/index.js';
import { isInOrder, linesOf } from './line-order.js';
import { PageGlyphs } from './page-glyphs.js';
import { readingOf, readingText, type TextPiece } from './reading.js';
import { isRightToLeft, toLogicalOrder } from './right-to-left.js';

/** The glyphs of a page, and the orders in which its text can be read. */
export interface PageReadings {
  readonly glyphs: PageGlyphs;
  /** The text pieces of each reading; their `glyph` is a number in `glyphs`. */
  readonly ways: readonly (readonly TextPiece[])[];
}

const BREAK: TextPiece = { text: '\n' };

/**
 * Returns the readings of a page: in painting order, with /ActualText, line by line if that order differs, and
 * right-to-left lines in logical order. If fonts contradict themselves (`FontGlyph.drawn`), all of these follow again
 * with what the glyphs show; if blanks have next to no width, without these.
 */
export function pageReadings(page: PageText): PageReadings {
  const own = oneReading(page);
  // The same glyphs in the same order.
  const others = otherTexts(page.shown).flatMap((other) => oneReading(placePage(other)).ways);
  return others.length === 0 ? own : { ...own, ways: [...own.ways, ...others] };
}

/** The page with other texts for its glyphs, where some readers see others. */
function otherTexts(shown: ShownPage): ShownPage[] {
  const drawn = withDrawnText(shown.runs) ?? [];
  const ways = drawn.length === 0 ? [shown.runs] : [shown.runs, drawn];
  const flat = ways.flatMap((runs) => [withoutFlatBlanks(runs) ?? []]);
  return [drawn, ...flat].filter((runs) => runs.length > 0).map((runs) => ({ ...shown, runs }));
}

function oneReading({ shown, runs, units, painted }: PageText): PageReadings {
  const glyphs = new PageGlyphs(runs);
  const { starts } = glyphs;
  const numbered = (all: typeof units): TextPiece[] =>
    all.map(({ text, run, glyph, carried }) => {
      if (run === undefined || glyph === undefined) return { text };
      return carried === true
        ? { text, glyph: starts[run]! + glyph, joined: true }
        : { text, glyph: starts[run]! + glyph };
    });
  const ways: TextPiece[][] = [numbered(painted)];
  if (units !== painted) ways.push(numbered(units));
  const fromRight = holdsFromRight(shown);
  if (fromRight || !isInOrder(shown.runs)) {
    const lines = linesOf(glyphs.all());
    ways.push(joined(lines));
    if (fromRight) ways.push(joined(toLogicalOrder(lines, 'right')), joined(toLogicalOrder(lines, 'left')));
  }
  return { glyphs, ways };
}

/** The texts of a page, for a quick check that it contains no match. */
export interface PageTexts {
  /** One for each reading. */
  readonly texts: readonly string[];
  /** Number of glyphs whose characters are unknown, by the name of their font (for one without, of its resource). */
  readonly unreadable: ReadonlyMap<string, number>;
}

/** Returns the texts of all readings. If the page has only one reading order, no glyph positions are computed. */
export function pageTexts(shown: ShownPage): PageTexts {
  return {
    texts: [shown, ...otherTexts(shown)].flatMap(textsOf),
    unreadable: unreadableIn(shown),
  };
}

function textsOf(shown: ShownPage): string[] {
  if (holdsFromRight(shown) || !isInOrder(shown.runs))
    return oneReading(placePage(shown)).ways.map((pieces) => readingOf(pieces).text);
  const plain = plainText(shown);
  if (plain !== undefined) return [readingText(plain)];
  const { units, painted } = placePage(shown);
  return (units === painted ? [painted] : [painted, units]).map((all) =>
    readingText(all.map(({ text }) => text).join('')),
  );
}

function unreadableIn({ runs }: ShownPage): Map<string, number> {
  const unreadable = new Map<string, number>();
  for (const { parts, font, state } of runs) {
    let count = 0;
    for (const part of parts) {
      if (typeof part === 'number') continue;
      for (const { text, width, drawn } of part)
        if ((text === '' || text === '\ufffd') && drawn === undefined && width !== 0) count++;
    }
    if (count === 0) continue;
    const name = font.name || (state.text.fontName ?? '');
    unreadable.set(name, (unreadable.get(name) ?? 0) + count);
  }
  return unreadable;
}

function holdsFromRight({ runs }: ShownPage): boolean {
  return runs.some(({ parts }) =>
    parts.some((part) => typeof part !== 'number' && part.some(({ text }) => text > '\u0590' && isRightToLeft(text))),
  );
}

function joined(lines: readonly (readonly TextPiece[])[]): TextPiece[] {
  const pieces: TextPiece[] = [];
  for (const line of lines) {
    if (pieces.length > 0) pieces.push(BREAK);
    for (const piece of line) pieces.push(piece);
  }
  return pieces;
}

/** Glyphs that marked content replaces by one text (/ActualText): they are removed together. */
export interface SpokenGlyphs {
  readonly text: string;
  readonly glyphs: readonly number[];
}

/** Returns the marked content of a page that has an /ActualText. */
export function spokenGlyphs({ runs }: PageText): SpokenGlyphs[] {
  const groups = new Map<unknown, { readonly text: string; readonly glyphs: number[] }>();
  let number = 0;
  for (const run of runs) {
    const actual = actualTextOf(run.marked);
    if (actual === undefined) {
      number += run.glyphs.length;
      continue;
    }
    const group = groups.get(actual.marked) ?? { text: actual.text, glyphs: [] };
    groups.set(actual.marked, group);
    for (let i = 0; i < run.glyphs.length; i++) group.glyphs.push(number++);
  }
  return [...groups.values()];
}
