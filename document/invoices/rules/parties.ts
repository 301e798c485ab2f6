import type { Invoice } from '../model/index.js';
import { countries } from './code-lists/index.js';
import type { Facts } from './facts.js';
import { demands, filled, type Report, type Rule, sentence, termsOf } from './rule.js';

const only = <T>(group: T | undefined): readonly T[] => (group === undefined ? [] : [group]);

/** UBL tests the country at the address, CII at the party: there a missing address is a missing country too. */
const countryAt =
  (party: 'seller' | 'buyer') =>
  ({ family, invoice }: Facts): readonly Invoice[] =>
    family === 'cii' || invoice[party]?.address !== undefined ? [invoice] : [];

const representative = ({ invoice }: Facts) => only(invoice.taxRepresentative);

/** Parties: names, addresses, identifiers (EN 16931-1, 6.4.2 and 6.4.3). */
export const partyRules: readonly Rule[] = [
  demands(
    'BR-09',
    'BG-5 BT-40',
    countryAt('seller'),
    ({ seller }) => seller?.address?.country,
    'filled',
    sentence("The country of the seller's address is missing.", 'Das Land in der Anschrift des Verkäufers fehlt.'),
  ),
  demands(
    'BR-11',
    'BG-8 BT-55',
    countryAt('buyer'),
    ({ buyer }) => buyer?.address?.country,
    'filled',
    sentence("The country of the buyer's address is missing.", 'Das Land in der Anschrift des Käufers fehlt.'),
  ),
  {
    id: 'BR-17',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BT-59 BG-10 BG-4'),
    message: sentence(
      'The payee has no name, or is the seller: a payee is given only if it is somebody else.',
      'Der Zahlungsempfänger hat keinen Namen oder ist der Verkäufer: Er wird nur angegeben, wenn er ein anderer ist.',
    ),
    check: checkPayee,
  },
  demands(
    'BR-18',
    'BT-62 BG-4 BG-11',
    representative,
    ({ name }) => name,
    'filled',
    sentence('The name of the tax representative is missing.', 'Der Name des Steuervertreters fehlt.'),
  ),
  demands(
    'BR-19',
    'BG-12 BG-4 BG-11',
    representative,
    ({ address }) => address,
    'exists',
    sentence('The address of the tax representative is missing.', 'Die Anschrift des Steuervertreters fehlt.'),
  ),
  demands(
    'BR-20',
    'BG-12 BT-69 BG-4 BG-11',
    ({ family, invoice: { taxRepresentative } }) =>
      family === 'cii' || taxRepresentative?.address !== undefined ? only(taxRepresentative) : [],
    ({ address }) => address?.country,
    'filled',
    sentence(
      "The country of the tax representative's address is missing.",
      'Das Land in der Anschrift des Steuervertreters fehlt.',
    ),
  ),
  demands(
    'BR-56',
    'BG-11 BT-63',
    representative,
    ({ vatIdentifier }, { family }) => (family === 'cii' && !filled(vatIdentifier) ? undefined : vatIdentifier),
    'exists',
    sentence('The VAT identifier of the tax representative is missing.', 'Die USt-IdNr. des Steuervertreters fehlt.'),
  ),
  demands(
    'BR-57',
    'BG-15 BT-80',
    ({ invoice }) => only(invoice.delivery?.address),
    ({ country }, { family }) => (family === 'cii' && !filled(country) ? undefined : country),
    'exists',
    sentence('The country of the delivery address is missing.', 'Das Land in der Lieferanschrift fehlt.'),
  ),
  demands(
    'BR-62',
    'BT-34',
    ({ invoice }) => only(invoice.seller?.electronicAddress),
    ({ scheme }, { family }) => (family === 'cii' && !filled(scheme) ? undefined : scheme),
    'exists',
    sentence(
      'The electronic address of the seller does not name its scheme.',
      'Die elektronische Adresse des Verkäufers nennt ihr Schema nicht.',
    ),
  ),
  demands(
    'BR-63',
    'BT-49',
    ({ invoice }) => only(invoice.buyer?.electronicAddress),
    ({ scheme }, { family }) => (family === 'cii' && !filled(scheme) ? undefined : scheme),
    'exists',
    sentence(
      'The electronic address of the buyer does not name its scheme.',
      'Die elektronische Adresse des Käufers nennt ihr Schema nicht.',
    ),
  ),
  {
    id: 'BR-CO-09',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BT-31 BT-63 BT-48'),
    message: sentence(
      'A VAT identifier does not begin with the code of a country.',
      'Eine USt-IdNr. beginnt nicht mit dem Code eines Landes.',
    ),
    check: checkVatPrefixes,
  },
  {
    id: 'BR-CO-26',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BT-29 BT-30 BT-31'),
    message: sentence(
      'The seller cannot be identified: an identifier, a legal registration or a VAT identifier is missing.',
      'Der Verkäufer ist nicht zu identifizieren: Kennung, Registernummer oder USt-IdNr. fehlt.',
    ),
    check: ({ invoice: { seller }, family }, report) => {
      if (seller === undefined) return;
      // The creditor identifier of SEPA (BT-90) is written among the identifiers in UBL.
      const identifiers = (seller.identifiers ?? []).filter(({ scheme }) => family === 'cii' || scheme !== 'SEPA');
      const found = identifiers.length > 0 || seller.legalRegistration !== undefined;
      if (!found && seller.vatIdentifier === undefined) report({ at: [seller] });
    },
  },
];

function checkPayee({ invoice: { payee, seller }, family }: Facts, report: Report): void {
  if (payee === undefined) return;
  if (payee.name === undefined) {
    const message = sentence('The payee has no name.', 'Der Zahlungsempfänger hat keinen Namen.');
    report({ at: [payee], message });
    return;
  }
  // The test for UBL compares with the trading name, which is there what the name of the payee is.
  const name = family === 'ubl' ? seller?.tradingName : seller?.name;
  const identifier = payee.identifier?.value;
  const registration = payee.legalRegistration?.value;
  const same =
    payee.name === name ||
    (identifier !== undefined && seller?.identifiers?.some(({ value }) => value === identifier) === true) ||
    (family === 'cii' && registration !== undefined && registration === seller?.legalRegistration?.value);
  if (!same) return;
  const message = sentence(
    `The payee (${payee.name}) is the seller: a payee is given only if it is somebody else.`,
    `Der Zahlungsempfänger (${payee.name}) ist der Verkäufer: Er wird nur angegeben, wenn er ein anderer ist.`,
  );
  report({ at: [payee, 'name'], value: payee.name, message });
}

function checkVatPrefixes({ invoice, family }: Facts, report: Report): void {
  const parties = [
    [invoice.seller, 'seller', 'Verkäufers'],
    [invoice.taxRepresentative, 'tax representative', 'Steuervertreters'],
    [invoice.buyer, 'buyer', 'Käufers'],
  ] as const;
  for (const [party, en, de] of parties) {
    const identifier = party?.vatIdentifier;
    if (party === undefined || identifier === undefined) continue;
    const prefix = identifier.slice(0, 2);
    // Greece writes EL. The test for UBL accepts an empty identifier.
    if (prefix === 'EL' || countries[family].values.has(prefix) || (family === 'ubl' && identifier === '')) continue;
    const message = sentence(
      `The VAT identifier of the ${en} (${identifier}) does not begin with the code of a country.`,
      `Die USt-IdNr. des ${de} (${identifier}) beginnt nicht mit dem Code eines Landes.`,
    );
    report({ at: [party, 'vatIdentifier'], value: identifier, message });
  }
}
