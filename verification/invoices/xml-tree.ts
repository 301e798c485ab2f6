import { parseInvoiceXml, XmlElement } from '../../document/invoices/syntaxes/index.js';

/** An element that a mutation can change. */
export interface Node {
  /** `cbc:ID` */
  name: string;
  attributes: Map<string, string>;
  children: Node[];
  text: string;
}

const NAMESPACES: Readonly<Record<string, string>> = {
  rsm: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  ram: 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  qdt: 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
  udt: 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
  ubl: 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2',
  cn: 'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2',
  cac: 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  cbc: 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
  ext: 'urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2',
};

/** Reads an invoice; elements and attributes of other namespaces are left out. */
export function readTree(source: Uint8Array | XmlElement): Node {
  return nodeOf(source instanceof XmlElement ? source : parseInvoiceXml(source));
}

function nodeOf(element: XmlElement): Node {
  return {
    name: element.qname,
    attributes: new Map([...element.attributes].filter(([name]) => !name.includes(':'))),
    children: element.children.filter(({ qname }) => !qname.startsWith('{')).map(nodeOf),
    text: element.text,
  };
}

export function copyTree(node: Node): Node {
  return { ...node, attributes: new Map(node.attributes), children: node.children.map(copyTree) };
}

export function allNodes(root: Node): { node: Node; parent: Node | undefined }[] {
  const found: { node: Node; parent: Node | undefined }[] = [];
  const visit = (node: Node, parent: Node | undefined): void => {
    found.push({ node, parent });
    for (const child of node.children) visit(child, node);
  };
  visit(root, undefined);
  return found;
}

/** With all namespaces declared at the root, so that an element may be moved anywhere. */
export function writeTree(root: Node): string {
  const declarations = Object.entries(NAMESPACES).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, declarations.join(''))}`;
}

function write({ name, attributes, children, text }: Node, declarations = ''): string {
  const written = [...attributes].map(([key, value]) => ` ${key}="${escaped(value)}"`).join('');
  const content = escaped(text) + children.map((child) => write(child)).join('\n');
  return `<${name}${declarations}${written}>${content}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
