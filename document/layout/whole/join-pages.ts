import type { Block, LayoutPage, List, Paragraph, Run, Table, TableRow } from '../model.js';
import { goesOn, joinedPara } from '../prose/join-paras.js';
import { lineText } from '../prose/line.js';
import type { Para } from '../prose/paragraphs.js';
import { sameLook } from '../prose/runs.js';
import type { DocumentStyle } from './document-style.js';

/** Longest table across pages; beyond it a new table starts. */
const MAX_ROWS = 20_000;
/** Widths of columns may differ by this part of the table's width. */
const SAME_WIDTH = 0.04;

/** Facts about the paragraphs of a document. */
export interface Joining {
  readonly style: DocumentStyle;
  readonly origins: WeakMap<Block, Para>;
}

/** Joins blocks across a page break and returns both pages. The part on the later page moves to the earlier one. */
export function joinPages(
  before: LayoutPage,
  after: LayoutPage,
  joining: Joining,
): { readonly before: LayoutPage; readonly after: LayoutPage } {
  const [last, first] = [before.blocks.at(-1), after.blocks[0]];
  if (last === undefined || first === undefined) return { before, after };
  const joined = joinBlocks(last, first, joining);
  if (joined === undefined) return { before, after };
  const whole: Block = { ...joined, turns: [...(last.turns ?? []), { page: first.page, at: extent(last) }] };
  // A paragraph is known by its object where it may go on once more.
  const para = joining.origins.get(joined);
  if (para !== undefined) joining.origins.set(whole, para);
  return {
    before: { ...before, blocks: [...before.blocks.slice(0, -1), whole] },
    after: { ...after, blocks: after.blocks.slice(1) },
  };
}

/** How long a block is, in the measure of `PageTurn.at`. */
function extent(block: Block): number {
  if (block.kind === 'table') return block.rows.length;
  if (block.kind === 'list') return block.items.length;
  return 'runs' in block ? block.runs.reduce((sum, { text }) => sum + text.length, 0) : 0;
}

function joinBlocks(last: Block, first: Block, joining: Joining): Block | undefined {
  if (last.kind === 'table' && first.kind === 'table') return joinTables(last, first);
  if (last.kind === 'list' && first.kind === 'list') return joinLists(last, first);
  if (first.kind !== 'paragraph') return undefined;
  if (last.kind === 'paragraph') return joinParagraphs(last, first, joining);
  return last.kind === 'list' ? joinItem(last, first, joining) : undefined;
}

function joinParagraphs(last: Paragraph, first: Paragraph, { style, origins }: Joining): Paragraph | undefined {
  const [a, b] = [origins.get(last), origins.get(first)];
  if (a === undefined || b === undefined || last.caption || first.caption || !goesOn(a, b, style)) return undefined;
  const end = a.lines.at(-1)!.words.at(-1)!;
  const joined: Paragraph = {
    ...last,
    leading: last.leading || first.leading,
    runs: joinRuns(last.runs, first.runs, end.divided, lineText(b.lines[0]!), style),
  };
  origins.set(joined, joinedPara(a, b));
  return joined;
}

/** The last paragraph of a list's last item goes on. */
function joinItem(list: List, first: Paragraph, joining: Joining): List | undefined {
  const item = list.items.at(-1);
  const block = item?.blocks.at(-1);
  if (item === undefined || block === undefined) return undefined;
  const joined =
    block.kind === 'paragraph'
      ? joinParagraphs(block, first, joining)
      : block.kind === 'list'
        ? joinItem(block, first, joining)
        : undefined;
  return joined === undefined
    ? undefined
    : { ...list, items: [...list.items.slice(0, -1), { ...item, blocks: [...item.blocks.slice(0, -1), joined] }] };
}

function joinRuns(
  before: readonly Run[],
  after: readonly Run[],
  divided: boolean,
  next: string,
  { words }: DocumentStyle,
): Run[] {
  const last = before.at(-1);
  const [first, ...rest] = after;
  if (last === undefined || first === undefined) return [...before, ...after];
  let { text } = last;
  let gap = ' ';
  if (divided || /[\p{L}\p{N}][-\u2010]$/u.test(text)) {
    const bare = text.replace(/[-\u2010]$/, '');
    const how = words.divided(bare, next);
    text = how === 'joined' ? bare : `${bare}-`;
    gap = how === 'apart' ? ' ' : '';
  } else if (/[\u2e80-\u9fff\uff00-\uff65]$/u.test(text) && /^[\u2e80-\u9fff\uff00-\uff65]/u.test(next)) gap = '';
  if (sameLook(last, first)) return [...before.slice(0, -1), { ...last, text: text + gap + first.text }, ...rest];
  return [...before.slice(0, -1), { ...last, text: text + gap }, first, ...rest];
}

function joinLists(last: List, first: List): List | undefined {
  if (last.ordered !== first.ordered || last.style !== first.style || last.direction !== first.direction)
    return undefined;
  const follows = last.ordered
    ? first.start === last.start + last.items.length
    : first.items[0]?.marker === last.items[0]?.marker && Math.abs(first.box.left - last.box.left) < 20;
  return follows ? { ...last, items: [...last.items, ...first.items] } : undefined;
}

/** A table of the same columns goes on; its header is not repeated. */
function joinTables(last: Table, first: Table): Table | undefined {
  const [a, b] = [last.columnWidths, first.columnWidths];
  if (a.length !== b.length || last.ruled !== first.ruled || last.rows.length + first.rows.length > MAX_ROWS)
    return undefined;
  const whole = a.reduce((sum, one) => sum + one, 0) || 1;
  if (!a.every((width, i) => Math.abs(width - b[i]!) < SAME_WIDTH * whole)) return undefined;
  const repeated = repeatedRows(last, first);
  return {
    ...last,
    rows: [
      ...last.rows,
      ...first.rows
        .slice(repeated)
        .map((row) => ({ ...row, cells: row.cells.map((cell) => ({ ...cell, header: false })) })),
    ],
  };
}

function repeatedRows(last: Table, first: Table): number {
  const most = Math.max(last.headerRows, first.headerRows, 1);
  let rows = 0;
  while (
    rows < Math.min(most, first.rows.length - 1) &&
    rowText(last.rows[rows]) !== '' &&
    rowText(last.rows[rows]) === rowText(first.rows[rows])
  )
    rows++;
  return rows;
}

function rowText(row: TableRow | undefined): string {
  return row === undefined
    ? ''
    : row.cells.map(({ column, blocks }) => `${column}:${blocks.map(blockText).join(' ')}`).join('|');
}

/** The text of a block, without looks. */
export function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return block.runs.map(({ text }) => text).join('');
    case 'list':
      return block.items.map(({ marker, blocks }) => `${marker} ${blocks.map(blockText).join(' ')}`).join(' ');
    case 'table':
      return block.rows
        .map(({ cells }) => cells.map(({ blocks }) => blocks.map(blockText).join(' ')).join(' '))
        .join('\n');
    case 'figure':
      return block.alt ?? block.text;
    case 'code':
      return block.text;
  }
}
