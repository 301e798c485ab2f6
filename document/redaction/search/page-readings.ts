import { actualTextOf, type PageText, placePage, plainText, type ShownPage } from '../../content/index.js';
import { isInOrder, linesOf } from './line-order.js';
import { type PageGlyph, pageGlyphs } from './page-glyphs.js';
import { readingOf, readingText, type TextPiece } from './reading.js';
import { isRightToLeft, toLogicalOrder } from './right-to-left.js';

/** The glyphs of a page, and the orders in which its text can be read. */
export interface PageReadings {
  readonly glyphs: readonly PageGlyph[];
  /** The text pieces of each reading; their `glyph` is an index into `glyphs`. */
  readonly ways: readonly (readonly TextPiece[])[];
}

const BREAK: TextPiece = { text: '\n' };

/**
 * Returns the readings of a page: in painting order, with /ActualText, line by line if that order differs, and
 * right-to-left lines in logical order.
 */
export function pageReadings({ shown, runs, units, painted }: PageText): PageReadings {
  const { glyphs, starts } = pageGlyphs(runs);
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
    const lines = linesOf(glyphs);
    ways.push(joined(lines));
    if (fromRight) ways.push(joined(toLogicalOrder(lines, 'right')), joined(toLogicalOrder(lines, 'left')));
  }
  return { glyphs, ways };
}

/**
 * Returns the texts of all readings, for a quick check that a page contains no match, and the number of glyphs whose
 * characters are unknown. If the page has only one reading, no glyph positions are computed.
 */
export function pageTexts(shown: ShownPage): { readonly texts: readonly string[]; readonly unreadable: number } {
  const unreadable = unreadableIn(shown);
  if (holdsFromRight(shown) || !isInOrder(shown.runs))
    return { texts: pageReadings(placePage(shown)).ways.map((pieces) => readingOf(pieces).text), unreadable };
  const plain = plainText(shown);
  if (plain !== undefined) return { texts: [readingText(plain)], unreadable };
  const { units, painted } = placePage(shown);
  return {
    texts: (units === painted ? [painted] : [painted, units]).map((all) =>
      readingText(all.map(({ text }) => text).join('')),
    ),
    unreadable,
  };
}

function unreadableIn({ runs }: ShownPage): number {
  let unreadable = 0;
  for (const { parts } of runs)
    for (const part of parts)
      if (typeof part !== 'number') for (const { text, width } of part) if (text === '' && width !== 0) unreadable++;
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
