import { expect } from 'chai';
import { listsOfAmounts, OnceAmounts } from '../../../src/functions/audit/labelled-lines.js';
import { decimal } from '../../../src/functions/audit/rational.js';
import { usualMark } from '../../../src/functions/audit/read-number.js';
import { checkTable } from '../../../src/functions/audit/tallies.js';

const tolerance = decimal('1', 2);

/** A table of lines with cells parted by bars; the first line is the head. */
function audit(text: string): string[] {
  const [head = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return checkTable(
    { head, rows: rows.map((cells) => ({ page: 1, cells })) },
    { tolerance, mark: usualMark(text) },
  ).map(
    ({ kind, stated, expected, severity }) => `${kind} ${stated} -> ${expected}${severity === 'error' ? '' : ' ?'}`,
  );
}
function lists(text: string): string[] {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trim());
  const options = { tolerance, mark: usualMark(text) };
  return listsOfAmounts(lines, 1, options)
    .flatMap((list) => checkTable(list, options))
    .map(({ stated, expected }) => `${stated} -> ${expected}`);
}

describe('totals of tables', () => {
  for (const [what, text] of [
    ['lines', 'Item|Amount\nA|10.50\nB|20.25\nTotal|30.75'],
    ['a subtotal, a tax and a total', 'Item|Amount\nA|100.00\nB|100.00\nSubtotal|200.00\nVAT 19%|38.00\nTotal|238.00'],
    [
      'lines under several subtotals, and all of them',
      'Item|2025\nA|1\nB|2\nTotal one|3\nC|4\nD|5\nTotal two|9\nGrand total|12',
    ],
    ['a discount without a sign', 'Item|Amount\nA|100.00\nB|50.00\nDiscount|15.00\nTotal|135.00'],
    ['a discount with a sign', 'Item|Amount\nA|100.00\nB|50.00\nDiscount|-15.00\nTotal|135.00'],
    ['costs in brackets', 'Item|2025\nSales|1,000\nCosts|(400)\nOther|(100)\nTotal|500'],
    ['what has a part named below it', 'Item|2025\nSales|100\nof which abroad|60\nOther|20\nTotal|120'],
    ['a total that stands above', 'Item|2025\nIncome|5\nRent|6\nTotal costs|7\nWages|4\nRent|3'],
    ['a total that is said twice', 'Item|Amount\nA|1.00\nB|2.00\nTotal|3.00\nAmount due|3.00'],
    ['numbers of another country', 'Position|Betrag\nA|1.000,50\nB|2.000,25\nSumme|3.000,75'],
    [
      'columns that nobody adds up',
      'Item|Unit price|Year|Share\nA|1.00|2020|50%\nB|2.00|2021|60%\nTotal|9.00|2022|100%',
    ],
    ['totals of rows', 'Region|Q1|Q2|Total\nN|1|2|3\nS|4|5|9\nTotal|5|7|12'],
    ['quantities and prices, rounded to the cent', 'Item|Qty|Unit price|Amount\nA|3|12.50|37.50\nB|1.5|0.333|0.50'],
    [
      'quantities and prices with a discount',
      'Item|Qty|Price|Discount|Amount\nA|3|12.50|10%|33.75\nB|2|10.00|10%|18.00',
    ],
    ['one line and its total', 'Item|Amount\nA|10.00\nTotal|11.00'],
    ['no numbers', 'Item|Amount\nA|much\nTotal|more'],
  ] as const) {
    it(`come out of ${what}`, () => {
      expect(audit(text)).to.deep.equal([]);
    });
  }

  for (const [what, text, found] of [
    ['lines', 'Item|Amount\nA|10.50\nB|20.25\nTotal|31.75', ['tally 31.75 -> 30.75']],
    [
      'a subtotal, a tax and a total',
      'Item|Amount\nA|100.00\nB|100.00\nSubtotal|200.00\nVAT 19%|38.00\nTotal|248.00',
      ['tally 248.00 -> 238.00'],
    ],
    ['German numbers', 'Position|Betrag\nA|1.000,50\nB|2.000,25\nSumme|3.100,75', ['tally 3.100,75 -> 3000,75']],
    ['rounded thousands', 'Item|2025\nA|10.4\nB|20.4\nTotal|30.9', ['tally 30.9 -> 30.8 ?']],
    [
      'quantities and prices',
      'Item|Qty|Unit price|Amount\nA|3|12.50|38.50\nB|2|4.00|8.00',
      ['arithmetic 38.50 -> 37.50'],
    ],
    [
      'Stück und Preis',
      'Artikel|Menge|Einzelpreis|Gesamtpreis\nA|3|12,50 €|37,50 €\nB|2|4,00 €|9,00 €\nC|1|1,00 €|1,00 €',
      ['arithmetic 9,00 € -> 8,00'],
    ],
    ['a row', 'Region|Q1|Q2|Total\nN|1|2|3\nS|4|5|10\nW|1|1|2', ['tally 10 -> 9.00']],
  ] as const) {
    it(`do not come out of ${what}`, () => {
      expect(audit(text)).to.deep.equal(found);
    });
  }

  it('are left where no row of a product comes out, as the columns mean something else', () => {
    expect(audit('Item|Qty|Price|Amount\nA|3|12.50|1.00\nB|2|4.00|2.00\nC|2|4.00|3.00')).to.deep.equal([]);
  });

  it('are found in lists of lines, and only of money', () => {
    expect(lists('Rent ........ 800.00\nHeating: 120.50\nWater 30.00 EUR\nTotal: 960.50')).to.deep.equal([
      '960.50 -> 950.50',
    ]);
    expect(lists('Rent ........ 800.00\nHeating: 120.50\nWater 30.00 EUR\nTotal: 950.50')).to.deep.equal([]);
    expect(lists('Chapter one 12\nChapter two 15\nTotal 99')).to.deep.equal([]);
    expect(lists('Miete 1 800,00\nHeizung 120,50\nSumme 2 920,50')).to.deep.equal([]);
  });

  it('that a document should name once are compared, by name and currency', () => {
    const once = new OnceAmounts({ tolerance, mark: '.' });
    once.add(['Amount due: 119.00 EUR', 'Amount due: 150.00 USD', 'Total: 5.00', 'Invoice total 20.00'], 1);
    once.add(['Amount due 119.00', 'amount  due: 120.00', 'Total: 6.00', 'Invoice total 20.00'], 3);
    expect(
      once.contradictions().map(({ page, kind, stated, expected }) => [page, kind, stated, expected]),
    ).to.deep.equal([[3, 'consistency', '120.00', '119.00 EUR']]);
  });
});
