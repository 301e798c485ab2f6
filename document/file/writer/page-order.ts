import { PDFArray, PDFDict, PDFName, type PDFContext, type PDFObject, PDFRef } from 'pdf-lib';
import { lookupRef } from '../objects/index.js';

const KIDS = PDFName.of('Kids');

/**
 * Returns the nodes of a page tree from its root down, and its pages in document order; each once, even in a circular
 * tree.
 */
export function pageOrder(
  context: PDFContext,
  root: PDFObject | undefined,
): { readonly nodes: readonly PDFRef[]; readonly pages: readonly PDFRef[] } {
  const nodes: PDFRef[] = [];
  const pages: PDFRef[] = [];
  const seen = new Set<PDFRef>();
  const stack = root instanceof PDFRef ? [root] : [];
  for (let ref = stack.pop(); ref !== undefined; ref = stack.pop()) {
    if (seen.has(ref)) continue;
    seen.add(ref);
    const node = lookupRef(context, ref);
    if (!(node instanceof PDFDict)) continue;
    const value = node.get(KIDS);
    const kids = value instanceof PDFRef ? lookupRef(context, value) : value;
    if (kids instanceof PDFArray) {
      nodes.push(ref);
      for (let i = kids.size() - 1; i >= 0; i--) {
        const kid = kids.get(i);
        if (kid instanceof PDFRef) stack.push(kid);
      }
    } else {
      pages.push(ref);
    }
  }
  return { nodes, pages };
}
