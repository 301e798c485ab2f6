import { expect } from 'chai';
import { checkExpressions } from '../../../src/functions/audit/expressions.js';
import { decimal } from '../../../src/functions/audit/rational.js';
import { usualMark } from '../../../src/functions/audit/read-number.js';

function audit(text: string, tolerance = decimal('1', 2)): string[] {
  return checkExpressions(text, 1, { tolerance, mark: usualMark(text) }).map(
    ({ stated, expected, severity }) => `${stated} -> ${expected}${severity === 'error' ? '' : ' ?'}`,
  );
}

describe('arithmetic that is written out', () => {
  for (const right of [
    '3 x 12.50 = 37.50',
    '3 × 12,50 € = 37,50 €',
    'Total: 1,200.00 + 228.00 = 1,428.00 USD',
    '1.200,00 + 228,00 = 1.428,00',
    '1 200,50 + 1,00 = 1 201,50',
    "1'000.50 * 2 = 2'001.00",
    '0.1 + 0.2 = 0.3',
    '100 / 3 = 33.33',
    '2 x (3 + 4) = 14',
    '12 + (3 x 2) + 4 + 5 = 27',
    '3x4=12',
    '10 - 2 - 3 = 5',
    '-5 + 3 = -2',
    '5 − 8 = −3',
    '(2 + 2) / 2 = 2',
    '100 + 19% = 119',
    '7% x 50.10 = 3.51',
    '10% + 5% = 15%',
    '15 / 60 = 25%',
    '15 / 60 x 100 = 25 %',
    '6 + 6 = 12 = 3 x 4',
    '3 h x 12.50 € = 37.50 €',
    '12,34,567.00 + 1.00 = 12,34,568.00',
    '٣ + ٤ = ٧',
    '1,5 + 1,5 = 3',
    '1,000 + 500 = 1,500',
    '1,250 + 1,250 = 2,5',
    'Net 100.00 - 10.00 = 90.00 - see page 3',
    '2 + 2 = 4.',
    '(net: 2 + 2 = 4)',
  ]) {
    it(`comes out: ${right}`, () => {
      expect(audit(right)).to.deep.equal([]);
    });
  }

  for (const [wrong, found] of [
    ['3 x 12.50 = 38.50', '38.50 -> 37.50'],
    ['3 × 12,50 € = 38,50 €', '38,50 € -> 37,50'],
    ['1.200,00 + 228,00 = 1.482,00', '1.482,00 -> 1428,00'],
    ['2 x (3 + 4) = 15', '15 -> 14'],
    ['100 / 3 = 34', '34 -> 33.333333'],
    ['100 + 19% = 120', '120 -> 100.19'],
    ['So 10 - 2 - 3 = 6, as said', '6 -> 5'],
    ['15 / 60 = 26%', '26% -> 25.00%'],
    ['12 = 5 + 6', '12 -> 11'],
    ['6 + 6 = 3 x 5', '3 x 5 -> 12'],
    ['1,000 + 500 = 1,600', '1,600 -> 1500'],
    ['0.1 + 0.2 = 0.4', '0.4 -> 0.3'],
    ['99999999999999999999.01 + 0.01 = 99999999999999999999.03', '99999999999999999999.03 -> 99999999999999999999.02'],
  ] as const) {
    it(`does not come out: ${wrong}`, () => {
      expect(audit(wrong)).to.deep.equal([found]);
    });
  }

  for (const other of [
    'x = 5 + 3',
    'A4 + 3 = 9',
    'INV-17 = 20',
    'a + 4 + 5 = 27',
    'y = 3x + 1',
    '10:30 - 11:30 = 2 h',
    '1 km + 500 m = 1500 m',
    '5 € + 3 $ = 9',
    '2 / 0 = 5',
    '1.2.3 + 1 = 9',
    'see = 5',
    '5 = 6',
    '=',
    '2019-2020 = good',
    '12/03/2024 = Tuesday',
    '3 + = 4',
    '2 + 3 = 5x + 1',
  ]) {
    it(`is not looked for in: ${other}`, () => {
      expect(audit(other)).to.deep.equal([]);
    });
  }

  it('counts differences from the tolerance on, exactly', () => {
    expect(audit('1.00 + 1.00 = 2.01')).to.have.length(1);
    expect(audit('1.00 + 1.00 = 2.01', decimal('2', 2))).to.deep.equal([]);
    expect(audit('1.000 + 1.000 = 2.009')).to.deep.equal([]);
    expect(audit('1.000 + 1.000 = 2.009', decimal('0', 0))).to.have.length(1);
  });

  it('takes its time in proportion to the text, whatever that is', () => {
    for (const text of [
      '1+'.repeat(10_000),
      '('.repeat(20_000),
      '1 = '.repeat(6_000),
      '1,000'.repeat(6_000),
      '1 000 '.repeat(6_000),
      `${'9'.repeat(20_000)} + 1 = 2`,
    ].map((one) => `${one} =`))
      expect(checkExpressions(text, 1, { tolerance: decimal('1', 2), mark: '.' }), text.slice(0, 10)).to.deep.equal([]);
  }).timeout(50_000);
});
