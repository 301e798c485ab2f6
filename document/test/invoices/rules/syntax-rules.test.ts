import { expect } from 'chai';
import { checkRules, type Violation } from '../../../invoices/rules/index.js';
import { syntaxRules } from '../../../invoices/rules/syntax/index.js';
import { readInvoice } from '../../../invoices/syntaxes/index.js';

const only = new Set(syntaxRules.map(({ id }) => id));

function check(xml: string): Violation[] {
  return checkRules(readInvoice(Buffer.from(xml)), { only });
}

const cac = 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2';
const cbc = 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2';

function ubl(content: string, root = 'Invoice'): string {
  const uri = `urn:oasis:names:specification:ubl:schema:xsd:${root}-2`;
  return `<${root} xmlns="${uri}" xmlns:cac="${cac}" xmlns:cbc="${cbc}">${content}</${root}>`;
}

function cii(transaction: string, document = '<ram:TypeCode>380</ram:TypeCode>'): string {
  const ram = 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100';
  const udt = 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100';
  return (
    `<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" ` +
    `xmlns:ram="${ram}" xmlns:udt="${udt}"><rsm:ExchangedDocument>${document}</rsm:ExchangedDocument>` +
    `<rsm:SupplyChainTradeTransaction>${transaction}</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`
  );
}

const rulesOf = (violations: readonly Violation[]): string[] => violations.map(({ rule }) => rule);
const brief = ({ rule, severity, location }: Violation): string => `${rule} ${severity} ${location?.xpath}`;

describe('syntax rules of UBL', () => {
  it('warns of an element that EN 16931 does not use, at the first place that has it', () => {
    const line = '<cac:InvoiceLine><cac:Item><cac:ClassifiedTaxCategory/></cac:Item></cac:InvoiceLine>';
    const unused = line.replace('</cac:Item>', '<cbc:Keyword>blue</cbc:Keyword></cac:Item>');
    const [violation, ...others] = check(ubl(line + unused + unused));
    expect(others).to.deep.equal([]);
    expect(brief(violation as Violation)).to.equal(
      'UBL-CR-568 warning /ubl:Invoice/cac:InvoiceLine[2]/cac:Item/cbc:Keyword',
    );
    expect(violation).to.deep.include({
      value: 'blue',
      message: {
        en: 'The element "cbc:Keyword" is not used in invoices of EN 16931 at this place; leave it out.',
        de: 'Das Element „cbc:Keyword“ ist an dieser Stelle in Rechnungen nach EN 16931 nicht vorgesehen.',
      },
    });
  });

  it('finds attributes anywhere, in credit notes too', () => {
    const note = ubl('<cbc:Note languageID="de">x</cbc:Note><cbc:ID schemeAgencyID="9">1</cbc:ID>', 'CreditNote');
    expect(check(note).map(brief)).to.have.members([
      'UBL-DT-19 warning /cn:CreditNote/cbc:Note',
      'UBL-DT-27 warning /cn:CreditNote/cbc:ID',
    ]);
  });

  it('counts what occurs once, and accepts it once', () => {
    const delivery = '<cac:Delivery/>';
    expect(rulesOf(check(ubl(delivery)))).to.deep.equal([]);
    expect(check(ubl(delivery + delivery)).map(brief)).to.deep.equal(['UBL-SR-24 fatal /ubl:Invoice']);
  });

  it('demands exactly one VAT category of each line', () => {
    expect(check(ubl('<cac:InvoiceLine><cac:Item/></cac:InvoiceLine>')).map(brief)).to.deep.equal([
      'UBL-SR-48 fatal /ubl:Invoice/cac:InvoiceLine',
    ]);
  });

  it('counts decimal places of amounts, but not of prices and their allowances', () => {
    const price = (amount: string): string =>
      `<cac:Price><cbc:PriceAmount>${amount}</cbc:PriceAmount><cac:AllowanceCharge>` +
      `<cbc:Amount>${amount}</cbc:Amount></cac:AllowanceCharge></cac:Price>`;
    const line = `<cac:Item><cac:ClassifiedTaxCategory/></cac:Item>${price('1.2345')}`;
    const fine = `<cac:InvoiceLine><cbc:LineExtensionAmount>1.23</cbc:LineExtensionAmount>${line}</cac:InvoiceLine>`;
    expect(rulesOf(check(ubl(fine)))).to.deep.equal([]);
    expect(rulesOf(check(ubl(fine.replace('>1.23<', '>1.230<'))))).to.deep.equal(['UBL-DT-01']);
  });

  it('demands that the payee is somebody else than the seller', () => {
    const payee = (name: string): string =>
      ubl(
        '<cac:AccountingSupplierParty><cac:Party><cac:PartyLegalEntity>' +
          '<cbc:RegistrationName>Seller</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party>' +
          '</cac:AccountingSupplierParty>' +
          `<cac:PayeeParty><cac:PartyName><cbc:Name>${name}</cbc:Name></cac:PartyName></cac:PayeeParty>`,
      );
    expect(rulesOf(check(payee('Factor')))).to.deep.equal([]);
    expect(rulesOf(check(payee('Seller')))).to.have.members(['UBL-SR-19', 'UBL-SR-20', 'UBL-SR-21']);
  });

  it('accepts the type code 50 of a reference in a credit note only', () => {
    const reference =
      '<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cbc:DocumentTypeCode>50</cbc:DocumentTypeCode>' +
      '</cac:AdditionalDocumentReference>';
    expect(rulesOf(check(ubl(reference, 'CreditNote')))).to.deep.equal([]);
    expect(rulesOf(check(ubl(reference)))).to.deep.equal(['UBL-SR-43']);
  });
});

describe('syntax rules of CII', () => {
  it('applies only the first rule that fits an element, as the schematron does', () => {
    // The invoice's number has no scheme at all; other identifiers may have a schemeID.
    const number = '<ram:ID schemeID="x" schemeName="y">1</ram:ID><ram:TypeCode>380</ram:TypeCode>';
    expect(rulesOf(check(cii('', number)))).to.have.members(['CII-DT-001', 'CII-DT-005']);
    const seller = '<ram:SellerTradeParty><ram:ID schemeID="x" schemeName="y">1</ram:ID></ram:SellerTradeParty>';
    const agreement = `<ram:ApplicableHeaderTradeAgreement>${seller}</ram:ApplicableHeaderTradeAgreement>`;
    expect(rulesOf(check(cii(agreement)))).to.deep.equal(['CII-DT-101']);
  });

  it('reports each place of a rule about every element of a kind', () => {
    const line = (currency: string): string =>
      '<ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax/>' +
      `<ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount${currency}>1</ram:LineTotalAmount>` +
      '</ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>' +
      '</ram:IncludedSupplyChainTradeLineItem>';
    const currency = ' currencyID="EUR"';
    const violations = check(cii(line(currency) + line('') + line(currency)));
    expect(rulesOf(violations)).to.deep.equal(['CII-DT-031', 'CII-DT-031']);
    expect(violations.map(({ location }) => location?.xpath)).to.satisfy(
      ([first, second]: string[]) => first?.includes('Item[1]/') === true && second?.includes('Item[3]/') === true,
    );
  });

  it('compares values over all means of payment', () => {
    const means = (code: string): string =>
      `<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>${code}</ram:TypeCode>` +
      '<ram:PayeePartyCreditorFinancialAccount><ram:IBANID>DE02120300000000202051</ram:IBANID>' +
      '</ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans>';
    const settlement = (content: string): string =>
      cii(`<ram:ApplicableHeaderTradeSettlement>${content}</ram:ApplicableHeaderTradeSettlement>`);
    expect(rulesOf(check(settlement(means('58') + means(' 58 '))))).to.deep.equal([]);
    expect(check(settlement(means('58') + means('30'))).map(brief)).to.deep.equal([
      'CII-SR-467 fatal /rsm:CrossIndustryInvoice',
    ]);
  });

  it('knows the months and days of dates', () => {
    const date = (text: string): string[] =>
      rulesOf(
        check(
          cii(
            '',
            '<ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime>' +
              `<udt:DateTimeString format="102">${text}</udt:DateTimeString></ram:IssueDateTime>`,
          ),
        ),
      );
    expect(date('20260131')).to.deep.equal([]);
    for (const wrong of ['20261301', '20260132', '2026-01-31', '260131', ''])
      expect(date(wrong)).to.include('CII-DT-097');
  });

  it('does not look for rules in names that an attacker chose', () => {
    expect(rulesOf(check(ubl('<cbc:constructor/><cbc:__proto__ toString="1"/>')))).to.deep.equal([]);
  });
});

describe('the table of syntax rules', () => {
  it('has every rule of the artefacts once, with a sentence in both languages', () => {
    const count = (prefix: string): number => syntaxRules.filter(({ id }) => id.startsWith(prefix)).length;
    expect(only.size).to.equal(syntaxRules.length);
    expect([count('UBL-CR-'), count('UBL-SR-'), count('UBL-DT-'), count('CII-SR-'), count('CII-DT-')]).to.deep.equal([
      678, 54, 24, 482, 101,
    ]);
    for (const { message } of syntaxRules)
      expect([message.en, message.de].every((text) => text.endsWith('.'))).to.equal(true);
  });
});
