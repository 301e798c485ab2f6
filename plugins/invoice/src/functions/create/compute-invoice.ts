import { type Decimal, sum, zero } from '@quire/document/invoices/amounts';
import type { Invoice } from '@quire/document/invoices/model';
import { computeLines, computeReductions } from './compute-lines.js';
import { breakdownSums, computeVat, setZeroRates } from './compute-vat.js';
import { type DraftInvoice, numberOf, settle } from './draft.js';
import type { Faults } from './faults.js';

/**
 * Computes what follows from the rest: prices, amounts of lines, allowances and charges, VAT breakdown and totals, all
 * rounded half up to two places. What was given and is something else is added to `faults`, with the JSON pointer, what
 * was given and what was computed. An invoice without lines keeps its VAT breakdown.
 */
export function computeInvoice(invoice: Invoice, faults: Faults): Invoice {
  const draft = structuredClone(invoice) as DraftInvoice;
  setZeroRates(draft);
  const lines = computeLines(draft.lines ?? [], ['lines'], faults);
  const allowances = computeReductions(draft.allowances, {
    path: ['allowances'],
    name: 'Document level allowance amount (BT-92)',
    faults,
  });
  const fees = sum((draft.logistics ?? []).map((fee) => numberOf(fee.amount) ?? zero));
  const charges = computeReductions(draft.charges, {
    path: ['charges'],
    name: 'Document level charge amount (BT-99)',
    faults,
  }).plus(fees);
  const hasLines = draft.lines !== undefined;
  if (hasLines) computeVat(draft, faults);
  if (hasLines || draft.vatBreakdown !== undefined)
    computeTotals(draft, { lines: hasLines ? lines : undefined, allowances, charges }, faults);
  return draft as Invoice;
}

interface Sums {
  /** Undefined for an invoice without lines. */
  readonly lines: Decimal | undefined;
  readonly allowances: Decimal;
  readonly charges: Decimal;
}

function computeTotals(draft: DraftInvoice, { lines, allowances, charges }: Sums, faults: Faults): void {
  const totals = (draft.totals ??= {});
  const set = (key: keyof typeof totals, name: string, computed: Decimal, how: string): Decimal => {
    totals[key] = settle(totals[key], computed, { path: ['totals', key], name, how, faults });
    return computed;
  };
  const { taxable, tax } = breakdownSums(draft);
  if (lines !== undefined) set('lines', 'Sum of Invoice line net amount (BT-106)', lines, 'the sum of the lines');
  if (draft.allowances !== undefined || totals.allowances !== undefined)
    set('allowances', 'Sum of allowances on document level (BT-107)', allowances, 'the sum of the allowances');
  if (draft.charges !== undefined || draft.logistics !== undefined || totals.charges !== undefined)
    set('charges', 'Sum of charges on document level (BT-108)', charges, 'the sum of the charges');
  const without =
    lines === undefined
      ? set('withoutVat', 'Invoice total amount without VAT (BT-109)', taxable, 'the sum of the VAT breakdown')
      : set(
          'withoutVat',
          'Invoice total amount without VAT (BT-109)',
          lines.minus(allowances).plus(charges),
          'lines − allowances + charges',
        );
  const vat = set('vat', 'Invoice total VAT amount (BT-110)', tax, 'the sum of the VAT breakdown');
  const name = 'Invoice total amount with VAT (BT-112)';
  const withVat = set('withVat', name, without.plus(vat), 'total without VAT + VAT');
  const paidElsewhere = sum((draft.thirdPartyPayments ?? []).map((one) => numberOf(one.amount) ?? zero));
  const due = withVat
    .minus(numberOf(totals.paid) ?? zero)
    .plus(numberOf(totals.rounding) ?? zero)
    .plus(paidElsewhere);
  set('due', 'Amount due for payment (BT-115)', due, 'total with VAT − paid + rounding');
}
