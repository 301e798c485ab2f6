import type { Block, Direction, Footnote, Heading, List, ListItem, ListStyle, TableCell, TableRow } from '../model.js';
import type { TagNode, Word } from '../page-content.js';
import { around, directionOf, hasRightLetters } from '../prose/line.js';
import { type Marker, markerOf } from '../prose/markers.js';
import type { Para } from '../prose/paragraphs.js';
import { type BlockMaker, isCaption } from './block-maker.js';
import { nestedLists } from './nested-lists.js';
import type { PreparedPage } from './prepare.js';
import { altOf, each, hasBlocks, ids, INLINE, some, type Kid } from './tag-tree.js';

const PARAGRAPHS: ReadonlySet<string> = new Set(['P', 'Caption', 'TOCI', 'Lbl', 'LBody']);
const NOTES: ReadonlySet<string> = new Set(['Note', 'FENote']);
const HEADING = /^(?:H([1-6])?|Title)$/;
const MAX_COLUMNS = 1000;
const MAX_TABLE_ROWS = 10_000;

/** Reads the blocks of a page from its tags; `byId` has the words by marked-content identifier. */
export class TagReader {
  readonly footnotes: Footnote[] = [];
  readonly taken = new Set<Word>();
  readonly #hasHeadings: boolean;

  constructor(
    readonly prepared: PreparedPage,
    readonly maker: BlockMaker,
    readonly byId: ReadonlyMap<number, readonly Word[]>,
  ) {
    this.#hasHeadings = some(prepared.content.tags, ({ type }) => HEADING.test(type));
    // Marks are known before the text that refers to them is made.
    each(prepared.content.tags, (node) => {
      const mark = NOTES.has(node.type) ? this.#mark(node)?.text : undefined;
      if (mark !== undefined) maker.noteId(mark);
    });
  }

  letters(kids: readonly Kid[]): number {
    const seen = new Set<number>();
    let sum = 0;
    ids(kids, (id) => {
      if (!seen.has(id)) for (const { text } of this.byId.get(id) ?? []) sum += text.length;
      seen.add(id);
    });
    return sum;
  }

  /** Blocks of elements and of the text between them. */
  children(kids: readonly Kid[]): Block[] {
    const blocks: Block[] = [];
    let text: Kid[] = [];
    const flush = (): void => {
      if (text.length > 0) blocks.push(...this.#paragraph(text));
      text = [];
    };
    for (const kid of kids) {
      if (typeof kid === 'number' || (INLINE.has(kid.type) && !hasBlocks(kid))) text.push(kid);
      else {
        flush();
        blocks.push(...this.#element(kid));
      }
    }
    flush();
    return nestedLists(blocks);
  }

  #element(node: TagNode): Block[] {
    const heading = HEADING.exec(node.type);
    if (heading !== null) return this.#heading(node, heading[1]);
    switch (node.type) {
      case 'L':
        return this.#list(node);
      case 'Table':
        return this.#table(node);
      case 'Figure':
      case 'Formula':
        return this.#figure(node);
      case 'Artifact':
        return [];
      default:
        if (NOTES.has(node.type)) return this.#note(node);
        if (PARAGRAPHS.has(node.type) && !hasBlocks(node)) return this.#paragraph(node.kids, node.type);
        return this.children(node.kids);
    }
  }

  #words(kids: readonly Kid[]): Word[] {
    const words: Word[] = [];
    ids(kids, (id) => {
      for (const word of this.byId.get(id) ?? []) {
        if (this.taken.has(word)) continue;
        this.taken.add(word);
        words.push(word);
      }
    });
    return words;
  }

  /** One paragraph of all the words, as the tags say; where its lines are kept, as they stand. */
  #para(words: readonly Word[]): Para | undefined {
    const [first, ...rest] = this.maker.paras(words, true);
    if (first === undefined || rest.length === 0) return first;
    return {
      ...first,
      lines: [first, ...rest].flatMap(({ lines }) => lines),
      box: around([first, ...rest].map(({ box }) => box)),
      keepsLines: false,
      monospace: first.monospace && rest.every(({ monospace }) => monospace),
      bold: first.bold && rest.every(({ bold }) => bold),
    };
  }

  #paragraph(kids: readonly Kid[], type = 'P'): Block[] {
    const words = this.#words(kids);
    const figures = this.#pictures(kids);
    const para = words.length === 0 ? undefined : this.#para(words);
    if (para === undefined) return figures;
    const { maker } = this;
    if (
      para.monospace &&
      maker.setting.style.monospace < 0.6 &&
      (para.lines.length > 1 || some(kids, (node) => node.type === 'Code'))
    )
      return [maker.code(para, []), ...figures];
    const level = type === 'P' && !this.#hasHeadings ? maker.headingLevel(para, false) : undefined;
    if (level !== undefined) return [maker.heading(para, level), ...figures];
    const block = maker.paragraph(para, 0);
    return [
      type === 'Caption' || (figures.length > 0 && isCaption(block)) ? { ...block, caption: true } : block,
      ...figures,
    ];
  }

  #heading(node: TagNode, digit: string | undefined): Block[] {
    const words = this.#words(node.kids);
    const para = words.length === 0 ? undefined : this.#para(words);
    if (para === undefined) return this.#pictures(node.kids);
    const level =
      digit !== undefined ? Number(digit) : node.type === 'Title' ? 1 : (this.maker.headingLevel(para, false) ?? 2);
    return [this.maker.heading(para, level as Heading['level']), ...this.#pictures(node.kids)];
  }

  #list(node: TagNode): Block[] {
    const items: (ListItem & { readonly sign: Marker | undefined })[] = [];
    for (const kid of node.kids) {
      if (typeof kid === 'number') continue;
      if (kid.type === 'LI') items.push(this.#item(kid));
      // Lists stand within lists without an item, too.
      else if (kid.type === 'L' && items.length > 0)
        items[items.length - 1] = { ...items.at(-1)!, blocks: [...items.at(-1)!.blocks, ...this.#list(kid)] };
    }
    const kept = items.filter(({ blocks }) => blocks.length > 0);
    if (kept.length === 0) return [];
    const sign = kept[0]!.sign;
    const style: ListStyle =
      sign === undefined
        ? 'bullet'
        : sign.roman === 1 && sign.style.endsWith('Letter')
          ? sign.style === 'lowerLetter'
            ? 'lowerRoman'
            : 'upperRoman'
          : sign.style;
    const box = around(kept.flatMap(({ blocks }) => blocks.map((block) => block.box)));
    const list: List = {
      kind: 'list',
      page: this.maker.page,
      box,
      ordered: style !== 'bullet',
      style,
      start: style === 'bullet' ? 1 : style.endsWith('Roman') ? (sign?.roman ?? 1) : (sign?.number ?? 1),
      direction: kept
        .flatMap(({ blocks }) => blocks)
        .some((block) => block.kind === 'paragraph' && block.direction === 'rtl')
        ? 'rtl'
        : 'ltr',
      items: kept.map(({ marker, blocks }) => ({ marker, blocks })),
    };
    return [list];
  }

  /** A list item; its marker is its label, or the beginning of its text. */
  #item(node: TagNode): ListItem & { readonly sign: Marker | undefined } {
    const labels = node.kids.filter((kid): kid is TagNode => typeof kid !== 'number' && kid.type === 'Lbl');
    const label = this.#words(labels)
      .map(({ text }) => text)
      .join('');
    const blocks = this.children(node.kids.filter((kid) => typeof kid === 'number' || kid.type !== 'Lbl'));
    const first = blocks[0];
    const para = first?.kind === 'paragraph' ? this.maker.setting.origins.get(first) : undefined;
    if (label !== '' || para === undefined)
      return { marker: label === '' ? '\u2022' : label, blocks, sign: label === '' ? undefined : signOf(label) };
    const sign = markerOf(para.lines[0]!);
    return {
      marker: sign?.text ?? '\u2022',
      blocks: sign === undefined ? blocks : [this.maker.paragraph(para, sign.words), ...blocks.slice(1)],
      sign,
    };
  }

  #table(node: TagNode): Block[] {
    const before = node.kids
      .filter((kid): kid is TagNode => typeof kid !== 'number' && kid.type === 'Caption')
      .flatMap((caption) => this.#paragraph(caption.kids, 'Caption'));
    const rows: { cells: TableCell[]; height: number }[] = [];
    const full: number[] = [];
    const places: { readonly left: number; readonly right: number; readonly column: number; readonly span: number }[] =
      [];
    let headerRows = 0;
    let headed = true;
    each(
      node.kids,
      (row) => {
        if (row.type !== 'TR' || rows.length >= MAX_TABLE_ROWS) return;
        const cells: TableCell[] = [];
        let [column, allHeaders] = [0, true];
        const boxes: Block['box'][] = [];
        for (const kid of row.kids) {
          if (typeof kid === 'number' || (kid.type !== 'TD' && kid.type !== 'TH')) continue;
          while ((full[column] ?? 0) > rows.length) column++;
          if (column + kid.colSpan > MAX_COLUMNS) break;
          const blocks = this.children(kid.kids);
          const box = around(blocks.map((block) => block.box));
          if (blocks.length > 0) {
            boxes.push(box);
            places.push({ left: box.left, right: box.right, column, span: kid.colSpan });
          }
          const align = blocks[0]?.kind === 'paragraph' ? blocks[0].align : 'left';
          cells.push({
            column,
            rowSpan: kid.rowSpan,
            colSpan: kid.colSpan,
            header: kid.type === 'TH',
            align,
            fill: undefined,
            blocks,
          });
          for (let i = 0; i < kid.colSpan; i++) full[column + i] = rows.length + kid.rowSpan;
          column += kid.colSpan;
          allHeaders &&= kid.type === 'TH';
        }
        if (cells.length === 0) return;
        const whole = around(boxes);
        rows.push({ cells, height: boxes.length === 0 ? 0 : whole.bottom - whole.top });
        headed &&= allHeaders;
        if (headed) headerRows = rows.length;
      },
      (inner) => inner.type !== 'Table' && inner.type !== 'TR',
    );
    if (rows.length === 0) return [...before, ...this.children(node.kids)];
    const box = around(places.map(({ left, right }) => ({ left, right, top: Infinity, bottom: -Infinity })));
    const content = around(
      rows.flatMap(({ cells }) => cells.flatMap(({ blocks }) => blocks.map((block) => block.box))),
    );
    const widths = columnWidths(places, full.length, box);
    const drawn = this.prepared.tables.find(
      (one) =>
        one.ruled && one.columns === widths.length && one.box.top < content.bottom && one.box.bottom > content.top,
    );
    return [
      ...before,
      {
        kind: 'table',
        page: this.maker.page,
        box: drawn?.box ?? (places.length === 0 ? { left: 0, top: 0, right: 0, bottom: 0 } : content),
        rows: rows as readonly TableRow[],
        columnWidths: drawn?.columnWidths ?? widths,
        headerRows: Math.min(headerRows, Math.max(0, rows.length - 1)),
        ruled: drawn !== undefined,
        direction: tableDirection(rows, places),
      },
    ];
  }

  /** The images of an element; without one, the drawing at its position, or its text. */
  #figure(node: TagNode): Block[] {
    const found = this.#pictures([node], node.alt);
    if (found.length > 0) {
      const words = this.#words(node.kids);
      return words.length === 0 ? found : [...found, ...this.maker.words(words)];
    }
    const words = this.#words(node.kids);
    const area = words.length === 0 ? undefined : around(words.map(({ box }) => box));
    const drawing = this.prepared.figures.find(
      ({ picture, box }) =>
        picture.source === 'drawing' &&
        (area === undefined ||
          (area.left < box.right && area.right > box.left && area.top < box.bottom && area.bottom > box.top)),
    );
    if (drawing !== undefined) return [this.maker.figure(drawing, node.alt)];
    return words.length === 0 ? [] : this.maker.words(words);
  }

  #pictures(kids: readonly Kid[], alt?: string): Block[] {
    const wanted = new Set<number>();
    ids(kids, (id) => wanted.add(id));
    const told = alt ?? altOf(kids);
    return this.prepared.figures
      .filter(({ mcid }) => mcid >= 0 && wanted.has(mcid))
      .map((figure) => this.maker.figure(figure, told));
  }

  #note(node: TagNode): Block[] {
    const mark = this.#mark(node);
    const words = this.#words(node.kids);
    const para = words.length === 0 ? undefined : this.#para(words);
    if (para === undefined) return [];
    if (mark === undefined) return [this.maker.paragraph(para, 0)];
    this.footnotes.push(this.maker.footnote(mark.text, [para], mark.words));
    return [];
  }

  /** The mark that a note begins with: its label, or its first word. */
  #mark(node: TagNode): { readonly text: string; readonly words: number } | undefined {
    let first: Word | undefined;
    ids(node.kids, (id) => {
      first ??= this.byId.get(id)?.[0];
    });
    const mark =
      first === undefined
        ? undefined
        : /^[[(]?(\d{1,4}|[*\u2020\u2021\u00a7\u00b6]{1,4}|[a-z]{1,3})[\])]?[.:]?$/u.exec(first.text)?.[1];
    return mark === undefined ? undefined : { text: mark, words: 1 };
  }
}

function signOf(label: string): Marker {
  const found = /^[[(]?(?:(\d{1,4})|([a-z])|([A-Z]))[.)\]]?$/.exec(label.trim());
  const roman = { i: 1, I: 1 }[label.replace(/[^a-zA-Z]/g, '')] ?? 0;
  if (found?.[1] !== undefined) return { text: label, style: 'decimal', number: Number(found[1]), words: 0, roman: 0 };
  if (found?.[2] !== undefined)
    return { text: label, style: 'lowerLetter', number: found[2].charCodeAt(0) - 96, words: 0, roman };
  if (found?.[3] !== undefined)
    return { text: label, style: 'upperLetter', number: found[3].charCodeAt(0) - 64, words: 0, roman };
  return { text: label, style: 'bullet', number: 0, words: 0, roman: 0 };
}

/** A table with right-to-left text whose first column is the right one; of one column, the direction of its text. */
function tableDirection(
  rows: readonly { readonly cells: readonly TableCell[] }[],
  places: readonly { readonly left: number; readonly column: number }[],
): Direction {
  const texts = rows.flatMap(({ cells }) =>
    cells.flatMap(({ blocks }) =>
      blocks.flatMap((block) => ('runs' in block ? block.runs.map(({ text }) => text) : [])),
    ),
  );
  const last = places.reduce((most, { column }) => Math.max(most, column), 0);
  const [first, other] = [places.find(({ column }) => column === 0), places.find(({ column }) => column === last)];
  if (first === undefined || other === undefined || first === other || last === 0) return directionOf(texts);
  return texts.some(hasRightLetters) && first.left > other.left ? 'rtl' : 'ltr';
}

/** Widths of columns by where the text of their cells begins. */
function columnWidths(
  places: readonly { readonly left: number; readonly right: number; readonly column: number; readonly span: number }[],
  columns: number,
  { left, right }: { readonly left: number; readonly right: number },
): number[] {
  if (places.length === 0 || columns === 0) return Array.from({ length: Math.max(1, columns) }, () => 0);
  const edges: number[] = [];
  for (let column = 0; column < columns; column++) {
    const own = places.filter((place) => place.column === column);
    edges.push(
      own.length === 0
        ? (edges.at(-1) ?? left)
        : Math.max(edges.at(-1) ?? left, Math.min(...own.slice(0, 1000).map((place) => place.left))),
    );
  }
  return edges.map((edge, i) => Math.max(0, (edges[i + 1] ?? right) - edge));
}
