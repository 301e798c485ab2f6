import { linesOf } from './line-order.js';
import type { PageGlyph } from './page-glyphs.js';
import type { TextPiece } from './reading.js';

/** As a share of the font size. A wider gap separates two sections of a line. */
const STRETCH_GAP = 1.5;
/**
 * A page has two columns if at least this number of lines on either side of its middle are at least `LEAST_WIDTH`
 * points wide, with centres at least `CLEARLY` points from the middle.
 */
const LEAST_LINES = 3;
const LEAST_WIDTH = 100;
const CLEARLY = 30;

interface Stretch {
  readonly pieces: readonly TextPiece[];
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the text of a page in reading order: line by line, and in two columns the left one first. Lines across the
 * middle separate the columns above them from those below. `middle` is the middle of the page along its upright lines.
 */
export function columnOrder(glyphs: readonly PageGlyph[], middle: number): TextPiece[] {
  const lines = linesOf(glyphs);
  const upright = lines.map((line) =>
    glyphs[line.find(({ glyph }) => glyph !== undefined)?.glyph ?? -1]?.angle === 0
      ? stretchesOf(line, glyphs)
      : undefined,
  );
  const wide = upright.flatMap((stretches) => stretches ?? []).filter(({ from, to }) => to - from >= LEAST_WIDTH);
  const left = wide.filter(({ from, to }) => to <= middle && (from + to) / 2 <= middle - CLEARLY).length;
  const right = wide.filter(({ from, to }) => from >= middle && (from + to) / 2 >= middle + CLEARLY).length;
  if (left < LEAST_LINES || right < LEAST_LINES) return joined(lines);
  const ordered: (readonly TextPiece[])[] = [];
  let columns: [(readonly TextPiece[])[], (readonly TextPiece[])[]] = [[], []];
  const flush = (): void => {
    ordered.push(...columns[0], ...columns[1]);
    columns = [[], []];
  };
  for (const [i, line] of lines.entries()) {
    const stretches = upright[i];
    if (stretches === undefined || stretches.some(({ from, to }) => from < middle && to > middle)) {
      flush();
      ordered.push(line);
      continue;
    }
    for (const side of [0, 1] as const) {
      const own = stretches.filter(({ to }) => to <= middle === (side === 0));
      if (own.length > 0)
        columns[side].push(own.flatMap(({ pieces }, n) => (n === 0 ? pieces : [{ text: ' ' }, ...pieces])));
    }
  }
  flush();
  return joined(ordered);
}

function stretchesOf(line: readonly TextPiece[], glyphs: readonly PageGlyph[]): Stretch[] {
  const stretches: { pieces: TextPiece[]; from: number; to: number }[] = [];
  for (const piece of line) {
    const last = stretches.at(-1);
    const glyph = piece.glyph === undefined ? undefined : glyphs[piece.glyph];
    if (glyph === undefined) last?.pieces.push(piece);
    else if (last === undefined || glyph.from - last.to > STRETCH_GAP * glyph.em)
      stretches.push({ pieces: [piece], from: glyph.from, to: glyph.to });
    else {
      last.pieces.push(piece);
      last.to = Math.max(last.to, glyph.to);
    }
  }
  return stretches;
}

function joined(lines: readonly (readonly TextPiece[])[]): TextPiece[] {
  return lines.flatMap((line, i) => (i === 0 ? line : [{ text: '\n' }, ...line]));
}
