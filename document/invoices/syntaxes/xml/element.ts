const NO_CHILDREN: readonly XmlElement[] = [];
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** An element of an invoice. Lean, because an invoice of 10,000 lines has half a million of them. */
export class XmlElement {
  children: readonly XmlElement[] = NO_CHILDREN;
  /** Without the declarations of namespaces; an attribute with a prefix keeps it in its name. */
  attributes: ReadonlyMap<string, string> = NO_ATTRIBUTES;
  /** The text of the element itself, without white space around it. */
  text = '';
  /** The text as it was written, if there is white space around it: a rule of XRechnung asks for a line break at the end. */
  written: string | undefined = undefined;

  constructor(
    /** The local name, as it is written. */
    readonly name: string,
    readonly namespace: string,
    /** The prefix that the document uses, '' for none. */
    readonly prefix: string,
    /** The name by which paths find the element: `cbc:ID`. In ZUGFeRD 1 it is the name in CII. */
    public qname: string,
    /** From 1. */
    readonly line: number,
    readonly parent: XmlElement | undefined,
  ) {}

  append(child: XmlElement): void {
    if (this.children === NO_CHILDREN) this.children = [child];
    else (this.children as XmlElement[]).push(child);
  }

  /** The first child with this qualified name. */
  child(qname: string): XmlElement | undefined {
    for (const child of this.children) if (child.qname === qname) return child;
    return undefined;
  }
}
