import { group, type Group, type Term, term } from './term.js';

// Shapes that recur in Factur-X EXTENDED. Their ids are consecutive in places, as the list of its fields has them.

/** The parts of an address, whose seven ids begin with this number: post code, three lines, city, country, region. */
export function extendedAddress(party: string, first: number): Readonly<Record<string, Term>> {
  const id = (offset: number): string => `BT-X-${first + offset}`;
  return {
    line1: term(id(1), `${party} address line 1`, 'text', '0..1'),
    line2: term(id(2), `${party} address line 2`, 'text', '0..1'),
    line3: term(id(3), `${party} address line 3`, 'text', '0..1'),
    city: term(id(4), `${party} city`, 'text', '0..1'),
    postCode: term(id(0), `${party} post code`, 'text', '0..1'),
    subdivision: term(id(6), `${party} country subdivision`, 'text', '0..1'),
    country: term(id(5), `${party} country code`, 'code', '1'),
  };
}

/** Name, department, telephone, fax and email of a contact, in this order. */
export type ContactIds = readonly [string, string, string, string, string];

export function extendedContact(party: string, ids: ContactIds): Readonly<Record<string, Term>> {
  const [name, department, telephone, fax, email] = ids;
  return {
    name: term(name, `${party} contact point`, 'text', '0..1'),
    department: term(department, `${party} contact department`, 'text', '0..1'),
    telephone: term(telephone, `${party} contact telephone number`, 'text', '0..1'),
    fax: term(fax, `${party} contact fax number`, 'text', '0..1'),
    email: term(email, `${party} contact email address`, 'text', '0..1'),
  };
}

/** The numbers of BT-X and BG-X that a party has. */
export interface PartyIds {
  readonly group: string;
  readonly name: string;
  readonly identifiers: string;
  readonly registration: string;
  readonly tradingName: string;
  readonly vat: string;
  readonly electronic: string;
  readonly role: string;
  readonly address: readonly [group: string, first: number];
  readonly contact: readonly [group: string, ids: ContactIds];
}

/** A party that EN 16931 does not have. */
export function extendedParty(title: string, ids: PartyIds): Group {
  return group(ids.group, title, '0..1', {
    name: term(ids.name, `${title} name`, 'text', '0..1'),
    tradingName: term(ids.tradingName, `${title} trading name`, 'text', '0..1'),
    identifiers: term(ids.identifiers, `${title} identifier`, 'schemed', '0..n'),
    legalRegistration: term(ids.registration, `${title} legal registration identifier`, 'schemed', '0..1'),
    vatIdentifier: term(ids.vat, `${title} VAT identifier`, 'identifier', '0..1'),
    electronicAddress: term(ids.electronic, `${title} electronic address`, 'schemed', '0..1'),
    role: term(ids.role, `${title} role code`, 'code', '0..1'),
    address: group(ids.address[0], `${title} postal address`, '0..1', extendedAddress(title, ids.address[1])),
    contact: group(ids.contact[0], `${title} contact`, '0..1', extendedContact(title, ids.contact[1])),
  });
}

/** A reference to a document: its number, its date, and in a line the line of it. */
export function documentReference(
  title: string,
  [id, number, date, line]: readonly [group: string, number: string, date: string, line?: string],
  occurs: '0..1' | '0..n' = '0..1',
): Group {
  return group(id, title, occurs, {
    number: term(number, `${title} identifier`, 'identifier', '0..1'),
    date: term(date, `${title} date`, 'date', '0..1'),
    ...(line === undefined ? {} : { line: term(line, `${title} line`, 'identifier', '0..1') }),
  });
}

/** Early payment discount or late payment penalty: six ids from this number on. */
export function paymentCondition(id: string, title: string, first: number): Group {
  const of = (offset: number): string => `BT-X-${first + offset}`;
  return group(id, title, '0..1', {
    date: term(of(0), `${title} reference date`, 'date', '0..1'),
    period: term(of(1), `${title} period`, 'quantity', '0..1'),
    periodUnit: term(of(2), `${title} period unit`, 'code', '0..1'),
    baseAmount: term(of(3), `${title} base amount`, 'amount', '0..1'),
    percentage: term(of(4), `${title} percentage`, 'percentage', '0..1'),
    amount: term(of(5), `${title} amount`, 'amount', '0..1'),
  });
}
