import type { XmlElement } from '../syntaxes/index.js';
import type { Facts, Family } from './facts.js';
import { filled, type Rule, sentence, termsOf } from './rule.js';

/** Payment means as the syntaxes write them: the model has one group, but a document can have several elements. */
export interface PaymentNames {
  readonly means: string;
  readonly code: string;
  readonly account: string;
  readonly accountIds: readonly string[];
  readonly card: string;
  readonly cardNumber: string;
}

export const PAYMENT_NAMES: Readonly<Record<Family, PaymentNames>> = {
  ubl: {
    means: 'cac:PaymentMeans',
    code: 'cbc:PaymentMeansCode',
    account: 'cac:PayeeFinancialAccount',
    accountIds: ['cbc:ID'],
    card: 'cac:CardAccount',
    cardNumber: 'cbc:PrimaryAccountNumberID',
  },
  cii: {
    means: 'ram:SpecifiedTradeSettlementPaymentMeans',
    code: 'ram:TypeCode',
    account: 'ram:PayeePartyCreditorFinancialAccount',
    accountIds: ['ram:IBANID', 'ram:ProprietaryID'],
    card: 'ram:ApplicableTradeSettlementFinancialCard',
    cardNumber: 'ram:ID',
  },
};

/** Code and element of each payment means. */
export function paymentMeansOf(facts: Facts): { element: XmlElement; code: string }[] {
  const names = PAYMENT_NAMES[facts.family];
  return facts.elements(names.means).map((element) => ({ element, code: element.child(names.code)?.text ?? '' }));
}

const isTransfer = (code: string): boolean => code === '30' || code === '58';

/** Payment instructions (EN 16931-1, 6.4.2: BR-49 to BR-51, BR-61). */
export const paymentRules: readonly Rule[] = [
  {
    id: 'BR-49',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BG-16 BT-81'),
    message: sentence(
      'The payment instructions do not say by which means to pay.',
      'Die Zahlungsanweisungen nennen nicht, auf welche Weise zu zahlen ist.',
    ),
    check: (facts, report) => {
      const { means, code } = PAYMENT_NAMES[facts.family];
      for (const element of facts.elements(means)) if (element.child(code) === undefined) report({ at: element });
    },
  },
  {
    id: 'BR-50',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BT-84 BG-17 BG-16'),
    message: sentence(
      'The account for the credit transfer has no identifier (IBAN).',
      'Das Konto für die Überweisung hat keine Kennung (IBAN).',
    ),
    check: (facts, report) => {
      for (const account of transferAccounts(facts))
        if (!accountIds(facts, account).some(({ text }) => filled(text))) report({ at: account });
    },
  },
  {
    id: 'BR-61',
    set: 'en16931',
    severity: 'fatal',
    terms: termsOf('BT-81 BT-84'),
    message: sentence(
      'The invoice asks for a credit transfer (code 30 or 58) but names no account.',
      'Die Rechnung verlangt eine Überweisung (Code 30 oder 58), nennt aber kein Konto.',
    ),
    check: (facts, report) => {
      if (facts.family === 'cii') {
        // In CII the test is attached to the account, so it does not notice a missing one.
        for (const account of transferAccounts(facts))
          if (accountIds(facts, account).length === 0) report({ at: account });
        return;
      }
      for (const { element, code } of paymentMeansOf(facts)) {
        if (!isTransfer(code)) continue;
        const accounts = element.children.filter(({ qname }) => qname === PAYMENT_NAMES.ubl.account);
        if (accounts.every((account) => account.child('cbc:ID') === undefined)) report({ at: element, value: code });
      }
    },
  },
  ...(['ubl', 'cii'] as const).map((family): Rule => ({
    id: 'BR-51',
    set: 'en16931',
    severity: family === 'ubl' ? 'warning' : 'fatal',
    family,
    terms: ['BT-87'],
    message: sentence(
      'The number of a payment card shows more than ten digits: at most the first six and the last four may be shown.',
      'Die Nummer einer Zahlungskarte zeigt mehr als zehn Stellen: erlaubt sind die ersten sechs und letzten vier.',
    ),
    check: (facts, report) => {
      const { card, cardNumber, means } = PAYMENT_NAMES[family];
      for (const element of facts.elements(card)) {
        if (family === 'ubl' && element.parent?.qname !== means) continue;
        const number = element.child(cardNumber);
        // Not repeated as the value: it is the secret that the rule protects.
        if (number !== undefined && collapsed(number.text).length > 10) report({ at: number });
      }
    },
  })),
];

const collapsed = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

function transferAccounts(facts: Facts): XmlElement[] {
  const { account } = PAYMENT_NAMES[facts.family];
  return paymentMeansOf(facts)
    .filter(({ code }) => isTransfer(code))
    .flatMap(({ element }) => element.children.filter(({ qname }) => qname === account));
}

function accountIds({ family }: Facts, account: XmlElement): XmlElement[] {
  return account.children.filter(({ qname }) => PAYMENT_NAMES[family].accountIds.includes(qname));
}
