import type { XmlElement } from '../../syntaxes/index.js';
import type { Facts } from '../facts.js';
import { PAYMENT_NAMES, paymentMeansOf } from '../payment.js';
import { type Report, type Rule, sentence } from '../rule.js';
import { xrRule } from './xr-rule.js';

const TRANSFER = ['30', '58'];
const CARD = ['48', '54', '55'];
const DEBIT = ['59'];

type Means = { readonly element: XmlElement; readonly code: string };

const withCode = (facts: Facts, codes: readonly string[]): readonly Means[] =>
  paymentMeansOf(facts).filter(({ code }) => codes.includes(code));

const hasAccount = ({ element }: Means, { family }: Facts): boolean =>
  element.child(PAYMENT_NAMES[family].account) !== undefined;
const hasCard = ({ element }: Means, { family }: Facts): boolean =>
  element.child(PAYMENT_NAMES[family].card) !== undefined;

/** BG-19: in UBL an element of the payment means, in CII three terms in different places. */
function hasDebit({ element }: Means, { family, invoice: { payment } }: Facts): boolean {
  if (family === 'ubl') return element.child('cac:PaymentMandate') !== undefined;
  const { mandate, creditor } = payment?.directDebit ?? {};
  return mandate !== undefined || creditor !== undefined || debtorAccount(element) !== undefined;
}

const debtorAccount = (means: XmlElement): XmlElement | undefined =>
  means.child('ram:PayerPartyDebtorFinancialAccount')?.child('ram:IBANID');

/** In CII, the bank of a party counts too. */
const hasBank = ({ element }: Means): boolean =>
  element.child('ram:PayeeSpecifiedCreditorFinancialInstitution') !== undefined ||
  element.child('ram:PayerSpecifiedDebtorFinancialInstitution') !== undefined;

type Condition = (means: Means, facts: Facts) => boolean;

function means(id: string, terms: string, codes: readonly string[], en: string, de: string, holds: Condition): Rule {
  const list = codes.join(', ');
  const message = sentence(`Payment by code ${list}: ${en}`, `Zahlung mit Code ${list}: ${de}`);
  return xrRule(id, terms, message, (facts, report) => {
    for (const each of withCode(facts, codes)) if (!holds(each, facts)) report({ at: each.element, value: each.code });
  });
}

/** BR-DE-19, 20, 23 to 25, 30, 31: which details belong to which means of payment. */
export const paymentDetailRules: readonly Rule[] = [
  iban('BR-DE-19', 'BT-84 BT-81', '58', ({ element }, { family }) =>
    family === 'ubl'
      ? element.child('cac:PayeeFinancialAccount')?.child('cbc:ID')
      : element.child('ram:PayeePartyCreditorFinancialAccount')?.child('ram:IBANID'),
  ),
  iban('BR-DE-20', 'BT-91 BT-81', '59', ({ element }, { family }) =>
    family === 'ubl'
      ? element.child('cac:PaymentMandate')?.child('cac:PayerFinancialAccount')?.child('cbc:ID')
      : debtorAccount(element),
  ),
  means(
    'BR-DE-23-a',
    'BT-81 BG-17',
    TRANSFER,
    'the account for the credit transfer is missing.',
    'Das Konto für die Überweisung fehlt.',
    hasAccount,
  ),
  means(
    'BR-DE-23-b',
    'BT-81 BG-18 BG-19',
    TRANSFER,
    'details of a card or a direct debit may not be given.',
    'Angaben zu Karte oder Lastschrift dürfen nicht angegeben sein.',
    (each, facts) => !hasCard(each, facts) && !hasDebit(each, facts),
  ),
  means(
    'BR-DE-24-a',
    'BT-81 BG-18',
    CARD,
    'the details of the card are missing.',
    'Die Angaben zur Karte fehlen.',
    hasCard,
  ),
  means(
    'BR-DE-24-b',
    'BT-81 BG-17 BG-19',
    CARD,
    'details of a credit transfer or a direct debit may not be given.',
    'Angaben zu Überweisung oder Lastschrift dürfen nicht angegeben sein.',
    (each, facts) => !hasAccount(each, facts) && !hasDebit(each, facts),
  ),
  means(
    'BR-DE-25-a',
    'BT-81 BG-19',
    DEBIT,
    'the details of the direct debit are missing.',
    'Die Angaben zur Lastschrift fehlen.',
    hasDebit,
  ),
  means(
    'BR-DE-25-b',
    'BT-81 BG-17 BG-18',
    DEBIT,
    'details of a credit transfer or a card may not be given.',
    'Angaben zu Überweisung oder Karte dürfen nicht angegeben sein.',
    (each, facts) => !hasAccount(each, facts) && !hasCard(each, facts) && (facts.family === 'ubl' || !hasBank(each)),
  ),
  xrRule(
    'BR-DE-30',
    'BT-90',
    sentence('The direct debit lacks the identifier of the creditor.', 'Der Lastschrift fehlt die Gläubiger-ID.'),
    (facts, report) => checkDebit(facts, report, 'creditor'),
  ),
  xrRule(
    'BR-DE-31',
    'BT-91',
    sentence('The direct debit lacks the account to be debited.', 'Der Lastschrift fehlt das zu belastende Konto.'),
    (facts, report) => checkDebit(facts, report, 'account'),
  ),
];

function checkDebit(facts: Facts, report: Report, demanded: 'creditor' | 'account'): void {
  const { invoice, family } = facts;
  const { mandate, creditor, account } = invoice.payment?.directDebit ?? {};
  if (family === 'ubl') {
    const mandates = facts.elements('cac:PaymentMandate');
    const given = demanded === 'creditor' ? creditor : account;
    if (mandates[0] !== undefined && given === undefined) report({ at: mandates[0] });
    return;
  }
  if (mandate === undefined && creditor === undefined && account === undefined) return;
  // The tests for CII demand another detail beside the one that they are about.
  const [given, other] = demanded === 'creditor' ? [creditor, account] : [account, creditor];
  if (given === undefined || (mandate === undefined && other === undefined)) report({ at: [invoice] });
}

function iban(
  id: string,
  terms: string,
  code: string,
  account: (means: Means, facts: Facts) => XmlElement | undefined,
): Rule {
  const message = sentence('The account is not a correct IBAN.', 'Das Konto ist keine richtige IBAN.');
  return xrRule(
    id,
    terms,
    message,
    (facts, report) => {
      for (const each of withCode(facts, [code])) {
        const element = account(each, facts);
        if (!isIban(element?.text ?? '')) report({ at: element ?? each.element, value: element?.text });
      }
    },
    { severity: 'warning' },
  );
}

/** ISO 13616: country, two check digits, account; mod 97 of the whole with letters as numbers is 1. */
export function isIban(text: string): boolean {
  const compact = text.replaceAll(/\s/g, '');
  if (!/^[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{0,30}$/.test(compact)) return false;
  let rest = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = character > '9' ? character.charCodeAt(0) - 55 : Number(character);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
