import type { TagNode } from '../page-content.js';
import type { Scratch } from './scratch.js';

/** Elements of one page's tree, and how deep they lie. */
const MAX_NODES = 100_000;
const MAX_DEPTH = 80;

/**
 * Reads the structure elements that have content on an open page (ISO 32000-1, 14.7), roles mapped to standard types.
 */
export function readTags(scratch: Scratch, page: number): TagNode[] {
  const { pdfium } = scratch;
  const tree = pdfium.FPDF_StructTree_GetForPage(page);
  if (tree === 0) return [];
  try {
    const budget = { nodes: MAX_NODES };
    const roots: TagNode[] = [];
    const count = pdfium.FPDF_StructTree_CountChildren(tree);
    for (let i = 0; i < count && budget.nodes > 0; i++) {
      const element = pdfium.FPDF_StructTree_GetChildAtIndex(tree, i);
      if (element !== 0) roots.push(readNode(scratch, element, 0, budget));
    }
    return roots;
  } finally {
    pdfium.FPDF_StructTree_Close(tree);
  }
}

function readNode(scratch: Scratch, element: number, depth: number, budget: { nodes: number }): TagNode {
  const { pdfium } = scratch;
  budget.nodes--;
  const text = (call: (element: number, at: number, size: number) => number): string =>
    scratch.text((at, size) => call(element, at, size), 'utf-16le').trim();
  const type = text(pdfium.FPDF_StructElement_GetType);
  const kids: (number | TagNode)[] = [];
  const count = pdfium.FPDF_StructElement_CountChildren(element);
  for (let i = 0; i < count && budget.nodes > 0; i++) {
    const mcid = pdfium.FPDF_StructElement_GetChildMarkedContentID(element, i);
    if (mcid >= 0) {
      kids.push(mcid);
      continue;
    }
    const child = depth < MAX_DEPTH ? pdfium.FPDF_StructElement_GetChildAtIndex(element, i) : 0;
    if (child !== 0 && child !== element) kids.push(readNode(scratch, child, depth + 1, budget));
  }
  const spans = type === 'TD' || type === 'TH';
  const alt =
    type === 'Figure' || type === 'Formula'
      ? text(pdfium.FPDF_StructElement_GetAltText) || text(pdfium.FPDF_StructElement_GetActualText)
      : '';
  return {
    type,
    kids,
    alt: alt === '' ? undefined : alt,
    rowSpan: spans ? attributeNumber(scratch, element, 'RowSpan') : 1,
    colSpan: spans ? attributeNumber(scratch, element, 'ColSpan') : 1,
  };
}

/** A number of a table attribute (ISO 32000-1, table 349), from 1 to 1000. */
function attributeNumber(scratch: Scratch, element: number, name: string): number {
  const { pdfium, at } = scratch;
  const count = Math.min(20, pdfium.FPDF_StructElement_GetAttributeCount(element));
  for (let i = 0; i < count; i++) {
    const attribute = pdfium.FPDF_StructElement_GetAttributeAtIndex(element, i);
    const value = attribute === 0 ? 0 : pdfium.FPDF_StructElement_Attr_GetValue(attribute, name);
    if (value !== 0 && pdfium.FPDF_StructElement_Attr_GetNumberValue(value, at))
      return Math.min(1000, Math.max(1, Math.round(scratch.floats[0] ?? 1)));
  }
  return 1;
}
