import { parseDecimal } from '../../amounts/index.js';
import type { XmlElement } from '../../syntaxes/index.js';
import { isDate, type Period } from '../dates.js';
import type { Facts } from '../facts.js';
import { paymentMeansOf } from '../payment.js';
import { vatTotals } from '../presence-groups.js';
import { type Report, type Rule, sentence } from '../rule.js';
import { xrRule } from './xr-rule.js';

const rule = (number: string, terms: string, en: string, de: string, check: Rule['check']): Rule =>
  xrRule(`PEPPOL-EN16931-R${number}`, terms, sentence(en, de), check, { set: 'xrechnung-peppol' });

/** Rules of Peppol BIS Billing that XRechnung 3.0 has made its own: those about the document. */
export const peppolDocumentRules: readonly Rule[] = [
  rule(
    '001',
    'BT-23',
    'The business process is missing.',
    'Der Geschäftsprozess fehlt.',
    ({ invoice: { process }, invoice }, report) => {
      if (process?.businessProcess === undefined) report({ at: [process ?? invoice] });
    },
  ),
  rule(
    '005',
    'BT-6 BT-5',
    'The currency for VAT accounting is that of the invoice; it is given only if it differs.',
    'Die Währung der Umsatzsteuerabrechnung ist die der Rechnung; sie wird nur angegeben, wenn sie abweicht.',
    ({ invoice }, report) => {
      const { vatCurrency, currency } = invoice;
      if (vatCurrency !== undefined && vatCurrency === currency)
        report({ at: [invoice, 'vatCurrency'], value: vatCurrency });
    },
  ),
  rule('008', 'BG-0', 'An element is empty.', 'Ein Element ist leer.', checkEmptyElements),
  rule(
    '010',
    'BT-49',
    'The electronic address of the buyer is missing.',
    'Die elektronische Adresse des Käufers fehlt.',
    ({ invoice: { buyer } }, report) => {
      if (buyer !== undefined && buyer.electronicAddress === undefined) report({ at: [buyer] });
    },
  ),
  rule(
    '020',
    'BT-34',
    'The electronic address of the seller is missing.',
    'Die elektronische Adresse des Verkäufers fehlt.',
    ({ invoice: { seller } }, report) => {
      if (seller !== undefined && seller.electronicAddress === undefined) report({ at: [seller] });
    },
  ),
  rule(
    '053',
    'BT-110 BG-23',
    'There must be one total of VAT with a breakdown.',
    'Es muss genau einen Gesamtbetrag der Umsatzsteuer mit Aufschlüsselung geben.',
    (facts, report) => {
      const { currency } = facts.invoice;
      const count =
        facts.family === 'ubl'
          ? taxTotals(facts).filter(hasSubtotals).length
          : vatTotals(facts).filter(({ attributes }) => attributes.get('currencyID') === currency).length;
      if (facts.family === 'ubl' ? count !== 1 : count > 1) report({ at: [facts.invoice], value: String(count) });
    },
  ),
  rule(
    '054',
    'BT-111 BT-6',
    'There must be one total of VAT without a breakdown if a currency for VAT accounting is named, otherwise none.',
    'Mit einer Währung der Umsatzsteuerabrechnung muss es einen Steuerbetrag ohne Aufschlüsselung geben, sonst keinen.',
    (facts, report) => {
      const { currency, vatCurrency } = facts.invoice;
      const others =
        facts.family === 'ubl'
          ? taxTotals(facts).filter((total) => !hasSubtotals(total)).length
          : vatTotals(facts).filter(({ attributes }) => isOther(attributes.get('currencyID'), currency)).length;
      if (others !== (vatCurrency === undefined ? 0 : 1)) report({ at: [facts.invoice], value: String(others) });
    },
  ),
  rule(
    '055',
    'BT-110 BT-111',
    'The totals of VAT in the two currencies must have the same sign.',
    'Die Gesamtbeträge der Umsatzsteuer in den beiden Währungen müssen dasselbe Vorzeichen haben.',
    checkSigns,
  ),
  rule(
    '061',
    'BT-89',
    'A direct debit lacks the reference of the mandate.',
    'Einer Lastschrift fehlt die Mandatsreferenz.',
    (facts, report) => {
      for (const { element, code } of paymentMeansOf(facts)) {
        if (code !== '49' && code !== '59') continue;
        const mandate =
          facts.family === 'ubl'
            ? element.child('cac:PaymentMandate')?.child('cbc:ID')
            : facts.invoice.payment?.directDebit?.mandate;
        if (mandate === undefined) report({ at: element, value: code });
      }
    },
  ),
  rule(
    '110',
    'BT-134 BT-73',
    'The period of the line begins before the period of the invoice.',
    'Der Zeitraum der Position beginnt vor dem der Rechnung.',
    (facts, report) => checkWithin(facts, report, 'start'),
  ),
  rule(
    '111',
    'BT-135 BT-74',
    'The period of the line ends after the period of the invoice.',
    'Der Zeitraum der Position endet nach dem der Rechnung.',
    (facts, report) => checkWithin(facts, report, 'end'),
  ),
];

/** A comparison with nothing is never true in XPath: an amount without a currency is not in another one. */
const isOther = (currency: string | undefined, of: string | undefined): boolean =>
  currency !== undefined && of !== undefined && currency !== of;

const taxTotals = (facts: Facts): readonly XmlElement[] =>
  facts.elements('cac:TaxTotal').filter(({ parent }) => parent === facts.root);
const hasSubtotals = (total: XmlElement): boolean => total.child('cac:TaxSubtotal') !== undefined;

function checkEmptyElements(facts: Facts, report: Report): void {
  for (const [qname, elements] of facts.allElements) {
    if (qname === 'ram:ApplicableHeaderTradeDelivery') continue;
    for (const element of elements) {
      if (element.children.length > 0 || element.text !== '') continue;
      const message = sentence(
        `The element ${element.name} is empty: leave it out or fill it.`,
        `Das Element ${element.name} ist leer: weglassen oder füllen.`,
      );
      report({ at: element, message });
    }
  }
}

function checkSigns(facts: Facts, report: Report): void {
  const { currency, vatCurrency } = facts.invoice;
  if (vatCurrency === undefined) return;
  const amountsIn = (wanted: string | undefined): number[] =>
    vatTotals(facts)
      .filter(({ attributes }) => attributes.get('currencyID') === wanted)
      .flatMap(({ text }) => parseDecimal(text)?.cmp(0) ?? []);
  const [accounting, document] = [amountsIn(vatCurrency), amountsIn(currency)];
  if (facts.family === 'cii' && document.length === 0) return;
  const zeroWithNegative = facts.family === 'ubl';
  const both = (holds: (sign: number) => boolean): boolean => accounting.some(holds) && document.some(holds);
  if (both((sign) => (zeroWithNegative ? sign <= 0 : sign < 0)) || both((sign) => sign >= 0)) return;
  const total = vatTotals(facts).find(({ attributes }) => attributes.get('currencyID') === vatCurrency);
  report({ at: total ?? [facts.invoice], value: total?.text });
}

/** The tests for CII compare texts, whether there is such a date or not. */
function isInside({ family, invoice, read }: Facts, period: Period, key: 'start' | 'end'): boolean {
  const around: Period = invoice.delivery?.invoicingPeriod ?? {};
  const [date, whole] = [period, around].map((one) => (family === 'cii' ? read.elementOf(one, key)?.text : one[key]));
  if (date === undefined || whole === undefined || (family === 'ubl' && !(isDate(date) && isDate(whole)))) return false;
  return key === 'start' ? date >= whole : date <= whole;
}

function checkWithin(facts: Facts, report: Report, key: 'start' | 'end'): void {
  const whole = facts.invoice.delivery?.invoicingPeriod?.[key];
  if (whole === undefined) return;
  const message = peppolDocumentRules.find(({ id }) => id.endsWith(key === 'start' ? '110' : '111'))?.message;
  for (const { period } of facts.lines) {
    const date = period?.[key];
    if (period === undefined || date === undefined) continue;
    if (isInside(facts, period, key)) continue;
    const at = [period, key] as const;
    report(message === undefined ? { at, value: date } : { at, value: date, message: facts.inLine(period, message) });
  }
}
