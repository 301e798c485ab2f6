import { type Decimal, formatDecimal, percentOf, sum, zero } from '@quire/document/invoices/amounts';
import { ZERO_RATED } from './compute-lines.js';
import { amount, amountText, type DraftInvoice, isCounted, numberOf, settle } from './draft.js';
import type { Faults } from './faults.js';

/** One category and rate of the VAT breakdown, as the lines make it. */
interface Share {
  readonly category: string;
  /** As it is written in the first line that has it; undefined for what is not subject to VAT. */
  readonly rate: string | undefined;
  taxable: Decimal;
}

/** Codes of exemption that follow from the category (code list VATEX). */
const EXEMPTIONS: Readonly<Record<string, string>> = {
  AE: 'VATEX-EU-AE',
  K: 'VATEX-EU-IC',
  G: 'VATEX-EU-G',
  O: 'VATEX-EU-O',
};

/**
 * Computes the VAT breakdown from lines, allowances and charges, in place: an entry for each category and rate. Entries
 * that were given keep what only they can know, such as the reason of an exemption.
 */
export function computeVat(invoice: DraftInvoice, faults: Faults): void {
  const shares = sharesOf(invoice);
  const given = invoice.vatBreakdown ?? [];
  const entries = shares.map((share) => {
    const index = given.findIndex((entry) => isOf(entry, share, shares));
    return entryOf(share, given[index] ?? {}, index, faults);
  });
  given.forEach((entry, i) => {
    if (!shares.some((share) => isOf(entry, share, shares)))
      faults.add(
        ['vatBreakdown', i],
        `VAT breakdown (BG-23) has category ${entry.category ?? '(missing)'} at ${entry.rate ?? 'no'} %, ` +
          'which no line, allowance or charge has. Correct it, or leave it out.',
      );
  });
  if (entries.length > 0) invoice.vatBreakdown = entries;
}

function sharesOf({ lines = [], allowances = [], charges = [], logistics = [] }: DraftInvoice): Share[] {
  const shares = new Map<string, Share>();
  const add = (category: string | undefined, rate: string | undefined, taxable: Decimal): void => {
    if (category === undefined) return;
    const key = keyOf(category, rate);
    const share = shares.get(key) ?? { category, rate, taxable: zero };
    share.taxable = share.taxable.plus(taxable);
    shares.set(key, share);
  };
  for (const { vat, netAmount } of lines.filter(isCounted)) add(vat?.category, vat?.rate, numberOf(netAmount) ?? zero);
  for (const one of allowances) add(one.vatCategory, one.vatRate, zero.minus(numberOf(one.amount) ?? zero));
  for (const one of [...charges, ...logistics]) add(one.vatCategory, one.vatRate, numberOf(one.amount) ?? zero);
  return [...shares.values()];
}

/** `19` and `19.00` are one rate. */
function keyOf(category: string, rate: string | undefined): string {
  const number = numberOf(rate);
  return `${category} ${number === undefined ? '' : formatDecimal(number)}`;
}

/** A given entry without a rate belongs to the only share of its category. */
function isOf(
  { category, rate }: { category?: string; rate?: string },
  share: Share,
  shares: readonly Share[],
): boolean {
  if (category !== share.category) return false;
  if (rate !== undefined) return keyOf(category, rate) === keyOf(share.category, share.rate);
  return shares.filter((one) => one.category === category).length === 1;
}

type Entry = NonNullable<DraftInvoice['vatBreakdown']>[number];

function entryOf({ category, rate, taxable }: Share, given: Entry, index: number, faults: Faults): Entry {
  const at = (key: string): (string | number)[] => ['vatBreakdown', Math.max(index, 0), key];
  const tax = amount(percentOf(taxable, numberOf(rate) ?? zero));
  const where = `category ${category}${rate === undefined ? '' : ` at ${rate} %`}`;
  const exemption =
    given.exemptionReason === undefined && given.exemptionReasonCode === undefined ? EXEMPTIONS[category] : undefined;
  return {
    ...given,
    taxableAmount: settle(given.taxableAmount, taxable, {
      path: at('taxableAmount'),
      name: 'VAT category taxable amount (BT-116)',
      how: `the sum of ${where}`,
      faults,
    }),
    taxAmount: settle(given.taxAmount, tax, {
      path: at('taxAmount'),
      name: 'VAT category tax amount (BT-117)',
      how: `${rate ?? '0'} % of ${amountText(taxable)}`,
      faults,
    }),
    category,
    ...(rate === undefined ? {} : { rate: given.rate ?? rate }),
    ...(exemption === undefined ? {} : { exemptionReasonCode: exemption }),
  };
}

/** Sets the rate of allowances and charges whose category has only one. */
export function setZeroRates({ allowances = [], charges = [] }: DraftInvoice): void {
  for (const one of [...allowances, ...charges])
    if (one.vatCategory !== undefined && ZERO_RATED.has(one.vatCategory)) one.vatRate ??= '0';
}

/** The sum of the breakdown's taxable amounts and of its tax. */
export function breakdownSums({ vatBreakdown = [] }: DraftInvoice): {
  readonly taxable: Decimal;
  readonly tax: Decimal;
} {
  return {
    taxable: sum(vatBreakdown.map(({ taxableAmount }) => numberOf(taxableAmount) ?? zero)),
    tax: sum(vatBreakdown.map(({ taxAmount }) => numberOf(taxAmount) ?? zero)),
  };
}
