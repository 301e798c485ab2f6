import type { XmlElement } from '../../syntaxes/index.js';
import { parsePathTable } from './path-table.js';
import { all, anywhere, distinct, has, texts } from './select.js';
import { atMost, condition, type Context, exactlyOne, type Statement, tooMany } from './statement.js';
import { UNUSED_ANYWHERE_IN_UBL, UNUSED_IN_UBL } from './unused-ubl.js';

// UBL-SR, UBL-CR and UBL-DT of the artefacts of EN 16931, version 1.3.16, in the order in which they apply.

const ruleOf = (number: string): string => (number.startsWith('DT-') ? `UBL-${number}` : `UBL-CR-${number}`);
const supplier = 'cac:AccountingSupplierParty/cac:Party';
const customer = 'cac:AccountingCustomerParty/cac:Party';

const schemeOf = (element: XmlElement): string => (element.attributes.get('schemeID') ?? '').toUpperCase();
const isVat = (scheme: XmlElement): boolean =>
  all(scheme, 'cac:TaxScheme').some((tax) => (tax.child('cbc:ID')?.text ?? '').toUpperCase() === 'VAT');
const isOtherTax = (scheme: XmlElement): boolean =>
  all(scheme, 'cac:TaxScheme').some((tax) => (tax.child('cbc:ID')?.text ?? '').toUpperCase() !== 'VAT');

function taxNumbers(party: string, which: (scheme: XmlElement) => boolean): (root: XmlElement) => boolean {
  return (root) =>
    all(root, `${party}/cac:PartyTaxScheme`)
      .filter(which)
      .flatMap((scheme) => all(scheme, 'cbc:CompanyID')).length <= 1;
}

const typeCodeIs130 = (reference: XmlElement): boolean => texts(reference, 'cbc:DocumentTypeCode').includes('130');
const documentReferences = (root: XmlElement): XmlElement[] => anywhere(root, 'cac:AdditionalDocumentReference');

const root: readonly Statement[] = [
  atMost('UBL-SR-01', 'cac:ContractDocumentReference/cbc:ID', 'BT-12'),
  atMost('UBL-SR-02', 'cac:ReceiptDocumentReference/cbc:ID', 'BT-15'),
  atMost('UBL-SR-03', 'cac:DespatchDocumentReference/cbc:ID', 'BT-16'),
  condition(
    'UBL-SR-04',
    'BT-18',
    (invoice) =>
      all(invoice, 'cac:AdditionalDocumentReference')
        .filter(typeCodeIs130)
        .flatMap((reference) => all(reference, 'cbc:ID')).length <= 1,
    {
      en: 'The invoiced object is identified more than once.',
      de: 'Das Objekt der Abrechnung ist mehr als einmal angegeben.',
    },
  ),
  atMost('UBL-SR-05', 'cac:PaymentTerms/cbc:Note', 'BT-20'),
  atMost('UBL-SR-08', 'cac:InvoicePeriod', 'BG-14'),
  atMost('UBL-SR-09', `${supplier}/cac:PartyLegalEntity/cbc:RegistrationName`, 'BT-27'),
  atMost('UBL-SR-10', `${supplier}/cac:PartyName/cbc:Name`, 'BT-28'),
  atMost('UBL-SR-11', `${supplier}/cac:PartyLegalEntity/cbc:CompanyID`, 'BT-30'),
  condition('UBL-SR-12', 'BT-31', taxNumbers(supplier, isVat), {
    en: 'The seller has more than one VAT identifier.',
    de: 'Für den Verkäufer ist mehr als eine Umsatzsteuer-Identifikationsnummer angegeben.',
  }),
  condition('UBL-SR-13', 'BT-32', taxNumbers(supplier, isOtherTax), {
    en: 'The seller has more than one tax registration beside the VAT identifier.',
    de: 'Für den Verkäufer ist neben der Umsatzsteuer-Identifikationsnummer mehr als eine Steuernummer angegeben.',
  }),
  atMost('UBL-SR-14', `${supplier}/cac:PartyLegalEntity/cbc:CompanyLegalForm`, 'BT-33'),
  atMost('UBL-SR-15', `${customer}/cac:PartyLegalEntity/cbc:RegistrationName`, 'BT-44'),
  atMost('UBL-SR-16', `${customer}/cac:PartyIdentification/cbc:ID`, 'BT-46'),
  atMost('UBL-SR-17', `${customer}/cac:PartyLegalEntity/cbc:CompanyID`, 'BT-47'),
  condition('UBL-SR-18', 'BT-48', taxNumbers(customer, isVat), {
    en: 'The buyer has more than one VAT identifier.',
    de: 'Für den Erwerber ist mehr als eine Umsatzsteuer-Identifikationsnummer angegeben.',
  }),
  atMost('UBL-SR-24', 'cac:Delivery', 'BG-13'),
  condition(
    'UBL-SR-29',
    'BT-90',
    (invoice) =>
      anywhere(invoice, 'cac:PartyIdentification')
        .flatMap((identification) => all(identification, 'cbc:ID'))
        .filter((id) => schemeOf(id) === 'SEPA').length <= 1,
    {
      en: 'The creditor identifier for direct debit is given more than once.',
      de: 'Die Gläubiger-Identifikationsnummer ist mehr als einmal angegeben.',
    },
  ),
  atMost('UBL-SR-39', 'cac:ProjectReference/cbc:ID', 'BT-11'),
  atMost('UBL-SR-40', `${customer}/cac:PartyName/cbc:Name`, 'BT-45'),
  condition('UBL-SR-44', 'BT-83', (invoice) => sameEverywhere(invoice, 'cbc:PaymentID'), {
    en: 'The means of payment have different remittance texts.',
    de: 'Die Zahlungswege haben verschiedene Verwendungszwecke.',
  }),
  atMost('UBL-SR-45', 'cac:PaymentMeans/cbc:PaymentDueDate', 'BT-9'),
  condition(
    'UBL-SR-46',
    'BT-82',
    (invoice) =>
      all(invoice, 'cac:PaymentMeans/cbc:PaymentMeansCode').filter((code) => code.attributes.has('name')).length <= 1,
    {
      en: 'The means of payment has more than one name.',
      de: 'Die Zahlungsart hat mehr als einen Namen.',
    },
  ),
  condition('UBL-SR-47', 'BT-81', (invoice) => sameEverywhere(invoice, 'cbc:PaymentMeansCode'), {
    en: 'The codes of the means of payment differ. An invoice has one, also with several bank accounts.',
    de: 'Die Codes der Zahlungsarten weichen ab. Eine Rechnung hat eine, auch bei mehreren Bankverbindungen.',
  }),
  atMost('UBL-SR-49', 'cac:InvoicePeriod/cbc:DescriptionCode', 'BT-8'),
  atMost('UBL-SR-54', 'cac:PaymentMeans/cac:CardAccount', 'BG-18'),
  atMost('UBL-SR-55', 'cac:PaymentMeans/cac:PaymentMandate', 'BG-19'),
  atMost('UBL-SR-56', 'cac:OriginatorDocumentReference/cbc:ID', 'BT-17'),
  condition(
    'UBL-CR-002',
    '',
    (invoice) => !has(invoice, 'cbc:UBLVersionID') || texts(invoice, 'cbc:UBLVersionID').includes('2.1'),
    { en: 'The version of UBL is not 2.1.', de: 'Die Version von UBL ist nicht 2.1.' },
    'warning',
  ),
  condition(
    'UBL-CR-412',
    'BT-9',
    (invoice) => invoice.qname === 'cn:CreditNote' || !has(invoice, 'cac:PaymentMeans/cbc:PaymentDueDate'),
    {
      en: 'The due date is in the means of payment; in an invoice it belongs to "cbc:DueDate".',
      de: 'Das Fälligkeitsdatum steht beim Zahlungsweg; in einer Rechnung gehört es in „cbc:DueDate“.',
    },
    'warning',
  ),
  condition(
    'UBL-CR-665',
    'BT-18',
    (invoice) =>
      !documentReferences(invoice)
        .filter((reference) => !typeCodeIs130(reference))
        .some((reference) => all(reference, 'cbc:ID').some((id) => id.attributes.has('schemeID'))),
    {
      en: 'A supporting document has an identifier with a scheme; only an invoiced object (type code 130) has one.',
      de: 'Eine Anlage hat eine Kennung mit Schema; vorgesehen ist es nur beim Objekt der Abrechnung (Code 130).',
    },
    'warning',
  ),
  condition(
    'UBL-CR-666',
    'BT-18 BT-125',
    (invoice) => !documentReferences(invoice).some((item) => typeCodeIs130(item) && has(item, 'cac:Attachment')),
    {
      en: 'An invoiced object (type code 130) has an attachment.',
      de: 'Ein Objekt der Abrechnung (Code 130) hat eine Anlage.',
    },
  ),
  condition(
    'UBL-CR-673',
    'BT-18 BT-123',
    (invoice) =>
      !documentReferences(invoice).some((item) => typeCodeIs130(item) && has(item, 'cbc:DocumentDescription')),
    {
      en: 'An invoiced object (type code 130) has a description.',
      de: 'Ein Objekt der Abrechnung (Code 130) hat eine Beschreibung.',
    },
  ),
  condition(
    'UBL-DT-18',
    'BT-82',
    (invoice) => !hasNameElsewhere(invoice),
    {
      en: 'The attribute "name" is only used with the code of the means of payment.',
      de: 'Das Attribut „name“ ist nur beim Code der Zahlungsart vorgesehen.',
    },
    'warning',
  ),
];

function sameEverywhere(invoice: XmlElement, qname: string): boolean {
  return distinct(anywhere(invoice, qname).map((element) => element.text)) <= 1;
}

function hasNameElsewhere(element: XmlElement): boolean {
  if (element.attributes.has('name') && element.qname !== 'cbc:PaymentMeansCode') return true;
  return element.children.some(hasNameElsewhere);
}

/** The payee is somebody else than the seller: three rules of the artefacts share this condition. */
function payee(rule: string, terms: string, path: string, keep: (element: XmlElement) => boolean): Statement {
  return condition(
    rule,
    terms,
    (context) => {
      const sellers = texts(context.parent ?? context, `${supplier}/cac:PartyLegalEntity/cbc:RegistrationName`);
      const names = texts(context, 'cac:PartyName/cbc:Name');
      const differs = names.some((name) => sellers.some((seller) => seller !== name));
      return all(context, path).filter(keep).length <= 1 && differs;
    },
    {
      en: `The payee must have a name that is not the seller's, and "${path}" at most once.`,
      de: `Der Zahlungsempfänger braucht einen anderen Namen als der Verkäufer und „${path}“ höchstens einmal.`,
    },
  );
}

const amounts: Statement = condition(
  'UBL-DT-01',
  '',
  (amount) => (amount.text.split('.').slice(1).join('.') || '').length <= 2,
  {
    en: 'The amount has more than two decimal places.',
    de: 'Der Betrag hat mehr als zwei Nachkommastellen.',
  },
);

function isRoundedAmount(element: XmlElement): boolean {
  if (element.qname.endsWith('PriceAmount')) return false;
  for (let outer = element.parent; outer !== undefined; outer = outer.parent)
    if (outer.qname === 'cac:AllowanceCharge' && outer.parent?.qname === 'cac:Price') return false;
  return true;
}

function indicator(value: 'true' | 'false'): (charge: XmlElement) => boolean {
  const accepted = value === 'true' ? ['true', '1'] : ['false', '0'];
  return (charge) => texts(charge, 'cbc:ChargeIndicator').some((text) => accepted.includes(text));
}

function attribute(rule: string, terms: string, name: string): Statement {
  return condition(rule, terms, (element) => element.attributes.has(name), {
    en: `The attached document lacks the attribute "${name}".`,
    de: `Beim angehängten Dokument fehlt das Attribut „${name}“.`,
  });
}

export const UBL_CONTEXTS: readonly Context[] = [
  {
    on: 'cac:PostalAddress | cac:Address',
    statements: [
      condition('UBL-SR-51', 'BT-162 BT-163 BT-164 BT-165', (it) => all(it, 'cac:AddressLine').length <= 1, {
        ...tooMany('cac:AddressLine'),
      }),
    ],
  },
  {
    on: supplier,
    statements: [atMost('UBL-SR-42', 'cac:PartyTaxScheme', 'BT-31 BT-32', 'fatal', 2)],
  },
  {
    on: 'cac:AdditionalDocumentReference',
    statements: [
      atMost('UBL-SR-33', 'cbc:DocumentDescription', 'BT-123'),
      condition('UBL-SR-43', 'BT-18 BT-122', isKnownReference, {
        en: 'The type code must be 130 (invoiced object); a supporting document has neither code nor scheme.',
        de: 'Der Code muss 130 sein (Objekt der Abrechnung); eine Anlage hat weder Code noch Schema.',
      }),
    ],
  },
  { on: '*Amount', where: isRoundedAmount, statements: [amounts] },
  {
    on: '*BinaryObject',
    statements: [attribute('UBL-DT-06', 'BT-125', 'mimeCode'), attribute('UBL-DT-07', 'BT-125', 'filename')],
  },
  { on: 'cac:Delivery', statements: [atMost('UBL-SR-25', 'cac:DeliveryParty/cac:PartyName/cbc:Name', 'BT-70')] },
  {
    on: 'cac:AllowanceCharge',
    where: indicator('false'),
    statements: [atMost('UBL-SR-30', 'cbc:AllowanceChargeReason', 'BT-97 BT-139')],
  },
  {
    on: 'cac:AllowanceCharge',
    where: indicator('true'),
    statements: [atMost('UBL-SR-31', 'cbc:AllowanceChargeReason', 'BT-104 BT-144')],
  },
  {
    on: 'cac:PartyTaxScheme',
    statements: [
      condition(
        'UBL-SR-53',
        'BT-31 BT-32 BT-48 BT-63',
        (it) => has(it, 'cac:TaxScheme/cbc:ID') && has(it, 'cbc:CompanyID'),
        {
          en: 'A tax number needs its identifier ("cbc:CompanyID") and the tax ("cac:TaxScheme/cbc:ID").',
          de: 'Eine Steuernummer braucht Kennung („cbc:CompanyID“) und Steuer („cac:TaxScheme/cbc:ID“).',
        },
      ),
    ],
  },
  {
    on: '/ubl:Invoice | /cn:CreditNote',
    unused: parsePathTable(UNUSED_IN_UBL, ruleOf),
    unusedAnywhere: parsePathTable(UNUSED_ANYWHERE_IN_UBL, ruleOf),
    statements: root,
  },
  {
    on: 'cac:InvoiceLine | cac:CreditNoteLine',
    statements: [
      atMost('UBL-SR-34', 'cbc:Note', 'BT-127'),
      atMost('UBL-SR-35', 'cac:OrderLineReference/cbc:LineID', 'BT-132'),
      atMost('UBL-SR-36', 'cac:InvoicePeriod', 'BG-26'),
      atMost('UBL-SR-37', 'cac:Price/cac:AllowanceCharge/cbc:Amount', 'BT-147'),
      exactlyOne('UBL-SR-48', 'cac:Item/cac:ClassifiedTaxCategory', 'BG-30'),
      atMost('UBL-SR-50', 'cac:Item/cbc:Description', 'BT-154'),
      atMost('UBL-SR-52', 'cac:DocumentReference', 'BT-128'),
    ],
  },
  {
    on: 'cac:PayeeParty',
    statements: [
      payee('UBL-SR-19', 'BT-59', 'cac:PartyName/cbc:Name', () => true),
      payee('UBL-SR-20', 'BT-60', 'cac:PartyIdentification/cbc:ID', (id) => schemeOf(id) !== 'SEPA'),
      payee('UBL-SR-21', 'BT-61', 'cac:PartyLegalEntity/cbc:CompanyID', () => true),
    ],
  },
  {
    on: 'cac:PaymentMeans',
    statements: [
      atMost('UBL-SR-26', 'cbc:PaymentID', 'BT-83'),
      atMost('UBL-SR-27', 'cbc:PaymentMeansCode', 'BT-81'),
      atMost('UBL-SR-28', 'cac:PaymentMandate/cbc:ID', 'BT-89'),
    ],
  },
  {
    on: 'cac:BillingReference',
    statements: [
      atMost('UBL-SR-06', 'cac:InvoiceDocumentReference', 'BG-3'),
      condition('UBL-SR-07', 'BT-25', (it) => has(it, 'cac:InvoiceDocumentReference/cbc:ID'), {
        en: 'The reference to a preceding invoice has no number.',
        de: 'Beim Verweis auf eine vorausgegangene Rechnung fehlt deren Nummer.',
      }),
    ],
  },
  {
    on: 'cac:TaxRepresentativeParty',
    statements: [
      atMost('UBL-SR-22', 'cac:PartyName/cbc:Name', 'BT-62'),
      atMost('UBL-SR-23', 'cac:PartyTaxScheme/cbc:CompanyID', 'BT-63'),
    ],
  },
  { on: 'cac:TaxSubtotal', statements: [atMost('UBL-SR-32', 'cac:TaxCategory/cbc:TaxExemptionReason', 'BT-120')] },
];

function isKnownReference(reference: XmlElement): boolean {
  if (typeCodeIs130(reference)) return true;
  let root = reference;
  while (root.parent !== undefined) root = root.parent;
  if (root.name === 'CreditNote' && texts(reference, 'cbc:DocumentTypeCode').includes('50')) return true;
  const scheme = all(reference, 'cbc:ID').some((id) => id.attributes.has('schemeID'));
  return !scheme && !has(reference, 'cbc:DocumentTypeCode');
}
