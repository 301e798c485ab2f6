import { readFileSync } from 'node:fs';
import { type Group, type Invoice, invoiceModel } from '../../document/invoices/model/index.js';
import { profileById } from '../../document/invoices/profiles/index.js';
import { checkRules, type Violation } from '../../document/invoices/rules/index.js';
import {
  readInvoice,
  shownValue,
  type WriteTarget,
  type WrittenInvoice,
} from '../../document/invoices/syntaxes/index.js';
import { FACTUR_X_DAY } from './factur-x.js';

/** A conversion, and what became of it. */
export interface Converted {
  readonly source: string;
  readonly path: string;
  readonly target: Required<WriteTarget>;
  readonly lost: WrittenInvoice['lost'];
}

/**
 * Why a rule that a converted document breaks is no fault of the conversion, which invents nothing; undefined if it is
 * one. Each reason is shown by the data:
 *
 * - The source breaks the rule too, when our own table judges it as an invoice of the target's profile.
 * - A term that the rule is about was listed as lost.
 * - The rule compares a code with a list, and the source has the code.
 * - The source has no total of VAT in the currency of the invoice (BT-110), which BR-CO-15 demands in UBL and not in
 *   CII.
 * - The rule does not exist for the syntax of the source, our own table finds the converted document to break it, and
 *   all terms that it is about have the same values in both (none in both included).
 */
export function excuseFor(rule: string, { source, path, target, lost }: Converted): string | undefined {
  const before = readInvoice(readFileSync(source));
  const options = { profile: profileById(target.profile), day: FACTUR_X_DAY, isFacturX: true };
  if (checkRules(before, options).some((violation) => violation.rule === rule)) return 'the source breaks it too';
  if (rule === 'BR-CO-15' && before.invoice.totals?.vat === undefined) return 'the source has no total of VAT';
  const after = readInvoice(readFileSync(path));
  const found = checkRules(after, options).filter((violation) => violation.rule === rule);
  const terms = new Set(found.flatMap((violation) => violation.terms));
  if (lost.some(({ term }) => terms.has(term))) return 'a term that it needs was listed as lost';
  if (found.length === 0 || before.syntax === after.syntax) return undefined;
  if (terms.size === 0) return hasAll(before.invoice, found) ? 'the source has the code' : undefined;
  const [one, other] = [before.invoice, after.invoice].map((invoice) => valuesOf(invoice, terms).join('\n'));
  return one === other ? 'its terms are those of the source' : undefined;
}

function hasAll(invoice: Invoice, violations: readonly Violation[]): boolean {
  const values = new Set(valuesOf(invoice));
  return violations.every(({ value }) => value !== undefined && values.has(value));
}

/** Values of an invoice, of these terms and of all in these groups; of all terms if none are named. */
function valuesOf(invoice: object, terms?: ReadonlySet<string>): readonly string[] {
  const values: string[] = [];
  const visit = (group: Group, holder: Readonly<Record<string, unknown>>, isNamed: boolean): void => {
    for (const [key, entry] of Object.entries(group.terms)) {
      const named = isNamed || terms === undefined || terms.has(entry.id);
      for (const one of [holder[key] ?? []].flat())
        if (entry.node === 'group') visit(entry, one as Readonly<Record<string, unknown>>, named);
        else if (named) values.push(terms === undefined ? shownValue(one) : `${entry.id} ${shownValue(one)}`);
    }
  };
  visit(invoiceModel, invoice as Readonly<Record<string, unknown>>, false);
  return values;
}
