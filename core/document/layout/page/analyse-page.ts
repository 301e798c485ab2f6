import type { Artefact, Block, Code, Figure, Footnote, Heading, LayoutPage, Paragraph, Run } from '../model.js';
import type { Word } from '../page-content.js';
import { type Column, columnsOf } from '../prose/columns.js';
import { around, directionOf, type Line, lineText } from '../prose/line.js';
import { linesOf } from '../prose/lines.js';
import { ListMaker } from '../prose/lists.js';
import { type Para, paragraphsOf } from '../prose/paragraphs.js';
import { goesOn, joinedPara } from '../prose/join-paras.js';
import { inReadingOrder } from '../prose/reading-order.js';
import { linkFinder, type RunContext, runsOf, underlineFinder } from '../prose/runs.js';
import type { DocumentStyle } from '../whole/document-style.js';
import type { HeadingFinder } from '../whole/headings.js';
import { type EdgeLine, runningLines } from '../whole/running.js';
import { codeText } from './code.js';
import { isInside } from './figures.js';
import { takeFootnotes } from './footnotes.js';
import type { PreparedPage } from './prepare.js';
import { tableOf } from './tables.js';
import { boxBack, turnedBack } from './turn.js';

const CAPTION = /^(?:fig(?:ure)?|abb(?:ildung)?|table|tab(?:elle)?|image|chart|diagram|photo|illustration|listing|tabla|figura|tableau|\u8868|\u56fe|\u56f3)\.?\s*[\divxA-Z]/iu;
/** Lines of a column that make it one by which others are measured. */
const COLUMN_LINES = 4;

/** What of the document a page is read with. */
export interface PageSetting {
  readonly style: DocumentStyle;
  readonly headings: HeadingFinder;
  readonly pageCount: number;
  /** Lines at the edges of the pages nearby. */
  readonly near: readonly (readonly EdgeLine[])[];
  /** Where each paragraph block came from, for joining over page breaks. */
  readonly origins: WeakMap<Block, Para>;
}

/** A part of the page's flow. */
type Item = { readonly para: Para } | { readonly block: Block };

/** Turns what stands on a page into blocks, by where it stands. */
export function analysePage(prepared: PreparedPage, setting: PageSetting): LayoutPage {
  const { content, tables, figures, turn } = prepared;
  const { number } = content;
  const running = runningLines(prepared.edges, setting.near, number, setting.pageCount);
  const lines = prepared.lines.filter((line) => !running.has(line));
  const notes = new Map<string, string>();
  const context: RunContext = { words: setting.style.words, linkAt: linkFinder(content.links), lineUnder: underlineFinder(content.rulings), footnote: (mark) => notes.get(mark) };
  const makeRuns = (para: Para, skip = 0, keepsLines = false): Run[] => runsOf(para.lines, context, { skip, keepsLines });
  const columns = columnsOf(lines, prepared.gutters);
  const area = around(lines.map(({ box }) => box));
  const edges = frames(columns, area);
  const direction = directionOf(lines.map(lineText));
  const figureOf = ({ picture, text, box }: PreparedPage['figures'][number]): Figure => ({ kind: 'figure', page: number, box, picture, alt: undefined, text, inline: box.bottom - box.top < 1.8 * setting.style.fonts.bodySize });
  const inCells = new Set<Figure>();
  const made = figures.map(figureOf);
  const parts: { readonly box: Column['box']; readonly column?: Column; readonly block?: Block }[] = [
    ...columns.map((column) => ({ box: column.span, column })),
    ...tables.map((found) => ({
      box: found.box,
      block: tableOf(found, {
        page: number, fills: content.fills,
        blocksOf: (words, cell) => {
          const own = made.filter((figure) => isInside(figure.box, cell.box));
          for (const figure of own) inCells.add(figure);
          return [...cellBlocks(words), ...own];
        },
      }),
    })),
  ];
  parts.push(...made.filter((figure) => !inCells.has(figure)).map((figure) => ({ box: figure.box, block: figure })));
  const items = inReadingOrder(parts, direction, prepared.gutters).flatMap(({ column, block }): Item[] => (column === undefined ? [{ block: block! }] : paragraphsOf(column, edges.get(column)!).map((para) => ({ para }))));
  const { body, notes: found } = takeFootnotes(items.flatMap((item) => ('para' in item ? [item.para] : [])), content.height, setting.style.fonts.bodySize, content.rulings);
  for (const { mark } of found) if (!notes.has(mark)) notes.set(mark, `${number}-${mark}`);
  const kept = new Set(body);
  const flow = joinFlow(items.filter((item) => !('para' in item) || kept.has(item.para)), setting);
  const blocks = blocksOf(flow);
  const footnotes = found.map(({ mark, paras, skip }): Footnote => ({
    kind: 'footnote', page: number, box: around(paras.map(({ box }) => box)), id: `${number}-${mark}`, mark, blocks: paras.map((para, i) => paragraphOf(para, i === 0 ? skip : 0)),
  }));
  const artefacts = [...running].map(([line, kind]): Artefact => ({ kind, page: number, box: line.box, runs: runsOf([line], context) }));
  if (prepared.across.length > 0) artefacts.push(...acrossArtefacts(prepared.across, number, context));
  const back = <T extends Block | Footnote>(block: T): T => {
    const turnedBlock = turnedBack(block, turn, prepared.width, prepared.height);
    const origin = block.kind === 'paragraph' ? setting.origins.get(block) : undefined;
    if (origin !== undefined) setting.origins.set(turnedBlock as Block, origin);
    return turnedBlock;
  };
  return {
    number, width: prepared.width, height: prepared.height, columns: countColumns(columns), blocks: blocks.map(back), footnotes: footnotes.map(back),
    artefacts: artefacts.map((one) => ({ ...one, box: boxBack(one.box, turn, prepared.width, prepared.height) })),
  };

  function cellBlocks(words: readonly Word[]): Block[] {
    const own = columnsOf(linesOf(words).lines);
    const whole = around(words.map(({ box }) => box));
    return blocksOf(inReadingOrder(own, direction).flatMap((column) => paragraphsOf(column, whole).map((para) => ({ para }))), false);
  }

  function blocksOf(flowing: readonly Item[], titled = true): Block[] {
    const out: Block[] = [];
    const lists = new ListMaker(out, paragraphOf, number);
    for (const [i, item] of flowing.entries()) {
      if ('block' in item) {
        if (!lists.within(item.block, item.block.box.left)) lists.put(item.block);
        continue;
      }
      const { para } = item;
      const next = flowing[i + 1];
      const level = titled ? setting.headings.levelOf(para, number, next === undefined) : undefined;
      if (level !== undefined) lists.put(headingOf(para, level));
      else if (para.monospace && setting.style.monospace < 0.6 && (para.lines.length > 1 || titled)) lists.put(codeOf(para, out));
      else if (!lists.take(para, next !== undefined && 'para' in next ? next.para : undefined)) lists.put(captioned(paragraphOf(para, 0), flowing[i - 1], next));
    }
    return out;
  }

  function headingOf(para: Para, level: Heading['level']): Heading {
    return { kind: 'heading', page: number, box: para.box, level, align: para.align, direction: para.direction, runs: makeRuns(para) };
  }

  function paragraphOf(para: Para, skip: number): Paragraph {
    const { box, align, direction: own, indent, leading, keepsLines } = para;
    const block: Paragraph = { kind: 'paragraph', page: number, box, align, direction: own, indent, leading, caption: false, keepsLines, runs: makeRuns(para, skip, keepsLines) };
    setting.origins.set(block, para);
    return block;
  }

  /** Code that goes on with the code above it is one with it. */
  function codeOf(para: Para, out: Block[]): Code {
    const last = out.at(-1);
    const text = codeText(para.lines);
    const apart = last === undefined ? 0 : para.box.top - last.box.bottom;
    if (last?.kind !== 'code' || apart > 3 * para.size || apart < -0.7 * para.size) return { kind: 'code', page: number, box: para.box, text };
    out.pop();
    const blank = apart > 0.8 * para.size ? '\n\n' : '\n';
    const indent = ' '.repeat(Math.max(0, Math.round((para.box.left - last.box.left) / (0.6 * (para.size || 10)))));
    return { kind: 'code', page: number, box: around([last.box, para.box]), text: last.text + blank + text.split('\n').map((line) => indent + line).join('\n') };
  }
}

function captioned(block: Paragraph, before: Item | undefined, after: Item | undefined): Paragraph {
  const beside = [before, after].some((item) => item !== undefined && 'block' in item && (item.block.kind === 'figure' || item.block.kind === 'table'));
  return beside && CAPTION.test(block.runs.map(({ text }) => text).join('')) ? { ...block, caption: true } : block;
}

/** For each column the edges of the text area that it lies in: of the narrowest column of several lines around it, else of the page. */
function frames(columns: readonly Column[], area: Column['box']): Map<Column, { readonly left: number; readonly right: number }> {
  const wide = columns.filter(({ lines, box }) => lines.length >= COLUMN_LINES && box.right - box.left > 0.15 * (area.right - area.left)).slice(0, 200);
  return new Map(columns.map((column) => {
    const { left, right } = column.box;
    const around = wide.filter(({ box }) => box.left <= left + 3 && box.right >= right - 3);
    const { box } = around.reduce((best, one) => (one.box.right - one.box.left < best.box.right - best.box.left ? one : best), around[0] ?? { box: area });
    return [column, { left: box.left, right: box.right }];
  }));
}

/** The most columns of prose side by side. */
function countColumns(columns: readonly Column[]): number {
  const prose = columns.filter(({ lines }) => lines.length >= 3);
  let most = 1;
  for (const { box } of prose.slice(0, 300)) {
    const beside = prose.filter((other) => other.box.top < box.top + 1 && other.box.bottom > box.top + 1);
    most = Math.max(most, new Set(beside.map((other) => Math.round(other.box.left / 10))).size);
  }
  return most;
}

/** Paragraphs that go on in the next column become one. */
function joinFlow(items: readonly Item[], { style }: PageSetting): Item[] {
  const joined: Item[] = [];
  for (const item of items) {
    const last = joined.at(-1);
    if (last !== undefined && 'para' in last && 'para' in item && goesOn(last.para, item.para, style)) joined[joined.length - 1] = { para: joinedPara(last.para, item.para) };
    else joined.push(item);
  }
  return joined;
}

function acrossArtefacts(words: readonly Word[], page: number, context: RunContext): Artefact[] {
  const byAngle = new Map<number, Word[]>();
  for (const word of words) {
    const list = byAngle.get(word.angle);
    if (list === undefined) byAngle.set(word.angle, [word]);
    else list.push(word);
  }
  return [...byAngle.values()].map((list) => {
    const line: Line = { words: list, box: around(list.map(({ box }) => box)), baseline: list[0]!.baseline, size: list[0]!.style.size, direction: 'ltr', bold: false, monospace: false, letters: 0, gappy: false };
    return { kind: 'other', page, box: line.box, runs: runsOf([line], { ...context, lineUnder: () => undefined, footnote: () => undefined }) };
  });
}
