import { type PDFContext, type PDFDict, PDFRef } from 'pdf-lib';
import { asDict, asName, entry } from '../file/objects/index.js';
import type { PageEntry } from '../structure/pages/index.js';
import { allFieldNodes, type FieldNode, isField, readFields } from './fields/index.js';
import { readAnnotations } from '../structure/annotations/index.js';

/** Deepest nesting of fields that is followed. */
const MAX_PARENTS = 100;

/** The nodes of a form and the pages that show them. */
export interface FormNodes {
  readonly roots: readonly FieldNode[];
  /** Nodes that are on a page but not in the field tree. */
  readonly unlisted: ReadonlySet<FieldNode>;
  /** Returns the 0-based page of a widget; -1 if it is not known. */
  readonly pageOf: (widget: PDFDict) => number;
}

/**
 * Reads the field tree and adds widgets that only pages list, below the fields that they name as parents (PDFium and
 * other viewers treat these as fields too). A widget belongs to the page that lists it first; /P is used only if no
 * page does.
 */
export function formNodes(context: PDFContext, pages: readonly PageEntry[]): FormNodes {
  const roots = readFields(context);
  const nodes = new Map<PDFDict, FieldNode>();
  for (const node of allFieldNodes(roots)) nodes.set(node.dict, node);
  const places = new Map<PDFDict, number>();
  const unlisted = new Set<FieldNode>();
  for (const [index, page] of pages.entries()) {
    for (const { value, dict, kind } of readAnnotations(context, page.dict)) {
      if (places.has(dict)) continue;
      places.set(dict, index);
      if (kind === 'Widget' && !nodes.has(dict))
        adopt(context, dict, value instanceof PDFRef ? value : undefined, nodes, roots, unlisted);
    }
  }
  const pageIndices = new Map<PDFDict, number>();
  for (const [index, { dict }] of pages.entries()) if (!pageIndices.has(dict)) pageIndices.set(dict, index);
  const pageOf = (widget: PDFDict): number => {
    const place = places.get(widget);
    if (place !== undefined) return place;
    const page = asDict(context, entry(widget, 'P'));
    return page === undefined ? -1 : (pageIndices.get(page) ?? -1);
  };
  return { roots, unlisted, pageOf };
}

/** Adds a widget and its ancestors to the nodes, below the nearest known one. */
function adopt(
  context: PDFContext,
  dict: PDFDict,
  ref: PDFRef | undefined,
  nodes: Map<PDFDict, FieldNode>,
  roots: FieldNode[],
  unlisted: Set<FieldNode>,
): void {
  const chain: { readonly dict: PDFDict; readonly ref: PDFRef | undefined }[] = [{ dict, ref }];
  const met = new Set([dict]);
  let parent: FieldNode | undefined;
  while (chain.length < MAX_PARENTS) {
    const value = entry(chain.at(-1)!.dict, 'Parent');
    const above = asDict(context, value);
    parent = above === undefined ? undefined : nodes.get(above);
    if (above === undefined || parent !== undefined || met.has(above)) break;
    met.add(above);
    chain.push({ dict: above, ref: value instanceof PDFRef ? value : undefined });
  }
  for (const one of chain.reverse()) {
    const node: FieldNode = { ...one, parent, children: [] };
    (parent?.children ?? roots).push(node);
    nodes.set(one.dict, node);
    unlisted.add(node);
    parent = node;
  }
}

/** A field that can hold a value, and the nodes of its widgets. */
export interface ValuedNode {
  readonly node: FieldNode;
  /** Its descendants without a name, or the field itself; empty if it is on no page. */
  readonly widgets: readonly FieldNode[];
  /** True if a page shows the field but the form does not list it. */
  readonly unlisted: boolean;
}

/**
 * Yields the fields that can hold values, in the order of the tree. Fields that only group other fields are skipped,
 * unless they also have widgets.
 */
export function* valuedNodes(
  context: PDFContext,
  { roots, unlisted }: Pick<FormNodes, 'roots' | 'unlisted'>,
): Generator<ValuedNode> {
  for (const node of allFieldNodes(roots)) {
    if (isValued(context, node)) yield valuedNode(context, node, unlisted.has(node));
  }
}

/** Returns a field that is known to hold a value, with the nodes of its widgets. */
export function valuedNode(context: PDFContext, node: FieldNode, unlisted = false): ValuedNode {
  return { node, widgets: widgetNodes(context, node), unlisted };
}

function isValued(context: PDFContext, node: FieldNode): boolean {
  return (
    isField(node) &&
    (!node.children.some(isField) || node.children.some((child) => !isField(child) && isWidget(context, child.dict)))
  );
}

function widgetNodes(context: PDFContext, node: FieldNode): FieldNode[] {
  const below = node.children.flatMap((child): FieldNode[] => (isField(child) ? [] : widgetNodes(context, child)));
  return below.length > 0 || !isWidget(context, node.dict) ? below : [node];
}

function isWidget(context: PDFContext, dict: PDFDict): boolean {
  return asName(context, entry(dict, 'Subtype')) === 'Widget' || entry(dict, 'Rect') !== undefined;
}
