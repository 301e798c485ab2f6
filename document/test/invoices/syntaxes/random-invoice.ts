import { type Group, type Invoice, invoiceModel, type Term } from '../../../invoices/model/index.js';
import type { ProfileId } from '../../../invoices/profiles/index.js';
import { canHold } from '../../../invoices/syntaxes/index.js';

/** A repeatable source of numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const PIECES = [
  'a',
  'Ä',
  '€',
  '<',
  '&',
  '"',
  "'",
  ']]>',
  '#',
  ' ',
  '\n',
  '\t',
  '\u{1F600}',
  '0',
  '-',
  '\r',
  '--',
  '#AAI#',
];

/** An invoice with a random choice of the terms of a profile, and texts that are awkward in XML. */
export function randomInvoice(seed: number, profile: ProfileId): Invoice {
  const random = seeded(seed);
  const text = (): string =>
    Array.from({ length: 1 + Math.floor(random() * 6) }, () => PIECES[Math.floor(random() * PIECES.length)]).join('');
  const value = ({ type }: Term): unknown => {
    if (type === 'date') return random() < 0.8 ? '2026-11-30' : text();
    if (['amount', 'price', 'quantity', 'percentage'].includes(type)) return random() < 0.9 ? '10.50' : text();
    if (type === 'schemed') return { value: text(), ...(random() < 0.5 ? { scheme: text() } : {}) };
    if (type === 'binary') return { content: 'QUJD', mimeCode: 'text/csv', filename: text() };
    return text();
  };
  const fill = (group: Group, depth: number): object =>
    Object.fromEntries(
      Object.entries(group.terms)
        .filter(() => random() < 0.6)
        .filter(([, { id }]) => id.includes('DEX') || canHold(profile, id))
        .filter(([key]) => key !== 'subLines' || depth < 2)
        .map(([key, entry]) => {
          const one = (): unknown =>
            entry.node === 'group' ? fill(entry, depth + (key === 'subLines' ? 1 : 0)) : value(entry);
          return [key, entry.occurs.endsWith('n') ? Array.from({ length: 1 + Math.floor(random() * 2) }, one) : one()];
        }),
    );
  return fill(invoiceModel, 0) as Invoice;
}

/** Every term that a profile can hold with a value of its own, and two of what can repeat. */
export function fullInvoice(profile: ProfileId): Invoice {
  let count = 0;
  const value = ({ id, type }: Term): unknown => {
    count++;
    if (id === 'BT-21') return 'AAI';
    if (id === 'BT-8') return '35';
    if (id === 'BT-84') return `DE0212030000000020${count}`;
    if (type === 'date') return '2026-11-30';
    if (['amount', 'price', 'quantity', 'percentage'].includes(type)) return `${count}.25`;
    const scheme = id === 'BT-29' && count % 2 === 0 ? {} : { scheme: `S${count}` };
    if (type === 'schemed') return { value: `${id} ${count}`, ...scheme };
    if (type === 'binary') return { content: 'QUJD', mimeCode: 'text/csv', filename: `${count}.csv` };
    return `${id} ${count}`;
  };
  const fill = (group: Group): object =>
    Object.fromEntries(
      Object.entries(group.terms)
        .filter(([, { id }]) => canHold(profile, id))
        .map(([key, entry]) => {
          const one = (): unknown => (entry.node === 'group' ? fill(entry) : value(entry));
          return [key, entry.occurs.endsWith('n') ? [one(), one()] : one()];
        }),
    );
  return { ...(fill(invoiceModel) as Invoice), currency: 'EUR', vatCurrency: 'SEK' };
}
