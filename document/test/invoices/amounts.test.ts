import { expect } from 'chai';
import {
  decimal,
  decimalPlaces,
  formatDecimal,
  MAX_DIGITS,
  parseDecimal,
  percentOf,
  roundHalfUp,
  roundXPath,
  sum,
} from '../../invoices/amounts/index.js';

/** A generator with a seed, so that a failure can be repeated (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A number of `places` decimal places as text and as its integer in the last place. */
function randomAmount(next: () => number, places: number): { text: string; units: bigint } {
  const units = BigInt(Math.floor((next() - 0.5) * 2 * 10 ** (3 + Math.floor(next() * 10))));
  return { text: textOf(units, places), units };
}

function textOf(units: bigint, places: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

describe('Decimal numbers of invoices', () => {
  it('reads what XML Schema calls a decimal', () => {
    for (const text of ['0', '1', '-1.5', '+2.50', '.5', '5.', '007', ' 1 ', '\n1.00\t', '-.25']) {
      expect(parseDecimal(text), text).not.to.equal(undefined);
    }
    expect(formatDecimal(decimal(' -0.50 '))).to.equal('-0.5');
    expect(formatDecimal(decimal('-0.00'))).to.equal('0');
  });

  it('refuses every other notation', () => {
    const wrong = [
      '',
      ' ',
      '1,00',
      '1.000,00',
      '1e3',
      '1E3',
      'NaN',
      'INF',
      '0x10',
      '1 000',
      '1_0',
      '--1',
      '.',
      '+',
      '1.2.3',
    ];
    const strange = ['\u00a01', '\u0661', '\u22121', '\uff11', '1\u0000', '12€'];
    for (const text of [...wrong, ...strange]) expect(parseDecimal(text), JSON.stringify(text)).to.equal(undefined);
    expect(parseDecimal(undefined)).to.equal(undefined);
    expect(() => decimal('1,00')).to.throw(RangeError, '"1,00" is not a decimal number');
  });

  it('calculates with 40 digits exactly, and refuses a number made to be slow', () => {
    const long = '9'.repeat(40);
    expect(formatDecimal(decimal(long).plus(decimal('0.01')))).to.equal(`${long}.01`);
    expect(parseDecimal('1'.repeat(MAX_DIGITS))).not.to.equal(undefined);
    expect(parseDecimal('1'.repeat(1_000_000))).to.equal(undefined);
    expect(parseDecimal(`0.${'1'.repeat(MAX_DIGITS + 1)}`)).to.equal(undefined);
  });

  it('adds without the faults of binary fractions', () => {
    expect(formatDecimal(sum([decimal('0.1'), decimal('0.2')]))).to.equal('0.3');
    expect(formatDecimal(sum([]))).to.equal('0');
  });

  it('rounds half away from zero, and as XPath does towards positive infinity', () => {
    const cases: [string, string, string][] = [
      ['0.125', '0.13', '0.13'],
      ['-0.125', '-0.13', '-0.12'],
      ['0.124', '0.12', '0.12'],
      ['-0.126', '-0.13', '-0.13'],
      ['-0.004', '0.00', '0.00'],
      ['2.345', '2.35', '2.35'],
    ];
    for (const [value, up, xpath] of cases) {
      expect(formatDecimal(roundHalfUp(decimal(value), 2), 2), value).to.equal(up);
      expect(formatDecimal(roundXPath(decimal(value), 2), 2), value).to.equal(xpath);
    }
  });

  it('counts the decimal places as they are written', () => {
    expect(['1', '1.5', '1.500', '-0.05', ' 2.25 '].map(decimalPlaces)).to.deep.equal([0, 1, 3, 2, 2]);
  });

  it('agrees with integer arithmetic on random sums, products and roundings', () => {
    const next = random(20260901);
    for (let round = 0; round < 2000; round += 1) {
      const a = randomAmount(next, 2);
      const b = randomAmount(next, 2);
      expect(formatDecimal(sum([decimal(a.text), decimal(b.text)]), 2)).to.equal(textOf(a.units + b.units, 2));
      const rate = randomAmount(next, 0);
      const exact = a.units * rate.units;
      expect(formatDecimal(percentOf(decimal(a.text), decimal(rate.text)), 4), `${a.text} ${rate.text}`).to.equal(
        textOf(exact, 4),
      );
      const magnitude = exact < 0n ? -exact : exact;
      const up = (magnitude + 50n) / 100n;
      expect(formatDecimal(roundHalfUp(decimal(textOf(exact, 4)), 2), 2)).to.equal(textOf(exact < 0n ? -up : up, 2));
      const shifted = exact + 50n;
      const floor = shifted >= 0n ? shifted / 100n : -((-shifted + 99n) / 100n);
      expect(formatDecimal(roundXPath(decimal(textOf(exact, 4)), 2), 2)).to.equal(textOf(floor, 2));
    }
  });

  it('writes a number so that reading it gives the same number', () => {
    const next = random(7);
    for (let round = 0; round < 500; round += 1) {
      const value = decimal(randomAmount(next, Math.floor(next() * 6)).text);
      expect(decimal(formatDecimal(value)).eq(value)).to.equal(true);
    }
  });
});
