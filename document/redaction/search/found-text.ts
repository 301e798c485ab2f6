import type { Quad } from '../../content/index.js';
import { type GlyphPlace, quadAlong } from './page-glyphs.js';

/** One line of a match on a page. */
export interface FoundLine extends GlyphPlace {
  /** Around its letters from descent to ascent, as they stand. */
  readonly quad: Quad;
}

/** A match on a page. */
export interface FoundText {
  /** Index of the term. */
  readonly term: number;
  readonly lines: readonly FoundLine[];
}

/** Lines further apart than this part of the font size are two. */
const LINE_GAP = 0.5;
/** Letters of a line further apart than this part of the font size lie in two boxes: columns, cells of a table. */
const BOX_GAP = 4;
/** How far a quad reaches out of its letters, in parts of the font size; of letters without width. */
const SLACK = 0.01;
const LEAST_WIDTH = 0.1;

/** Joins glyphs that stand in one line to boxes, from the first to the last of each. */
export function linesAround(places: readonly GlyphPlace[]): FoundLine[] {
  const lines: GlyphPlace[] = [];
  const sorted = [...places].sort((a, b) => a.angle - b.angle || b.line - a.line || a.from - b.from);
  const open: GlyphPlace[] = [];
  for (const place of sorted) {
    const at = open.findIndex(
      (line) =>
        line.angle === place.angle &&
        Math.abs(line.line - place.line) < LINE_GAP * Math.min(line.em, place.em) &&
        nearby(line, place),
    );
    if (at < 0) open.push(place);
    else open[at] = joined(open[at]!, place);
    // Only the last few lines can still grow.
    if (open.length > 64) lines.push(open.shift()!);
  }
  return [...lines, ...open].map((line) => {
    // Letters of no width have their middle on an edge.
    const slack = line.em * (line.to - line.from < LEAST_WIDTH * line.em ? LEAST_WIDTH : SLACK);
    return {
      ...line,
      quad: quadAlong(
        line,
        line.from - slack,
        line.to + slack,
        line.line + line.below - SLACK * line.em,
        line.line + line.above + SLACK * line.em,
      ),
    };
  });
}

function nearby(a: GlyphPlace, b: GlyphPlace): boolean {
  return b.from - a.to < BOX_GAP * a.em && a.from - b.to < BOX_GAP * a.em;
}

/** Of two heights the larger; the line is the first one's. */
function joined(a: GlyphPlace, b: GlyphPlace): GlyphPlace {
  return {
    ...a,
    from: Math.min(a.from, b.from),
    to: Math.max(a.to, b.to),
    em: Math.max(a.em, b.em),
    above: Math.max(a.above, b.above + b.line - a.line),
    below: Math.min(a.below, b.below + b.line - a.line),
  };
}
