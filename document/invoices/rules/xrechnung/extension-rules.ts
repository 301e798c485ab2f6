import { decimalPlaces, parseDecimal } from '../../amounts/index.js';
import type { InvoiceLine } from '../../model/index.js';
import {
  attachmentTypes,
  type CodeList,
  codeList,
  electronicAddressSchemesXRechnung,
  identifierSchemes,
} from '../code-lists/index.js';
import { codeRule, SCHEME_PLACES } from '../code-rule.js';
import { type Facts, linesWithin, sumTexts } from '../facts.js';
import { filled, type Report, type Rule, sentence } from '../rule.js';
import { checkDue } from '../totals.js';
import type { Sentence } from '../violation.js';
import { XRECHNUNG_3, xrRule } from './xr-rule.js';

const set = 'xrechnung-extension';
const ubl = { set, family: 'ubl' } as const;

/** Codes for digital health applications, which the extension adds to lists of schemes. */
const withDiga = ({ title, version, values }: CodeList): CodeList =>
  codeList(`${title} (with XR01, XR02, XR03)`, version, `XR01 XR02 XR03 ${[...values].join(' ')}`);

const SCHEMES = [
  ['BR-DEX-04', 'BR-CL-10', 'BT-29 BT-46 BT-60', 'The scheme of the identifier of a party', 'Das Schema einer Kennung'],
  [
    'BR-DEX-05',
    'BR-CL-11',
    'BT-30 BT-47 BT-61',
    'The scheme of a legal registration',
    'Das Schema einer Registernummer',
  ],
  ['BR-DEX-06', 'BR-CL-21', 'BT-157', 'The scheme of the identifier of an item', 'Das Schema einer Artikelkennung'],
  [
    'BR-DEX-07',
    'BR-CL-25',
    'BT-34 BT-49',
    'The scheme of an electronic address',
    'Das Schema einer elektronischen Adresse',
  ],
  ['BR-DEX-08', 'BR-CL-26', 'BT-71', 'The scheme of a delivery location', 'Das Schema eines Lieferorts'],
] as const;

/** BR-DEX-01 to BR-DEX-15 (extension of XRechnung 3.0). */
export const extensionRules: readonly Rule[] = [
  xrRule(
    'BR-DEX-01',
    'BT-125',
    sentence('The file type of an attachment is not allowed.', 'Der Dateityp einer Anlage ist nicht erlaubt.'),
    (facts, report) => {
      const name = facts.family === 'ubl' ? 'cbc:EmbeddedDocumentBinaryObject' : 'ram:AttachmentBinaryObject';
      for (const element of facts.elements(name)) {
        const type = element.attributes.get('mimeCode');
        if (type === undefined || !(attachmentTypes.values.has(type) || type === 'application/xml'))
          report({ at: element, value: type });
      }
    },
    { set },
  ),
  xrRule(
    'BR-DEX-02',
    'BT-131 BG-DEX-01',
    sentence('A line is not the sum of its sub lines.', 'Eine Position ist nicht die Summe ihrer Unterpositionen.'),
    checkSubLines,
    { ...ubl, severity: 'warning' },
  ),
  xrRule(
    'BR-DEX-03',
    'BG-DEX-06',
    sentence(
      'A sub line must have exactly one VAT category.',
      'Eine Unterposition muss genau eine Umsatzsteuerkategorie haben.',
    ),
    (facts, report) => {
      for (const line of facts.elements('cac:SubInvoiceLine'))
        for (const item of line.children.filter(({ qname }) => qname === 'cac:Item'))
          if (item.children.filter(({ qname }) => qname === 'cac:ClassifiedTaxCategory').length !== 1)
            report({ at: item });
    },
    ubl,
  ),
  ...SCHEMES.map(([id, core, terms, en, de]) => ({
    ...codeRule({ id, terms, en, de, places: extended(core) }, set),
    since: XRECHNUNG_3,
  })),
  xrRule(
    'BR-DEX-09',
    'BT-112 BT-113 BT-114 BT-115 BT-DEX-002',
    sentence(
      'The amount due is not the total minus what is paid plus the payments of third parties.',
      'Der fällige Betrag ist nicht der Gesamtbetrag minus das Gezahlte plus die Zahlungen Dritter.',
    ),
    (facts, report) => checkDue(facts, report, sumTexts(thirdParties(facts).map(({ amount }) => amount))),
    ubl,
  ),
  ...thirdPartyRules(),
  xrRule(
    'BR-DEX-15',
    'BG-DEX-01',
    sentence(
      'Sub lines are not part of the extension in CII: a line should not name a parent.',
      'Unterpositionen gehören in CII nicht zur Erweiterung: Eine Position sollte keine übergeordnete nennen.',
    ),
    (facts, report) => {
      for (const element of facts.elements('ram:ParentLineID')) report({ at: element, value: element.text });
    },
    { set, family: 'cii', severity: 'warning' },
  ),
];

function extended(core: string) {
  const places = SCHEME_PLACES[core];
  if (places === undefined) throw new RangeError(core);
  const list = withDiga(core === 'BR-CL-25' ? electronicAddressSchemesXRechnung : identifierSchemes);
  return { ubl: { ...places.ubl, list }, cii: { ...places.cii, list } };
}

const thirdParties = ({ invoice }: Facts) => invoice.thirdPartyPayments ?? [];

function checkSubLines(facts: Facts, report: Report): void {
  for (const line of linesWithin(facts.lines)) {
    if (line.subLines === undefined) continue;
    const expected = sumTexts(line.subLines.map(({ netAmount }) => netAmount));
    if (parseDecimal(line.netAmount)?.eq(expected) === true) continue;
    report({ at: [line, 'netAmount'], value: line.netAmount, message: facts.inLine(line, subLineMessage(line)) });
  }
}

const subLineMessage = ({ netAmount, subLines }: InvoiceLine): Sentence =>
  sentence(
    `The net amount (${netAmount ?? 'missing'}) is not the sum of the ${subLines?.length ?? 0} sub lines.`,
    `Der Nettobetrag (${netAmount ?? 'fehlt'}) ist nicht die Summe der ${subLines?.length ?? 0} Unterpositionen.`,
  );

function thirdPartyRules(): readonly Rule[] {
  const demanded = [
    ['BR-DEX-10', 'BT-DEX-001', 'type', 'type', 'die Art'],
    ['BR-DEX-11', 'BT-DEX-002', 'amount', 'amount', 'der Betrag'],
    ['BR-DEX-12', 'BT-DEX-003', 'description', 'description', 'die Beschreibung'],
  ] as const;
  const presence = demanded.map(([id, term, key, en, de]) =>
    xrRule(
      id,
      term,
      sentence(`A payment of a third party lacks its ${en}.`, `Einer Zahlung eines Dritten fehlt ${de}.`),
      (facts, report) => {
        for (const payment of thirdParties(facts)) if (!filled(payment[key])) report({ at: [payment] });
      },
      ubl,
    ),
  );
  return [
    ...presence,
    xrRule(
      'BR-DEX-13',
      'BT-DEX-002',
      sentence(
        'The amount of a payment of a third party has more than two decimal places.',
        'Der Betrag einer Zahlung eines Dritten hat mehr als zwei Nachkommastellen.',
      ),
      (facts, report) => {
        for (const payment of thirdParties(facts))
          if (decimalPlaces(payment.amount ?? '') > 2) report({ at: [payment, 'amount'], value: payment.amount });
      },
      ubl,
    ),
    xrRule(
      'BR-DEX-14',
      'BT-DEX-002 BT-5',
      sentence(
        'A payment of a third party is not in the currency of the invoice.',
        'Eine Zahlung eines Dritten ist nicht in der Währung der Rechnung.',
      ),
      (facts, report) => {
        for (const payment of facts.elements('cac:PrepaidPayment')) {
          const currency = payment.child('cbc:PaidAmount')?.attributes.get('currencyID');
          if (currency === undefined || currency !== facts.invoice.currency) report({ at: payment, value: currency });
        }
      },
      ubl,
    ),
  ];
}
