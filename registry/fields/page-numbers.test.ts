import { selectPages, evaluateFormula, isQuireError } from '@quire/registry';
import { expect } from 'chai';
import { unusedParts } from './page-syntax.js';

/** 1-based, as a client counts. */
const pages = (expression: string, count = 20): number[] => selectPages(expression, count).map((index) => index + 1);

const refusal = (act: () => unknown): { code: string; message: string; pointer: string | undefined } => {
  try {
    act();
  } catch (error) {
    if (isQuireError(error)) return { code: error.code, message: error.message, pointer: error.errors[0]?.pointer };
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('page numbers', () => {
  it('select every page for all, in any letter case and with spaces around', () => {
    expect(pages('all', 3)).to.deep.equal([1, 2, 3]);
    expect(pages(' ALL ', 3)).to.deep.equal([1, 2, 3]);
  });

  it('keep the order of first appearance and drop duplicates', () => {
    expect(pages('3,1')).to.deep.equal([3, 1]);
    expect(pages('1,1,2')).to.deep.equal([1, 2]);
    expect(pages('5,1-6')).to.deep.equal([5, 1, 2, 3, 4, 6]);
  });

  it('accept ranges, including open ones and ones with spaces', () => {
    expect(pages('2-4')).to.deep.equal([2, 3, 4]);
    expect(pages('18-')).to.deep.equal([18, 19, 20]);
    expect(pages('2 - 4')).to.deep.equal([2, 3, 4]);
  });

  it('ignore pages outside the document', () => {
    expect(pages('2,99', 3)).to.deep.equal([2]);
    expect(pages('0,1', 3)).to.deep.equal([1]);
    expect(pages('2-2147483647', 3)).to.deep.equal([2, 3]);
  });

  it('are compared with the document, to name the parts that are not used', () => {
    expect(unusedParts('2,99,1-4', 3)).to.deep.equal({ outside: ['99', '1-4'], repeated: ['1-4'] });
    expect(unusedParts('0,1,1,2-3', 3)).to.deep.equal({ outside: ['0'], repeated: ['1'] });
    expect(unusedParts('1-,2n,all,x', 3)).to.deep.equal({ outside: [], repeated: [] });
  });

  it('evaluate formulas for n from 1', () => {
    expect(pages('2n', 7)).to.deep.equal([2, 4, 6]);
    expect(pages('2n+1', 7)).to.deep.equal([3, 5, 7]);
    expect(pages('2n-1', 7)).to.deep.equal([1, 3, 5, 7]);
    expect(pages('n(n-1)', 7)).to.deep.equal([2, 6]);
    expect(pages('n', 3)).to.deep.equal([1, 2, 3]);
    expect(pages('n/2', 5)).to.deep.equal([1, 2]);
  });

  it('reject anything but pages, ranges and formulas, and name the field', () => {
    for (const text of ['abc', '1;id', '-', '--', '-3', 'even', 'n^2', 'N', '1.5', '1-2-3', 'n)(', '0x1', '１']) {
      expect(
        refusal(() => pages(text)),
        text,
      ).to.include({ code: 'PAGES_INVALID', pointer: '/pageNumbers' });
    }
  });

  it('reject a selection without a page', () => {
    for (const text of ['10000', '0', '9-12', ''])
      expect(refusal(() => pages(text, 3)).code, text).to.equal('PAGES_OUT_OF_RANGE');
  });

  it('reject a range that runs backwards, and suggest the intended range', () => {
    for (const text of ['2-1', '1,9-3', ' 3 - 2']) {
      const error = refusal(() => pages(text, 3));
      expect(error.code, text).to.equal('PAGES_INVALID');
      expect(error.message, text).to.match(/^"pageNumbers" runs backwards/);
    }
    expect(refusal(() => pages('2-1', 3)).message).to.equal(
      '"pageNumbers" runs backwards ("2-1"); did you mean "1-2"?',
    );
  });

  it('are parsed quickly even when an expression selects many pages', () => {
    const long: readonly (readonly [expression: string, count: number, selected: number | string])[] = [
      [`1${'*1'.repeat(4990)}n`, 10_000, 10_000],
      ['n'.repeat(10_000), 10_000, 1],
      [Array.from({ length: 1400 }, (_unused, i) => `n-n-${i}`).join(), 10_000, 'PAGES_OUT_OF_RANGE'],
      [Array.from({ length: 1400 }, (_unused, i) => `${i + 2}-`).join(), 50_000, 49_999],
      [Array.from({ length: 2500 }, () => 'all').join(), 50_000, 50_000],
      [`${'-'.repeat(9999)}n`, 10_000, 'PAGES_OUT_OF_RANGE'],
    ];
    for (const [expression, count, selected] of long) {
      if (typeof selected === 'string')
        expect(refusal(() => selectPages(expression, count)).code, expression.slice(0, 20)).to.equal(selected);
      else expect(selectPages(expression, count).length, expression.slice(0, 20)).to.equal(selected);
    }
  });

  it('reject formulas on very long documents', () => {
    expect(refusal(() => selectPages('2n', 10_001)).code).to.equal('PAGES_INVALID');
  });
});

describe('page formula', () => {
  it('supports precedence, brackets, signs and implicit multiplication', () => {
    expect(evaluateFormula('2+3*n', 4)).to.equal(14);
    expect(evaluateFormula('2(n+1)', 4)).to.equal(10);
    expect(evaluateFormula('nn', 5)).to.equal(25);
    expect(evaluateFormula('-n+10', 4)).to.equal(6);
    expect(evaluateFormula('6n-5', 3)).to.equal(13);
  });

  it('is invalid when it cannot be parsed to its end', () => {
    for (const text of ['', 'n)', '(n', '2n+', '*n', `${'('.repeat(5000)}n`])
      expect(evaluateFormula(text, 1), text.slice(0, 10)).to.equal(undefined);
  });
});
