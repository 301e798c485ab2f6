import { type Decimal, parseDecimal, sum, zero } from '../amounts/index.js';
import type { Invoice, InvoiceLine } from '../model/index.js';
import type { Profile } from '../profiles/index.js';
import type { ReadInvoice, XmlElement } from '../syntaxes/index.js';
import type { Sentence } from './violation.js';

/** The published tests differ by syntax; invoice and credit note of UBL are one, and ZUGFeRD 1 is read as CII. */
export type Family = 'ubl' | 'cii';

export type DocumentAllowance = NonNullable<Invoice['allowances']>[number];
export type DocumentCharge = NonNullable<Invoice['charges']>[number];

const NONE: readonly never[] = [];

/** The invoice as the rules see it: what several rules need is computed once, in one pass over the lines. */
export class Facts {
  readonly invoice: Invoice;
  readonly root: XmlElement;
  readonly family: Family;
  #elements: Map<string, XmlElement[]> | undefined;
  #lineNumbers: Map<object, string> | undefined;
  #sums: Map<string, Decimal> | undefined;
  #uses: Map<string, Uses> | undefined;
  #unseen: ReadonlySet<object> | undefined;
  #subLines: ReadonlySet<object> | undefined;
  #usesOfAnyTax: Map<string, Uses> | undefined;

  constructor(
    readonly read: ReadInvoice,
    readonly profile: Profile | undefined,
    /** The day whose rules are asked for, `YYYY-MM-DD`. */
    readonly day?: string,
  ) {
    this.invoice = read.invoice;
    this.root = read.root;
    this.family = read.syntax === 'ubl-invoice' || read.syntax === 'ubl-creditnote' ? 'ubl' : 'cii';
  }

  /** BT-5 and BT-6. */
  get currencies(): { readonly currency: string | undefined; readonly vatCurrency: string | undefined } {
    return { currency: this.invoice.currency, vatCurrency: this.invoice.vatCurrency };
  }

  get lines(): readonly InvoiceLine[] {
    return this.invoice.lines ?? NONE;
  }

  get allowances(): readonly DocumentAllowance[] {
    return this.invoice.allowances ?? NONE;
  }

  get charges(): readonly DocumentCharge[] {
    return this.invoice.charges ?? NONE;
  }

  /**
   * Charges for logistics, which Factur-X EXTENDED has beside the charges of EN 16931 (BG-X-42): they count where
   * charges are added up.
   */
  get logistics(): readonly DocumentCharge[] {
    if (this.profile?.id !== 'extended') return NONE;
    return this.elements('ram:SpecifiedLogisticsServiceCharge').map((charge) => {
      const tax = charge.child('ram:AppliedTradeTax');
      const values = {
        amount: charge.child('ram:AppliedAmount')?.text,
        vatCategory: tax?.child('ram:CategoryCode')?.text,
        vatRate: tax?.child('ram:RateApplicablePercent')?.text,
      };
      return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    });
  }

  get breakdown(): NonNullable<Invoice['vatBreakdown']> {
    return this.invoice.vatBreakdown ?? NONE;
  }

  /** BG-22, if the element exists: in UBL, the group holds VAT totals from elsewhere too. */
  get documentTotals(): Invoice['totals'] {
    return this.family === 'ubl' && this.elements('cac:LegalMonetaryTotal').length === 0
      ? undefined
      : this.invoice.totals;
  }

  /** All elements with this qualified name (`cbc:ID`), in the order of the file. */
  elements(qname: string): readonly XmlElement[] {
    this.#elements ??= indexElements(this.root);
    return this.#elements.get(qname) ?? NONE;
  }

  /** All elements, by qualified name. */
  get allElements(): ReadonlyMap<string, readonly XmlElement[]> {
    this.#elements ??= indexElements(this.root);
    return this.#elements;
  }

  /** The sentence with the number of the line in front, if the group belongs to a line. */
  inLine(group: object, message: Sentence): Sentence {
    this.#lineNumbers ??= numberLines(this.lines);
    const number = this.#lineNumbers.get(group);
    if (number === undefined) return message;
    return { en: `Line ${number}: ${message.en}`, de: `Position ${number}: ${message.de}` };
  }

  /** What lines, allowances (subtracted) and charges of a VAT category add up to; with a rate, those of the rate. */
  sumOf(category: string, rate?: Decimal): Decimal {
    this.#sums ??= this.#addUp();
    return this.#sums.get(sumKey(category, rate)) ?? zero;
  }

  /** The VAT categories that occur, and where. */
  usesOf(category: string): Uses {
    this.#uses ??= this.#collectUses();
    return this.#uses.get(category) ?? NO_USES;
  }

  get uses(): ReadonlyMap<string, Uses> {
    this.#uses ??= this.#collectUses();
    return this.#uses;
  }

  /** With those that another tax than VAT marks; some of the published tests do not look at the tax. */
  get usesOfAnyTax(): ReadonlyMap<string, Uses> {
    this.#usesOfAnyTax ??= this.#collectUses(true);
    return this.#usesOfAnyTax;
  }

  /** The entries of the VAT breakdown for a category, as the published tests see them. */
  breakdownOf(category: string): Uses['breakdown'] {
    const any = this.family === 'cii' && (category === 'S' || category === 'Z');
    return (any ? this.usesOfAnyTax.get(category) : this.usesOf(category))?.breakdown ?? NO_USES.breakdown;
  }

  /**
   * Whether a VAT category is marked as one of VAT, by the tax scheme in its group: the published tests do not see any
   * other.
   */
  isOfVat(group: object, key: 'category' | 'vatCategory' | 'rate'): boolean {
    const around = this.read.elementOf(group, key)?.parent;
    const scheme =
      this.family === 'ubl' ? around?.child('cac:TaxScheme')?.child('cbc:ID') : around?.child('ram:TypeCode');
    return scheme?.text.toUpperCase() === 'VAT';
  }

  /**
   * Whether the published tests leave out what an entry of the VAT breakdown must have: those for CII do it for the
   * categories O, L and M, because another of their rules has the same context.
   */
  isUnseen(group: object): boolean {
    this.#unseen ??= new Set(
      (this.family === 'cii' ? this.breakdown : []).filter(
        (entry) => /^[OLM]$/.test(entry.category ?? '') && this.isOfVat(entry, 'category'),
      ),
    );
    return this.#unseen.has(group);
  }

  /** Whether a group is a line within a line (extension of XRechnung). */
  isSubLine(group: object): boolean {
    this.#subLines ??= new Set(this.lines.flatMap(({ subLines }) => [...linesWithin(subLines ?? [])]));
    return this.#subLines.has(group);
  }

  /** The rate of a breakdown, if it is one of VAT. */
  rateOfVat(entry: NonNullable<Invoice['vatBreakdown']>[number]): string | undefined {
    return this.isOfVat(entry, 'rate') ? entry.rate : undefined;
  }

  #addUp(): Map<string, Decimal> {
    const sums = new Map<string, Decimal>();
    const add = (category: string | undefined, rate: string | undefined, amount: Decimal | undefined): void => {
      if (category === undefined || amount === undefined) return;
      const number = parseDecimal(rate);
      const keys = [sumKey(category.trim())];
      if (number !== undefined) keys.push(sumKey(category.trim(), number));
      for (const key of keys) sums.set(key, (sums.get(key) ?? zero).plus(amount));
    };
    for (const { vat, netAmount } of this.lines) add(vat?.category, vat?.rate, parseDecimal(netAmount));
    for (const { vatCategory, vatRate, amount } of [...this.charges, ...this.logistics])
      add(vatCategory, vatRate, parseDecimal(amount));
    for (const { vatCategory, vatRate, amount } of this.allowances)
      add(vatCategory, vatRate, parseDecimal(amount)?.neg());
    return sums;
  }

  #collectUses(ofAnyTax = false): Map<string, Uses> {
    const uses = new Map<string, Uses>();
    const of = (group: object | undefined, key: 'category' | 'vatCategory'): Uses | undefined => {
      const category = (group as Readonly<Record<string, string | undefined>> | undefined)?.[key];
      const code = category?.trim();
      if (group === undefined || code === undefined || code === '') return undefined;
      if (!ofAnyTax && !this.isOfVat(group, key)) return undefined;
      let found = uses.get(code);
      if (found === undefined) uses.set(code, (found = { lines: [], allowances: [], charges: [], breakdown: [] }));
      return found;
    };
    for (const line of linesWithin(this.lines)) of(line.vat, 'category')?.lines.push(line);
    for (const allowance of this.allowances) of(allowance, 'vatCategory')?.allowances.push(allowance);
    for (const charge of this.charges) of(charge, 'vatCategory')?.charges.push(charge);
    for (const entry of this.breakdown) of(entry, 'category')?.breakdown.push(entry);
    return uses;
  }
}

/** Where a VAT category occurs. */
export interface Uses {
  readonly lines: InvoiceLine[];
  readonly allowances: DocumentAllowance[];
  readonly charges: DocumentCharge[];
  readonly breakdown: NonNullable<Invoice['vatBreakdown']>[number][];
}

export const NO_USES: Uses = { lines: [], allowances: [], charges: [], breakdown: [] };

/** Lines with their sub lines (extension of XRechnung), in the order of the file. */
export function* linesWithin(lines: readonly InvoiceLine[]): Generator<InvoiceLine> {
  for (const line of lines) {
    yield line;
    if (line.subLines !== undefined) yield* linesWithin(line.subLines);
  }
}

/** The rate as a number, so that 19 and 19.00 are one. */
const sumKey = (category: string, rate?: Decimal): string =>
  rate === undefined ? category : `${category} ${rate.toFixed()}`;

function indexElements(root: XmlElement): Map<string, XmlElement[]> {
  const index = new Map<string, XmlElement[]>();
  const visit = (element: XmlElement): void => {
    const known = index.get(element.qname);
    if (known === undefined) index.set(element.qname, [element]);
    else known.push(element);
    for (const child of element.children) visit(child);
  };
  visit(root);
  return index;
}

/** The number of the line for the line itself and for all groups in it. */
function numberLines(lines: readonly InvoiceLine[]): Map<object, string> {
  const numbers = new Map<object, string>();
  lines.forEach((line, index) => {
    const number = line.id?.trim() || String(index + 1);
    for (const within of linesWithin([line])) numberGroups(within, number, numbers);
  });
  return numbers;
}

function numberGroups(group: object, number: string, numbers: Map<object, string>): void {
  numbers.set(group, number);
  for (const [key, value] of Object.entries(group)) {
    if (typeof value !== 'object' || value === null || key === 'subLines') continue;
    for (const part of Array.isArray(value) ? value : [value])
      if (typeof part === 'object' && part !== null) numberGroups(part, number, numbers);
  }
}

/** The sum of the texts that are numbers. */
export const sumTexts = (texts: Iterable<string | undefined>): Decimal => sum(decimals(texts));

function* decimals(texts: Iterable<string | undefined>): Generator<Decimal> {
  for (const text of texts) {
    const value = parseDecimal(text);
    if (value !== undefined) yield value;
  }
}
