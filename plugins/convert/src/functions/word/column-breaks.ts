import type { Block, Box } from '@quire/document/layout';

/** With less room below its text a column ends by itself, and a break could come a column late. In points. */
const LEAST_ROOM = 40;
/** A block so many times as wide as a column spans several. */
const SPANNING = 1.3;

/** The columns of a page, as a text document has them. */
export interface ColumnSetting {
  readonly columns: number;
  /** In points. */
  readonly width: number;
  /** Lower end of the columns, in points from the top of the page. */
  readonly bottom: number;
}

/** Where a block, or the rest of a paragraph from a character on, begins a column. */
export interface ColumnStart {
  readonly block: Block;
  /** 0 for the whole block. */
  readonly at: number;
}

/**
 * Where the blocks of a page go on in the next column although there is room below them, so that a text document needs
 * a break. None for blocks that do not fill the columns one after another.
 */
export function columnStarts(blocks: readonly Block[], { columns, width, bottom }: ColumnSetting): ColumnStart[] {
  if (columns <= 1) return [];
  const parts = blocks.flatMap((block) => [
    { block, at: 0, box: block.box },
    ...(block.kind === 'paragraph' ? (block.columns ?? []).map(({ at, box }) => ({ block, at, box })) : []),
  ]);
  const starts: ColumnStart[] = [];
  let [toRight, toLeft] = [0, 0];
  for (const [i, { block, at, box }] of parts.entries()) {
    if (box.right - box.left > SPANNING * width) return [];
    const before = parts[i - 1]?.box;
    if (before === undefined) continue;
    const side = box.top < before.bottom - 1 ? sideOf(before, box) : undefined;
    if (side === undefined) {
      if (box.top < before.top - 1) return [];
      continue;
    }
    if (side === 'right') toRight++;
    else toLeft++;
    if (bottom - before.bottom > LEAST_ROOM) starts.push({ block, at });
  }
  return Math.min(toRight, toLeft) > 0 || toRight + toLeft >= columns ? [] : starts;
}

function sideOf(before: Box, box: Box): 'right' | 'left' | undefined {
  if (box.left >= before.right - 2) return 'right';
  return box.right <= before.left + 2 ? 'left' : undefined;
}
