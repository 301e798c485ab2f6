import type { Invoice } from '../model/index.js';
import { describeForeign, type ForeignKind, isReadable, kindOf, type Syntax } from '../recognition/index.js';
import { profileOf } from '../profiles/index.js';
import type { CompiledGroup } from './bindings/binding.js';
import { cii, ciiExtended } from './bindings/cii.js';
import { ublCreditNote, ublInvoice } from './bindings/ubl.js';
import { renameToCii } from './bindings/zugferd1.js';
import { type Place, Places } from './reading/places.js';
import { GroupReader } from './reading/read-group.js';
import { findUnread, type Unread } from './reading/unread.js';
import { InvoiceXmlError, parseInvoiceXml, type XmlElement } from './xml/index.js';

/** An invoice that was read, with the way back from each term to its place in the document. */
export interface ReadInvoice {
  readonly syntax: Syntax;
  readonly invoice: Invoice;
  readonly root: XmlElement;
  /** Content that the model has no place for, in document order. Found when it is asked for. */
  readonly unread: readonly Unread[];
  /**
   * The place of a group object of the invoice, or of the term (or group) `key` in it; `index` counts the values of a
   * term that occurs several times. A term that is missing has the place of its group.
   */
  placeOf(holder: object, key?: string, index?: number): Place;
  /** The element; undefined for what the document does not have, and for a group without an element of its own. */
  elementOf(holder: object, key?: string, index?: number): XmlElement | undefined;
  /** The XPath of an element, as `placeOf` writes it. */
  xpathOf(element: XmlElement): string;
}

const READABLE = 'CII, UBL, Factur-X, XRechnung and ZUGFeRD invoices are read.';

const bindings: Readonly<Record<Syntax, CompiledGroup>> = {
  cii,
  zugferd1: ciiExtended,
  'ubl-invoice': ublInvoice,
  'ubl-creditnote': ublCreditNote,
};

/**
 * Reads an invoice in CII, UBL or ZUGFeRD 1.0. Values are texts as they were written, without white space around them;
 * dates are `YYYY-MM-DD` where they exist. Throws InvoiceXmlError for what is not well-formed, has a document type, or
 * is no such invoice.
 */
export function readInvoice(bytes: Uint8Array): ReadInvoice {
  return readInvoiceElement(parseInvoiceXml(bytes));
}

/** Reads the invoice whose root is this element. */
export function readInvoiceElement(root: XmlElement): ReadInvoice {
  const kind = kindOf(root.name, root.namespace);
  if (!isReadable(kind)) throw new InvoiceXmlError(refusal(kind, root.name), root.line);
  if (kind === 'zugferd1') renameToCii(root);
  return new InvoiceDocument(kind, root);
}

class InvoiceDocument implements ReadInvoice {
  readonly invoice: Invoice;
  readonly #places: Places;
  readonly #variables: { readonly currency: string | undefined; readonly vatCurrency: string | undefined };
  readonly #binding: CompiledGroup;
  #unread: readonly Unread[] | undefined;

  constructor(
    readonly syntax: Syntax,
    readonly root: XmlElement,
  ) {
    this.#variables = currenciesOf(syntax, root);
    this.#binding = syntax === 'cii' && isExtended(root) ? ciiExtended : bindings[syntax];
    const reader = new GroupReader(this.#variables);
    this.invoice = reader.read(this.#binding, root) as Invoice;
    this.#places = new Places(root, reader.holders, this.#variables);
  }

  get unread(): readonly Unread[] {
    this.#unread ??= findUnread(this.root, this.#binding, this.#variables);
    return this.#unread;
  }

  placeOf(holder: object, key?: string, index?: number): Place {
    return this.#places.placeOf(holder, key, index);
  }

  elementOf(holder: object, key?: string, index?: number): XmlElement | undefined {
    return this.#places.elementOf(holder, key, index);
  }

  xpathOf(element: XmlElement): string {
    return this.#places.xpath(element);
  }
}

/** Whether BT-24 names EXTENDED, whose own terms are read for no other profile. */
function isExtended(root: XmlElement): boolean {
  const guideline = root
    .child('rsm:ExchangedDocumentContext')
    ?.child('ram:GuidelineSpecifiedDocumentContextParameter')
    ?.child('ram:ID');
  return profileOf(guideline?.text)?.id === 'extended';
}

/** BT-5 and BT-6, which the paths of BT-110 and BT-111 need. */
function currenciesOf(
  syntax: Syntax,
  root: XmlElement,
): { currency: string | undefined; vatCurrency: string | undefined } {
  const isUbl = syntax === 'ubl-invoice' || syntax === 'ubl-creditnote';
  const settlement = root.child('rsm:SupplyChainTradeTransaction')?.child('ram:ApplicableHeaderTradeSettlement');
  return isUbl
    ? { currency: root.child('cbc:DocumentCurrencyCode')?.text, vatCurrency: root.child('cbc:TaxCurrencyCode')?.text }
    : {
        currency: settlement?.child('ram:InvoiceCurrencyCode')?.text,
        vatCurrency: settlement?.child('ram:TaxCurrencyCode')?.text,
      };
}

function refusal(kind: ForeignKind, name: string): string {
  return `The file is ${describeForeign(kind)}. Its root element is "${name.slice(0, 80)}". ${READABLE}`;
}
