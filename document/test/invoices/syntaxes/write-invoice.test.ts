import { expect } from 'chai';
import type { Invoice, InvoiceLine } from '../../../invoices/model/index.js';
import { checkRules } from '../../../invoices/rules/index.js';
import { readInvoice, type WriteTarget, writeInvoice } from '../../../invoices/syntaxes/index.js';

describe('Writing invoices', () => {
  const invoice: Invoice = {
    number: 'R-1',
    issueDate: '2026-11-30',
    typeCode: '380',
    currency: 'EUR',
    process: { specification: 'urn:cen.eu:en16931:2017' },
    seller: { name: 'Seller & Söhne <GmbH>', address: { city: 'Berlin', country: 'DE' }, contact: { name: 'Erika' } },
    buyer: { name: 'Buyer' },
    totals: { withoutVat: '10.00', vat: '1.90', withVat: '11.90', due: '11.90' },
    lines: [{ id: '1', quantity: '1', unit: 'C62', netAmount: '10.00', item: { name: 'Pen', description: 'Blue' } }],
  };
  const written = (changes: Invoice, target: WriteTarget): Invoice =>
    readInvoice(Buffer.from(writeInvoice({ ...invoice, ...changes }, target).xml)).invoice;
  const lost = (changes: Invoice, target: WriteTarget) =>
    writeInvoice({ ...invoice, ...changes }, target).lost.map(({ term, path, value }) => `${term} ${path}: ${value}`);

  for (const syntax of ['cii', 'ubl'] as const)
    it(`writes ${syntax} that reads as it was, without loss`, () => {
      expect(written({}, { syntax })).to.deep.equal(invoice);
      expect(lost({}, { syntax })).to.deep.equal([]);
    });

  it('writes elements in the order of the schema, whatever the order of the keys', () => {
    const reversed = Object.fromEntries(Object.entries(invoice).reverse()) as Invoice;
    for (const syntax of ['cii', 'ubl'] as const)
      expect(writeInvoice(reversed, { syntax }).xml).to.equal(writeInvoice(invoice, { syntax }).xml);
    const { xml } = writeInvoice(invoice, { syntax: 'cii' });
    expect(xml.indexOf('ram:PersonName')).to.be.lessThan(xml.indexOf('ram:CityName'));
  });

  it('is a credit note of UBL for the type codes of credit notes', () => {
    const root = (typeCode: string): string | undefined =>
      /<(\w+) xmlns=/.exec(writeInvoice({ ...invoice, typeCode }, { syntax: 'ubl' }).xml)?.[1];
    expect(['380', '384', '326', '381', '396', '532'].map(root)).to.deep.equal([
      'Invoice',
      'Invoice',
      'Invoice',
      'CreditNote',
      'CreditNote',
      'CreditNote',
    ]);
    const target = { syntax: 'ubl' } as const;
    const credit = { typeCode: '381', dueDate: '2026-12-30', project: 'P-1', payment: { meansCode: '58' } };
    expect(written(credit, target)).to.deep.equal({ ...invoice, ...credit });
  });

  it('keeps every currency of UBL, and names one in CII only where two are possible', () => {
    const { xml } = writeInvoice(
      { ...invoice, vatCurrency: 'SEK', totals: { ...invoice.totals, vatInAccountingCurrency: '21.00' } },
      { syntax: 'cii' },
    );
    expect([...xml.matchAll(/ currencyID="(\w+)">([^<]*)/g)].map(([, ...found]) => found)).to.deep.equal([
      ['EUR', '1.90'],
      ['SEK', '21.00'],
    ]);
    const ubl = writeInvoice(invoice, { syntax: 'ubl' }).xml;
    expect(ubl.match(/currencyID="EUR"/g)).to.have.length(5);
  });

  it('ends the discount lines of XRechnung with a line break, as rule BR-DE-18 demands', () => {
    const paymentTerms = '#SKONTO#TAGE=14#PROZENT=2.00#\n#SKONTO#TAGE=30#PROZENT=1.00#';
    for (const syntax of ['cii', 'ubl'] as const) {
      const { xml } = writeInvoice({ ...invoice, paymentTerms }, { syntax, profile: 'xrechnung' });
      const broken = checkRules(readInvoice(Buffer.from(xml))).map(({ rule }) => rule);
      expect(broken).to.include('BR-DE-15').and.not.include('BR-DE-18');
      expect(written({ paymentTerms }, { syntax }).paymentTerms).to.equal(paymentTerms);
    }
  });

  it('repeats the means of payment for each account', () => {
    const payment = {
      meansCode: '58',
      meansText: 'SEPA',
      remittance: 'R-1',
      transfers: [{ account: 'A' }, { account: 'B' }],
    };
    for (const syntax of ['cii', 'ubl'] as const) {
      expect(written({ payment }, { syntax }).payment).to.deep.equal(payment);
      const { xml } = writeInvoice({ ...invoice, payment }, { syntax });
      expect(xml.match(/>58</g)).to.have.length(2);
    }
  });

  it('writes an account as IBAN if it has the form of one', () => {
    const account = (text: string): string =>
      writeInvoice({ ...invoice, payment: { transfers: [{ account: text }] } }, { syntax: 'cii' }).xml;
    expect(account('DE89 3704 0044 0532 0130 00')).to.contain('<ram:IBANID>DE89 3704 0044 0532 0130 00</ram:IBANID>');
    expect(account('12345')).to.contain('<ram:ProprietaryID>12345</ram:ProprietaryID>');
  });

  it('leaves out what a profile of Factur-X cannot hold, and lists it', () => {
    const target = { syntax: 'cii', profile: 'basic' } as const;
    expect(lost({}, target)).to.deep.equal([
      'BT-41 seller.contact.name: Erika',
      'BT-154 lines[0].item.description: Blue',
    ]);
    expect(written({}, target)).to.deep.equal({
      ...invoice,
      process: { specification: 'urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic' },
      seller: { name: invoice.seller?.name, address: invoice.seller?.address },
      lines: [{ ...invoice.lines?.[0], item: { name: 'Pen' } }],
    });
    const minimum = written({}, { syntax: 'cii', profile: 'minimum' });
    expect(minimum.lines).to.equal(undefined);
    expect(minimum.totals).to.deep.equal(invoice.totals);
    expect(minimum.seller?.address).to.deep.equal({ country: 'DE' });
  });

  it('sets the identifier of the profile, and keeps an older one of the same profile', () => {
    const specification = (before: string, profile: 'xrechnung' | 'en16931'): string | undefined =>
      written({ process: { specification: before } }, { syntax: 'ubl', profile }).process?.specification;
    const older = 'urn:cen.eu:en16931:2017#compliant#urn:xoev-de:kosit:standard:xrechnung_2.3';
    expect(specification(older, 'xrechnung')).to.equal(older);
    expect(specification(older, 'en16931')).to.equal('urn:cen.eu:en16931:2017');
  });

  it('lists what CII has no place for: sub lines, third party payments, a second preceding invoice', () => {
    const changes: Invoice = {
      precedingInvoices: [{ number: 'P-1' }, { number: 'P-2' }],
      thirdPartyPayments: [{ type: 'T', amount: '1.00', description: 'D' }],
      lines: [{ id: '1', subLines: [{ id: '1.1' }] }],
    };
    expect(lost(changes, { syntax: 'cii' })).to.deep.equal([
      'BT-25 precedingInvoices[1].number: P-2',
      'BT-DEX-001 thirdPartyPayments[0].type: T',
      'BT-DEX-002 thirdPartyPayments[0].amount: 1.00',
      'BT-DEX-003 thirdPartyPayments[0].description: D',
      'BT-126 lines[0].subLines[0].id: 1.1',
    ]);
    expect(lost(changes, { syntax: 'ubl' })).to.deep.equal([]);
    expect(lost(changes, { syntax: 'cii', profile: 'basic' })).to.include('BT-DEX-001 thirdPartyPayments[0].type: T');
    expect(lost(changes, { syntax: 'ubl', profile: 'xrechnung-extension' })).to.deep.equal([]);
    expect(lost(changes, { syntax: 'ubl', profile: 'xrechnung' })).to.have.length(4);
  });

  it('lists what the notation of a syntax changes', () => {
    const changes: Invoice = {
      notes: [{ subjectCode: 'lower', text: 'text' }],
      totals: { vatInAccountingCurrency: '5.00' },
      buyerReference: 'a\u0000b',
    };
    expect(lost(changes, { syntax: 'ubl' })).to.include.members(['BT-21 notes[0].subjectCode: lower']);
    expect(lost(changes, { syntax: 'cii' })).to.include.members([
      'BT-111 totals.vatInAccountingCurrency: 5.00',
      'BT-10 buyerReference: a\u0000b',
    ]);
  });

  it('derives what a schema demands and EN 16931 leaves out, exactly', () => {
    const line = (price: NonNullable<InvoiceLine['price']>): Invoice => ({ lines: [{ id: '1', price }] });
    const discount = line({ net: '0.10', discount: '0.2' });
    expect(written(discount, { syntax: 'cii' }).lines?.[0]?.price?.gross).to.equal('0.30');
    expect(written(line({ net: '1', gross: '1' }), { syntax: 'ubl' }).lines?.[0]?.price?.discount).to.equal('0');
    expect(lost(line({ net: '1,5', discount: '1' }), { syntax: 'cii' })).to.deep.equal([
      'BT-147 lines[0].price.discount: 1',
    ]);
    const breakdown = { totals: {}, vatBreakdown: [{ taxAmount: '0.1' }, { taxAmount: '0.20' }] };
    expect(written(breakdown, { syntax: 'ubl' }).totals?.vat).to.equal('0.30');
    expect(written({ payment: { remittance: 'R' } }, { syntax: 'ubl' }).payment?.meansCode).to.equal('1');
    expect(written({ salesOrder: 'S' }, { syntax: 'ubl' })).to.deep.equal({ ...invoice, salesOrder: 'S' });
  });

  it('escapes texts and attributes, line breaks of attributes too', () => {
    const payment = { meansCode: '58', meansText: 'a "quoted"\n<line> & more' };
    expect(written({ payment }, { syntax: 'ubl' }).payment).to.deep.equal(payment);
    const paymentTerms = 'first\nsecond ]]> <b>';
    for (const syntax of ['cii', 'ubl'] as const)
      expect(written({ paymentTerms }, { syntax }).paymentTerms).to.equal(paymentTerms);
  });
});
