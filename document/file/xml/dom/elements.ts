import type { Element, Node } from '@xmldom/xmldom';

/** Lists the elements inside `root` in document order; only those with the local name, if given. */
export function elementsIn(root: Element | null, localName?: string): Element[] {
  const found: Element[] = [];
  // Without recursion: the document decides how deep it nests.
  for (let node: Node | null = root?.firstChild ?? null; node !== null;) {
    if (isElement(node, localName)) found.push(node);
    let next: Node | null = node.firstChild;
    for (let up: Node | null = node; next === null && up !== null && up !== root; up = up.parentNode)
      next = up.nextSibling;
    node = next;
  }
  return found;
}

/** Lists the child elements with the local name, whatever their prefix. */
export function childElements(parent: Element, localName: string): Element[] {
  const found: Element[] = [];
  for (let node: Node | null = parent.firstChild; node !== null; node = node.nextSibling)
    if (isElement(node, localName)) found.push(node);
  return found;
}

function isElement(node: Node, localName: string | undefined): node is Element {
  return node.nodeType === 1 && (localName === undefined || node.localName === localName);
}
