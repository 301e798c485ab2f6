import type { PageSetting, PageBody } from './page-body.js';
import type { Artefact, Block, Figure, Footnote, LayoutPage } from '../model.js';
import type { Word } from '../page-content.js';
import { type Column, columnsOf } from '../prose/columns.js';
import { goesOn, joinedPara } from '../prose/join-paras.js';
import { around, directionOf, type Line, lineText } from '../prose/line.js';
import { type Para, paragraphsOf } from '../prose/paragraphs.js';
import { inReadingOrder } from '../prose/reading-order.js';
import { type RunContext, runsOf } from '../prose/runs.js';
import type { DocumentStyle } from '../whole/document-style.js';
import { runningLines } from '../whole/running.js';
import { BlockMaker, type Item } from './block-maker.js';
import { takeFootnotes } from './footnotes.js';
import type { PreparedPage } from './prepare.js';
import { taggedPage } from './tagged-page.js';
import { boxBack, turnedBack } from './turn.js';

/** Lines of a column that make it one by which others are measured. */
const COLUMN_LINES = 4;
/** Small text that may stand between the parts of a paragraph that goes on in the next column. */
const MOST_BETWEEN = 6;

/** Converts the content of a page to blocks: by its tags if they are sound, otherwise by positions. */
export function analysePage(prepared: PreparedPage, setting: PageSetting): LayoutPage {
  const { content, turn, width, height } = prepared;
  const running = runningLines(prepared.edges, setting.near, {
    number: content.number,
    bodySize: setting.style.fonts.bodySize,
  });
  const maker = new BlockMaker(prepared, setting);
  const lines = prepared.lines.filter((line) => !running.has(line));
  const columns = columnsOf(lines, prepared.gutters);
  const body = taggedPage(prepared, maker, running) ?? placedPage(prepared, maker, columns, lines);
  const artefacts = [
    ...[...running].map(([line, kind]): Artefact => ({
      kind,
      page: content.number,
      box: line.box,
      runs: runsOf([line], maker.context),
    })),
    ...body.artefacts,
  ];
  if (prepared.across.length > 0) artefacts.push(...acrossArtefacts(prepared.across, content.number, maker.context));
  const back = <T extends Block | Footnote>(block: T): T => {
    const turnedBlock = turnedBack(block, turn, width, height);
    const origin = block.kind === 'paragraph' ? setting.origins.get(block) : undefined;
    if (origin !== undefined) setting.origins.set(turnedBlock as Block, origin);
    return turnedBlock;
  };
  return {
    number: content.number,
    width,
    height,
    columns: countColumns(columns),
    blocks: body.blocks.map(back),
    footnotes: body.footnotes.map(back),
    artefacts: artefacts.map((one) => ({ ...one, box: boxBack(one.box, turn, width, height) })),
  };
}

/** The body by where things stand. */
function placedPage(
  { content, tables, figures, gutters }: PreparedPage,
  maker: BlockMaker,
  columns: readonly Column[],
  lines: readonly Line[],
): PageBody {
  const { style } = maker.setting;
  const edges = frames(columns, around(lines.map(({ box }) => box)));
  const inCells = new Set<Figure>();
  const made = figures.map((figure) => maker.figure(figure));
  const parts: { readonly box: Column['box']; readonly column?: Column; readonly block?: Block }[] = [
    ...columns.map((column) => ({ box: column.span, column })),
    ...tables.map((found) => ({ box: found.box, block: maker.table(found, made, inCells) })),
  ];
  parts.push(...made.filter((figure) => !inCells.has(figure)).map((figure) => ({ box: figure.box, block: figure })));
  const ordered = inReadingOrder(parts, directionOf(lines.map(lineText)), gutters);
  const items = ordered.flatMap(({ column, block }): Item[] =>
    column === undefined ? [{ block: block! }] : paragraphsOf(column, edges.get(column)!).map((para) => ({ para })),
  );
  const { body, notes } = takeFootnotes(
    items.flatMap((item) => ('para' in item ? [item.para] : [])),
    content.height,
    style.fonts.bodySize,
    content.rulings,
  );
  for (const { mark } of notes) maker.noteId(mark);
  const kept = new Set(body);
  const flow = joinFlow(
    items.filter((item) => !('para' in item) || kept.has(item.para)),
    style,
  );
  return {
    blocks: maker.flow(flow),
    footnotes: notes.map(({ mark, paras, skip }) => maker.footnote(mark, paras, skip)),
    artefacts: [],
  };
}

/**
 * For each column the edges of its text area: of the narrowest column with several lines around it, otherwise of the
 * page.
 */
function frames(
  columns: readonly Column[],
  area: Column['box'],
): Map<Column, { readonly left: number; readonly right: number }> {
  const wide = columns
    .filter(({ lines, box }) => lines.length >= COLUMN_LINES && box.right - box.left > 0.15 * (area.right - area.left))
    .slice(0, 200);
  return new Map(
    columns.map((column) => {
      const { left, right } = column.box;
      const outer = wide.filter(({ box }) => box.left <= left + 3 && box.right >= right - 3);
      const { box } = outer.reduce(
        (best, one) => (one.box.right - one.box.left < best.box.right - best.box.left ? one : best),
        outer[0] ?? { box: area },
      );
      return [column, { left: box.left, right: box.right }];
    }),
  );
}

/** The most columns of prose side by side. */
function countColumns(columns: readonly Column[]): number {
  const prose = columns.filter(({ lines }) => lines.length >= 3).slice(0, 300);
  let most = 1;
  for (const { box } of prose) {
    const beside = prose.filter((other) => other.box.top < box.top + 1 && other.box.bottom > box.top + 1);
    most = Math.max(most, new Set(beside.map((other) => Math.round(other.box.left / 10))).size);
  }
  return most;
}

/**
 * Paragraphs that go on in the next column become one; small text at the foot of the first column (a notice) comes
 * after it.
 */
function joinFlow(items: readonly Item[], style: DocumentStyle): Item[] {
  const joined: Item[] = [];
  for (const item of items) {
    const at = 'para' in item ? openBefore(joined, item.para, style) : -1;
    const open = joined[at];
    if (open !== undefined && 'para' in open && 'para' in item) joined[at] = { para: joinedPara(open.para, item.para) };
    else joined.push(item);
  }
  return joined;
}

/** The paragraph that goes on with this one: the last, or one with nothing but small text behind it. */
function openBefore(items: readonly Item[], para: Para, style: DocumentStyle): number {
  for (let i = items.length - 1; i >= Math.max(0, items.length - MOST_BETWEEN); i--) {
    const item = items[i]!;
    if (!('para' in item)) return -1;
    if (goesOn(item.para, para, style)) return i;
    if (item.para.size > 0.93 * para.size) return -1;
  }
  return -1;
}

function acrossArtefacts(words: readonly Word[], page: number, context: RunContext): Artefact[] {
  const byAngle = new Map<number, Word[]>();
  for (const word of words) {
    const list = byAngle.get(word.angle);
    if (list === undefined) byAngle.set(word.angle, [word]);
    else list.push(word);
  }
  return [...byAngle.values()].map((list) => {
    const line: Line = {
      words: list,
      box: around(list.map(({ box }) => box)),
      baseline: list[0]!.baseline,
      size: list[0]!.style.size,
      direction: 'ltr',
      bold: false,
      monospace: false,
      letters: 0,
      gappy: false,
    };
    return {
      kind: 'other',
      page,
      box: line.box,
      runs: runsOf([line], { ...context, lineUnder: () => undefined, footnote: () => undefined }),
    };
  });
}
