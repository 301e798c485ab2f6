import { expect } from 'chai';
import { commaSeparated, readCells } from '../../../src/functions/office/table-cells.js';
import { sheetOf } from '../../../src/functions/office/table-sheet.js';

describe('Cells of a table in text', () => {
  it('keep quotes, separators and line ends inside quotes', () => {
    expect(readCells('a,"b ""c"", d","two\r\nlines"\r\n,,\n"open,x')).to.deep.equal([
      ['a', 'b "c", d', 'two\r\nlines'],
      ['', '', ''],
      ['"open', 'x'],
    ]);
  });

  it('are parted by what the first line names, what the caller says, or what is most regular', () => {
    expect(readCells('sep=|\na;b|c\n')).to.deep.equal([['a;b', 'c']]);
    expect(readCells('a,b;c\n1,2;3\n', '\t')).to.deep.equal([['a,b;c'], ['1,2;3']]);
    expect(readCells('\uFEFFName;Price\nx;1,5\n')).to.deep.equal([
      ['Name', 'Price'],
      ['x', '1,5'],
    ]);
  });

  it('are the same after they are written with commas', () => {
    const rows = [
      ['007', 'a,b', 'say "x"'],
      ['', 'two\nlines', ' spaces '],
    ];
    expect(readCells(commaSeparated(rows))).to.deep.equal(rows);
  });

  it('become text in a spreadsheet: numbers at the right, spaces kept, signs that XML lacks marked', () => {
    const sheet = sheetOf([['-1.234,56 €', 'a  b', '<x>\u0001', '=1+1']], 'A & B');
    expect(sheet)
      .to.contain('table:name="A &amp; B"')
      .and.not.match(/office:value=|table:formula/);
    expect(
      [...sheet.matchAll(/table:style-name="([tn])"[^>]*>(.*?)<\/table:table-cell>/g)].map(([, ...cell]) => cell),
    ).to.deep.equal([
      ['n', '<text:p>-1.234,56 €</text:p>'],
      ['t', '<text:p>a<text:s text:c="2"/>b</text:p>'],
      ['t', '<text:p>&lt;x&gt;\ufffd</text:p>'],
      ['t', '<text:p>=1+1</text:p>'],
    ]);
  });
});
