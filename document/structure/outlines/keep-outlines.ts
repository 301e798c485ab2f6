import type { PDFContext, PDFRef } from 'pdf-lib';
import type { ObjectCopier } from '../../file/objects/index.js';
import { type ActionTarget, type NamedDestinations, targetOf } from '../names/destinations.js';
import { OUTLINE_LINKS, type OutlineItem, type OutlineNode, readOutlines } from './outlines.js';

/** An outline item and its target. */
export interface TargetedNode {
  readonly node: OutlineNode;
  readonly target: ActionTarget;
  readonly children: readonly TargetedNode[];
}

const WITHOUT_TARGET: ReadonlySet<string> = new Set([...OUTLINE_LINKS, 'Dest', 'A', 'SE']);

/** Reads a document's outline with the targets of its items. */
export function readTargetedOutlines(
  context: PDFContext,
  named: NamedDestinations,
  pages: readonly PDFRef[],
): TargetedNode[] {
  const targeted = (node: OutlineNode): TargetedNode => ({
    node,
    target: targetOf(context, named, node.dict, pages),
    children: node.children.map(targeted),
  });
  return readOutlines(context).map(targeted);
}

/**
 * Copies the items that lead to a kept page or have a descendant that does; the latter lose their own dead target.
 * Items that lead out of the document are kept if `elsewhere` is set.
 */
export function keepOutlines(
  nodes: readonly TargetedNode[],
  pages: ReadonlySet<PDFRef>,
  elsewhere: boolean,
  copier: ObjectCopier,
): OutlineItem[] {
  return nodes.flatMap(({ node, target, children }) => {
    const below = keepOutlines(children, pages, elsewhere, copier);
    const here = target.kind === 'page' ? pages.has(target.page) : elsewhere && children.length === 0;
    if (!here && below.length === 0) return [];
    const dead = target.kind === 'page' && !here;
    return [
      { dict: copier.copyDict(node.dict, dead ? WITHOUT_TARGET : OUTLINE_LINKS), open: node.open, children: below },
    ];
  });
}
