import { decimal, type Decimal, formatDecimal, roundHalfUp } from '@quire/document/invoices/amounts';
import type { Invoice, InvoiceLine } from '@quire/document/invoices/model';
import type { Faults, Path } from './faults.js';

/** The same shape, to be filled in. */
export type Draft<T> = T extends readonly (infer Item)[]
  ? Draft<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: Draft<T[K]> }
    : T;

/** A fee for logistics (BG-X-42 of Factur-X EXTENDED), which counts as a charge. */
interface LogisticsFee {
  amount?: string;
  vatCategory?: string;
  vatRate?: string;
}

export type DraftInvoice = Draft<Invoice> & { logistics?: LogisticsFee[] };
/** `subtype` (BT-X-8 of Factur-X EXTENDED): GROUP is a subtotal, INFORMATION has no amount. */
export type DraftLine = Draft<InvoiceLine> & { subtype?: string };

/** Whether the amount of a line counts in sums. */
export const isCounted = ({ subtype }: DraftLine): boolean => subtype === undefined || subtype === 'DETAIL';

/** Places of amounts (EN 16931-1, 6.5.3). */
const PLACES = 2;

/** The number of a text that was checked before; undefined without one. */
export function numberOf(text: string | undefined): Decimal | undefined {
  return text === undefined ? undefined : decimal(text);
}

/** Rounded to an amount. */
export function amount(value: Decimal): Decimal {
  return roundHalfUp(value, PLACES);
}

export function amountText(value: Decimal): string {
  return formatDecimal(value, PLACES);
}

/**
 * Returns what was given if it is what was computed, and the computed value where nothing was given. Another value is a
 * fault: `name` and `how` say what was computed from what.
 */
export function settle(
  given: string | undefined,
  computed: Decimal,
  {
    path,
    name,
    how,
    faults,
  }: { readonly path: Path; readonly name: string; readonly how: string; readonly faults: Faults },
): string {
  if (given === undefined) return amountText(computed);
  if (!decimal(given).eq(computed))
    faults.add(path, `${name} is ${given}, but ${how} is ${amountText(computed)}. Correct it, or leave it out.`);
  return given;
}
