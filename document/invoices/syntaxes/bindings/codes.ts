import type { TermPlace } from './binding.js';

/** BT-8 is a code of UNTDID 2005 in the model and in UBL, and one of UNTDID 2475 in CII (EN 16931-3-3). */
const TAX_POINT_CODES: readonly (readonly [cii: string, model: string])[] = [
  ['5', '3'],
  ['29', '35'],
  ['72', '432'],
];

export const taxPointCode: Pick<TermPlace, 'read' | 'write'> = {
  read: (text) => TAX_POINT_CODES.find(([cii]) => cii === text)?.[1] ?? text,
  write: (value) => TAX_POINT_CODES.find(([, model]) => model === value)?.[0] ?? value,
};

/** A discount of XRechnung (`#SKONTO#…#`) ends with a line break, which is white space to a reader (BR-DE-18). */
export const discountLine: Pick<TermPlace, 'write'> = {
  write: (terms) => (/(?:^|\n)#[^\n]*#$/.test(terms) ? `${terms}\n` : terms),
};

/** An IBAN by its form: its check digits are not examined. */
export function looksLikeIban(account: string): boolean {
  return /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/i.test(account.replaceAll(/\s/g, ''));
}
