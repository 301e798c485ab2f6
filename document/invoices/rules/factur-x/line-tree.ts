import { type Decimal, parseDecimal, roundXPath, sum, zero } from '../../amounts/index.js';
import type { XmlElement } from '../../syntaxes/index.js';
import type { Facts } from '../facts.js';
import { all, texts } from '../syntax/select.js';

// What the rules of EXTENDED ask for, from the elements: they know lines of several kinds.

const LINE = 'ram:IncludedSupplyChainTradeLineItem';
const SETTLEMENT = 'ram:SpecifiedLineTradeSettlement';
const DOCUMENT = 'ram:AssociatedDocumentLineDocument';

export const linesOf = (facts: Facts): readonly XmlElement[] => facts.elements(LINE);

export const lineText = (line: XmlElement, path: string): string => texts(line, path)[0]?.trim() ?? '';
export const lineId = (line: XmlElement): string => lineText(line, `${DOCUMENT}/ram:LineID`);
/** BT-X-304 */
export const parentId = (line: XmlElement): string => lineText(line, `${DOCUMENT}/ram:ParentLineID`);
/** BT-X-8: DETAIL, GROUP or INFORMATION. */
export const subtype = (line: XmlElement): string => lineText(line, `${DOCUMENT}/ram:LineStatusReasonCode`);
export const netAmount = (line: XmlElement): string =>
  lineText(line, `${SETTLEMENT}/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount`);

/** A line that counts in sums: subtotals and information do not. */
export function isDetail(line: XmlElement): boolean {
  const values = texts(line, `${DOCUMENT}/ram:LineStatusReasonCode`);
  return values.length === 0 || values.includes('DETAIL');
}

/** What is added up, and how many amounts may each have been rounded. */
export interface Total {
  readonly amount: Decimal;
  readonly count: number;
}

const NOTHING: Total = { amount: zero, count: 0 };

/** Sums of the amounts of an invoice, in all and by VAT category and rate. */
export class ExtendedTotals {
  readonly #totals = new Map<string, Total>();

  constructor(facts: Facts) {
    for (const line of linesOf(facts).filter(isDetail)) {
      const tax = all(line, `${SETTLEMENT}/ram:ApplicableTradeTax`);
      this.#add('lines', tax, parseDecimal(netAmount(line)) ?? zero);
    }
    const settlement = all(facts.root, 'rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement');
    for (const charge of settlement.flatMap((it) => all(it, 'ram:SpecifiedTradeAllowanceCharge'))) {
      const isCharge = /^(?:true|1)$/.test(lineText(charge, 'ram:ChargeIndicator/udt:Indicator'));
      const amount = parseDecimal(lineText(charge, 'ram:ActualAmount')) ?? zero;
      this.#add(isCharge ? 'charges' : 'allowances', all(charge, 'ram:CategoryTradeTax'), amount);
    }
    for (const fee of settlement.flatMap((it) => all(it, 'ram:SpecifiedLogisticsServiceCharge')))
      this.#add('logistics', all(fee, 'ram:AppliedTradeTax'), parseDecimal(lineText(fee, 'ram:AppliedAmount')) ?? zero);
  }

  /** All amounts of a kind; of a VAT category; of a category and a rate. */
  of(kind: Kind, category?: string, rate?: Decimal): Total {
    return this.#totals.get(key(kind, category, rate)) ?? NOTHING;
  }

  /** Lines and charges less allowances, each rounded, and the amounts that were added. */
  taxable(category?: string, rate?: Decimal): Total {
    const [lines, charges, logistics, allowances] = (['lines', 'charges', 'logistics', 'allowances'] as const).map(
      (kind) => this.of(kind, category, rate),
    );
    const rounded = (total: Total | undefined): Decimal => roundXPath(total?.amount ?? zero, 2);
    return {
      amount: sum([rounded(lines), rounded(charges), rounded(logistics)]).minus(rounded(allowances)),
      count: [lines, charges, logistics, allowances].reduce((count, total) => count + (total?.count ?? 0), 0),
    };
  }

  #add(kind: Kind, taxes: readonly XmlElement[], amount: Decimal): void {
    const keys = new Set([key(kind)]);
    for (const tax of taxes) {
      const category = lineText(tax, 'ram:CategoryCode');
      const rate = parseDecimal(lineText(tax, 'ram:RateApplicablePercent'));
      keys.add(key(kind, category));
      if (rate !== undefined) keys.add(key(kind, category, rate));
    }
    for (const each of keys) {
      const { amount: known, count } = this.#totals.get(each) ?? NOTHING;
      this.#totals.set(each, { amount: known.plus(amount), count: count + 1 });
    }
  }
}

type Kind = 'lines' | 'allowances' | 'charges' | 'logistics';

const key = (kind: Kind, category?: string, rate?: Decimal): string =>
  `${kind} ${category ?? ''} ${rate?.toFixed() ?? ''}`;

const known = new WeakMap<XmlElement, ExtendedTotals>();

/** The sums of an invoice, which are made once. */
export function totalsOf(facts: Facts): ExtendedTotals {
  let totals = known.get(facts.root);
  if (totals === undefined) known.set(facts.root, (totals = new ExtendedTotals(facts)));
  return totals;
}
