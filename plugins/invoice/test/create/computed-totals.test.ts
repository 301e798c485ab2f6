import { decimal, type Decimal, percentOf, roundHalfUp, sum, zero } from '@quire/document/invoices/amounts';
import type { Invoice, InvoiceLine } from '@quire/document/invoices/model';
import { expect } from 'chai';
import { computeInvoice } from '../../src/functions/create/compute-invoice.js';
import { Faults } from '../../src/functions/create/faults.js';

/** Numbers that look random and are the same in every run (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const rates = ['19', '7', '5.5', '20.0', '19.00'] as const;

/** An invoice of random lines, allowances and charges, as a person enters it. */
function randomInvoice(seed: number): Invoice {
  const next = random(seed);
  const below = (count: number): number => Math.floor(next() * count);
  const number = (whole: number, places: number): string =>
    `${next() < 0.15 ? '-' : ''}${below(whole)}${places === 0 ? '' : `.${String(below(10 ** places)).padStart(places, '0')}`}`;
  const positive = (whole: number, places: number): string => number(whole, places).replace('-', '');
  const vat = (): { category: string; rate?: string } =>
    next() < 0.2 ? { category: 'E' } : { category: 'S', rate: rates[below(rates.length)] ?? '19' };
  const line = (id: number): InvoiceLine => ({
    id: String(id),
    quantity: number(1000, below(4)),
    unit: 'H87',
    price: { net: positive(10_000, below(6)), ...(next() < 0.3 ? { baseQuantity: String(1 + below(1000)) } : {}) },
    ...(next() < 0.3 ? { allowances: [{ baseAmount: positive(100, 2), percentage: positive(50, 1) }] } : {}),
    ...(next() < 0.3 ? { charges: [{ amount: positive(100, 2) }] } : {}),
    vat: vat(),
  });
  const reduction = (): NonNullable<Invoice['allowances']>[number] => {
    const { category, rate } = vat();
    return { amount: positive(50, 2), vatCategory: category, ...(rate === undefined ? {} : { vatRate: rate }) };
  };
  return {
    lines: Array.from({ length: 1 + below(40) }, (_, i) => line(i + 1)),
    ...(next() < 0.5 ? { allowances: [reduction(), reduction()] } : {}),
    ...(next() < 0.5 ? { charges: [reduction()] } : {}),
    ...(next() < 0.3 ? { totals: { paid: positive(100, 2), rounding: number(1, 2) } } : {}),
  };
}

const of = (text: string | undefined): Decimal => (text === undefined ? zero : decimal(text));
const total = (texts: readonly (string | undefined)[]): string => sum(texts.map(of)).toFixed(2);

describe('computed totals of 500 random invoices', () => {
  const computed = Array.from({ length: 500 }, (_, seed) => {
    const faults = new Faults();
    const invoice = computeInvoice(randomInvoice(seed), faults);
    faults.throwIfAny();
    return { seed, invoice };
  });

  const each = (check: (invoice: Invoice, seed: string) => void): void =>
    computed.forEach(({ invoice, seed }) => check(invoice, `seed ${seed}`));

  it('are sums of their parts', () =>
    each(({ lines = [], allowances = [], charges = [], totals = {} }, seed) => {
      expect(totals.lines, seed).to.equal(total(lines.map(({ netAmount }) => netAmount)));
      expect(of(totals.allowances).toFixed(2), seed).to.equal(total(allowances.map((one) => one.amount)));
      expect(of(totals.charges).toFixed(2), seed).to.equal(total(charges.map((one) => one.amount)));
      const without = of(totals.lines).minus(of(totals.allowances)).plus(of(totals.charges));
      expect(totals.withoutVat, seed).to.equal(without.toFixed(2));
      expect(totals.withVat, seed).to.equal(of(totals.withoutVat).plus(of(totals.vat)).toFixed(2));
      const due = of(totals.withVat).minus(of(totals.paid)).plus(of(totals.rounding));
      expect(totals.due, seed).to.equal(due.toFixed(2));
    }));

  it('are those of the VAT breakdown', () =>
    each(({ vatBreakdown = [], totals = {} }, seed) => {
      expect(total(vatBreakdown.map(({ taxableAmount }) => taxableAmount)), seed).to.equal(totals.withoutVat);
      expect(total(vatBreakdown.map(({ taxAmount }) => taxAmount)), seed).to.equal(totals.vat);
      for (const { taxableAmount, taxAmount, rate } of vatBreakdown)
        expect(taxAmount, seed).to.equal(roundHalfUp(percentOf(of(taxableAmount), of(rate)), 2).toFixed(2));
    }));

  it('have one entry of the breakdown for each category and rate, however the rate is written', () =>
    each(({ vatBreakdown = [] }, seed) => {
      const keys = vatBreakdown.map(({ category, rate }) => `${category} ${of(rate).toFixed()}`);
      expect(new Set(keys).size, seed).to.equal(keys.length);
    }));

  it('never have more than two places', () =>
    each(({ lines = [], vatBreakdown = [], totals = {} }, seed) => {
      const { rounding: _rounding, paid: _paid, ...sums } = totals;
      const amounts = [
        ...lines.map(({ netAmount }) => netAmount),
        ...vatBreakdown.flatMap(({ taxableAmount, taxAmount }) => [taxableAmount, taxAmount]),
        ...Object.values(sums),
      ];
      for (const amount of amounts) expect(amount, seed).to.match(/^-?\d+\.\d\d$/);
    }));

  it('stay as they are when they are computed again', () =>
    each((invoice, seed) => {
      const faults = new Faults();
      expect(computeInvoice(invoice, faults), seed).to.deep.equal(invoice);
      faults.throwIfAny();
    }));

  it('contradict every other total', () =>
    each((invoice) => {
      for (const key of ['lines', 'withoutVat', 'vat', 'withVat', 'due'] as const) {
        const wrong = of(invoice.totals?.[key]).plus(decimal('0.01')).toFixed(2);
        const faults = new Faults();
        computeInvoice({ ...invoice, totals: { ...invoice.totals, [key]: wrong } }, faults);
        expect(() => faults.throwIfAny()).to.throw(wrong);
      }
    }));
});
