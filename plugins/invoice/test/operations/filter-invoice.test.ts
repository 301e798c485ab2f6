import type { QuireServer } from '@quire/core';
import { callOperation, createTestServer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { einvoiceRows, einvoices } from '../../../../test/fixtures/einvoices.js';
import { ciiInvoice, ublInvoice } from '../../fixtures/invoice-texts.js';
import { type InvoiceConditions, matchesInvoice } from '../../src/functions/match-invoice.js';
import { beginTrial, fixture, type Trial } from '../hybrid/embed-support.js';

describe('the filter for invoices', function () {
  this.timeout(60_000);
  let trial: Trial;
  before(async () => {
    trial = await beginTrial();
  });
  after(() => trial.end());

  const hybrid = fixture('hybrid.pdf');
  const keeps = (path: string, conditions: Partial<InvoiceConditions>): Promise<boolean> =>
    matchesInvoice(path, path.endsWith('.pdf') ? 'pdf' : 'xml', { verdict: 'any', ...conditions });

  it('keeps what all conditions hold for', async () => {
    const cases: readonly (readonly [Partial<InvoiceConditions>, boolean])[] = [
      [{}, true],
      [{ verdict: 'valid' }, true],
      [{ verdict: 'invalid' }, false],
      [{ profile: 'en16931' }, true],
      [{ profile: 'xrechnung' }, false],
      [{ seller: 'LIEFERANT gmbh' }, true],
      [{ seller: 'feran' }, true],
      [{ seller: 'de 123 456 789' }, true],
      [{ seller: 'DE12345678' }, false],
      [{ seller: 'Kunde' }, false],
      [{ number: 'r-2026-0042' }, true],
      [{ number: 'R-2026-004' }, false],
      [{ currency: 'EUR' }, true],
      [{ currency: 'USD' }, false],
      [{ minAmount: '1190', maxAmount: '1190.000' }, true],
      [{ minAmount: '1190.0000000000000000000000000000000001' }, false],
      [{ maxAmount: '1189.99' }, false],
      [{ from: '2026-11-28', to: '2026-11-28' }, true],
      [{ from: '2026-11-29' }, false],
      [{ to: '2026-11-27' }, false],
      [{ verdict: 'valid', seller: 'Lieferant', minAmount: '2000' }, false],
    ];
    for (const [conditions, kept] of cases)
      expect(await keeps(hybrid, conditions), JSON.stringify(conditions)).to.equal(kept);
    expect(await keeps(fixture('invoice-ubl.xml'), { profile: 'xrechnung', minAmount: '1000' })).to.equal(true);
  });

  it('drops files without an invoice, whatever the conditions', async () => {
    const order = await trial.write('order.xml', '<a xmlns="urn:somebody"/>');
    for (const path of [fixture('page.pdf'), order])
      for (const verdict of ['any', 'valid', 'invalid'] as const)
        expect(await keeps(path, { verdict }), `${path} ${verdict}`).to.equal(false);
  });

  it('tells invalid invoices from valid ones', async () => {
    const wrong = await trial.write(
      'wrong.xml',
      ciiInvoice.replace('GrandTotalAmount>1190.00', 'GrandTotalAmount>1191.00'),
    );
    expect(await keeps(wrong, { verdict: 'invalid' })).to.equal(true);
    expect(await keeps(wrong, { verdict: 'valid' })).to.equal(false);
    expect(await keeps(wrong, { verdict: 'invalid', seller: 'Lieferant' })).to.equal(true);
  });

  it('counts what cannot be read as an invalid invoice without content', async () => {
    const cut = await trial.write('cut.xml', ublInvoice.slice(0, 3000));
    const carrier = await PDFDocument.create();
    carrier.addPage();
    await carrier.attach(new TextEncoder().encode('{"no": "XML"}'), 'factur-x.xml', { mimeType: 'text/xml' });
    const named = await trial.write('named.pdf', await carrier.save());
    for (const path of [cut, named]) {
      expect(await keeps(path, { verdict: 'invalid' }), path).to.equal(true);
      expect(await keeps(path, { verdict: 'valid' }), path).to.equal(false);
      expect(await keeps(path, { verdict: 'invalid', number: 'R-2026-0042' }), path).to.equal(false);
    }
    expect(await keeps(cut, {})).to.equal(true);
    expect(await keeps(cut, { minAmount: '1' })).to.equal(false);
  });

  it('takes an amount or a date that is none for outside of every range', async () => {
    const path = await trial.write(
      'odd.xml',
      ublInvoice
        .replace('TaxInclusiveAmount currencyID="EUR">1190.00', 'TaxInclusiveAmount currencyID="EUR">1.190,00')
        .replace('2026-11-28', '2026-02-30x'),
    );
    expect(await keeps(path, { minAmount: '0' })).to.equal(false);
    expect(await keeps(path, { from: '1900-01-01' })).to.equal(false);
    expect(await keeps(path, { seller: 'Lieferant' })).to.equal(true);
  });

  it('keeps every invoice of the collection, and nothing else in it', async function () {
    this.timeout(120_000);
    const rows = einvoiceRows()?.filter(({ kind }) => kind !== 'unit-test-set');
    if (rows === undefined) return this.skip();
    const wrong: string[] = [];
    for (const { file, kind, guideline_id: guideline } of rows) {
      const kept = await matchesInvoice(einvoices + file, kind === 'pdf-hybrid' ? 'pdf' : 'xml', { verdict: 'any' });
      const expected = !['fatturapa', 'other-xml'].includes(kind);
      // The draft of ZUGFeRD is read only where it has the root element of ZUGFeRD 1.
      if (kept !== expected && guideline !== 'urn:ferd:invoice:rc:comfort') wrong.push(file);
    }
    expect(wrong.join('\n')).to.equal('');
  });

  describe('over HTTP', () => {
    let server: QuireServer;
    let url: string;
    before(async () => {
      server = await createTestServer({ plugins: ['@quire/plugin-invoice'] });
      url = await server.start();
    });
    after(() => server.stop());

    it('refuses ranges that run backwards, amounts with commas, and dates that do not exist', async () => {
      const cases: readonly (readonly [Record<string, string>, RegExp])[] = [
        [{ minAmount: '10', maxAmount: '9.99' }, /maxAmount.*below the begin of its range/],
        [{ from: '2026-12-01', to: '2026-11-01' }, /"to".*below the begin of its range/],
        [{ minAmount: '1.234,50' }, /minAmount.*decimal point, such as 1234\.50/],
        [{ minAmount: '1e3' }, /minAmount/],
        [{ from: '2026-02-30' }, /"from" must be a date/],
        [{ currency: 'EURO' }, /currency/],
      ];
      for (const [params, pattern] of cases) {
        const answer = await callOperation(url, {
          path: 'filter/filter-invoice',
          files: [{ name: 'a.xml', bytes: new TextEncoder().encode(ciiInvoice) }],
          params,
        });
        const text = new TextDecoder().decode(answer.bytes);
        expect(answer.status, text).to.equal(400);
        expect((JSON.parse(text) as { detail: string }).detail, JSON.stringify(params)).to.match(pattern);
      }
    });
  });
});
