import {
  type Artefact,
  type Block,
  blockText,
  type Box,
  type Footnote,
  type LayoutPage,
  type List,
} from '@quire/document/layout';
import { type ParsedTable, parseTable } from './table-grid.js';

/** Type of a block. `other` is text across the page or beside its body: stamps, marks. */
export type ParsedType =
  | 'heading'
  | 'paragraph'
  | 'list'
  | 'table'
  | 'figure'
  | 'caption'
  | 'header'
  | 'footer'
  | 'footnote'
  | 'code'
  | 'other';

/** A block of a document. Members that a type has not are absent. */
export interface ParsedBlock {
  /** Place among all blocks, from 0. */
  readonly id: number;
  readonly type: ParsedType;
  /** 1-based page where it begins, and the last one where it goes on. */
  readonly page: number;
  readonly pageEnd?: number;
  /**
   * Left, top, right and bottom on the page where it begins: points (1/72 inch) of the page as it is shown, from its
   * upper left corner.
   */
  readonly bbox: readonly [number, number, number, number];
  readonly text: string;
  readonly direction?: 'rtl';
  /** Of a heading: 1 to 6. */
  readonly level?: number;
  /** Of a list. */
  readonly ordered?: boolean;
  readonly items?: readonly ParsedItem[];
  /** Of a table. */
  readonly columns?: number;
  readonly headerRows?: number;
  readonly rows?: ParsedTable['rows'];
  readonly cells?: ParsedTable['cells'];
  /** Of a figure: its alternate description, and its pixels if it is an image. */
  readonly alt?: string;
  readonly image?: { readonly width: number; readonly height: number; readonly dpi: number };
  /** Of a footnote, as it is printed. */
  readonly mark?: string;
}

/** An item of a list. */
export interface ParsedItem {
  /** 1 for the outermost. */
  readonly level: number;
  /** As it is printed. */
  readonly marker: string;
  /** Without inner lists, which follow as items of their own. */
  readonly text: string;
}

/**
 * The blocks of a page in reading order: what stands above its text, the text, footnotes, what stands below. `first` is
 * the id of the first one.
 */
export function parsePage({ blocks, footnotes, artefacts, height }: LayoutPage, first: number): ParsedBlock[] {
  const above = artefacts.filter((artefact) => sideOf(artefact, height) === 'header');
  const below = artefacts.filter((artefact) => sideOf(artefact, height) !== 'header');
  return [
    ...above.map((one) => artefactOf(one, height)),
    ...blocks.map(blockOf),
    ...footnotes.map(noteOf),
    ...below.map((one) => artefactOf(one, height)),
  ].map((block, i) => ({ id: first + i, ...block }));
}

type Unnumbered = Omit<ParsedBlock, 'id'>;

function blockOf(block: Block): Unnumbered {
  const at = {
    page: block.page,
    ...(block.turns === undefined ? {} : { pageEnd: block.turns.at(-1)!.page }),
    bbox: bboxOf(block.box),
    text: blockText(block),
  };
  const flow = 'direction' in block && block.direction === 'rtl' ? { direction: 'rtl' as const } : {};
  switch (block.kind) {
    case 'heading':
      return { type: 'heading', ...at, ...flow, level: block.level };
    case 'paragraph':
      return { type: block.caption ? 'caption' : 'paragraph', ...at, ...flow };
    case 'list': {
      const items = itemsOf(block, 1);
      return {
        type: 'list',
        ...at,
        text: items.map(({ marker, text }) => `${marker} ${text}`.trim()).join('\n'),
        ...flow,
        ordered: block.ordered,
        items,
      };
    }
    case 'table': {
      const table = parseTable(block);
      return {
        type: 'table',
        ...at,
        text: table.rows.map((row) => row.filter((text) => text !== '').join(' ')).join('\n'),
        ...flow,
        ...table,
      };
    }
    case 'figure': {
      const { width, height, dpi } = block.picture;
      return {
        type: 'figure',
        ...at,
        text: block.text,
        ...(block.alt === undefined ? {} : { alt: block.alt }),
        ...(width > 0 ? { image: { width, height, dpi } } : {}),
      };
    }
    case 'code':
      return { type: 'code', ...at };
  }
}

function itemsOf({ items }: List, level: number): ParsedItem[] {
  return items.flatMap(({ marker, blocks }) => [
    {
      level,
      marker,
      text: blocks
        .filter(({ kind }) => kind !== 'list')
        .map(blockText)
        .join('\n'),
    },
    ...blocks.flatMap((block) => (block.kind === 'list' ? itemsOf(block, level + 1) : [])),
  ]);
}

function noteOf({ page, box, mark, blocks }: Footnote): Unnumbered {
  return { type: 'footnote', page, bbox: bboxOf(box), text: blocks.map(blockText).join('\n'), mark };
}

/** A page number belongs to the header if it is above the middle of the page, otherwise to the footer. */
function sideOf({ kind, box }: Artefact, height: number): 'header' | 'footer' | 'other' {
  if (kind === 'pageNumber') return box.top + box.bottom < height ? 'header' : 'footer';
  return kind;
}

function artefactOf(artefact: Artefact, height: number): Unnumbered {
  return {
    type: sideOf(artefact, height),
    page: artefact.page,
    bbox: bboxOf(artefact.box),
    text: artefact.runs
      .map(({ text }) => text)
      .join('')
      .trim(),
  };
}

/** A box as `ParsedBlock.bbox`, rounded to hundredths of a point. */
export function bboxOf({ left, top, right, bottom }: Box): ParsedBlock['bbox'] {
  return [round(left), round(top), round(right), round(bottom)];
}

const round = (points: number): number => Math.round(points * 100) / 100;
