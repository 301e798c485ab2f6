import { readFileSync } from 'node:fs';
import type { Invoice } from '@quire/document/invoices/model';
import { InputError } from '@quire/registry/errors';
import { expect } from 'chai';
import { type CreateOptions, createXml } from '../../src/functions/create/create-xml.js';
import { sampleInvoice } from '../support/sample-invoice.js';

const entered = JSON.parse(readFileSync(new URL('../../fixtures/invoice.json', import.meta.url), 'utf8')) as Invoice;

const create = (invoice: unknown, options: Partial<CreateOptions> = {}): ReturnType<typeof createXml> =>
  createXml(Buffer.from(JSON.stringify(invoice)), { format: 'cii', ...options });

/** The invoice as it is read from the XML. */
const made = async (invoice: unknown, options: Partial<CreateOptions> = {}): Promise<Invoice> =>
  (await create(invoice, options)).read.invoice;

/** The code and the faults with which an invoice is refused. */
async function refused(
  invoice: unknown,
  options: Partial<CreateOptions> = {},
): Promise<{ readonly code: string; readonly faults: Readonly<Record<string, string>> }> {
  try {
    await create(invoice, options);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return {
      code: error.code,
      faults: Object.fromEntries(error.errors.map(({ pointer, detail }) => [pointer, detail])),
    };
  }
  throw new Error('the invoice was not refused');
}

/** The code with which a file is refused. */
const refusedBytes = (text: string): Promise<string> =>
  createXml(Buffer.from(text, 'latin1'), { format: 'cii' }).then(
    () => 'accepted',
    (error: unknown) => (error instanceof InputError ? error.code : String(error)),
  );

describe('the XML of a new invoice', () => {
  it('has everything that follows from what was entered', async () => {
    const invoice = await made(entered);
    expect(invoice.lines?.map(({ netAmount }) => netAmount)).to.deep.equal(['1000.00', '23.75']);
    expect(invoice.lines?.[1]?.price?.net).to.equal('9.5');
    expect(invoice.allowances?.[0]?.amount).to.equal('50.00');
    expect(invoice.vatBreakdown).to.deep.equal([
      { taxableAmount: '950.00', taxAmount: '180.50', category: 'S', rate: '19' },
      { taxableAmount: '23.75', taxAmount: '1.66', category: 'S', rate: '7' },
    ]);
    expect(invoice.totals).to.deep.equal({
      lines: '1023.75',
      allowances: '50.00',
      withoutVat: '973.75',
      vat: '182.16',
      withVat: '1155.91',
      due: '1155.91',
    });
    expect(invoice.process).to.deep.equal({ specification: 'urn:cen.eu:en16931:2017' });
  });

  it('is the same invoice again when it is read, from CII and from UBL, and creates itself once more', async () => {
    for (const format of ['cii', 'ubl'] as const) {
      const first = await made(entered, { format, profile: 'xrechnung' });
      const { read, lost } = await create(first, { format });
      expect(read.invoice, format).to.deep.equal(first);
      expect(lost).to.deep.equal([]);
    }
    const cii = await made(entered);
    const ubl = await made(entered, { format: 'ubl' });
    expect(cii).to.deep.equal(ubl);
  });

  it('keeps an invoice whose sums were entered and are right', async () => {
    const sample = sampleInvoice();
    expect(await made(sample)).to.deep.equal(sample);
  });

  it('follows the profile: identifier, business process, and what it has a place for', async () => {
    const { process: peppol } = await made(entered, { profile: 'peppol', format: 'ubl' });
    expect(peppol).to.deep.equal({
      businessProcess: 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
      specification: 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
    });
    const minimum = await create(entered, { profile: 'minimum' });
    expect(minimum.read.invoice.lines).to.equal(undefined);
    expect(minimum.read.invoice.totals?.due).to.equal('1155.91');
    expect(minimum.lost.map(({ term }) => term))
      .to.include('BT-9')
      .and.not.include('BT-1');
  });

  it('fills in rate 0 and the exemption code of categories that imply them', async () => {
    const lines = entered.lines?.map((line) => ({ ...line, vat: { category: 'AE' } }));
    const buyer = { ...entered.buyer, vatIdentifier: 'ATU12345678' };
    const invoice = await made({ ...entered, buyer, lines, allowances: undefined });
    expect(invoice.vatBreakdown).to.deep.equal([
      { taxableAmount: '1023.75', taxAmount: '0.00', category: 'AE', rate: '0', exemptionReasonCode: 'VATEX-EU-AE' },
    ]);
  });

  it('keeps the reason of an exemption that was entered without amounts', async () => {
    const lines = entered.lines?.map((line) => ({ ...line, vat: { category: 'E' } }));
    const vatBreakdown = [{ category: 'E', exemptionReason: 'Kleinunternehmer, § 19 UStG' }];
    const invoice = await made({ ...entered, lines, allowances: [], vatBreakdown });
    expect(invoice.vatBreakdown?.[0]).to.include({ taxAmount: '0.00', exemptionReason: 'Kleinunternehmer, § 19 UStG' });
  });

  it('counts prepayments and rounding into the amount due', async () => {
    const invoice = await made({ ...entered, totals: { paid: '155.91', rounding: '0.01' } });
    expect(invoice.totals).to.include({ withVat: '1155.91', due: '1000.01' });
  });

  it('computes with exact decimals where floats would be wrong', async () => {
    const [line] = entered.lines ?? [];
    const lines = [
      { ...line, id: '1', quantity: '1.005', price: { net: '1' } },
      { ...line, id: '2', quantity: '3', price: { net: '0.1' } },
      { ...line, id: '3', quantity: '1', price: { net: '10', baseQuantity: '3' } },
      { ...line, id: '4', quantity: '-1', price: { net: '0.125' } },
    ];
    const invoice = await made({ ...entered, lines, allowances: [] });
    expect(invoice.lines?.map(({ netAmount }) => netAmount)).to.deep.equal(['1.01', '0.30', '3.33', '-0.13']);
  });

  it('sums up sub lines where a line has them', async () => {
    const [line] = entered.lines ?? [];
    const { quantity, unit, price, vat, item, id } = line ?? {};
    const subLine = { quantity, unit, price, vat, item };
    const lines = [{ id, quantity: '1', unit, price: { net: '2000' }, vat, item, subLines: [subLine, subLine] }];
    const withIds = [
      {
        ...lines[0],
        subLines: [
          { ...subLine, id: '1.1' },
          { ...subLine, id: '1.2' },
        ],
      },
    ];
    const made = await create(
      { ...entered, lines: withIds, allowances: [] },
      { profile: 'xrechnung-extension', format: 'ubl' },
    );
    expect(made.read.invoice.totals?.lines).to.equal('2000.00');
    expect(made.read.invoice.lines?.[0]?.subLines?.map(({ netAmount }) => netAmount)).to.deep.equal([
      '1000.00',
      '1000.00',
    ]);
  });
});

describe('a new invoice that contradicts itself', () => {
  const cases: readonly (readonly [string, object, string, string])[] = [
    ['amount due', { totals: { due: '1190.00' } }, '/fileInput/totals/due', '1155.91'],
    ['sum of lines', { totals: { lines: '1' } }, '/fileInput/totals/lines', '1023.75'],
    ['VAT', { totals: { vat: '182.17' } }, '/fileInput/totals/vat', '182.16'],
    ['allowance total', { totals: { allowances: '5' } }, '/fileInput/totals/allowances', '50.00'],
    ['charge total without charges', { totals: { charges: '5.00' } }, '/fileInput/totals/charges', '0.00'],
    [
      'taxable amount',
      { vatBreakdown: [{ category: 'S', rate: '7.00', taxableAmount: '24' }] },
      '/fileInput/vatBreakdown/0/taxableAmount',
      '23.75',
    ],
    ['rate without lines', { vatBreakdown: [{ category: 'S', rate: '16' }] }, '/fileInput/vatBreakdown/0', '16 %'],
  ];

  for (const [name, change, pointer, computed] of cases)
    it(`is refused with what was given and what was computed: ${name}`, async () => {
      const { code, faults } = await refused({ ...entered, ...change });
      expect(code).to.equal('INPUT_INVALID');
      expect(faults[pointer]).to.include(computed);
    });

  it('is refused for its lines: net amount, price, percentage', async () => {
    const [line] = entered.lines ?? [];
    const lines = [
      { ...line, netAmount: '999.99' },
      { ...line, price: { net: '9', gross: '9.95', discount: '0.45' } },
      { ...line, allowances: [{ amount: '7', baseAmount: '100', percentage: '10', reason: 'x' }] },
    ];
    expect(Object.keys((await refused({ ...entered, lines })).faults)).to.include.members([
      '/fileInput/lines/0/netAmount',
      '/fileInput/lines/1/price/net',
      '/fileInput/lines/2/allowances/0/amount',
    ]);
  });

  it('is refused for another specification than that of the profile', async () => {
    const process = { specification: 'urn:cen.eu:en16931:2017' };
    const { faults } = await refused({ ...entered, process }, { profile: 'xrechnung' });
    expect(faults['/fileInput/process/specification']).to.include('xrechnung_3.0');
    expect((await refused({ ...entered, process: { specification: 'urn:x' } })).faults).to.have.key(
      '/fileInput/process/specification',
    );
  });

  it('is refused for a format that its profile does not have', async () => {
    expect((await refused(entered, { profile: 'basic', format: 'ubl' })).faults['/format']).to.include('CII only');
    expect((await refused(entered, { profile: 'peppol', format: 'pdf' })).faults['/format']).to.include('not embedded');
  });
});

describe('a new invoice that is incomplete or no invoice', () => {
  it('names every required term that is missing, and not the sums that follow from it', async () => {
    const { faults } = await refused({ totals: { due: '5' } });
    expect(faults['/fileInput/number']).to.equal('Invoice number (BT-1) is missing.');
    expect(faults['/fileInput/seller/address/country']).to.include('BT-40');
    expect(faults['/fileInput/lines/0/quantity']).to.include('BT-129');
    expect(faults).to.not.have.property('/fileInput/totals/due');
  });

  it('needs fewer terms for profiles that have fewer', async () => {
    const { lines: _lines, allowances: _allowances, ...rest } = entered;
    const vatBreakdown = [{ category: 'S', rate: '19', taxableAmount: '100.00', taxAmount: '19.00' }];
    const invoice = await made({ ...rest, vatBreakdown, totals: { lines: '100.00' } }, { profile: 'basic-wl' });
    expect(invoice.totals).to.deep.equal({
      lines: '100.00',
      withoutVat: '100.00',
      vat: '19.00',
      withVat: '119.00',
      due: '119.00',
    });
  });

  it('is refused with the violations when a rule is broken', async () => {
    const { code, faults } = await refused({ ...entered, currency: 'EURO' });
    expect(code).to.equal('INVOICE_INVALID');
    expect(faults['/fileInput/currency']).to.include('BR-CL-04');
  });

  it('points at the values that break a rule, and at what a rule misses in a group', async () => {
    const [first, ...others] = entered.lines ?? [];
    const lines = [{ ...first, unit: 'pieces' }, ...others];
    expect(Object.keys((await refused({ ...entered, lines }, { format: 'ubl' })).faults)).to.deep.equal([
      '/fileInput/lines/0/unit',
    ]);
    const { payment: _, ...unpaid } = entered;
    const seller = { ...entered.seller, contact: { name: 'Sales', telephone: '+49 30 1234' } };
    const { faults } = await refused({ ...unpaid, seller, buyerReference: 'x' }, { profile: 'xrechnung' });
    expect(faults['/fileInput/payment']).to.include('BR-DE-1');
    expect(faults['/fileInput/seller/contact/email']).to.include('BR-DE-7');
  });

  it('refuses what is not JSON, not UTF-8, or not an invoice', async () => {
    for (const text of ['', '{', '[]', 'null', '"x"', '7', '\u00ff'])
      expect(await refusedBytes(text), text).to.equal('INPUT_INVALID');
  });

  it('points at wrong types, unknown members, numbers and dates', async () => {
    const { faults } = await refused({
      ...entered,
      number: 42,
      issueDate: '2026-02-30',
      notes: { text: 'x' },
      seller: { ...entered.seller, nmae: 'x', legalRegistration: '7' },
      lines: [{ ...entered.lines?.[0], quantity: '1,5', netAmount: '1e3' }, 'x'],
      supportingDocuments: [{ reference: 'a', attachment: { content: '###' } }],
    });
    expect(faults['/fileInput/number']).to.include('Put it in quotes ("42")');
    expect(faults['/fileInput/issueDate']).to.include('not a date');
    expect(faults['/fileInput/notes']).to.include('must be a list');
    expect(faults['/fileInput/seller/nmae']).to.include('no member "nmae"');
    expect(faults['/fileInput/seller/legalRegistration']).to.include('must be an object with value');
    expect(faults['/fileInput/lines/0/quantity']).to.include('not a decimal number');
    expect(faults['/fileInput/lines/0/netAmount']).to.include('not a decimal number');
    expect(faults['/fileInput/lines/1']).to.include('must be an object');
    expect(faults['/fileInput/supportingDocuments/0/attachment/content']).to.include('not base64');
  });

  it('is not led astray by members of JavaScript, deep nesting and long lists', async () => {
    const polluted = `{"__proto__": {"number": "1"}, "constructor": {}, "toString": "x"}`;
    expect(await refusedBytes(polluted)).to.equal('INPUT_INVALID');
    expect(({} as { number?: string }).number).to.equal(undefined);
    const deep = `${'{"lines":[{"subLines":['.slice(0, 10)}${'{"subLines":['.repeat(3000)}${']}'.repeat(3000)}]}`;
    expect(await refusedBytes(deep)).to.equal('INPUT_INVALID');
    const many = { lines: Array.from({ length: 500 }, () => 1) };
    expect(Object.keys((await refused(many)).faults).length).to.be.at.most(50);
  });
});

describe('the XML of a new invoice of Factur-X EXTENDED', () => {
  it('holds its own terms, counts a fee for logistics as a charge, and leaves subtotals out of the sums', async () => {
    const lines = sampleInvoice().lines ?? [];
    const [first, ...others] = lines;
    const invoice = {
      ...sampleInvoice(),
      process: undefined,
      totals: undefined,
      vatBreakdown: undefined,
      name: 'RECHNUNG',
      invoicee: { name: 'Zentrale', address: { city: 'Bonn', country: 'DE' } },
      logistics: [{ description: 'Fracht', amount: '10.00', vatCategory: 'S', vatRate: '19' }],
      lines: [
        { id: 'G', subtype: 'GROUP', netAmount: '100.00', item: { name: 'Paket' } },
        { ...first, parent: 'G', subtype: 'DETAIL' },
        ...others,
      ],
    };
    const { read, lost } = await create(invoice, { profile: 'extended' });
    expect(lost).to.deep.equal([]);
    expect(read.unread).to.deep.equal([]);
    expect(read.invoice.totals).to.include({
      lines: '300.00',
      charges: '10.00',
      withoutVat: '310.00',
      withVat: '368.90',
    });
    expect(read.invoice).to.have.nested.property('invoicee.address.city', 'Bonn');
    expect(read.invoice).to.have.nested.property('lines[1].parent', 'G');
    const smaller = await create({ ...invoice, lines, logistics: undefined }, { profile: 'en16931' });
    expect(smaller.lost.map(({ term }) => term)).to.include.members(['BT-X-2', 'BT-X-226']);
  });
});
