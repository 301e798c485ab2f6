import { expect } from 'chai';
import { readInvoice, type ReadInvoice } from '../../../invoices/syntaxes/index.js';
import { ciiWith, ublWith } from './samples.js';

describe('Reading invoices', () => {
  const read = (xml: string): ReadInvoice => readInvoice(Buffer.from(xml));
  const readCii = (parts: Parameters<typeof ciiWith>[0]): ReadInvoice => read(ciiWith(parts));
  const unread = ({ unread: list }: ReadInvoice) =>
    list.map(
      ({ element, attribute, value }) => `${element.name}${attribute === undefined ? '' : `@${attribute}`}: ${value}`,
    );

  it('keeps amounts as they are written: 40 digits, commas and words', () => {
    const totals = (amount: string) =>
      read(
        ublWith(`<cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="EUR"> ${amount}
        </cbc:PayableAmount></cac:LegalMonetaryTotal>`),
      ).invoice.totals;
    const long = '1234567890123456789012345678901234567890.10';
    expect([long, '1.234,56', 'free'].map((amount) => totals(amount)?.due)).to.deep.equal([long, '1.234,56', 'free']);
  });

  it('gives an object for a group whose element is empty, and an empty text for an empty element', () => {
    const { invoice } = read(
      ublWith('<cac:AccountingSupplierParty><cac:Party/></cac:AccountingSupplierParty><cbc:BuyerReference/>'),
    );
    expect(invoice).to.deep.equal({ number: 'R-1', currency: 'EUR', buyerReference: '', seller: {} });
  });

  it('reads dates of CII that exist, and leaves the others as they are', () => {
    const date = (text: string, format = '102') =>
      readCii({
        document: `<ram:IssueDateTime><udt:DateTimeString format="${format}">${text}</udt:DateTimeString></ram:IssueDateTime>`,
      });
    expect(date('20240229').invoice.issueDate).to.equal('2024-02-29');
    expect(date('20230229').invoice.issueDate).to.equal('20230229');
    expect(date('201338', '616').invoice.issueDate).to.equal('201338');
    expect(unread(date('201338', '616'))).to.deep.equal(['DateTimeString@format: 616']);
  });

  it('tells the two VAT totals apart by their currency, in both syntaxes', () => {
    const cii = readCii({
      settlement: `<ram:TaxCurrencyCode>SEK</ram:TaxCurrencyCode><ram:SpecifiedTradeSettlementHeaderMonetarySummation>
        <ram:TaxTotalAmount currencyID="SEK">100</ram:TaxTotalAmount><ram:TaxTotalAmount currencyID="EUR">10</ram:TaxTotalAmount>
        </ram:SpecifiedTradeSettlementHeaderMonetarySummation>`,
    });
    const ubl = read(
      ublWith(`<cbc:TaxCurrencyCode>SEK</cbc:TaxCurrencyCode>
        <cac:TaxTotal><cbc:TaxAmount currencyID="SEK">100</cbc:TaxAmount></cac:TaxTotal>
        <cac:TaxTotal><cbc:TaxAmount currencyID="EUR">10</cbc:TaxAmount></cac:TaxTotal>`),
    );
    for (const { invoice } of [cii, ubl])
      expect(invoice.totals).to.deep.equal({ vat: '10', vatInAccountingCurrency: '100' });
    expect([...unread(cii), ...unread(ubl)]).to.deep.equal([]);
  });

  it('reads the code of the tax point as UNTDID 2005 in both syntaxes', () => {
    const { invoice } = readCii({
      settlement: '<ram:ApplicableTradeTax><ram:DueDateTypeCode>29</ram:DueDateTypeCode></ram:ApplicableTradeTax>',
    });
    expect(invoice.taxPointDateCode).to.equal('35');
    const ubl = read(ublWith('<cac:InvoicePeriod><cbc:DescriptionCode>35</cbc:DescriptionCode></cac:InvoicePeriod>'));
    expect(ubl.invoice.taxPointDateCode).to.equal('35');
    expect(ubl.invoice.delivery).to.equal(undefined);
  });

  it('splits the subject code from a note of UBL', () => {
    const { invoice } = read(ublWith('<cbc:Note>#AAI#Hello</cbc:Note><cbc:Note># not a code</cbc:Note>'));
    expect(invoice.notes).to.deep.equal([{ subjectCode: 'AAI', text: 'Hello' }, { text: '# not a code' }]);
  });

  it('joins several means of payment to one group, and reports a code that differs', () => {
    const means = (code: string, account: string): string =>
      `<cac:PaymentMeans><cbc:PaymentMeansCode name="Transfer">${code}</cbc:PaymentMeansCode><cbc:PaymentID>R-1</cbc:PaymentID>
       <cac:PayeeFinancialAccount><cbc:ID>${account}</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>`;
    const same = read(ublWith(means('58', 'A') + means('58', 'B')));
    expect(same.invoice.payment).to.deep.equal({
      meansCode: '58',
      meansText: 'Transfer',
      remittance: 'R-1',
      transfers: [{ account: 'A' }, { account: 'B' }],
    });
    expect(unread(same)).to.deep.equal([]);
    const different = read(ublWith(means('58', 'A') + means('30', 'B')));
    expect(different.invoice.payment?.meansCode).to.equal('58');
    expect(unread(different)).to.deep.equal(['PaymentMeansCode: 30']);
  });

  it('knows what a credit note of UBL has elsewhere', () => {
    const { invoice, syntax } = read(
      ublWith(
        `<cbc:CreditNoteTypeCode>381</cbc:CreditNoteTypeCode>
         <cac:AdditionalDocumentReference><cbc:ID>P-1</cbc:ID><cbc:DocumentTypeCode>50</cbc:DocumentTypeCode></cac:AdditionalDocumentReference>
         <cac:AdditionalDocumentReference><cbc:ID>O-1</cbc:ID><cbc:DocumentTypeCode>130</cbc:DocumentTypeCode></cac:AdditionalDocumentReference>
         <cac:AdditionalDocumentReference><cbc:ID>D-1</cbc:ID></cac:AdditionalDocumentReference>
         <cac:PaymentMeans><cbc:PaymentMeansCode>58</cbc:PaymentMeansCode><cbc:PaymentDueDate>2026-12-01</cbc:PaymentDueDate></cac:PaymentMeans>
         <cac:CreditNoteLine><cbc:CreditedQuantity unitCode="C62">2</cbc:CreditedQuantity></cac:CreditNoteLine>`,
        'CreditNote',
      ),
    );
    expect(syntax).to.equal('ubl-creditnote');
    expect(invoice).to.deep.include({
      typeCode: '381',
      project: 'P-1',
      object: { value: 'O-1' },
      supportingDocuments: [{ reference: 'D-1' }],
      dueDate: '2026-12-01',
      lines: [{ quantity: '2', unit: 'C62' }],
    });
  });

  it('takes the creditor identifier of a direct debit from among the identifiers of seller or payee', () => {
    const id = '<cac:PartyIdentification><cbc:ID schemeID="SEPA">DE98ZZZ</cbc:ID></cac:PartyIdentification>';
    const other = '<cac:PartyIdentification><cbc:ID>S-1</cbc:ID></cac:PartyIdentification>';
    const seller = read(
      ublWith(`<cac:AccountingSupplierParty><cac:Party>${id}${other}</cac:Party></cac:AccountingSupplierParty>`),
    ).invoice;
    expect(seller.seller).to.deep.equal({ identifiers: [{ value: 'S-1' }] });
    expect(seller.payment).to.deep.equal({ directDebit: { creditor: 'DE98ZZZ' } });
    const payee = read(ublWith(`<cac:PayeeParty>${id}</cac:PayeeParty>`)).invoice;
    expect(payee.payment?.directDebit?.creditor).to.equal('DE98ZZZ');
  });

  it('reads attachments as base64 without white space', () => {
    const { invoice } = readCii({
      agreement: `<ram:AdditionalReferencedDocument><ram:IssuerAssignedID>D-1</ram:IssuerAssignedID><ram:TypeCode>916</ram:TypeCode>
        <ram:AttachmentBinaryObject mimeCode="text/csv" filename="a.csv">YTti
          DQ==</ram:AttachmentBinaryObject></ram:AdditionalReferencedDocument>`,
    });
    expect(invoice.supportingDocuments).to.deep.equal([
      { reference: 'D-1', attachment: { content: 'YTtiDQ==', mimeCode: 'text/csv', filename: 'a.csv' } },
    ]);
  });

  it('lists content that the model has no place for, and nothing else', () => {
    const document = readCii({
      settlement: `<ram:InvoiceeTradeParty><ram:Name>Other</ram:Name></ram:InvoiceeTradeParty>
        <ram:ApplicableTradeTax><ram:CalculatedAmount currencyID="USD">1</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode>
        <ram:BasisAmount currencyID="EUR">1</ram:BasisAmount></ram:ApplicableTradeTax>`,
    });
    expect(unread(document)).to.deep.equal(['Name: Other', 'CalculatedAmount@currencyID: USD']);
    const [first] = document.unread;
    expect(first === undefined ? '' : document.xpathOf(first.element)).to.equal(
      '/rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction/ram:ApplicableHeaderTradeSettlement/ram:InvoiceeTradeParty/ram:Name',
    );
  });

  it('does not read an element of another namespace', () => {
    const document = read(ublWith('<x:BuyerReference xmlns:x="urn:example">B</x:BuyerReference>'));
    expect(document.invoice.buyerReference).to.equal(undefined);
    expect(unread(document)).to.deep.equal(['BuyerReference: B']);
  });
});
