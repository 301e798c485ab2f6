import { childElements, parseXml, XmlFault } from '@quire/document/file/xml/dom';
import type { Element } from '@xmldom/xmldom';
import { ListFault } from './list-fault.js';

/**
 * Parses XML of a stranger. Throws ListFault for what is not well-formed or not UTF-8, and for a document type:
 * entities expand without end, and no list has any.
 */
export function parseList(bytes: Uint8Array): { readonly text: string; readonly root: Element } {
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
  try {
    return parseXml(text).root;
  } catch (error) {
    throw error instanceof XmlFault ? new ListFault('the list is not well-formed XML') : error;
  }
}

/** The elements that a path of names leads to, level by level. */
export function along(parents: readonly Element[], ...names: readonly string[]): Element[] {
  return names
    .reduce<readonly Element[]>((found, name) => found.flatMap((element) => childElements(element, name)), parents)
    .slice();
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
