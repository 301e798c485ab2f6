import { expect } from 'chai';
import { PageValues } from '../../src/functions/hybrid/page-values.js';

const page = (text: string): PageValues => new PageValues([text]);

describe('values of an invoice on a page', () => {
  it('are found in the notations of several countries', () => {
    for (const text of [
      '1.234,50',
      '1,234.50',
      '1234.50',
      '1234,5',
      '1 234,50',
      '1\u202f234,50',
      "1'234.50",
      '1’234.50',
      '€1,234.500',
    ])
      expect(page(`Total ${text} EUR`).hasAmount('1234.50'), text).to.equal(true);
    for (const text of ['1.190', '1.190,00', '1,190.-', '1190,--', '1190'])
      expect(page(`Total ${text} EUR`).hasAmount('1190.00'), text).to.equal(true);
    expect(page('-1.234,50').hasAmount('-1234.5')).to.equal(true);
    expect(page('12.345.678.901,00').hasAmount('12345678901')).to.equal(true);
  });

  it('are not parts of other numbers', () => {
    for (const text of ['11.234,50', '1.234,501', '1.234,50.7', '0,1234', '1.234.500', '5.1.234,50', '1.234,05'])
      expect(page(`Total ${text} EUR`).hasAmount('1234.50'), text).to.equal(false);
    expect(page('1.190,10').hasAmount('1190')).to.equal(false);
    expect(page('119000').hasAmount('1190.00')).to.equal(false);
  });

  it('include dates in figures and in words', () => {
    const forms = [
      '28.11.2026',
      '28.11.26',
      '28/11/2026',
      '11/28/2026',
      '2026-11-28',
      '28. November 2026',
      '28 Nov. 2026',
    ];
    const words = [
      'November 28th, 2026',
      '28 novembre 2026',
      '28 de noviembre de 2026',
      '28 listopada 2026',
      '28. Nov 26',
    ];
    for (const text of [...forms, ...words]) expect(page(`vom ${text}.`).hasDate('2026-11-28'), text).to.equal(true);
    for (const text of ['29.11.2026', '28.12.2026', '128.11.2026', '28. Oktober 2026', '28.11.20261'])
      expect(page(text).hasDate('2026-11-28'), text).to.equal(false);
    expect(page('3. März 2026').hasDate('2026-03-03')).to.equal(true);
    expect(page('1er août 2026').hasDate('2026-08-01')).to.equal(true);
  });

  it('include texts with any white space in them', () => {
    expect(page('IBAN DE89 3704 0044\n0532 0130 00').hasText('DE89370400440532013000')).to.equal(true);
    expect(page('Rechnung R-2026-\n0042').hasText('r-2026-0042')).to.equal(true);
    expect(page('Rechnung R-2026-0043').hasText('R-2026-0042')).to.equal(false);
  });

  it('are listed for messages', () => {
    const shown = page(
      'Rechnungsnummer: X-7 vom 1.2.2026, 10,00 und 1.190,00. USt-ID DE123456789, DE89 3704 0044 0532 0130 00 BIC',
    );
    expect(shown.numbers()).to.deep.equal(['X-7']);
    expect(shown.dates()).to.deep.equal(['1.2.2026']);
    expect(shown.largestAmounts()).to.deep.equal(['1.190,00', '10,00']);
    expect(shown.ibans()).to.deep.equal(['DE89 3704 0044 0532 0130 00']);
  });

  it('are not looked for on scans and pages with little text', () => {
    expect(page('').isReadable).to.equal(false);
    expect(page('Page 1 of 1').isReadable).to.equal(false);
    expect(page('Rechnung R-2026-0042 der Lieferant GmbH an die Kunde AG in München').isReadable).to.equal(true);
  });

  it('take no longer for a hostile text or value', () => {
    const began = performance.now();
    const hostile = page('1.1.1.1,'.repeat(200_000));
    hostile.hasAmount('99999999999999999999.99');
    hostile.hasAmount('1'.repeat(1000));
    hostile.hasDate('2026-11-28');
    hostile.largestAmounts();
    hostile.ibans();
    page('A'.repeat(1_000_000)).ibans();
    page(`Rechnung nr. ${'rechnungs'.repeat(100_000)}`).numbers();
    expect(performance.now() - began).to.be.below(5000);
  });
});
