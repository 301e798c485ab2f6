import type {
  Align,
  Block,
  Code,
  Direction,
  Figure,
  Heading,
  List,
  ListItem,
  Paragraph as LayoutParagraph,
} from '@quire/document/layout';
import type { FileChild, IParagraphOptions, Paragraph, ParagraphChild } from 'docx';
import type { ColumnStart } from './column-breaks.js';
import { wordTable } from './word-table.js';
import { clean, pageAnchor, runsBetween, wordText } from './word-text.js';
import { twips, type WordState } from './word-state.js';

/** Where blocks stand, which decides how far they are from each other and how wide pictures may be. */
export interface BlockPlace {
  /** Width in points that a picture may take. */
  readonly width: number;
  /** Left edge in points from that of the page; undefined in cells. */
  readonly left?: number;
  /** Default alignment of the paragraphs in a cell. */
  readonly align?: Align;
  /** Lower edge of what stood before, in points from the top of the page; undefined at the beginning. */
  readonly below: number | undefined;
  /**
   * The page that begins with the first block: it gets a bookmark, and a page break where it is not the first of its
   * section.
   */
  readonly opens?: { readonly page: number; readonly breaks: boolean };
  /** Where columns begin that need a break before them. */
  readonly starts?: readonly ColumnStart[];
}

const LARGEST_GAP = 400;
/** 1/96 inch, in which the library measures pictures. */
const PIXELS = 96 / 72;
const MONOSPACE = 'Courier New';

/** Turns blocks into paragraphs and tables. */
export async function wordBlocks(blocks: readonly Block[], state: WordState, place: BlockPlace): Promise<FileChild[]> {
  const children: FileChild[] = [];
  let { below, opens } = place;
  let usual = 0;
  for (const block of blocks) {
    const starts = place.starts?.filter((start) => start.block === block) ?? [];
    const broken = starts.some(({ at }) => at === 0);
    const opening = openingOf(opens, broken, state);
    // At the top of another column it is as far from the one before as others are.
    const before =
      below === undefined || broken ? 0 : below > block.box.top ? usual : Math.min(LARGEST_GAP, block.box.top - below);
    if (block.kind === 'paragraph' && below !== undefined) usual = before;
    if (block.kind === 'table') {
      // A table takes no bookmark and no distance: a small paragraph in front does.
      if (before > 0 || opening !== undefined) children.push(spacer(before, opening, state));
      children.push(
        await wordTable(block, state, (inner, cell) => wordBlocks(inner, state, { ...cell, below: undefined })),
      );
    } else {
      children.push(...(await paragraphs(block, state, place, before, opening)));
    }
    opens = undefined;
    ({ bottom: below } = (block.kind === 'paragraph' ? block.columns?.at(-1)?.box : undefined) ?? block.box);
  }
  return children;
}

/** The bookmark and break at the beginning of a page, or the break before a column. */
interface Opening {
  readonly children: ParagraphChild[];
  readonly breaks: boolean;
}

function openingOf(opens: BlockPlace['opens'], newColumn: boolean, { docx }: WordState): Opening | undefined {
  if (newColumn) return { children: [new docx.ColumnBreak()], breaks: false };
  if (opens === undefined) return undefined;
  return { children: [new docx.Bookmark({ id: pageAnchor(opens.page), children: [] })], breaks: opens.breaks };
}

async function paragraphs(
  block: Exclude<Block, { kind: 'table' }>,
  state: WordState,
  place: BlockPlace,
  before: number,
  opening: Opening | undefined,
): Promise<Paragraph[]> {
  const start = opening?.breaks === true ? { pageBreakBefore: true } : {};
  const first = opening?.children ?? [];
  switch (block.kind) {
    case 'heading':
      return [heading(inCell(block, place), state, before, first, start)];
    case 'paragraph':
      return [
        paragraph(inCell(block, place), state, before, first, { ...start, children: columnText(block, state, place) }),
      ];
    case 'list':
      return listItems(block, state, place, 0, before, opening);
    case 'figure':
      return [await figure(block, state, place, before, first, start)];
    case 'code':
      return [code(block, state, before, first, start)];
  }
}

function inCell<B extends Heading | LayoutParagraph>(block: B, { align }: BlockPlace): B {
  return align === undefined || block.align !== 'left' ? block : { ...block, align };
}

function heading(
  block: Heading,
  state: WordState,
  before: number,
  first: readonly ParagraphChild[],
  start: IParagraphOptions,
): Paragraph {
  const { docx } = state;
  const levels = [
    docx.HeadingLevel.HEADING_1,
    docx.HeadingLevel.HEADING_2,
    docx.HeadingLevel.HEADING_3,
    docx.HeadingLevel.HEADING_4,
    docx.HeadingLevel.HEADING_5,
    docx.HeadingLevel.HEADING_6,
  ];
  return new docx.Paragraph({
    ...start,
    heading: levels[block.level - 1] ?? docx.HeadingLevel.HEADING_6,
    ...alignment(block, state),
    keepNext: true,
    spacing: { before: twips(before), after: 0 },
    children: [...first, ...wordText(block.runs, state)],
  });
}

function paragraph(
  block: LayoutParagraph,
  state: WordState,
  before: number,
  first: readonly ParagraphChild[],
  start: IParagraphOptions,
): Paragraph {
  const { docx } = state;
  const { left, right, first: firstLine } = block.indent;
  return new docx.Paragraph({
    ...start,
    ...alignment(block, state),
    ...(block.caption ? { style: 'Caption' } : {}),
    spacing: { before: twips(before), after: 0, ...lineOf(block, state) },
    ...(left === 0 && right === 0 && firstLine === 0
      ? {}
      : {
          indent: {
            start: twips(Math.max(0, left)),
            end: twips(Math.max(0, right)),
            ...(firstLine >= 0 ? { firstLine: twips(firstLine) } : { hanging: twips(-firstLine) }),
          },
        }),
    children: [...first, ...(start.children ?? [])],
  });
}

/** The text of a paragraph, with breaks where it goes on in the next column. */
function columnText(block: LayoutParagraph, state: WordState, { starts = [] }: BlockPlace): ParagraphChild[] {
  const breaks = starts.filter((start) => start.block === block && start.at > 0).map(({ at }) => at);
  if (breaks.length === 0) return wordText(block.runs, state);
  return [0, ...breaks].flatMap((from, i) => [
    ...(i === 0 ? [] : [new state.docx.ColumnBreak()]),
    ...wordText(runsBetween(block.runs, from, breaks[i] ?? Infinity), state),
  ]);
}

/** The distance of lines as it was, unless larger text would be cut by it. */
function lineOf(
  { leading, runs }: LayoutParagraph,
  { docx }: WordState,
): { line?: number; lineRule?: 'atLeast' | 'exact' } {
  const tallest = Math.max(0, ...runs.map(({ size }) => size));
  return leading > 0 && leading >= tallest ? { line: twips(leading), lineRule: docx.LineRuleType.EXACT } : {};
}

function alignment(
  { align, direction }: { readonly align: Align; readonly direction: Direction },
  { docx }: WordState,
): IParagraphOptions {
  const { AlignmentType } = docx;
  const rtl = direction === 'rtl';
  // The format's left and right are start and end of a paragraph that runs from right to left.
  const types = {
    left: rtl ? AlignmentType.RIGHT : AlignmentType.LEFT,
    right: rtl ? AlignmentType.LEFT : AlignmentType.RIGHT,
    center: AlignmentType.CENTER,
    justify: AlignmentType.JUSTIFIED,
  };
  const plain = align === (rtl ? 'right' : 'left');
  return { ...(rtl ? { bidirectional: true } : {}), ...(plain ? {} : { alignment: types[align] }) };
}

const DEEPEST = 8;

async function listItems(
  list: List,
  state: WordState,
  place: BlockPlace,
  level: number,
  before: number,
  opening: Opening | undefined,
): Promise<Paragraph[]> {
  const reference = state.numbering(list, level);
  const children: Paragraph[] = [];
  let below: number | undefined;
  for (const [i, item] of list.items.entries()) {
    const top = item.blocks[0]?.box.top;
    const gap =
      i === 0
        ? before
        : below === undefined || top === undefined || top < below
          ? 0
          : Math.min(LARGEST_GAP, top - below);
    children.push(
      ...(await listItem(item, { list, reference, level, state, place }, gap, i === 0 ? opening : undefined)),
    );
    below = item.blocks.at(-1)?.box.bottom ?? below;
  }
  return children;
}

interface ListPlace {
  readonly list: List;
  readonly reference: string;
  readonly level: number;
  readonly state: WordState;
  readonly place: BlockPlace;
}

async function listItem(
  item: ListItem,
  { list, reference, level, state, place }: ListPlace,
  before: number,
  opening: Opening | undefined,
): Promise<Paragraph[]> {
  const { docx } = state;
  const [head, ...rest] = item.blocks;
  const leads = head?.kind === 'paragraph' || head?.kind === 'heading';
  const children: Paragraph[] = [
    new docx.Paragraph({
      ...(opening?.breaks === true ? { pageBreakBefore: true } : {}),
      ...(list.direction === 'rtl' ? { bidirectional: true } : {}),
      numbering: { reference, level: Math.min(level, DEEPEST) },
      spacing: { before: twips(before), after: 0, ...(head?.kind === 'paragraph' ? lineOf(head, state) : {}) },
      children: [...(opening?.children ?? []), ...(leads ? wordText(head.runs, state) : [])],
    }),
  ];
  for (const block of leads ? rest : item.blocks) {
    if (block.kind === 'list') children.push(...(await listItems(block, state, place, level + 1, 0, undefined)));
    else if (block.kind === 'paragraph' || block.kind === 'heading')
      children.push(
        new docx.Paragraph({ indent: { start: levelIndent(level) }, children: wordText(block.runs, state) }),
      );
    else if (block.kind !== 'table') children.push(...(await paragraphs(block, state, place, 0, undefined)));
  }
  return children;
}

/** Where the text of a list's items begins, in twips. */
export function levelIndent(level: number): number {
  return 360 * (level + 1) + 360;
}

async function figure(
  block: Figure,
  state: WordState,
  place: BlockPlace,
  before: number,
  first: readonly ParagraphChild[],
  start: IParagraphOptions,
): Promise<Paragraph> {
  const { docx } = state;
  const { left, right, top, bottom } = block.box;
  const file = await state.picture(block.picture);
  const [width, height] = [right - left, bottom - top];
  const scale = Math.min(1, place.width / width);
  const name = clean(block.alt ?? '');
  const children =
    file === undefined || !(width > 0 && height > 0)
      ? []
      : [
          new docx.ImageRun({
            type: file.format === 'jpeg' ? 'jpg' : 'png',
            data: file.bytes,
            transformation: {
              width: Math.max(1, width * scale * PIXELS),
              height: Math.max(1, height * scale * PIXELS),
            },
            altText: { name: name === '' ? 'Picture' : name.slice(0, 100), description: name, title: '' },
          }),
        ];
  return new docx.Paragraph({
    ...start,
    spacing: { before: twips(before), after: 0 },
    ...figurePlace(block, place, state),
    children: [...first, ...children],
  });
}

/** An image in the middle of its column is centred; others keep their left edge. */
function figurePlace({ box }: Figure, { left, width, align }: BlockPlace, { docx }: WordState): IParagraphOptions {
  if (left === undefined)
    return align === undefined || align === 'left'
      ? {}
      : { alignment: align === 'right' ? docx.AlignmentType.RIGHT : docx.AlignmentType.CENTER };
  const [start, end] = [box.left - left, left + width - box.right];
  if (start > 0 && Math.abs(start - end) < width * 0.05) return { alignment: docx.AlignmentType.CENTER };
  // In a later column the distance to that column's edge is not known here.
  return start > 1 && start < width / 2 ? { indent: { start: twips(start) } } : {};
}

function code(
  { text }: Code,
  { docx }: WordState,
  before: number,
  first: readonly ParagraphChild[],
  start: IParagraphOptions,
): Paragraph {
  const lines = text
    .split('\n')
    .map((line, i) => new docx.TextRun({ text: clean(line), font: MONOSPACE, ...(i > 0 ? { break: 1 } : {}) }));
  return new docx.Paragraph({
    ...start,
    style: 'Code',
    spacing: { before: twips(before), after: 0 },
    children: [...first, ...lines],
  });
}

function spacer(before: number, opening: Opening | undefined, { docx }: WordState): Paragraph {
  return new docx.Paragraph({
    ...(opening?.breaks === true ? { pageBreakBefore: true } : {}),
    spacing: { before: 0, after: 0, line: twips(Math.max(1, before)), lineRule: docx.LineRuleType.EXACT },
    children: opening?.children ?? [],
  });
}
