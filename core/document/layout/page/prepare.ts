import { findRuledTables, type FoundTable } from '../../tables/index.js';
import type { PageContent, Word } from '../page-content.js';
import type { Line } from '../prose/line.js';
import { linesOf } from '../prose/lines.js';
import { type EdgeLine, edgeLines } from '../whole/running.js';
import { withBullets } from './bullets.js';
import { drawingsOf, type FoundFigure, isInside, picturesOf, share } from './figures.js';
import { mostTurned, type Turn, turned } from './turn.js';

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
  /** Words that stand across the others. */
  readonly across: readonly Word[];
  readonly edges: readonly EdgeLine[];
}

/** Finds what stands on a page. */
export function preparePage(shown: PageContent): PreparedPage {
  const turn = mostTurned(shown.words);
  const content = turned(shown, turn);
  const tables = findRuledTables(content);
  const inTables = new Set(tables.flatMap(({ cells }) => cells.flatMap(({ lines }) => lines.flat())));
  const pictures = picturesOf(content);
  const drawings = drawingsOf(content, [...tables.map(({ box }) => box), ...pictures.map(({ box }) => box)]);
  const free = content.words.filter((word) => !inTables.has(word));
  const level = free.filter(({ angle }) => angle === 0);
  const labels = drawings.map(({ box }) => level.filter((word) => isInside(word.box, box)));
  const inDrawings = new Set(labels.flat());
  const prose = inDrawings.size === 0 ? level : level.filter((word) => !inDrawings.has(word));
  const marks = [...content.shapes, ...content.fills.map(({ box }) => box), ...content.pictures.map(({ picture: { box } }) => box)];
  const { lines, taken } = withBullets(linesOf(prose), marks);
  const figures = [
    ...pictures.filter(({ picture }) => !taken.has(picture.box) && !drawings.some(({ box }) => share(picture.box, box) > 0.9)).map((figure) => ({ ...figure, text: '' })),
    ...drawings.map((figure, i) => ({ ...figure, text: labels[i]!.map(({ text }) => text).join(' ') })),
  ];
  const across = free.filter(({ angle }) => angle !== 0);
  return { content, turn, width: shown.width, height: shown.height, tables, figures, lines, across, edges: edgeLines(lines, content.height) };
}
