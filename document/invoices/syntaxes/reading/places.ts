import { find, type Variables } from '../bindings/find.js';
import type { XmlElement } from '../xml/index.js';
import type { Holder } from './read-group.js';

/** Where something is in the document. */
export interface Place {
  /** With the prefixes of `xml/namespaces.ts`, and a position where several elements have the name. */
  readonly xpath: string;
  /** From 1. */
  readonly line: number;
}

/** Finds the places of terms when they are asked for, by the paths that read them. */
export class Places {
  readonly #positions = new WeakMap<XmlElement, ReadonlyMap<XmlElement, number>>();

  constructor(
    private readonly root: XmlElement,
    private readonly holders: { get(holder: object): Holder | undefined },
    private readonly variables: Variables,
  ) {}

  /** The place of a term; of its group, if the document does not have the term. */
  placeOf(holder: object, key?: string, index = 0): Place {
    const found = key === undefined ? undefined : this.#find(holder, key, index);
    const element = found?.element ?? this.elementOf(holder) ?? this.#context(holder);
    const attribute = found?.attribute === undefined ? '' : `/@${found.attribute}`;
    return { xpath: this.xpath(element) + attribute, line: element.line };
  }

  /** The element of a group or of a term; undefined if it has none. */
  elementOf(holder: object, key?: string, index = 0): XmlElement | undefined {
    if (key !== undefined) return this.#find(holder, key, index)?.element;
    const known = this.holders.get(holder);
    if (known === undefined) return undefined;
    const { binding, element } = known;
    if (!binding.isVirtual) return element;
    return binding.exists === undefined ? undefined : find(binding.exists, element, this.variables, { first: true })[0];
  }

  xpath(element: XmlElement): string {
    const { parent } = element;
    const name = writtenName(element);
    if (parent === undefined) return `/${name}`;
    const position = this.#positionsIn(parent).get(element);
    return `${this.xpath(parent)}/${name}${position === undefined ? '' : `[${position}]`}`;
  }

  #context(holder: object): XmlElement {
    return this.holders.get(holder)?.element ?? this.root;
  }

  #find(
    holder: object,
    key: string,
    index: number,
  ): { element: XmlElement; attribute: string | undefined } | undefined {
    const known = this.holders.get(holder);
    const member = known?.binding.members.get(key);
    if (known === undefined || member === undefined) return undefined;
    if (member.node === 'group' && member.isVirtual) {
      const path = member.exists;
      const [element] = path === undefined ? [] : find(path, known.element, this.variables, { first: true });
      return element === undefined ? undefined : { element, attribute: undefined };
    }
    const paths = member.node === 'group' ? [member.path] : member.paths;
    const found = paths.flatMap((path) =>
      find(path, known.element, this.variables).map((element) => ({ element, attribute: path.attribute })),
    );
    return found[member.node === 'group' ? index + member.after : index];
  }

  /** The positions of the children that share their name with others. */
  #positionsIn(parent: XmlElement): ReadonlyMap<XmlElement, number> {
    const known = this.#positions.get(parent);
    if (known !== undefined) return known;
    const byName = Map.groupBy(parent.children, writtenName);
    const positions = new Map<XmlElement, number>();
    for (const same of byName.values())
      if (same.length > 1) for (const [index, child] of same.entries()) positions.set(child, index + 1);
    this.#positions.set(parent, positions);
    return positions;
  }
}

/** `cbc:ID`; in ZUGFeRD 1, where the qualified name is that of CII, the name that the document has. */
function writtenName({ qname, name }: XmlElement): string {
  const colon = qname.lastIndexOf(':');
  return qname.startsWith('{') || colon === -1 ? name : `${qname.slice(0, colon)}:${name}`;
}
