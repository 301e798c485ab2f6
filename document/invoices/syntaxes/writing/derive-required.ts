import { type Decimal, decimalPlaces, formatDecimal, parseDecimal, sum } from '../../amounts/index.js';
import type { Invoice, InvoiceLine } from '../../model/index.js';

/**
 * Adds values that EN 16931 leaves out but the syntax demands, where they follow from others exactly:
 *
 * - UBL: the VAT total (BT-110) beside a breakdown is the sum of its tax amounts (BR-CO-14).
 * - CII: the gross price (BT-148) beside a discount is net price plus discount (BT-146).
 */
export function deriveRequired(invoice: Invoice, syntax: 'cii' | 'ubl'): Invoice {
  if (syntax === 'ubl') return withVatTotal(invoice);
  return invoice.lines === undefined ? invoice : { ...invoice, lines: invoice.lines.map(withGrossPrice) };
}

function withVatTotal(invoice: Invoice): Invoice {
  const { totals, vatBreakdown } = invoice;
  if (totals?.vat !== undefined || vatBreakdown === undefined) return invoice;
  const vat = exactSum(vatBreakdown.map(({ taxAmount }) => taxAmount));
  return vat === undefined ? invoice : { ...invoice, totals: { ...totals, vat } };
}

/** A discount that cannot be added to the price is left out, and so it is listed as lost. */
function withGrossPrice(line: InvoiceLine): InvoiceLine {
  const { discount, gross, net, ...price } = line.price ?? {};
  if (discount === undefined || gross !== undefined) return line;
  const derived = exactSum([net, discount]);
  const known = { ...price, ...(net === undefined ? {} : { net }) };
  return { ...line, price: derived === undefined ? known : { ...known, discount, gross: derived } };
}

/** With as many decimal places as the terms; undefined if one of them is not a number. */
function exactSum(texts: readonly (string | undefined)[]): string | undefined {
  const numbers: Decimal[] = [];
  let places = 0;
  for (const text of texts) {
    const number = parseDecimal(text);
    if (text === undefined || number === undefined) return undefined;
    numbers.push(number);
    places = Math.max(places, decimalPlaces(text));
  }
  return formatDecimal(sum(numbers), places);
}
