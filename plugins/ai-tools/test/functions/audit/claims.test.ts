import { expect } from 'chai';
import { checkClaim, type Claim } from '../../../src/functions/audit/claims.js';
import { decimal } from '../../../src/functions/audit/rational.js';
import { readClaims, sentencesOf } from '../../../src/functions/audit/read-claims.js';
import { usualMark } from '../../../src/functions/audit/read-number.js';

function audit(text: string): string[] {
  const options = { tolerance: decimal('1', 2), mark: usualMark(text) };
  return sentencesOf(text)
    .flatMap((sentence) => readClaims(sentence, 1))
    .flatMap((claim) => checkClaim(claim, options) ?? [])
    .map(({ stated, expected, severity }) => `${stated} -> ${expected}${severity === 'error' ? '' : ' ?'}`);
}

describe('claims in sentences', () => {
  for (const [text, count] of [
    ['Of this, 7% of 200 is 14.', 1],
    ['19 % von 200,00 € sind 38,00 €.', 1],
    ['20 % de 50 font 10.', 1],
    ['33.3% of 100 is 33.30.', 1],
    ['The sum of 10, 20 and 30 is 60.', 1],
    ['Die Summe aus 1.200,00 €, 300,00 € und 50,50 € beträgt 1.550,50 €.', 1],
    ['The difference between $1,200 and $900 is $300.', 1],
    ['The difference between 900 and 1,200 is 300.', 1],
    ['Sales rose by 20% from 100 to 120.', 1],
    ['Sales fell from 120 million to 100 million, a fall of 16.7%.', 1],
    ['Der Umsatz stieg von 1.000,00 € auf 1.250,00 €, also um 25 %.', 1],
    ['Le chiffre a baissé de 200 à 150, soit 25 %.', 1],
    ['It is open from 9 to 17 and 100% up to date.', 1],
    ['Nothing changed from 2019 to 2020 but prices, up 5%.', 0],
    ['Costs rose from 10 to 12 and 20 to 25, by 20% and 25%.', 0],
    ['10% of 5 € is 3 $.', 1],
    ['Just words.', 0],
  ] as const) {
    it(`are read in: ${text}`, () => {
      expect(sentencesOf(text).flatMap((sentence) => readClaims(sentence, 1))).to.have.length(count);
      if (!text.startsWith('It is open')) expect(audit(text)).to.deep.equal([]);
    });
  }

  for (const [text, found] of [
    ['Of this, 7% of 200 is 15.', '15 -> 14.00'],
    ['19 % von 200,00 € sind 39,00 €.', '39,00 € -> 38,00'],
    ['The sum of 10, 20 and 30 is 61.', '61 -> 60'],
    ['Die Summe aus 1.200,00 €, 300,00 € und 50,50 € beträgt 1.560,50 €.', '1.560,50 € -> 1550,50'],
    ['The difference between $1,200 and $900 is $400.', '$400 -> 300'],
    ['Sales rose by 25% from 100 to 120.', '25% -> 20.00%'],
    ['Sales fell from 120 million to 100 million, a fall of 20%.', '20% -> 16.67%'],
  ] as const) {
    it(`are found wrong in: ${text}`, () => {
      expect(audit(text)).to.deep.equal([found]);
    });
  }

  it('are calculated by their kind, as they may be proposed, and left where that cannot be', () => {
    const options = { tolerance: decimal('1', 2), mark: '.' as const };
    const check = (kind: Claim['kind'], operands: readonly string[], result: string) =>
      checkClaim({ kind, operands, result, quote: 'q', page: 1 }, options)?.expected;
    expect([
      check('product', ['3', '12.50'], '37.50'),
      check('product', ['3', '12.50'], '38.50'),
      check('quotient', ['1', '4'], '25%'),
      check('quotient', ['1', '4'], '26%'),
      check('average', ['1', '2', '4'], '2.33'),
      check('average', ['1', '2', '4'], '3'),
    ]).to.deep.equal([undefined, '37.50', undefined, '25.00%', undefined, '2.33']);
    for (const operands of [[], ['1'], ['1', 'two'], ['1', '2', '3']])
      expect(check('difference', operands, '9')).to.equal(undefined);
    expect(check('quotient', ['1', '0'], '9')).to.equal(undefined);
    expect(check('percentage_change', ['0', '5'], '9%')).to.equal(undefined);
  });

  it('are looked for in time, whatever the text is', () => {
    for (const text of [
      'sum of 1, '.repeat(12_000),
      'from 1 to '.repeat(12_000),
      '1% of 1 '.repeat(12_000),
      '1 '.repeat(120_000),
      `sum of ${'1 000, '.repeat(80)}and`,
    ])
      expect(audit(text), text.slice(0, 20)).to.deep.equal([]);
  }).timeout(50_000);
});
