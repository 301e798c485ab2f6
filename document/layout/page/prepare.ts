import { findAlignedTables, findRuledTables, type FoundTable } from '../tables/index.js';
import type { PageContent, Word } from '../page-content.js';
import { columnsOf } from '../prose/columns.js';
import type { Line } from '../prose/line.js';
import { type Gutter, linesOf } from '../prose/lines.js';
import { type EdgeLine, edgeLines } from '../whole/running.js';
import { withBullets } from './bullets.js';
import { drawingsOf, type FoundFigure, isInside, picturesOf, share } from './figures.js';
import { recognised } from './recognised.js';
import { mostTurned, type Turn, turned } from './turn.js';

/** Rows of a table without lines. */
const LEAST_ROWS = 3;

/** A page of which tables, figures and lines are known. */
export interface PreparedPage {
  /** Turned so that most of the text runs to the right. */
  readonly content: PageContent;
  readonly turn: Turn;
  /** Size of the page as shown. */
  readonly width: number;
  readonly height: number;
  readonly tables: readonly FoundTable[];
  readonly figures: readonly (FoundFigure & { readonly text: string })[];
  /** Lines of prose: what is in tables and drawings is not among them. */
  readonly lines: readonly Line[];
  readonly gutters: readonly Gutter[];
  /** Words that stand across the others. */
  readonly across: readonly Word[];
  readonly edges: readonly EdgeLine[];
  /** Size of most of the text that was recognised on a scan; undefined where none was. */
  readonly usualSize: number | undefined;
}

/** Collects the parts of a page. */
export function preparePage(shown: PageContent): PreparedPage {
  const turn = mostTurned(shown.words);
  const { content, usualSize } = recognised(turned(shown, turn));
  const ruled = findRuledTables(content);
  const inTables = wordsOf(ruled);
  const pictures = picturesOf(content);
  const drawings = drawingsOf(content, [...ruled.map(({ box }) => box), ...pictures.map(({ box }) => box)]);
  const free = content.words.filter((word) => !inTables.has(word));
  const level = free.filter(({ angle }) => angle === 0);
  const labels = drawings.map(({ box }) => level.filter((word) => isInside(word.box, box)));
  const inDrawings = new Set(labels.flat());
  const prose = inDrawings.size === 0 ? level : level.filter((word) => !inDrawings.has(word));
  const marks = [
    ...content.shapes,
    ...content.fills.map(({ box }) => box),
    ...content.pictures.map(({ picture: { box } }) => box),
  ];
  const found = linesOf(prose);
  const { lines: all, taken } = withBullets(found.lines, marks);
  const aligned = alignedTables(all);
  const inAligned = wordsOf(aligned);
  const lines = aligned.length === 0 ? all : all.filter(({ words }) => !words.some((word) => inAligned.has(word)));
  const tables = [...ruled, ...aligned];
  const figures = [
    ...pictures
      .filter(({ picture }) => !taken.has(picture.box) && !drawings.some(({ box }) => share(picture.box, box) > 0.9))
      .map((figure) => ({ ...figure, text: '' })),
    ...drawings.map((figure, i) => ({ ...figure, text: labels[i]!.map(({ text }) => text).join(' ') })),
  ];
  const across = free.filter(({ angle }) => angle !== 0);
  return {
    content,
    turn,
    width: shown.width,
    height: shown.height,
    tables,
    figures,
    lines,
    gutters: found.gutters,
    across,
    edges: edgeLines(lines, content.height, content.number),
    usualSize,
  };
}

function wordsOf(tables: readonly FoundTable[]): Set<Word> {
  return new Set(tables.flatMap(({ cells }) => cells.flatMap(({ lines }) => lines.flat())));
}

/** Tables without lines are in columns with several lines that have gaps. */
function alignedTables(lines: readonly Line[]): FoundTable[] {
  if (lines.filter(({ gappy }) => gappy).length < LEAST_ROWS) return [];
  return columnsOf(lines).flatMap((column) =>
    column.lines.filter(({ gappy }) => gappy).length < LEAST_ROWS
      ? []
      : findAlignedTables(column.lines.flatMap(({ words }) => words)),
  );
}
