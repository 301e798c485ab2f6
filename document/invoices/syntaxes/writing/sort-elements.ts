import { FACTUR_X_ROOT, facturXTypes } from '../../profiles/index.js';
import type { XmlElement } from '../xml/index.js';

/** Positions of children by the name of their parent. */
export type ElementOrder = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Prepares a table that lists the children of each element in the order of a schema, separated by blanks. */
export function elementOrder(table: Readonly<Record<string, string>>): ElementOrder {
  return new Map(
    Object.entries(table).map(([parent, children]) => [
      parent,
      new Map(children.split(' ').map((name, index) => [name, index])),
    ]),
  );
}

/** Puts all children in the order of the schema; those with one name keep theirs. */
export function sortElements(element: XmlElement, order: ElementOrder): void {
  // A sub line has the children of a line.
  const positions = order.get(element.qname.replace(/^cac:Sub(?=\w+Line$)/, 'cac:'));
  if (positions !== undefined && element.children.length > 1)
    element.children = element.children.toSorted(
      (one, other) => (positions.get(one.qname) ?? 0) - (positions.get(other.qname) ?? 0),
    );
  for (const child of element.children) sortElements(child, order);
}

/** Puts all children of a document of Factur-X EXTENDED in the order of its schema. */
export function sortByTypes(element: XmlElement, type = FACTUR_X_ROOT): void {
  const elements = facturXTypes().get(type);
  if (elements === undefined) return;
  const positions = new Map(elements.map(({ qname }, index) => [qname, index]));
  if (element.children.length > 1)
    element.children = element.children.toSorted(
      (one, other) => (positions.get(one.qname) ?? 0) - (positions.get(other.qname) ?? 0),
    );
  for (const child of element.children) sortByTypes(child, elements[positions.get(child.qname) ?? 0]?.type);
}
