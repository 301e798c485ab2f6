import { type PDFContext, PDFDict, PDFHexString, PDFName, PDFNumber, type PDFObject, type PDFRef } from 'pdf-lib';
import { asDict, asNumber, asText, catalogOf, dictOf, entry, resolve, setEntry } from '../../file/objects/index.js';
import { pageBox, type PageEntry, pageRotation } from '../pages/index.js';

/** Most items that are read from one document, as specified in `docs/interface/general.yml`, merge-pdfs. */
const MAX_ITEMS = 100_000;
const MAX_DEPTH = 200;

/** An item of a document's outline (ISO 32000-1, 12.3.3). */
export interface OutlineNode {
  readonly dict: PDFDict;
  readonly open: boolean;
  readonly children: OutlineNode[];
}

/** Reads a document's outline as trees. Cycles are cut; at most 100000 items are read. */
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

/** Returns the title of an item as text. */
export function outlineTitle(context: PDFContext, node: OutlineNode): string {
  return asText(context, entry(node.dict, 'Title')) ?? '';
}

/** Keys that define the position of an item; they are rebuilt when the outline is written. */
export const OUTLINE_LINKS: ReadonlySet<string> = new Set(['First', 'Last', 'Next', 'Prev', 'Parent', 'Count']);

/** An item to be written: its dictionary without the links, made of objects of the target document. */
export interface OutlineItem {
  readonly dict: PDFDict;
  readonly open: boolean;
  readonly children: readonly OutlineItem[];
}

/** The upper edge of a page as displayed, in the page's own coordinates (ISO 32000-1, 12.3.2.2, /XYZ). */
export interface UpperEdge {
  readonly left?: number;
  readonly top?: number;
}

/** Returns the upper edge of the visible area of a page, considering its rotation. */
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

/** Creates an item that leads to the top of a page. */
export function pageItem(
  context: PDFContext,
  title: string,
  page: PDFRef,
  { left, top }: UpperEdge,
  children: readonly OutlineItem[] = [],
): OutlineItem {
  const dest = context.obj([page, 'XYZ', left ?? null, top ?? null, null]);
  // Removes half of a surrogate pair at the end.
  return {
    dict: dictOf(context, { Title: PDFHexString.fromText(title.replace(/\p{Surrogate}/gu, '\ufffd')), Dest: dest }),
    open: false,
    children,
  };
}

/** Writes items as the outline of a document; returns its root, or undefined if there are no items. */
export function writeOutlines(context: PDFContext, items: readonly OutlineItem[]): PDFRef | undefined {
  if (items.length === 0) return undefined;
  const root = dictOf(context, { Type: PDFName.of('Outlines') });
  const rootRef = context.register(root);
  const visible = link(context, root, rootRef, items);
  setEntry(root, 'Count', PDFNumber.of(visible));
  return rootRef;
}

/**
 * Links items under a parent; returns the number of lines they occupy when the parent is open (ISO 32000-1, table 152
 * and 153, /Count).
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
