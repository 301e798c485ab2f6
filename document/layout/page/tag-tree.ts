import type { TagNode } from '../page-content.js';

/** Inline elements (ISO 32000-1, 14.8.4.4; ISO 32000-2 adds Em and Strong). */
export const INLINE: ReadonlySet<string> = new Set([
  'Span',
  'Link',
  'Reference',
  'Quote',
  'Em',
  'Strong',
  'Annot',
  'Ruby',
  'RB',
  'RT',
  'RP',
  'Warichu',
  'WT',
  'WP',
  'Sub',
  'BibEntry',
  'NonStruct',
  'Lbl',
  'Code',
]);
/** A marked-content identifier or an element. */
export type Kid = number | TagNode;

/** Returns the first alternate description (/Alt) in the elements. */
export function altOf(kids: readonly Kid[]): string | undefined {
  let alt: string | undefined;
  each(kids, (node) => {
    alt ??= node.alt;
  });
  return alt;
}

/** True for an element with elements in it that begin blocks. */
export function hasBlocks({ kids }: TagNode): boolean {
  return some(kids, ({ type }) => !INLINE.has(type));
}

export function some(kids: readonly Kid[], test: (node: TagNode) => boolean): boolean {
  return kids.some((kid) => typeof kid !== 'number' && (test(kid) || some(kid.kids, test)));
}

/** Goes over elements from outside to inside; `into` says into which it goes. */
export function each(
  kids: readonly Kid[],
  visit: (node: TagNode) => void,
  into: (node: TagNode) => boolean = () => true,
): void {
  for (const kid of kids) {
    if (typeof kid === 'number') continue;
    visit(kid);
    if (into(kid)) each(kid.kids, visit, into);
  }
}

export function ids(kids: readonly Kid[], visit: (id: number) => void): void {
  for (const kid of kids) {
    if (typeof kid === 'number') visit(kid);
    else ids(kid.kids, visit);
  }
}
