import { expect } from 'chai';
import { readInvoice } from '../../../invoices/syntaxes/index.js';
import { ciiWith, ublWith } from './samples.js';

describe('Places of terms', () => {
  const LINE = '/rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction/ram:IncludedSupplyChainTradeLineItem';
  const line = (name: string): string =>
    `\n<ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedTradeProduct><ram:Name>${name}</ram:Name>
     </ram:SpecifiedTradeProduct><ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="C62">1</ram:BilledQuantity>
     </ram:SpecifiedLineTradeDelivery></ram:IncludedSupplyChainTradeLineItem>`;

  it('are XPaths with positions, and the line of the start tag', () => {
    const read = readInvoice(Buffer.from(ciiWith({ lines: line('A') + line('B') })));
    const [, second] = read.invoice.lines ?? [];
    if (second?.item === undefined) throw new Error('the line is missing');
    expect(read.placeOf(second)).to.deep.equal({ xpath: `${LINE}[2]`, line: 11 });
    expect(read.placeOf(second.item, 'name')).to.deep.equal({
      xpath: `${LINE}[2]/ram:SpecifiedTradeProduct/ram:Name`,
      line: 11,
    });
    expect(read.placeOf(second, 'unit').xpath).to.equal(
      `${LINE}[2]/ram:SpecifiedLineTradeDelivery/ram:BilledQuantity/@unitCode`,
    );
    expect(read.placeOf(read.invoice, 'lines', 1).xpath).to.equal(`${LINE}[2]`);
  });

  it('are those of the group for a term that is missing', () => {
    const read = readInvoice(Buffer.from(ciiWith({ lines: line('A') })));
    const [only] = read.invoice.lines ?? [];
    if (only?.item === undefined) throw new Error('the line is missing');
    expect(read.placeOf(only.item, 'description').xpath).to.equal(`${LINE}/ram:SpecifiedTradeProduct`);
    expect(read.elementOf(only.item, 'description')).to.equal(undefined);
    expect(read.placeOf(read.invoice, 'dueDate')).to.deep.equal({ xpath: '/rsm:CrossIndustryInvoice', line: 2 });
    expect(read.placeOf({})).to.deep.equal({ xpath: '/rsm:CrossIndustryInvoice', line: 2 });
  });

  it('name the element of a group that has none of its own, if another stands for it', () => {
    const read = readInvoice(
      Buffer.from(ublWith('<cac:PaymentMeans><cbc:PaymentMeansCode>58</cbc:PaymentMeansCode></cac:PaymentMeans>')),
    );
    const { payment } = read.invoice;
    if (payment === undefined) throw new Error('the payment is missing');
    expect(read.elementOf(payment)?.name).to.equal('PaymentMeans');
    expect(read.placeOf(read.invoice, 'payment').xpath).to.equal('/ubl:Invoice/cac:PaymentMeans');
    const remittance = '<ram:PaymentReference>R-1</ram:PaymentReference>';
    const other = readInvoice(Buffer.from(ciiWith({ settlement: remittance })));
    expect(other.invoice.payment).to.deep.equal({ remittance: 'R-1' });
    expect(other.elementOf(other.invoice.payment ?? {})).to.equal(undefined);
  });

  it('count the values of a term that occurs several times', () => {
    const id = (text: string): string => `<cac:PartyIdentification><cbc:ID>${text}</cbc:ID></cac:PartyIdentification>`;
    const party = `<cac:AccountingSupplierParty><cac:Party>${id('A')}${id('B')}</cac:Party></cac:AccountingSupplierParty>`;
    const read = readInvoice(Buffer.from(ublWith(party)));
    expect(read.placeOf(read.invoice.seller ?? {}, 'identifiers', 1).xpath).to.equal(
      '/ubl:Invoice/cac:AccountingSupplierParty/cac:Party/cac:PartyIdentification[2]/cbc:ID',
    );
  });

  it('have the names of ZUGFeRD 1 in a document of ZUGFeRD 1', () => {
    const read = readInvoice(
      Buffer.from(`<rsm:CrossIndustryDocument xmlns:rsm="urn:ferd:CrossIndustryDocument:invoice:1p0"
        xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:12">
        <rsm:HeaderExchangedDocument><ram:ID>R-1</ram:ID></rsm:HeaderExchangedDocument>
        <rsm:SpecifiedSupplyChainTradeTransaction><ram:ApplicableSupplyChainTradeAgreement>
        <ram:BuyerOrderReferencedDocument><ram:ID>O-1</ram:ID></ram:BuyerOrderReferencedDocument>
        </ram:ApplicableSupplyChainTradeAgreement></rsm:SpecifiedSupplyChainTradeTransaction></rsm:CrossIndustryDocument>`),
    );
    expect(read.invoice).to.deep.include({ number: 'R-1', purchaseOrder: 'O-1' });
    expect(read.placeOf(read.invoice, 'purchaseOrder').xpath).to.equal(
      '/rsm:CrossIndustryDocument/rsm:SpecifiedSupplyChainTradeTransaction/ram:ApplicableSupplyChainTradeAgreement' +
        '/ram:BuyerOrderReferencedDocument/ram:ID',
    );
  });
});
