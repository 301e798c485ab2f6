import { accentOf, isAccent, Pen, type ShownRun, WORD_GAP } from '../../content/index.js';
import { type GlyphPlace, type PageGlyph, runPlace } from './page-glyphs.js';
import type { TextPiece } from './reading.js';

/** As a share of the font size. Letters further away from a line are on another line. */
const LINE_GAP = 0.5;
/** As a share of the font size. The same letter within this distance was painted twice to look bold. */
const TWICE = 0.2;
/** A glyph with its index. */
interface Placed {
  readonly glyph: PageGlyph;
  readonly number: number;
}

/** Returns the lines of a page, each in writing direction, from top to bottom, one writing direction after another. */
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

/** Gaps become blanks, letters painted twice become one, and accents are joined to the letters below them. */
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
    const accent = accentOf(glyph.text);
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

/** Returns true if an accent shares more than half of its width with the letter. */
function overlaps(accent: PageGlyph, letter: PageGlyph): boolean {
  return (
    /^\p{L}$/u.test(letter.text) &&
    Math.min(accent.to, letter.to) - Math.max(accent.from, letter.from) > (accent.to - accent.from) / 2
  );
}

/**
 * Returns true if runs are painted in reading order, without duplicates and separate accents, so that sorting them into
 * lines changes nothing.
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
 * Returns the position of a run's first glyph along its line; undefined if the glyphs are not in order or contain an
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
      if (isAccent(glyph.text)) return undefined;
      before = pen.at;
      first ??= before;
      pen.advance(glyph);
    }
  }
  return first;
}
