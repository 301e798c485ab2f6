import { type PDFContext, PDFDict, PDFHexString, PDFName, PDFNumber, type PDFObject, type PDFRef } from 'pdf-lib';
import { asDict, asNumber, asText, catalogOf, dictOf, entry, resolve, setEntry } from '../../file/objects/index.js';
import { pageBox, type PageEntry, pageRotation } from '../pages/index.js';

/** Items read from one document; the contract's own cap (`docs/interface/general.yml`, merge-pdfs). */
const MAX_ITEMS = 100_000;
const MAX_DEPTH = 200;

/** An item of a document's outline as it stands in the source (ISO 32000-1, 12.3.3). */
export interface OutlineNode {
  readonly dict: PDFDict;
  readonly open: boolean;
  readonly children: OutlineNode[];
}

/** Reads a document's outline as trees. Loops end where they close; at most 100000 items are read. */
export function readOutlines(context: PDFContext): OutlineNode[] {
  const catalog = catalogOf(context);
  const root = asDict(context, catalog === undefined ? undefined : entry(catalog, 'Outlines'));
  if (root === undefined) return [];
  const seen = new Set<PDFDict>([root]);
  const read = (first: PDFObject | undefined, depth: number): OutlineNode[] => {
    const nodes: OutlineNode[] = [];
    for (let dict = resolve(context, first); dict instanceof PDFDict; dict = resolve(context, entry(dict, 'Next'))) {
      if (seen.has(dict) || seen.size > MAX_ITEMS) break;
      seen.add(dict);
      const children = depth < MAX_DEPTH ? read(entry(dict, 'First'), depth + 1) : [];
      nodes.push({ dict, open: (asNumber(context, entry(dict, 'Count')) ?? 0) > 0, children });
    }
    return nodes;
  };
  return read(entry(root, 'First'), 0);
}

/** Gives an item's title as text. */
export function outlineTitle(context: PDFContext, node: OutlineNode): string {
  return asText(context, entry(node.dict, 'Title')) ?? '';
}

/** Keys that say where an item stands; they are written anew. */
export const OUTLINE_LINKS: ReadonlySet<string> = new Set(['First', 'Last', 'Next', 'Prev', 'Parent', 'Count']);

/** An item to be written: its dictionary without the links, already made of the target's objects. */
export interface OutlineItem {
  readonly dict: PDFDict;
  readonly open: boolean;
  readonly children: readonly OutlineItem[];
}

/** Where the upper edge of a page lies as it is shown, in the page's own coordinates (ISO 32000-1, 12.3.2.2, /XYZ). */
export interface UpperEdge {
  readonly left?: number;
  readonly top?: number;
}

/** Gives the upper edge of what a viewer shows of a page, turned as it says. */
export function upperEdge(context: PDFContext, page: PageEntry): UpperEdge {
  const [left, bottom, right, top] = pageBox(context, page);
  switch (pageRotation(context, page)) {
    case 90:
      return { left };
    case 180:
      return { top: bottom };
    case 270:
      return { left: right };
    default:
      return { top };
  }
}

/** Makes an item that shows a page from its upper edge on. */
export function pageItem(
  context: PDFContext,
  title: string,
  page: PDFRef,
  { left, top }: UpperEdge,
  children: readonly OutlineItem[] = [],
): OutlineItem {
  const dest = context.obj([page, 'XYZ', left ?? null, top ?? null, null]);
  // Half a surrogate pair is no text.
  return {
    dict: dictOf(context, { Title: PDFHexString.fromText(title.replace(/\p{Surrogate}/gu, '\ufffd')), Dest: dest }),
    open: false,
    children,
  };
}

/** Writes items as the outline of a document and gives its root, or undefined when there is none. */
export function writeOutlines(context: PDFContext, items: readonly OutlineItem[]): PDFRef | undefined {
  if (items.length === 0) return undefined;
  const root = dictOf(context, { Type: PDFName.of('Outlines') });
  const rootRef = context.register(root);
  const visible = link(context, root, rootRef, items);
  setEntry(root, 'Count', PDFNumber.of(visible));
  return rootRef;
}

/**
 * Hangs items under a parent; gives how many lines they show when the parent is open (ISO 32000-1, table 152 and 153,
 * /Count).
 */
function link(context: PDFContext, parent: PDFDict, parentRef: PDFRef, items: readonly OutlineItem[]): number {
  const refs = items.map((item) => context.register(item.dict));
  let visible = 0;
  items.forEach((item, i) => {
    const ref = refs[i];
    if (ref === undefined) return;
    setEntry(item.dict, 'Parent', parentRef);
    setEntry(item.dict, 'Prev', refs[i - 1]);
    setEntry(item.dict, 'Next', refs[i + 1]);
    visible += 1;
    if (item.children.length > 0) {
      const below = link(context, item.dict, ref, item.children);
      setEntry(item.dict, 'Count', PDFNumber.of(item.open ? below : -below));
      if (item.open) visible += below;
    }
  });
  setEntry(parent, 'First', refs[0]);
  setEntry(parent, 'Last', refs.at(-1));
  return visible;
}
