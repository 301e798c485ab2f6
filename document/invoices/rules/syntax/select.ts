import type { XmlElement } from '../../syntaxes/index.js';

/** All elements at a path of qualified names below an element: `cac:Party/cbc:EndpointID`. */
export function all(element: XmlElement, path: string): XmlElement[] {
  let found: XmlElement[] = [element];
  for (const step of path.split('/'))
    found = found.flatMap((parent) => parent.children.filter((child) => child.qname === step));
  return found;
}

export function texts(element: XmlElement, path: string): string[] {
  return all(element, path).map((found) => found.text);
}

export function has(element: XmlElement, path: string): boolean {
  return all(element, path).length > 0;
}

/** The elements of whole invoices by name: what a rule asks for at every line is searched for once. */
const indexes = new WeakMap<XmlElement, Map<string, XmlElement[]>>();

/** All elements of this name in an element, at any depth. */
export function anywhere(element: XmlElement, qname: string): XmlElement[] {
  if (element.parent !== undefined) return indexOf(element).get(qname) ?? [];
  let index = indexes.get(element);
  if (index === undefined) indexes.set(element, (index = indexOf(element)));
  return index.get(qname) ?? [];
}

function indexOf(element: XmlElement): Map<string, XmlElement[]> {
  const index = new Map<string, XmlElement[]>();
  const open = [element];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const known = index.get(next.qname);
    if (known === undefined) index.set(next.qname, [next]);
    else known.push(next);
    for (const child of next.children) open.push(child);
  }
  return index;
}

export function distinct(values: readonly string[]): number {
  return new Set(values).size;
}
