import type { Quad } from '../../content/index.js';
import { type GlyphPlace, quadAlong } from './page-glyphs.js';

/** One line of a match on a page. */
export interface FoundLine extends GlyphPlace {
  /** Encloses its letters from descent to ascent, rotated like them. */
  readonly quad: Quad;
}

/** A match and the text around it, as people read it. */
export interface Excerpt {
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

/** A match on a page. */
export interface FoundText {
  /** Index of the term. */
  readonly term: number;
  /** Indexes of all terms that match here: overlapping matches are one. */
  readonly terms: readonly number[];
  readonly excerpt: Excerpt;
  readonly lines: readonly FoundLine[];
}

/** Characters before and after a match. */
const EXCERPT = 60;

/** Cuts a match and the text around it from a reading. */
export function excerptOf(text: string, { start, end }: { readonly start: number; readonly end: number }): Excerpt {
  return {
    before: text.slice(Math.max(0, start - EXCERPT), start),
    text: text.slice(start, end),
    after: text.slice(end, end + EXCERPT),
  };
}

/** As a share of the font size. Letters further apart than this across the line are on two lines. */
const LINE_GAP = 0.5;
/**
 * As a share of the font size. Letters of a line further apart than this are in two boxes, such as columns or table
 * cells.
 */
const BOX_GAP = 4;
/** As a share of the font size. Margin of a quad around its letters, normally and for letters without width. */
const SLACK = 0.01;
const LEAST_WIDTH = 0.1;

/** Joins the glyphs of each line into boxes. */
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
    // The centre of a letter without width is on an edge.
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

/** Uses the larger of the two heights and the line of the first. */
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
