import { type Group, type Invoice, invoiceModel, type Term } from '@quire/document/invoices/model';
import type { Profile } from '@quire/document/invoices/profiles';
import { Faults, type Path } from './faults.js';
import { nameOf } from './read-json.js';

/** What MINIMUM holds of the required terms (Factur-X 1.0, profile MINIMUM). */
const MINIMUM: ReadonlySet<string> = new Set(
  ('BG-0 BG-2 BG-4 BG-5 BG-7 BG-22 ' + 'BT-1 BT-2 BT-3 BT-5 BT-24 BT-27 BT-40 BT-44 BT-109 BT-112 BT-115').split(' '),
);
const LINES = 'BG-25';

/** Refuses an invoice that lacks a required term of its profile: INPUT_INVALID with the name of each. */
export function refuseMissing(invoice: Invoice, { id }: Profile): void {
  const faults = new Faults();
  const counts = (node: Term | Group): boolean =>
    id === 'minimum' ? MINIMUM.has(node.id) : id !== 'basic-wl' || node.id !== LINES;
  find(invoiceModel, invoice, [], counts, faults);
  faults.throwIfAny();
}

const NEEDED: ReadonlySet<string> = new Set(['id', 'item']);

const isUncounted = (line: object): boolean => 'subtype' in line && line.subtype !== 'DETAIL';

function find(group: Group, holder: object, path: Path, counts: (node: Term | Group) => boolean, faults: Faults): void {
  for (const [key, node] of Object.entries(group.terms)) {
    if (!counts(node)) continue;
    const value = (holder as Readonly<Record<string, unknown>>)[key];
    const at = [...path, key];
    if (value === undefined) {
      // A subtotal or information (BT-X-8) has a number and a name.
      if (group.id === 'BG-25' && isUncounted(holder) && !NEEDED.has(key)) continue;
      const isRequired = node.occurs.startsWith('1');
      if (isRequired && node.node === 'term') faults.add(at, `${nameOf(node)} is missing.`);
      // A missing group is named by what it would have to hold.
      else if (isRequired && node.node === 'group')
        find(node, {}, node.occurs.endsWith('n') ? [...at, 0] : at, counts, faults);
    } else if (node.node === 'group') {
      if (Array.isArray(value)) value.forEach((one, i) => find(node, one as object, [...at, i], counts, faults));
      else find(node, value as object, at, counts, faults);
    }
  }
}
