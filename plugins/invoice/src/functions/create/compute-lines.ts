import { type Decimal, formatDecimal, percentOf, sum, zero } from '@quire/document/invoices/amounts';
import { amount, type DraftLine, isCounted, numberOf, settle } from './draft.js';
import type { Faults, Path } from './faults.js';

/** An allowance or charge, of a line or of the whole invoice. */
interface Reduction {
  amount?: string;
  baseAmount?: string;
  percentage?: string;
}

/**
 * Computes the amount of each allowance or charge from its base and percentage, where it has both. Returns their sum;
 * one whose amount is unknown counts nothing, and is reported as missing later.
 */
export function computeReductions(
  list: readonly Reduction[] | undefined,
  { path, name, faults }: { readonly path: Path; readonly name: string; readonly faults: Faults },
): Decimal {
  const amounts = (list ?? []).map((one, i) => {
    const base = numberOf(one.baseAmount);
    const percentage = numberOf(one.percentage);
    if (base !== undefined && percentage !== undefined)
      one.amount = settle(one.amount, amount(percentOf(base, percentage)), {
        path: [...path, i, 'amount'],
        name,
        how: `${one.percentage} % of ${one.baseAmount}`,
        faults,
      });
    return numberOf(one.amount) ?? zero;
  });
  return sum(amounts);
}

/** Computes prices and net amounts of lines and their sub lines, in place. Returns the sum of the net amounts. */
export function computeLines(lines: readonly DraftLine[], path: Path, faults: Faults): Decimal {
  return sum(lines.map((line, i) => (isCounted(line) ? computeLine(line, [...path, i], faults) : zero)));
}

/** Categories whose rate is always 0 (EN 16931-1, BR-Z-05, BR-E-05, BR-AE-05, BR-IC-05, BR-G-05). */
export const ZERO_RATED: ReadonlySet<string> = new Set(['Z', 'E', 'AE', 'K', 'G']);

function computeLine(line: DraftLine, path: Path, faults: Faults): Decimal {
  if (line.vat?.category !== undefined && ZERO_RATED.has(line.vat.category)) line.vat.rate ??= '0';
  computePrice(line, path, faults);
  const allowances = computeReductions(line.allowances, {
    path: [...path, 'allowances'],
    name: 'Invoice line allowance amount (BT-136)',
    faults,
  });
  const charges = computeReductions(line.charges, {
    path: [...path, 'charges'],
    name: 'Invoice line charge amount (BT-141)',
    faults,
  });
  const subLines = line.subLines ?? [];
  const parts = computeLines(subLines, [...path, 'subLines'], faults);
  const name = 'Invoice line net amount (BT-131)';
  const at = { path: [...path, 'netAmount'], name, faults };
  if (subLines.length > 0) line.netAmount = settle(line.netAmount, parts, { ...at, how: 'the sum of its sub lines' });
  else {
    const gross = grossOf(line);
    const how = 'quantity × price, less allowances and with charges,';
    if (gross !== undefined)
      line.netAmount = settle(line.netAmount, amount(gross.minus(allowances).plus(charges)), { ...at, how });
  }
  return numberOf(line.netAmount) ?? zero;
}

/** The net price is the gross price less the discount (EN 16931-1, BT-146). */
function computePrice({ price }: DraftLine, path: Path, faults: Faults): void {
  const gross = numberOf(price?.gross);
  if (price === undefined || gross === undefined) return;
  const net = gross.minus(numberOf(price.discount) ?? zero);
  const given = numberOf(price.net);
  if (given === undefined) price.net = formatDecimal(net);
  else if (!given.eq(net))
    faults.add(
      [...path, 'price', 'net'],
      `Item net price (BT-146) is ${price.net}, but the gross price less the discount is ${formatDecimal(net)}. ` +
        'Correct it, or leave it out.',
    );
}

/** Quantity × price ÷ the quantity that the price is for; undefined where one of them is missing. */
function grossOf({ quantity, price }: DraftLine): Decimal | undefined {
  const count = numberOf(quantity);
  const net = numberOf(price?.net);
  if (count === undefined || net === undefined) return undefined;
  const base = numberOf(price?.baseQuantity);
  // A base quantity of 0 is a fault that the rules name (PEPPOL-EN16931-R121).
  return base === undefined || base.eq(zero) ? count.times(net) : count.times(net).div(base);
}
