import { group, term } from './term.js';

type AddressIds = readonly [
  line1: string,
  line2: string,
  line3: string,
  city: string,
  code: string,
  part: string,
  country: string,
];

function address(party: string, ids: AddressIds) {
  const [line1, line2, line3, city, code, part, country] = ids;
  return {
    line1: term(line1, `${party} address line 1`, 'text', '0..1'),
    line2: term(line2, `${party} address line 2`, 'text', '0..1'),
    line3: term(line3, `${party} address line 3`, 'text', '0..1'),
    city: term(city, `${party} city`, 'text', '0..1'),
    postCode: term(code, `${party} post code`, 'text', '0..1'),
    subdivision: term(part, `${party} country subdivision`, 'text', '0..1'),
    country: term(country, `${party} country code`, 'code', '1'),
  };
}

function contact(party: string, [point, telephone, email]: readonly [string, string, string]) {
  return {
    name: term(point, `${party} contact point`, 'text', '0..1'),
    telephone: term(telephone, `${party} contact telephone number`, 'text', '0..1'),
    email: term(email, `${party} contact email address`, 'text', '0..1'),
  };
}

export const seller = group('BG-4', 'Seller', '1', {
  name: term('BT-27', 'Seller name', 'text', '1'),
  tradingName: term('BT-28', 'Seller trading name', 'text', '0..1'),
  identifiers: term('BT-29', 'Seller identifier', 'schemed', '0..n'),
  legalRegistration: term('BT-30', 'Seller legal registration identifier', 'schemed', '0..1'),
  vatIdentifier: term('BT-31', 'Seller VAT identifier', 'identifier', '0..1'),
  taxRegistration: term('BT-32', 'Seller tax registration identifier', 'identifier', '0..1'),
  legalInformation: term('BT-33', 'Seller additional legal information', 'text', '0..1'),
  electronicAddress: term('BT-34', 'Seller electronic address', 'schemed', '0..1'),
  address: group(
    'BG-5',
    'Seller postal address',
    '1',
    address('Seller', ['BT-35', 'BT-36', 'BT-162', 'BT-37', 'BT-38', 'BT-39', 'BT-40']),
  ),
  contact: group('BG-6', 'Seller contact', '0..1', contact('Seller', ['BT-41', 'BT-42', 'BT-43'])),
});

export const buyer = group('BG-7', 'Buyer', '1', {
  name: term('BT-44', 'Buyer name', 'text', '1'),
  tradingName: term('BT-45', 'Buyer trading name', 'text', '0..1'),
  identifier: term('BT-46', 'Buyer identifier', 'schemed', '0..1'),
  legalRegistration: term('BT-47', 'Buyer legal registration identifier', 'schemed', '0..1'),
  vatIdentifier: term('BT-48', 'Buyer VAT identifier', 'identifier', '0..1'),
  electronicAddress: term('BT-49', 'Buyer electronic address', 'schemed', '0..1'),
  address: group(
    'BG-8',
    'Buyer postal address',
    '1',
    address('Buyer', ['BT-50', 'BT-51', 'BT-163', 'BT-52', 'BT-53', 'BT-54', 'BT-55']),
  ),
  contact: group('BG-9', 'Buyer contact', '0..1', contact('Buyer', ['BT-56', 'BT-57', 'BT-58'])),
});

export const payee = group('BG-10', 'Payee', '0..1', {
  name: term('BT-59', 'Payee name', 'text', '1'),
  identifier: term('BT-60', 'Payee identifier', 'schemed', '0..1'),
  legalRegistration: term('BT-61', 'Payee legal registration identifier', 'schemed', '0..1'),
});

export const taxRepresentative = group('BG-11', 'Seller tax representative party', '0..1', {
  name: term('BT-62', 'Seller tax representative name', 'text', '1'),
  vatIdentifier: term('BT-63', 'Seller tax representative VAT identifier', 'identifier', '1'),
  address: group(
    'BG-12',
    'Seller tax representative postal address',
    '1',
    address('Tax representative', ['BT-64', 'BT-65', 'BT-164', 'BT-66', 'BT-67', 'BT-68', 'BT-69']),
  ),
});

export const delivery = group('BG-13', 'Delivery information', '0..1', {
  name: term('BT-70', 'Deliver to party name', 'text', '0..1'),
  location: term('BT-71', 'Deliver to location identifier', 'schemed', '0..1'),
  date: term('BT-72', 'Actual delivery date', 'date', '0..1'),
  invoicingPeriod: group('BG-14', 'Invoicing period', '0..1', {
    start: term('BT-73', 'Invoicing period start date', 'date', '0..1'),
    end: term('BT-74', 'Invoicing period end date', 'date', '0..1'),
  }),
  address: group(
    'BG-15',
    'Deliver to address',
    '0..1',
    address('Deliver to', ['BT-75', 'BT-76', 'BT-165', 'BT-77', 'BT-78', 'BT-79', 'BT-80']),
  ),
});
