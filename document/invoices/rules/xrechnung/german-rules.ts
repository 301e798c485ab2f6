import { profileById } from '../../profiles/index.js';
import type { XmlElement } from '../../syntaxes/index.js';
import type { Facts } from '../facts.js';
import { filled, type Report, type Rule, sentence } from '../rule.js';
import type { Sentence } from '../violation.js';
import { xrDemands, xrRule } from './xr-rule.js';

const missing = (en: string, de: string): Sentence => sentence(`${en} is missing.`, `${de} fehlt.`);
const seller = ({ invoice }: Facts) => invoice.seller;
const sellerAddress = ({ invoice }: Facts) => invoice.seller?.address;
const contact = ({ invoice }: Facts) => invoice.seller?.contact;
const buyerAddress = ({ invoice }: Facts) => invoice.buyer?.address;
const deliveryAddress = ({ invoice }: Facts) => invoice.delivery?.address;

const TYPES = new Set(['326', '380', '381', '384', '389', '875', '876', '877']);
const TAXED = ['S', 'Z', 'E', 'AE', 'K', 'G', 'L', 'M'];
const TELEPHONE = /.*([0-9].*){3,}.*/;
const EMAIL = /^[^@\s]+@([^@.\s]+\.)+[^@.\s]+$/;
const URL_WITH_SCHEME = /^[a-zA-Z][a-zA-Z0-9+.-]+:.*/;
const SPECIFICATIONS = (['xrechnung', 'xrechnung-extension', 'xrechnung-cvd'] as const).map(
  (id) => profileById(id).specification,
);

/** BR-DE-1 to BR-DE-28 without payment, BR-TMP-2, BR-DE-TMP-32 (XRechnung 3.0, chapter "Geschäftsregeln"). */
export const germanRules: readonly Rule[] = [
  xrRule('BR-DE-1', 'BG-16', missing('The payment instruction', 'Die Zahlungsanweisung'), (facts, report) => {
    const means = facts.family === 'ubl' ? 'cac:PaymentMeans' : 'ram:SpecifiedTradeSettlementPaymentMeans';
    if (facts.elements(means).length === 0) report({ at: [facts.invoice] });
  }),
  xrRule('BR-DE-2', 'BG-6', missing('The contact of the seller', 'Der Kontakt des Verkäufers'), (facts, report) => {
    const party = seller(facts);
    if (party !== undefined && party.contact === undefined) report({ at: [party] });
  }),
  xrDemands(
    'BR-DE-3',
    'BT-37',
    sellerAddress,
    ({ city }) => city,
    missing('The city of the seller', 'Der Ort des Verkäufers'),
  ),
  xrDemands(
    'BR-DE-4',
    'BT-38',
    sellerAddress,
    ({ postCode }) => postCode,
    missing('The post code of the seller', 'Die Postleitzahl des Verkäufers'),
  ),
  xrDemands(
    'BR-DE-5',
    'BT-41',
    contact,
    ({ name }) => name,
    missing('The person or department of the contact', 'Die Person oder Abteilung des Kontakts'),
  ),
  xrDemands(
    'BR-DE-6',
    'BT-42',
    contact,
    ({ telephone }) => telephone,
    missing('The telephone number of the contact', 'Die Telefonnummer des Kontakts'),
  ),
  xrDemands(
    'BR-DE-7',
    'BT-43',
    contact,
    ({ email }) => email,
    missing('The e-mail address of the contact', 'Die E-Mail-Adresse des Kontakts'),
  ),
  xrDemands(
    'BR-DE-8',
    'BT-52',
    buyerAddress,
    ({ city }) => city,
    missing('The city of the buyer', 'Der Ort des Käufers'),
  ),
  xrDemands(
    'BR-DE-9',
    'BT-53',
    buyerAddress,
    ({ postCode }) => postCode,
    missing('The post code of the buyer', 'Die Postleitzahl des Käufers'),
  ),
  xrDemands(
    'BR-DE-10',
    'BT-77',
    deliveryAddress,
    ({ city }) => city,
    missing('The city of the delivery address', 'Der Ort der Lieferanschrift'),
  ),
  xrDemands(
    'BR-DE-11',
    'BT-78',
    deliveryAddress,
    ({ postCode }) => postCode,
    missing('The post code of the delivery address', 'Die Postleitzahl der Lieferanschrift'),
  ),
  xrRule(
    'BR-DE-14',
    'BT-119',
    sentence('A VAT breakdown has no rate.', 'Eine Umsatzsteueraufschlüsselung hat keinen Steuersatz.'),
    ({ breakdown }, report) => {
      for (const entry of breakdown) if (!filled(entry.rate)) report({ at: [entry] });
    },
  ),
  xrDemands(
    'BR-DE-15',
    'BT-10',
    ({ invoice }) => invoice,
    ({ buyerReference }) => buyerReference,
    missing('The buyer reference (Leitweg-ID for public buyers)', 'Die Käuferreferenz (bei Behörden die Leitweg-ID)'),
  ),
  xrRule(
    'BR-DE-16',
    'BT-31 BT-32 BG-11 BT-95 BT-102 BT-151',
    sentence(
      'The VAT identifier or tax number of the seller, or a tax representative, is missing.',
      'USt-IdNr. oder Steuernummer des Verkäufers oder ein Steuervertreter fehlt.',
    ),
    checkSellerTax,
  ),
  xrRule(
    'BR-DE-17',
    'BT-3',
    sentence('XRechnung does not have this type of invoice.', 'Die Rechnungsart ist keine der XRechnung.'),
    ({ invoice }, report) => {
      const { typeCode } = invoice;
      if (typeCode !== undefined && TYPES.has(typeCode.trim())) return;
      const message = sentence(
        `The type of the invoice (${typeCode ?? 'missing'}) should be one of ${[...TYPES].join(', ')}.`,
        `Die Art der Rechnung (${typeCode ?? 'fehlt'}) sollte eine von ${[...TYPES].join(', ')} sein.`,
      );
      report({ at: [invoice, 'typeCode'], value: typeCode, message });
    },
    { severity: 'warning' },
  ),
  xrRule(
    'BR-DE-18',
    'BT-20',
    sentence(
      'A discount is not written as XRechnung demands: #SKONTO#TAGE=14#PROZENT=2.00# on a line of its own.',
      'Ein Skonto ist nicht so geschrieben, wie es sein muss: #SKONTO#TAGE=14#PROZENT=2.00# in eigener Zeile.',
    ),
    checkDiscounts,
  ),
  xrRule(
    'BR-DE-21',
    'BT-24',
    sentence(
      'The specification identifier is not that of XRechnung 3.0.',
      'Die Kennung der Spezifikation ist nicht die der XRechnung 3.0.',
    ),
    ({ invoice: { process }, invoice }, report) => {
      const specification = process?.specification;
      if (specification !== undefined && SPECIFICATIONS.includes(specification)) return;
      report({ at: process === undefined ? [invoice] : [process, 'specification'], value: specification });
    },
    { severity: 'warning' },
  ),
  xrRule(
    'BR-DE-22',
    'BT-125',
    sentence('Two attachments have the same file name.', 'Zwei Anlagen haben denselben Dateinamen.'),
    checkFileNames,
  ),
  xrRule(
    'BR-DE-26',
    'BT-3 BG-3',
    sentence(
      'A corrected invoice (type 384) should refer to the invoice that it corrects.',
      'Eine Rechnungskorrektur (Art 384) sollte auf die korrigierte Rechnung verweisen.',
    ),
    ({ invoice }, report) => {
      const { typeCode, precedingInvoices } = invoice;
      if (typeCode?.trim() === '384' && precedingInvoices === undefined)
        report({ at: [invoice, 'typeCode'], value: typeCode });
    },
    { severity: 'warning' },
  ),
  xrRule(
    'BR-DE-27',
    'BT-42',
    sentence(
      'The telephone number of the contact should have three digits or more.',
      'Die Telefonnummer des Kontakts sollte mindestens drei Ziffern haben.',
    ),
    (facts, report) => {
      const found = contact(facts);
      if (found !== undefined && !TELEPHONE.test(collapsed(found.telephone)))
        report({ at: [found, 'telephone'], value: found.telephone });
    },
    { severity: 'warning' },
  ),
  xrRule(
    'BR-DE-28',
    'BT-43',
    sentence(
      'The e-mail address of the contact does not look like one.',
      'Die E-Mail-Adresse des Kontakts sieht nicht wie eine aus.',
    ),
    (facts, report) => {
      const found = contact(facts);
      if (found !== undefined && !EMAIL.test(collapsed(found.email)))
        report({ at: [found, 'email'], value: found.email });
    },
    { severity: 'warning' },
  ),
  xrRule(
    'BR-DE-TMP-32',
    'BT-72 BG-14 BG-26',
    sentence(
      'The invoice gives neither a date of delivery nor a period, for itself or for every line.',
      'Die Rechnung nennt weder ein Lieferdatum noch einen Zeitraum, für sich oder für jede Position.',
    ),
    checkDelivery,
    { severity: 'information' },
  ),
  xrRule(
    'BR-TMP-2',
    'BT-124',
    sentence(
      'The location of an external document is not an address with a scheme such as https:.',
      'Der Ort eines externen Dokuments ist keine Adresse mit einem Schema wie https:.',
    ),
    checkLocations,
    { severity: 'warning' },
  ),
];

const collapsed = (text: string | undefined): string => (text ?? '').trim().replaceAll(/\s+/g, ' ');

function checkSellerTax(facts: Facts, report: Report): void {
  const { invoice, family } = facts;
  const identified =
    filled(invoice.seller?.vatIdentifier) || filled(invoice.seller?.taxRegistration) || invoice.taxRepresentative;
  if (identified) return;
  const uses = TAXED.map((code) => facts.usesOf(code));
  const inLines = uses.some(({ lines }) => lines.length > 0);
  const inParts = uses.some(({ allowances, charges }) => allowances.length + charges.length > 0);
  if (!inLines && !inParts) return;
  // The test for CII never sees the categories of allowances and charges.
  report({ at: [invoice.seller ?? invoice], strict: family === 'cii' && !inLines });
}

const DISCOUNT = /^#SKONTO#TAGE=[0-9]+#PROZENT=[0-9]+\.[0-9]{2}(#BASISBETRAG=-?[0-9]+\.[0-9]{2})?#$/;

function checkDiscounts(facts: Facts, report: Report): void {
  const { invoice, read } = facts;
  const element = read.elementOf(invoice, 'paymentTerms');
  if (element === undefined) return;
  const terms = element.written ?? element.text;
  const discounts = terms.split(/\r?\n/).filter((line) => line.trim().startsWith('#'));
  if (discounts.length === 0) return;
  const wrong = discounts.find((line) => !DISCOUNT.test(collapsed(line)));
  const last = terms.split(/#.+#/).at(-1) ?? '';
  if (wrong === undefined && /^\s*\n/.test(last)) return;
  const message =
    wrong === undefined
      ? sentence(
          'The last line with a discount (#SKONTO#…#) does not end with a line break.',
          'Die letzte Zeile mit Skonto (#SKONTO#…#) endet nicht mit einem Zeilenumbruch.',
        )
      : sentence(
          `The line "${collapsed(wrong)}" does not describe a discount as XRechnung demands: #SKONTO#TAGE=14#PROZENT=2.00#.`,
          `Die Zeile „${collapsed(wrong)}“ beschreibt ein Skonto nicht so, wie die XRechnung es verlangt: #SKONTO#TAGE=14#PROZENT=2.00#.`,
        );
  report({ at: element, value: wrong, message });
}

function checkFileNames(facts: Facts, report: Report): void {
  const seen = new Map<string, XmlElement | undefined>();
  const name = facts.family === 'ubl' ? 'cbc:EmbeddedDocumentBinaryObject' : 'ram:AttachmentBinaryObject';
  for (const element of facts.elements(name)) {
    const filename = element.attributes.get('filename');
    if (filename === undefined) continue;
    // The tests compare with the documents before, not with another attachment of the same document.
    const before = seen.get(filename);
    if (before !== undefined) report({ at: element, value: filename, strict: before === element.parent });
    else seen.set(filename, element.parent);
  }
}

function checkDelivery(facts: Facts, report: Report): void {
  const { invoice, lines } = facts;
  const period =
    facts.family === 'ubl'
      ? facts.elements('cac:InvoicePeriod').some(({ parent }) => parent === facts.root)
      : invoice.delivery?.invoicingPeriod !== undefined;
  if (invoice.delivery?.date === undefined && !period && lines.some((line) => line.period === undefined))
    report({ at: [invoice] });
}

function checkLocations(facts: Facts, report: Report): void {
  if (facts.family === 'ubl') {
    for (const reference of facts.elements('cac:ExternalReference')) {
      const uri = reference.child('cbc:URI');
      if (reference.parent?.parent?.qname !== 'cac:AdditionalDocumentReference') continue;
      if (!URL_WITH_SCHEME.test(uri?.text ?? '')) report({ at: uri ?? reference, value: uri?.text });
    }
    return;
  }
  for (const document of facts.elements('ram:AdditionalReferencedDocument')) {
    const uri = document.child('ram:URIID');
    if (uri === undefined || document.child('ram:TypeCode')?.text !== '916') continue;
    if (!URL_WITH_SCHEME.test(uri.text)) report({ at: uri, value: uri.text });
  }
}
