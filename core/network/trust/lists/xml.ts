import { DOMParser, type Document, type Element, type Node } from '@xmldom/xmldom';
import { ListFault } from './list-fault.js';

/**
 * Parses XML of a stranger. Throws ListFault for what is not well-formed or not UTF-8, and for a document type:
 * entities expand without end, and no list has any.
 */
export function parseXml(bytes: Uint8Array): { readonly text: string; readonly root: Element } {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ListFault('the list is not UTF-8');
  }
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new ListFault('the list has a document type, which is refused');
  return { text, root: rootOf(text) };
}

function rootOf(text: string): Element {
  let document: Document;
  try {
    document = new DOMParser({
      onError: (level) => {
        if (level !== 'warning') throw new ListFault('the list is no well-formed XML');
      },
    }).parseFromString(text, 'text/xml');
  } catch {
    throw new ListFault('the list is no well-formed XML');
  }
  const { documentElement, doctype } = document;
  if (documentElement === null || (doctype ?? null) !== null) throw new ListFault('the list is no well-formed XML');
  return documentElement;
}

/** The child elements of a name, whatever their namespace's prefix. */
export function childrenOf(parent: Element, name: string): Element[] {
  const found: Element[] = [];
  for (let node: Node | null = parent.firstChild; node !== null; node = node.nextSibling)
    if (node.nodeType === 1 && node.localName === name) found.push(node as Element);
  return found;
}

/** The elements that a path of names leads to, level by level. */
export function along(parents: readonly Element[], ...names: readonly string[]): Element[] {
  return names
    .reduce<readonly Element[]>((found, name) => found.flatMap((element) => childrenOf(element, name)), parents)
    .slice();
}

/** All elements of a name below. */
export function below(root: Element, name: string): Element[] {
  const found = root.getElementsByTagNameNS('*', name);
  return Array.from({ length: found.length }, (_, i) => found[i]).filter((element) => element !== undefined);
}

/** The text of an element without the blanks around it. */
export function textOf(element: Element | undefined): string {
  return (element?.textContent ?? '').trim();
}

/** The certificates in the texts of elements: base64 of DER; what is none is passed over. */
export function certificatesOf(elements: readonly Element[]): string[] {
  return elements
    .map((element) => textOf(element).replace(/\s+/g, ''))
    .filter((text) => text.startsWith('MI') && text.length <= 32_768 && /^[A-Za-z0-9+/]+={0,2}$/.test(text))
    .map((text) => Buffer.from(text, 'base64').toString('base64'));
}
