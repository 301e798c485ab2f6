import { type PDFContext, PDFDict, type PDFObject, PDFRef } from 'pdf-lib';
import { asDict, asName, asText, catalogOf, elements, entry, resolve } from '../../file/objects/index.js';

const MAX_DEPTH = 100;

/** A node of the field tree (ISO 32000-1, 12.7.3): a field, or a widget that is only an appearance of its parent. */
export interface FieldNode {
  readonly ref: PDFRef | undefined;
  readonly dict: PDFDict;
  readonly parent: FieldNode | undefined;
  readonly children: FieldNode[];
}

/** Returns the document's form dictionary, or undefined. */
export function acroFormOf(context: PDFContext): PDFDict | undefined {
  const catalog = catalogOf(context);
  return catalog === undefined ? undefined : asDict(context, entry(catalog, 'AcroForm'));
}

/** Reads the field tree from /AcroForm. Each dictionary is visited once, so cycles and shared kids are harmless. */
export function readFields(context: PDFContext): FieldNode[] {
  const form = acroFormOf(context);
  const seen = new Set<PDFDict>();
  const read = (values: readonly PDFObject[], parent: FieldNode | undefined, depth: number): FieldNode[] => {
    const nodes: FieldNode[] = [];
    for (const value of values) {
      const dict = resolve(context, value);
      if (!(dict instanceof PDFDict) || seen.has(dict)) continue;
      seen.add(dict);
      const node: FieldNode = { ref: value instanceof PDFRef ? value : undefined, dict, parent, children: [] };
      if (depth < MAX_DEPTH) node.children.push(...read(elements(context, entry(dict, 'Kids')), node, depth + 1));
      nodes.push(node);
    }
    return nodes;
  };
  return form === undefined ? [] : read(elements(context, entry(form, 'Fields')), undefined, 0);
}

/** Yields all nodes of field trees, parents before children. */
export function* allFieldNodes(nodes: readonly FieldNode[]): Generator<FieldNode> {
  for (const node of nodes) {
    yield node;
    yield* allFieldNodes(node.children);
  }
}

/** Returns true for a field, which has a partial name; false for a node that is only a widget of its parent. */
export function isField(node: FieldNode): boolean {
  return entry(node.dict, 'T') !== undefined || node.parent === undefined;
}

/** Returns a field attribute, which may be inherited from the fields above. */
export function fieldAttribute(node: FieldNode, key: string): PDFObject | undefined {
  for (let at: FieldNode | undefined = node; at !== undefined; at = at.parent) {
    const value = entry(at.dict, key);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Returns true for signature fields (ISO 32000-1, 12.7.4.5). */
export function isSignatureField(context: PDFContext, node: FieldNode): boolean {
  return asName(context, fieldAttribute(node, 'FT')) === 'Sig';
}

/** Returns a field's partial name; empty when it has none. */
export function partialName(context: PDFContext, dict: PDFDict): string {
  return asText(context, entry(dict, 'T')) ?? '';
}

/** Returns a field's full name: the partial names from the root, joined by periods (ISO 32000-1, 12.7.3.2). */
export function fullName(context: PDFContext, node: FieldNode): string {
  const names: string[] = [];
  for (let at: FieldNode | undefined = node; at !== undefined; at = at.parent) {
    const name = partialName(context, at.dict);
    if (name !== '') names.unshift(name);
  }
  return names.join('.');
}
