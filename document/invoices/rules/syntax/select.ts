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

/** All elements of this name in an element, at any depth. */
export function anywhere(element: XmlElement, qname: string): XmlElement[] {
  const found: XmlElement[] = [];
  const open = [element];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.qname === qname) found.push(next);
    open.push(...next.children);
  }
  return found;
}

export function distinct(values: readonly string[]): number {
  return new Set(values).size;
}
