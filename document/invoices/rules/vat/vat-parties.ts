import type { Facts } from '../facts.js';
import { sentence } from '../rule.js';
import type { VatCategory } from './vat-categories.js';
import type { Sentence } from '../violation.js';

interface Demand {
  readonly terms: string;
  readonly message: Sentence;
  holds(facts: Facts): boolean;
}

const sellerVat = ({ invoice: { seller, taxRepresentative } }: Facts): boolean =>
  seller?.vatIdentifier !== undefined || taxRepresentative?.vatIdentifier !== undefined;
const sellerTax = (facts: Facts): boolean => sellerVat(facts) || facts.invoice.seller?.taxRegistration !== undefined;
const buyerVat = ({ invoice: { buyer } }: Facts): boolean => buyer?.vatIdentifier !== undefined;

/** Who must be identified so that a VAT category can be used. */
export const sellerAndBuyer: Readonly<Record<VatCategory['identified'], Demand>> = {
  seller: {
    terms: 'BT-31 BT-32 BT-63',
    message: sentence(
      'the VAT identifier or tax number of the seller, or the VAT identifier of its tax representative, is missing.',
      'USt-IdNr. oder Steuernummer des Verkäufers oder die USt-IdNr. seines Steuervertreters fehlt.',
    ),
    holds: sellerTax,
  },
  'seller and buyer': {
    terms: 'BT-31 BT-32 BT-63 BT-48 BT-47',
    message: sentence(
      'the seller (VAT identifier, tax number or tax representative) and the buyer (VAT identifier or legal ' +
        'registration) must both be identified.',
      'Verkäufer (USt-IdNr., Steuernummer oder Steuervertreter) und Käufer (USt-IdNr. oder Registernummer) müssen ' +
        'beide identifiziert sein.',
    ),
    holds: (facts) => sellerTax(facts) && (buyerVat(facts) || facts.invoice.buyer?.legalRegistration !== undefined),
  },
  'seller by VAT': {
    terms: 'BT-31 BT-63',
    message: sentence(
      'the VAT identifier of the seller or of its tax representative is missing.',
      'Die USt-IdNr. des Verkäufers oder seines Steuervertreters fehlt.',
    ),
    holds: sellerVat,
  },
  'seller and buyer by VAT': {
    terms: 'BT-31 BT-63 BT-48',
    message: sentence(
      'the VAT identifiers of the seller (or its tax representative) and of the buyer must both be given.',
      'Die USt-IdNr. des Verkäufers (oder seines Steuervertreters) und die des Käufers müssen beide angegeben sein.',
    ),
    holds: (facts) => sellerVat(facts) && buyerVat(facts),
  },
  none: {
    terms: 'BT-31 BT-63 BT-48',
    message: sentence(
      'no VAT identifier of the seller, its tax representative or the buyer may be given.',
      'Eine USt-IdNr. des Verkäufers, seines Steuervertreters oder des Käufers darf nicht angegeben sein.',
    ),
    holds: (facts) => !sellerVat(facts) && !buyerVat(facts),
  },
};
