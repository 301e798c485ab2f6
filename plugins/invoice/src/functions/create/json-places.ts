import { type Group, invoiceModel, type Terms } from '@quire/document/invoices/model';
import type { Violation } from '@quire/document/invoices/rules';
import type { ReadInvoice } from '@quire/document/invoices/syntaxes';
import type { Path } from './faults.js';

interface JsonPlace {
  /** The group, and its members. */
  readonly group: Path;
  readonly terms: Terms;
  /** The value in the group: its key, and its index in a list. */
  readonly value?: readonly [key: string] | readonly [key: string, index: number];
}

/** Finds the member of an invoice as JSON that a violation of its XML is about. */
export class JsonPlaces {
  readonly #byXPath = new Map<string, JsonPlace>();

  constructor(private readonly read: ReadInvoice) {
    this.#enterGroup(read.invoice, invoiceModel, []);
  }

  /**
   * The value; another member of its group where the rule is about that one, because it is missing or shares the
   * element in the XML, as unit and quantity in UBL do.
   */
  pathOf({ location, terms: ids }: Violation): Path {
    const { group, terms, value } = this.#nearest(location?.xpath ?? '');
    if (value !== undefined && ids.includes(terms[value[0]]?.id ?? '')) return [...group, ...value];
    const meant = Object.entries(terms).find(([, { id }]) => ids.includes(id));
    return [...group, ...(meant === undefined ? (value ?? []) : [meant[0]])];
  }

  /** Up from an attribute, or from an element that only the syntax has. */
  #nearest(xpath: string): JsonPlace {
    for (let left = xpath; left !== ''; left = left.slice(0, left.lastIndexOf('/'))) {
      const found = this.#byXPath.get(left);
      if (found !== undefined) return found;
    }
    return { group: [], terms: invoiceModel.terms };
  }

  #enterGroup(holder: object, { terms }: Group, path: Path): void {
    if (this.read.elementOf(holder) !== undefined) this.#enter(holder, undefined, 0, { group: path, terms });
    for (const [key, content] of Object.entries(holder)) {
      const member = terms[key];
      if (member === undefined) continue;
      const values: readonly unknown[] = Array.isArray(content) ? content : [content];
      for (const [index, each] of values.entries()) {
        const value = Array.isArray(content) ? ([key, index] as const) : ([key] as const);
        if (member.node === 'group') this.#enterGroup(each as object, member, [...path, ...value]);
        else this.#enter(holder, key, index, { group: path, terms, value });
      }
    }
  }

  #enter(holder: object, key: string | undefined, index: number, place: JsonPlace): void {
    const { xpath } = this.read.placeOf(holder, key, index);
    if (!this.#byXPath.has(xpath)) this.#byXPath.set(xpath, place);
  }
}
