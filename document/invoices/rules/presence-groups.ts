import type { XmlElement } from '../syntaxes/index.js';
import type { Facts } from './facts.js';
import { demands, filled, type Report, type Rule, sentence, termsOf } from './rule.js';

const allowances = ({ allowances: all }: Facts) => all;
const charges = ({ charges: all }: Facts) => all;
const breakdown = ({ breakdown: all }: Facts) => all;

const allowanceReason = sentence(
  'An allowance on document level gives no reason, neither as text nor as code.',
  'Ein Nachlass auf Dokumentenebene nennt keinen Grund, weder als Text noch als Code.',
);
const chargeReason = sentence(
  'A charge on document level gives no reason, neither as text nor as code.',
  'Ein Zuschlag auf Dokumentenebene nennt keinen Grund, weder als Text noch als Code.',
);

interface Reasoned {
  readonly reason?: string;
  readonly reasonCode?: string;
}
export const anyReason = ({ reason, reasonCode }: Reasoned): string | undefined => reason ?? reasonCode;

/** What allowances, charges, VAT breakdowns and references must have (EN 16931-1, 6.4.2). */
export const presenceInGroups: readonly Rule[] = [
  demands(
    'BR-31',
    'BG-20 BT-92',
    allowances,
    ({ amount }) => amount,
    'exists',
    sentence('An allowance on document level has no amount.', 'Ein Nachlass auf Dokumentenebene hat keinen Betrag.'),
  ),
  demands(
    'BR-32',
    'BG-20 BT-95',
    allowances,
    (part, facts) => (facts.isOfVat(part, 'vatCategory') ? part.vatCategory : undefined),
    'exists',
    sentence(
      'An allowance on document level has no VAT category.',
      'Ein Nachlass auf Dokumentenebene hat keine Umsatzsteuerkategorie.',
    ),
  ),
  demands('BR-33', 'BG-20 BT-97 BT-98', allowances, anyReason, 'exists', allowanceReason),
  demands('BR-CO-21', 'BG-20 BT-97 BT-98', allowances, anyReason, 'exists', allowanceReason),
  demands(
    'BR-36',
    'BG-21 BT-99',
    charges,
    ({ amount }) => amount,
    'exists',
    sentence('A charge on document level has no amount.', 'Ein Zuschlag auf Dokumentenebene hat keinen Betrag.'),
  ),
  demands(
    'BR-37',
    'BG-21 BT-102',
    charges,
    (part, facts) => (facts.isOfVat(part, 'vatCategory') ? part.vatCategory : undefined),
    'exists',
    sentence(
      'A charge on document level has no VAT category.',
      'Ein Zuschlag auf Dokumentenebene hat keine Umsatzsteuerkategorie.',
    ),
  ),
  demands('BR-38', 'BG-21 BT-104 BT-105', charges, anyReason, 'exists', chargeReason),
  demands('BR-CO-22', 'BG-21 BT-104 BT-105', charges, anyReason, 'exists', chargeReason),
  demands(
    'BR-45',
    'BG-23 BT-116',
    breakdown,
    ({ taxableAmount }) => taxableAmount,
    'exists',
    sentence(
      'A VAT breakdown has no taxable amount.',
      'Eine Umsatzsteueraufschlüsselung hat keine Bemessungsgrundlage.',
    ),
  ),
  demands(
    'BR-46',
    'BG-23 BT-117',
    breakdown,
    ({ taxAmount }) => taxAmount,
    'exists',
    sentence('A VAT breakdown has no tax amount.', 'Eine Umsatzsteueraufschlüsselung hat keinen Steuerbetrag.'),
  ),
  demands(
    'BR-47',
    'BG-23 BT-118',
    breakdown,
    (entry, facts) => (facts.isOfVat(entry, 'category') ? entry.category : undefined),
    'exists',
    sentence('A VAT breakdown has no category.', 'Eine Umsatzsteueraufschlüsselung hat keine Kategorie.'),
  ),
  demands(
    'BR-48',
    'BG-23 BT-119',
    breakdown,
    (entry, facts) => rateOf(entry, facts),
    'exists',
    sentence('A VAT breakdown has no rate.', 'Eine Umsatzsteueraufschlüsselung hat keinen Steuersatz.'),
  ),
  {
    id: 'BR-52',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BG-24 BT-122'),
    message: sentence('A supporting document has no reference.', 'Eine begründende Unterlage hat keine Kennung.'),
    check: (facts, report) => {
      const [document, id] =
        facts.family === 'ubl'
          ? (['cac:AdditionalDocumentReference', 'cbc:ID'] as const)
          : (['ram:AdditionalReferencedDocument', 'ram:IssuerAssignedID'] as const);
      for (const element of facts.elements(document)) if (!filled(element.child(id)?.text)) report({ at: element });
    },
  },
  {
    id: 'BR-53',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BT-6 BT-111'),
    message: sentence(
      'The invoice names a currency for VAT accounting but gives no VAT total in it.',
      'Die Rechnung nennt eine Währung der Umsatzsteuerabrechnung, aber keinen Steuerbetrag in ihr.',
    ),
    check: checkVatCurrency,
  },
  {
    id: 'BR-55',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BG-3 BT-25'),
    message: sentence(
      'A reference to a preceding invoice has no invoice number.',
      'Ein Verweis auf eine vorausgegangene Rechnung hat keine Rechnungsnummer.',
    ),
    check: (facts, report) => {
      for (const reference of facts.elements('cac:BillingReference'))
        if (reference.child('cac:InvoiceDocumentReference')?.child('cbc:ID') === undefined) report({ at: reference });
      for (const reference of facts.elements('ram:InvoiceReferencedDocument'))
        if (
          reference.parent?.qname === 'ram:ApplicableHeaderTradeSettlement' &&
          !filled(reference.child('ram:IssuerAssignedID')?.text)
        )
          report({ at: reference });
    },
  },
  {
    id: 'BR-CO-18',
    set: 'en16931',
    severity: 'fatal',
    terms: ['BG-23'],
    message: sentence('The invoice has no VAT breakdown.', 'Die Rechnung hat keine Umsatzsteueraufschlüsselung.'),
    check: (facts, report) => {
      // In CII the test is attached to the lines, so an invoice without lines passes it.
      if (facts.breakdown.length > 0 || (facts.family === 'cii' && facts.lines.length === 0)) return;
      report({ at: [facts.invoice] });
    },
  },
];

/** The rate of a breakdown; `none` where it needs none. A rate beside another tax than VAT does not count. */
function rateOf(entry: Facts['breakdown'][number], facts: Facts): string | undefined {
  if (entry.category?.trim() === 'O' && facts.isOfVat(entry, 'category')) return 'none';
  return facts.rateOfVat(entry);
}

/** The elements that hold VAT totals, one for each currency. */
export function vatTotals(facts: Facts): readonly XmlElement[] {
  if (facts.family === 'cii') return facts.elements('ram:TaxTotalAmount');
  return facts
    .elements('cac:TaxTotal')
    .filter(({ parent }) => parent === facts.root)
    .flatMap(({ children }) => children.filter(({ qname }) => qname === 'cbc:TaxAmount'));
}

function checkVatCurrency(facts: Facts, report: Report): void {
  const { vatCurrency, currency, totals } = facts.invoice;
  if (vatCurrency === undefined || (facts.family === 'cii' && totals === undefined)) return;
  const given = vatTotals(facts).some(({ attributes }) => attributes.get('currencyID') === vatCurrency);
  if (!given) report({ at: [facts.invoice, 'vatCurrency'], value: vatCurrency });
  else if (facts.family === 'cii' && vatCurrency === currency)
    report({
      at: [facts.invoice, 'vatCurrency'],
      value: vatCurrency,
      message: sentence(
        `The currency for VAT accounting (${vatCurrency}) is that of the invoice; it is given only if it differs.`,
        `Die Währung der Umsatzsteuerabrechnung (${vatCurrency}) ist die der Rechnung; sie wird nur angegeben, wenn sie abweicht.`,
      ),
    });
}
