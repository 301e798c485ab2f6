import { expect } from 'chai';
import { isIban } from '../../../invoices/rules/xrechnung/payment-rules.js';
import { broken, check, type Draft, sampleXml, type Written } from './sample-invoice.js';

const syntaxes: readonly Written[] = ['cii', 'ubl'];

/** A change of the sample and the rule that it breaks. */
const cases: readonly (readonly [rule: string, what: string, change: (invoice: Draft) => void])[] = [
  ['BR-DE-1', 'no payment', (invoice) => void delete invoice.payment],
  ['BR-DE-2', 'no contact', ({ seller }) => void delete seller?.contact],
  ['BR-DE-3', 'no city of the seller', ({ seller }) => void delete seller?.address?.city],
  ['BR-DE-4', 'no post code of the seller', ({ seller }) => void delete seller?.address?.postCode],
  ['BR-DE-5', 'no person', ({ seller }) => void delete seller?.contact?.name],
  ['BR-DE-6', 'no telephone', ({ seller }) => void delete seller?.contact?.telephone],
  ['BR-DE-7', 'no e-mail', ({ seller }) => void delete seller?.contact?.email],
  ['BR-DE-8', 'no city of the buyer', ({ buyer }) => void delete buyer?.address?.city],
  ['BR-DE-9', 'no post code of the buyer', ({ buyer }) => void delete buyer?.address?.postCode],
  ['BR-DE-15', 'no buyer reference', (invoice) => void delete invoice.buyerReference],
  ['BR-DE-16', 'no tax number', ({ seller }) => void delete seller?.vatIdentifier],
  ['BR-DE-17', 'an unusual type', (invoice) => void (invoice.typeCode = '82')],
  ['BR-DE-19', 'a wrong IBAN', ({ payment }) => void (payment && (payment.transfers = [{ account: 'DE1234' }]))],
  ['BR-DE-23-a', 'a transfer without account', ({ payment }) => void delete payment?.transfers],
  ['BR-DE-26', 'a correction of nothing', (invoice) => void (invoice.typeCode = '384')],
  ['BR-DE-27', 'a short number', ({ seller }) => void (seller?.contact && (seller.contact.telephone = '12'))],
  ['BR-DE-28', 'an odd address', ({ seller }) => void (seller?.contact && (seller.contact.email = 'a@b'))],
  ['PEPPOL-EN16931-R001', 'no process', ({ process }) => void delete process?.businessProcess],
  ['PEPPOL-EN16931-R010', 'no address of the buyer', ({ buyer }) => void delete buyer?.electronicAddress],
  ['PEPPOL-EN16931-R020', 'no address of the seller', ({ seller }) => void delete seller?.electronicAddress],
  ['PEPPOL-EN16931-R120', 'a wrong price', ({ lines }) => void (lines?.[0]?.price && (lines[0].price.net = '20.00'))],
];

describe('Rules of XRechnung', () => {
  for (const [rule, what, change] of cases)
    it(`find ${what} (${rule})`, () => {
      for (const syntax of syntaxes) expect(broken(check(sampleXml(syntax, change))), syntax).to.include(rule);
    });

  it('accept discounts that are written as demanded, with a line break after the last', () => {
    // `~` is a line break; the writer adds one that is missing.
    const rules = (terms: string, syntax: Written): string[] =>
      broken(
        check(
          sampleXml(syntax, (invoice) => void (invoice.paymentTerms = 'terms')).replace(
            '>terms<',
            `>${terms.replace('~', '\n')}<`,
          ),
        ),
      );
    for (const syntax of syntaxes) {
      expect(rules('#SKONTO#TAGE=14#PROZENT=2.00#~', syntax)).to.deep.equal([]);
      expect(rules('#SKONTO#TAGE=14#PROZENT=2.00#BASISBETRAG=357.93#~', syntax)).to.deep.equal([]);
      expect(rules('Payable within 30 days', syntax)).to.deep.equal([]);
      expect(rules('#SKONTO#TAGE=14#PROZENT=2.00#', syntax)).to.deep.equal(['BR-DE-18']);
      expect(rules('#SKONTO#TAGE=14#PROZENT=2,00#~', syntax)).to.deep.equal(['BR-DE-18']);
      expect(rules('#Skonto#TAGE=14#PROZENT=2.00#~', syntax)).to.deep.equal(['BR-DE-18']);
    }
  });

  it('calculate the check digits of IBANs', () => {
    for (const good of ['DE89 3704 0044 0532 0130 00', 'GB82WEST12345698765432', 'FR1420041010050500013M02606'])
      expect(isIban(good), good).to.equal(true);
    for (const bad of ['DE88370400440532013000', 'de89370400440532013000', 'DE89', '', 'XX00-1'])
      expect(isIban(bad), bad).to.equal(false);
  });
});
