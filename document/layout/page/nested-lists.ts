import type { Block, List } from '../model.js';
import { around } from '../prose/line.js';

/** Points by which a list is further in than the one that it belongs to. */
const LEAST_INDENT = 6;
/** Lists further apart, in points, are two. */
const MOST_GAP = 36;

/**
 * Puts lists into the item above them where they are further in: office programs tag the levels of a list as lists one
 * after another (no list holds another), and the rest of the outer one as a third.
 */
export function nestedLists(blocks: readonly Block[]): Block[] {
  const found: Block[] = [];
  for (const block of blocks) {
    const last = found.at(-1);
    const joined = block.kind === 'list' && last?.kind === 'list' ? within(last, block) : undefined;
    if (joined === undefined) found.push(block);
    else found[found.length - 1] = joined;
  }
  return found;
}

/** The outer list with the inner one in it; undefined if the inner one does not belong to it. */
function within(outer: List, inner: List): List | undefined {
  const item = outer.items.at(-1);
  const apart = inner.box.top - outer.box.bottom;
  if (item === undefined || inner.direction !== outer.direction || apart > MOST_GAP || apart < -MOST_GAP / 2)
    return undefined;
  const deeper = startOf(inner) - startOf(outer);
  const box = around([outer.box, inner.box]);
  const last = item.blocks.at(-1);
  if (deeper > LEAST_INDENT) {
    const joined = last?.kind === 'list' ? within(last, inner) : undefined;
    const blocks = joined === undefined ? [...item.blocks, inner] : [...item.blocks.slice(0, -1), joined];
    return { ...outer, box, items: [...outer.items.slice(0, -1), { ...item, blocks }] };
  }
  // Behind a list of a deeper level the outer one goes on.
  const goesOn =
    last?.kind === 'list' &&
    Math.abs(deeper) <= LEAST_INDENT &&
    inner.style === outer.style &&
    (!inner.ordered || inner.start === outer.start + outer.items.length);
  return goesOn ? { ...outer, box, items: [...outer.items, ...inner.items] } : undefined;
}

/** Where the text of its items begins, from the side at which lines begin. */
function startOf({ items, direction }: List): number {
  const boxes = items.flatMap(({ blocks }) => blocks.slice(0, 1).map(({ box }) => box));
  return direction === 'ltr'
    ? Math.min(...boxes.map(({ left }) => left))
    : Math.min(...boxes.map(({ right }) => -right));
}
