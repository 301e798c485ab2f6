import type { FoundCell, FoundTable } from '../tables/index.js';
import type { Block, Box, Code, ColumnTurn, Figure, Footnote, Heading, Paragraph, Run, Table } from '../model.js';
import type { Word } from '../page-content.js';
import { columnsOf } from '../prose/columns.js';
import { around, directionOf } from '../prose/line.js';
import { linesOf } from '../prose/lines.js';
import { ListMaker } from '../prose/lists.js';
import { type Para, paragraphsOf } from '../prose/paragraphs.js';
import { inReadingOrder } from '../prose/reading-order.js';
import { linkFinder, type RunContext, runsOf, underlineFinder } from '../prose/runs.js';
import type { PageSetting } from './page-body.js';
import { codeText } from './code.js';
import { isInside } from './figures.js';
import type { PreparedPage } from './prepare.js';
import { tableOf } from './tables.js';

const CAPTION =
  /^(?:fig(?:ure)?|abb(?:ildung)?|table|tab(?:elle)?|image|chart|diagram|photo|illustration|listing|tabla|figura|tableau|\u8868|\u56fe|\u56f3)\.?\s*[\divxA-Z]/iu;

/** A part of the page's flow. */
export type Item = { readonly para: Para } | { readonly block: Block };

/** Creates the blocks of one page. */
export class BlockMaker {
  readonly page: number;
  readonly context: RunContext;
  /** Ids of the page's footnotes by their marks; filled before runs are made. */
  readonly notes = new Map<string, string>();
  readonly #underlined: (word: Word) => 'under' | 'through' | undefined;

  constructor(
    readonly prepared: PreparedPage,
    readonly setting: PageSetting,
  ) {
    const { content, tables } = prepared;
    this.page = content.number;
    const edges = new Set(
      tables.flatMap(({ ruled, cells }) =>
        ruled ? cells.flatMap(({ box }) => [Math.round(box.top), Math.round(box.bottom)]) : [],
      ),
    );
    const isEdge = (at: number): boolean =>
      edges.has(Math.round(at)) || edges.has(Math.round(at) - 1) || edges.has(Math.round(at) + 1);
    // The lower side of a cell underlines nothing.
    this.#underlined = underlineFinder(
      edges.size === 0
        ? content.rulings
        : content.rulings.filter(
            ({ at, from, to }) =>
              !isEdge(at) ||
              !tables.some(({ box }) => at > box.top - 2 && at < box.bottom + 2 && from < box.right && to > box.left),
          ),
    );
    this.context = {
      words: setting.style.words,
      linkAt: linkFinder(content.links),
      lineUnder: this.#underlined,
      footnote: (mark) => this.notes.get(mark),
    };
  }

  noteId(mark: string): string {
    let id = this.notes.get(mark);
    if (id === undefined) this.notes.set(mark, (id = `${this.page}-${mark}`));
    return id;
  }

  runs(para: Para, skip = 0, keepsLines = false): Run[] {
    return runsOf(para.lines, this.context, { skip, keepsLines });
  }

  heading(para: Para, level: Heading['level']): Heading {
    return {
      kind: 'heading',
      page: this.page,
      box: para.box,
      level,
      align: para.align,
      direction: para.direction,
      runs: this.runs(para),
    };
  }

  paragraph = (para: Para, skip: number): Paragraph => {
    const { box, align, direction, indent, leading, keepsLines } = para;
    const block: Paragraph = {
      kind: 'paragraph',
      page: this.page,
      box,
      align,
      direction,
      indent,
      leading,
      caption: false,
      keepsLines,
      ...(para.joins === undefined ? {} : { columns: para.joins.map((join) => this.#columnTurn(para, skip, join)) }),
      runs: this.runs(para, skip, keepsLines),
    };
    this.setting.origins.set(block, para);
    return block;
  };

  #columnTurn(para: Para, skip: number, { line, box }: { readonly line: number; readonly box: Box }): ColumnTurn {
    const before = runsOf(para.lines.slice(0, line), this.context, { skip, keepsLines: para.keepsLines });
    return { at: before.reduce((sum, { text }) => sum + text.length, 0), box };
  }

  footnote(mark: string, paras: readonly Para[], skip: number): Footnote {
    return {
      kind: 'footnote',
      page: this.page,
      box: around(paras.map(({ box }) => box)),
      id: this.noteId(mark),
      mark,
      blocks: paras.map((para, i) => this.paragraph(para, i === 0 ? skip : 0)),
    };
  }

  figure({ picture, text, box }: PreparedPage['figures'][number], alt?: string): Figure {
    return {
      kind: 'figure',
      page: this.page,
      box,
      picture,
      alt,
      text,
      inline: box.bottom - box.top < 1.8 * this.setting.style.fonts.bodySize,
    };
  }

  /** Converts a found table; images in its cells are added to `taken`. */
  table(found: FoundTable, figures: readonly Figure[], taken: Set<Figure>): Table {
    const blocksOf = (words: readonly Word[], cell: FoundCell): Block[] => {
      const own = figures.filter((figure) => isInside(figure.box, cell.box));
      for (const figure of own) taken.add(figure);
      return [...this.words(words), ...own];
    };
    return tableOf(found, { page: this.page, fills: this.prepared.content.fills, blocksOf });
  }

  /** Blocks of words by themselves: of a cell, of an item. */
  words(words: readonly Word[]): Block[] {
    return words.length === 0
      ? []
      : this.flow(
          this.paras(words).map((para) => ({ para })),
          false,
        );
  }

  /** The paragraphs of words by themselves: by where they stand, or as the words come where these are in order. */
  paras(words: readonly Word[], ordered = false): Para[] {
    const { lines, gutters } = linesOf(words);
    const whole = around(words.map(({ box }) => box));
    const columns = columnsOf(lines, gutters).map((column) => ({ column, box: column.span }));
    if (!ordered)
      return inReadingOrder(columns, directionOf(words.map(({ text }) => text)), gutters).flatMap(({ column }) =>
        paragraphsOf(column, whole),
      );
    const places = new Map(words.map((word, i) => [word, i]));
    const first = ({ column }: (typeof columns)[number]): number =>
      Math.min(...column.lines[0]!.words.map((word) => places.get(word) ?? 0));
    return columns.sort((a, b) => first(a) - first(b)).flatMap(({ column }) => paragraphsOf(column, whole));
  }

  /** Blocks of paragraphs and of what stands between them: headings, lists, code. `titled` allows headings. */
  flow(items: readonly Item[], titled = true): Block[] {
    const out: Block[] = [];
    const lists = new ListMaker(out, this.paragraph, this.page);
    const { style } = this.setting;
    for (const [i, item] of items.entries()) {
      if ('block' in item) {
        if (!lists.within(item.block, item.block.box.left)) lists.put(item.block);
        continue;
      }
      const { para } = item;
      const next = items[i + 1];
      const level = titled ? this.headingLevel(para, next === undefined) : undefined;
      if (level !== undefined) lists.put(this.heading(para, level));
      else if (para.monospace && style.monospace < 0.6 && (para.lines.length > 1 || titled))
        lists.put(this.code(para, out));
      else if (!lists.take(para, next !== undefined && 'para' in next ? next.para : undefined))
        lists.put(captioned(this.paragraph(para, 0), items[i - 1], next));
    }
    return out;
  }

  /** The level of a paragraph that is a heading; `last` when nothing follows it on its page. */
  headingLevel(para: Para, last: boolean): Heading['level'] | undefined {
    return this.setting.headings.levelOf(para, { page: this.page, last, usualSize: this.prepared.usualSize });
  }

  /** Code that goes on with the code above it is one with it. */
  code(para: Para, out: Block[]): Code {
    const last = out.at(-1);
    const text = codeText(para.lines);
    const apart = last === undefined ? 0 : para.box.top - last.box.bottom;
    if (last?.kind !== 'code' || apart > 3 * para.size || apart < -0.7 * para.size)
      return { kind: 'code', page: this.page, box: para.box, text };
    out.pop();
    const blank = apart > 0.8 * para.size ? '\n\n' : '\n';
    const indent = ' '.repeat(Math.max(0, Math.round((para.box.left - last.box.left) / (0.6 * (para.size || 10)))));
    return {
      kind: 'code',
      page: this.page,
      box: around([last.box, para.box]),
      text:
        last.text +
        blank +
        text
          .split('\n')
          .map((line) => indent + line)
          .join('\n'),
    };
  }
}

function captioned(block: Paragraph, before: Item | undefined, after: Item | undefined): Paragraph {
  const beside = [before, after].some(
    (item) => item !== undefined && 'block' in item && (item.block.kind === 'figure' || item.block.kind === 'table'),
  );
  return beside && isCaption(block) ? { ...block, caption: true } : block;
}

/** True for text that begins as captions do. */
export function isCaption({ runs }: Paragraph): boolean {
  return CAPTION.test(runs.map(({ text }) => text).join(''));
}
