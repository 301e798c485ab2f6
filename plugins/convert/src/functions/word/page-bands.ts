import type { Block, Box, LayoutPage } from '@quire/document/layout';

/** Share of the text's width from which a block spans the columns. */
const SPANNING = 0.65;
/** More changes between text in columns and across them make a page of sections that nobody could edit. */
const MOST_BANDS = 9;
/** Boxes of lines overlap by up to this part of their height. */
const OVERLAP = 0.35;
/** A larger distance is not one between blocks that belong together. */
const MOST_GAP = 72;

/** Blocks of a page one below another, in so many columns. */
export interface Band {
  readonly blocks: readonly Block[];
  readonly columns: number;
  /** Distance from the next band in points, 0 where it is not to be kept. */
  readonly gap: number;
}

/** Splits a page where blocks span its columns. At least one band; `text` is the width of its text. */
export function bandsOf({ blocks, columns, width }: LayoutPage, text: number): Band[] {
  if (columns <= 1) return [{ blocks, columns: 1, gap: 0 }];
  // At the top of the page, text may be broader than a column but beside something.
  const first = blocks.findIndex(({ box }) => box.right - box.left < SPANNING * text && !isCentred(box, width));
  const spans = standingAlone(blocks).map((alone, i) => alone || i < first || first < 0);
  let bands = grouped(blocks, (i) => spans[i]!);
  // What is in columns again further down comes after what spans them only in simple pages.
  if (bands.length > MOST_BANDS) {
    const columnsFrom = spans.indexOf(false);
    bands = grouped(blocks, (i) => i < columnsFrom);
  }
  return bands.map(({ spanning, own }, i) => ({
    blocks: own,
    columns: spanning ? 1 : columns,
    gap: gapBetween(own, bands[i + 1]?.own),
  }));
}

function grouped(
  blocks: readonly Block[],
  isSpanning: (index: number) => boolean,
): { readonly spanning: boolean; readonly own: Block[] }[] {
  const groups: { spanning: boolean; own: Block[] }[] = [];
  for (const [i, block] of blocks.entries()) {
    const last = groups.at(-1);
    if (last?.spanning === isSpanning(i)) last.own.push(block);
    else groups.push({ spanning: isSpanning(i), own: [block] });
  }
  return groups;
}

/** For each block whether all before it are above it, and all behind it below. */
function standingAlone(blocks: readonly Block[]): boolean[] {
  const boxes = blocks.map(wholeBox);
  const tops = boxes.map(({ top }) => top);
  for (let i = tops.length - 2; i >= 0; i--) tops[i] = Math.min(tops[i]!, tops[i + 1]!);
  let above = -Infinity;
  return boxes.map(({ top, bottom }, i) => {
    const slack = OVERLAP * (bottom - top < MOST_GAP ? bottom - top : 0) + 2;
    const alone = above <= top + slack && (tops[i + 1] ?? Infinity) >= bottom - slack && !inParts(blocks[i]!);
    above = Math.max(above, bottom);
    return alone;
  });
}

function inParts(block: Block): boolean {
  return block.kind === 'paragraph' && block.columns !== undefined;
}

/** The box of all parts of a block. */
function wholeBox(block: Block): Box {
  const parts = block.kind === 'paragraph' ? (block.columns ?? []).map(({ box }) => box) : [];
  return [block.box, ...parts].reduce((all, box) => ({
    left: Math.min(all.left, box.left),
    top: Math.min(all.top, box.top),
    right: Math.max(all.right, box.right),
    bottom: Math.max(all.bottom, box.bottom),
  }));
}

function gapBetween(above: readonly Block[], below: readonly Block[] | undefined): number {
  if (below === undefined) return 0;
  const [bottom, top] = [
    Math.max(...above.map((block) => wholeBox(block).bottom)),
    Math.min(...below.map((block) => wholeBox(block).top)),
  ];
  return top - bottom > MOST_GAP ? 0 : Math.max(0, top - bottom);
}

function isCentred({ left, right }: Box, width: number): boolean {
  return left < width / 2 && right > width / 2 && Math.abs((left + right) / 2 - width / 2) < width * 0.05;
}
