import { Pen, type ShownRun } from '../../content/index.js';
import { type GlyphPlace, type PageGlyph, runPlace } from './page-glyphs.js';
import type { TextPiece } from './reading.js';

/** A gap beyond this part of the font size parts words. */
const WORD_GAP = 0.15;
/** Letters further off a line than this part of their size stand on another. */
const LINE_GAP = 0.5;
/** The same letter so near, in parts of its size, was painted twice to look bold. */
const TWICE = 0.2;
/** Accents with a place of their own, which some programs paint over a letter, with the marks that they are. */
const ACCENTS: Readonly<Record<string, string>> = {
  '\u00a8': '\u0308',
  '\u00b4': '\u0301',
  '`': '\u0300',
  '\u02c6': '\u0302',
  '^': '\u0302',
  '\u02dc': '\u0303',
  '~': '\u0303',
  '\u00b8': '\u0327',
  '\u02da': '\u030a',
  '\u00b0': '\u030a',
  '\u02c7': '\u030c',
  '\u00af': '\u0304',
  '\u02d8': '\u0306',
  '\u02d9': '\u0307',
  '\u02dd': '\u030b',
  '\u02db': '\u0328',
};

/** A glyph with its number. */
interface Placed {
  readonly glyph: PageGlyph;
  readonly number: number;
}

/**
 * The lines of a page, each from its begin: from the top of the page to its bottom, one direction of writing after the
 * other.
 */
export function linesOf(glyphs: readonly PageGlyph[]): TextPiece[][] {
  const directions = new Map<number, Placed[]>();
  for (const [number, glyph] of glyphs.entries()) {
    if (glyph.text.trim() === '') continue;
    const known = directions.get(glyph.angle);
    if (known === undefined) directions.set(glyph.angle, [{ glyph, number }]);
    else known.push({ glyph, number });
  }
  return [...directions.values()].flatMap((placed) => linesIn(placed).map(piecesOf));
}

function linesIn(placed: Placed[]): Placed[][] {
  const lines: Placed[][] = [];
  let line: Placed[] = [];
  placed.sort((a, b) => b.glyph.line - a.glyph.line);
  for (const one of placed) {
    const head = line[0]?.glyph;
    if (head !== undefined && head.line - one.glyph.line > LINE_GAP * Math.min(head.em, one.glyph.em)) {
      lines.push(line);
      line = [];
    }
    line.push(one);
  }
  if (line.length > 0) lines.push(line);
  for (const each of lines) each.sort((a, b) => a.glyph.from - b.glyph.from);
  return lines;
}

/** Gaps become blanks; letters painted twice are one, accents painted over letters belong to them. */
function piecesOf(line: readonly Placed[]): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end: number | undefined;
  let last: PageGlyph | undefined;
  for (let i = 0; i < line.length; i++) {
    const { glyph, number } = line[i]!;
    if (end !== undefined && glyph.from - end > WORD_GAP * glyph.em) pieces.push({ text: ' ' });
    end = Math.max(end ?? glyph.to, glyph.to);
    if (last !== undefined && last.text === glyph.text && glyph.from - last.from < TWICE * glyph.em) {
      pieces.push({ text: '', glyph: number, joined: true });
      continue;
    }
    const base = line[i + 1];
    const accent = ACCENTS[glyph.text];
    if (accent !== undefined && base !== undefined && overlaps(glyph, base.glyph)) {
      pieces.push({ text: base.glyph.text, glyph: base.number }, { text: accent, glyph: number });
      end = Math.max(end, base.glyph.to);
      last = base.glyph;
      i++;
      continue;
    }
    pieces.push({
      text: accent !== undefined && last !== undefined && overlaps(glyph, last) ? accent : glyph.text,
      glyph: number,
    });
    last = glyph;
  }
  return pieces;
}

/** More than half of an accent's width is shared with the letter. */
function overlaps(accent: PageGlyph, letter: PageGlyph): boolean {
  return (
    /^\p{L}$/u.test(letter.text) &&
    Math.min(accent.to, letter.to) - Math.max(accent.from, letter.from) > (accent.to - accent.from) / 2
  );
}

/**
 * True when runs are painted in the order of reading, nothing twice and no accent by itself, so that lines say nothing
 * new.
 */
export function isInOrder(runs: readonly ShownRun[]): boolean {
  let last: GlyphPlace | undefined;
  for (const run of runs) {
    if (run.count === 0) continue;
    const first = firstInOrder(run);
    if (first === undefined) return false;
    const place = runPlace(run, first);
    if (last !== undefined) {
      if (last.angle !== place.angle || last.line - place.line < -LINE_GAP * place.em) return false;
      if (Math.abs(last.line - place.line) < LINE_GAP * place.em && place.from < last.to - LINE_GAP * place.em)
        return false;
    }
    last = place;
  }
  return true;
}

/**
 * Where the first glyph of a run stands along it; undefined where one stands before the one painted before it, or is an
 * accent.
 */
function firstInOrder({ font, state, parts }: ShownRun): number | undefined {
  const pen = new Pen(font, state.text);
  let first: number | undefined;
  let before = -Infinity;
  for (const part of parts) {
    if (typeof part === 'number') {
      pen.back(part);
      continue;
    }
    for (const glyph of part) {
      if (!font.vertical && pen.at < before) return undefined;
      if (glyph.text > '\u007f' && glyph.text in ACCENTS) return undefined;
      before = pen.at;
      first ??= before;
      pen.advance(glyph);
    }
  }
  return first;
}
