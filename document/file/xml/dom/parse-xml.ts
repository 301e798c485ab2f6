import { DOMParser, type Document, type Element, type Node } from '@xmldom/xmldom';

/** A text that is not well-formed XML; the message is one line of the parser. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
}

/**
 * Parses well-formed XML (XML 1.0, 2.1) without a document type. Throws XmlFault, also when elements are nested deeper
 * than `maxDepth`: the library walks a tree by recursion.
 */
export function parseXml(
  text: string,
  { maxDepth = Infinity, mediaType = 'text/xml' }: { readonly maxDepth?: number; readonly mediaType?: string } = {},
): { readonly document: Document; readonly root: Element } {
  let fault: string | undefined;
  let document: Document | undefined;
  try {
    document = new DOMParser({
      onError: (level, message) => {
        if (level !== 'warning') fault ??= message;
      },
    }).parseFromString(text, mediaType);
  } catch (error) {
    fault ??= error instanceof Error ? error.message : 'not well-formed';
  }
  if (fault !== undefined) throw new XmlFault(fault.split('\n', 1)[0]);
  const root = document?.documentElement ?? undefined;
  if (document === undefined || root === undefined) throw new XmlFault('no root element');
  if ((document.doctype ?? null) !== null) throw new XmlFault('it has a document type');
  if (maxDepth < Infinity && depthOf(root) > maxDepth)
    throw new XmlFault(`elements are nested deeper than ${maxDepth}`);
  return { document, root };
}

function depthOf(root: Element): number {
  let [depth, most] = [0, 0];
  for (let node: Node | null = root; node !== null;) {
    most = Math.max(most, depth);
    let next: Node | null = node.firstChild;
    if (next !== null) depth++;
    for (let up: Node | null = node; next === null && up !== null && up !== root; up = up.parentNode) {
      next = up.nextSibling;
      if (next === null) depth--;
    }
    node = next;
  }
  return most;
}
