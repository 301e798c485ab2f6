import type { XmlElement } from '../../syntaxes/index.js';
import type { Facts } from '../facts.js';
import { type Rule, sentence, termsOf } from '../rule.js';
import { all, has, texts } from '../syntax/select.js';
import { sincePresentFacturX } from './in-force.js';

const SETTLEMENT = 'ram:ApplicableHeaderTradeSettlement';
const AGREEMENT = 'ram:ApplicableHeaderTradeAgreement';
const DELIVERY = 'ram:ApplicableHeaderTradeDelivery';

const isGerman = (transaction: XmlElement, ...parties: readonly string[]): boolean =>
  parties.some((party) =>
    texts(transaction, `${party}/ram:PostalTradeAddress/ram:CountryID`).some((code) => code.toUpperCase() === 'DE'),
  );

/** Between German parties: when was delivered, and if no day says it, at least where. */
function hasDelivery(transaction: XmlElement): boolean {
  if (has(transaction, `${DELIVERY}/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime`)) return true;
  const hasPeriod =
    has(transaction, `${SETTLEMENT}/ram:BillingSpecifiedPeriod`) ||
    all(transaction, 'ram:IncludedSupplyChainTradeLineItem').every((line) =>
      has(line, 'ram:SpecifiedLineTradeSettlement/ram:BillingSpecifiedPeriod'),
    );
  return hasPeriod && all(transaction, DELIVERY).some(hasText);
}

const hasText = ({ text, children }: XmlElement): boolean => text !== '' || children.some(hasText);

const isDownPayment = ({ root }: Facts): boolean =>
  !texts(root, 'rsm:ExchangedDocument/ram:TypeCode').some((code) => code !== '386');

function rule(id: string, terms: string, en: string, de: string, check: Rule['check']): Rule {
  return {
    id,
    set: 'factur-x',
    severity: 'fatal',
    family: 'cii',
    terms: termsOf(terms),
    message: sentence(en, de),
    check,
  };
}

/** Rules on content that several profiles of Factur-X add to those of EN 16931. */
export const sharedFacturXRules: readonly Rule[] = [
  {
    ...rule(
      'BR-FX-EN-04',
      'BT-72 BG-14 BG-26 BT-80',
      'Between German parties, an invoice names a day of delivery (BT-72), or a period (BG-14, BG-26) and a place.',
      'Zwischen deutschen Beteiligten nennt eine Rechnung den Liefertag (BT-72) oder Zeitraum (BG-14, BG-26) und Ort.',
      (facts, report) => {
        if (isDownPayment(facts)) return;
        for (const at of facts.elements('rsm:SupplyChainTradeTransaction')) {
          const isDomestic =
            isGerman(at, `${AGREEMENT}/ram:SellerTradeParty`, `${SETTLEMENT}/ram:InvoicerTradeParty`) &&
            isGerman(at, `${AGREEMENT}/ram:BuyerTradeParty`, `${SETTLEMENT}/ram:InvoiceeTradeParty`);
          if (isDomestic && !hasDelivery(at)) report({ at });
        }
      },
    ),
    profiles: ['basic', 'en16931', 'extended'] as const,
  },
  {
    ...rule(
      'BR-CO-27',
      'BT-84',
      'A credit transfer (30, 58) names either an IBAN or another account number, not both and not none.',
      'Eine Überweisung (30, 58) nennt entweder eine IBAN oder eine andere Kontonummer, nicht beide und nicht keine.',
      (facts, report) => {
        for (const at of facts.elements('ram:SpecifiedTradeSettlementPaymentMeans')) {
          if (!texts(at, 'ram:TypeCode').some((code) => code === '30' || code === '58')) continue;
          const account = 'ram:PayeePartyCreditorFinancialAccount';
          if (has(at, `${account}/ram:IBANID`) === has(at, `${account}/ram:ProprietaryID`)) report({ at });
        }
      },
    ),
    profiles: ['basic-wl', 'basic', 'en16931', 'extended'] as const,
  },
  {
    ...rule(
      'PEPPOL-EN16931-R008',
      'BT-24',
      'An element is empty; leave it out.',
      'Ein Element ist leer; es wird weggelassen.',
      (facts, report) => {
        for (const elements of facts.allElements.values())
          for (const at of elements) if (at.children.length === 0 && at.text === '') report({ at });
      },
    ),
    severity: 'warning' as const,
    profiles: ['basic', 'en16931', 'extended'] as const,
  },
].map(sincePresentFacturX);
