import { expect } from 'chai';
import { rankTexts } from '../../src/functions/orchestrate/rank-pages.js';

describe('ranking pages for a question', () => {
  const pages = [
    'The weather was fine and the sea was calm.',
    'The rent of the workshop is paid monthly.',
    'Workshop rules: no smoking.',
    '工場の賃料は毎月支払う。',
    'Rental terms: rents are raised each year, and the rent is indexed.',
  ];

  it('puts first what has the rare words of the question, and leaves out what has none', () => {
    expect(rankTexts(pages, 'What is the monthly rent of the workshop?')[0]).to.equal(1);
    expect(rankTexts(pages, 'smoking')).to.deep.equal([2]);
    expect(rankTexts(pages, 'submarine')).to.deep.equal([]);
  });

  it('knows other forms of a long word, case and scripts without blanks', () => {
    expect(rankTexts(pages, 'WORKSHOPS')).to.have.members([1, 2]);
    expect(rankTexts(pages, '賃料はいくら')).to.deep.equal([3]);
  });

  it('holds nothing against an empty question or an empty document', () => {
    expect(rankTexts(pages, ' ?! ')).to.deep.equal([]);
    expect(rankTexts([], 'x')).to.deep.equal([]);
    expect(rankTexts(['', 'rent'], 'rent')).to.deep.equal([1]);
  });

  it('ranks a thousand long pages', () => {
    const text = 'lorem ipsum dolor sit amet '.repeat(100);
    expect(
      rankTexts(
        Array.from({ length: 1000 }, (_, i) => `${text}${i}`),
        'ipsum 777',
      )[0],
    ).to.equal(777);
  });
});
