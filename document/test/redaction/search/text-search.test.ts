import { expect } from 'chai';
import { compileFault, finderOf, readingOf, type SearchTerm, TextSearch } from '@quire/document/redaction/search';

const found = (terms: readonly (string | SearchTerm)[], text: string): string[] =>
  new TextSearch(terms.map((term) => (typeof term === 'string' ? { text: term } : term)))
    .find(text)
    .map(({ start, end }) => text.slice(start, end));
const pattern = (text: string): SearchTerm => ({ text, regex: true });
const whole = (text: string): SearchTerm => ({ text, wholeWord: true });

describe('searching for plain terms', () => {
  it('ignores case and finds words across line ends, hyphens, soft hyphens and letter spacing', () => {
    expect(
      found(['confidential'], 'CONFIDENTIAL confi-\ndential con\u00adfidential C o n f i d e n t i a l'),
    ).to.deep.equal(['CONFIDENTIAL', 'confi-\ndential', 'con\u00adfidential', 'C o n f i d e n t i a l']);
  });

  it('finds phrases across any white space, but not inside longer words', () => {
    expect(found(['John Doe'], 'john\ndoe JOHN   DOE johndoe John-\nDoe')).to.deep.equal(['john\ndoe', 'JOHN   DOE']);
    expect(found(['therapist'], 'the rapist, the\nrapist, an other')).to.deep.equal([]);
  });

  it('finds other forms of the same letters', () => {
    expect(
      found(
        ['straße', "o'brien", 'naïve', 'office', 'ΣΟΦΟΣ', 'istanbul'],
        'STRASSE O’Brien nai\u0308ve o\ufb03ce σοφος İSTANBUL',
      ),
    ).to.have.length(6);
    expect(found(['ňŉŊ'], 'ŇŉŊ')).to.have.length(1);
  });

  it('finds text without blanks across lines, and hyphenated words at their own hyphen', () => {
    expect(found(['机密文件'], '机密\n文件')).to.deep.equal(['机密\n文件']);
    expect(found(['well-known'], 'well-\nknown well\u2011known wellknown')).to.deep.equal([
      'well-\nknown',
      'well\u2011known',
    ]);
    expect(found(['+49 30 123'], 'call +49 30\n123 now')).to.deep.equal(['+49 30\n123']);
  });

  it('matches whole words only on request, including single letters and words beside punctuation', () => {
    expect(found([whole('cat')], 'cat concat cats (cat) cat_')).to.deep.equal(['cat', 'cat']);
    expect(found([whole('a')], 'a ab á')).to.deep.equal(['a']);
    expect(found([whole('$100')], 'for $100, not $1000')).to.deep.equal(['$100']);
    expect(found([whole('müller')], 'Müllers Müller')).to.deep.equal(['Müller']);
  });

  it('matches a term of punctuation literally', () => {
    expect(found(['--', '***'], 'a -- b *** c')).to.deep.equal(['--', '***']);
  });
});

describe('searching for patterns', () => {
  it("supports Java's syntax", () => {
    const cases: readonly (readonly [string, string, readonly string[]])[] = [
      ['\\b\\d{3}-\\d{2}-\\d{4}\\b', 'no 123-45-6789, no 1123-45-6789', ['123-45-6789']],
      ['[\\w.]+@[\\w.]+\\.\\p{Alpha}{2,}', 'to j.doe@müller.de now', ['j.doe@müller.de']],
      ['(?i)a++b', 'AAAB', ['AAAB']],
      ['a++a', 'aaaa', []],
      ['(?>a|ab)c', 'abc ac', ['ac']],
      ['\\Qa.b\\E+', 'a.bb axb', ['a.bb']],
      ['(?<first>\\w)\\k<first>{2}\\1', 'zzzz yyy', ['zzzz']],
      ['[a-z&&[^aeiou]]{4}', 'rhyme', ['rhym']],
      ['[\\w&&[^\\d_]]+', 'αβγ1', ['αβγ']],
      ['(?s)a.*c', 'a\nb\nc', ['a\nb\nc']],
      ['(?m)^d.f$', 'abc\ndef\nghi', ['def']],
      ['(?x) a b \\  c # words', 'ab c', ['ab c']],
      ['a\\h+b\\Rc', 'a  b\nc', ['a  b\nc']],
      ['\\x41\\u0042\\x{43}\\0104', 'ABCD', ['ABCD']],
      ['(?<=Nr\\. )\\d+(?! EUR)', 'Nr. 12 and 13', ['12']],
      ['\\p{IsGreek}+|\\p{InCyrillic}+', 'abc αβγ где', ['αβγ', 'где']],
      ['[]a]+', 'x]a', [']a']],
      ['\\p{Punct}\\p{javaDigit}', 'x#1', ['#1']],
    ];
    for (const [text, within, expected] of cases) expect(found([pattern(text)], within), text).to.deep.equal(expected);
  });

  it('uses the lines and words of the page, and matches across lines', () => {
    expect(found([pattern('Jane\\s+Roe')], 'Jane\nRoe')).to.deep.equal(['Jane\nRoe']);
    expect(found([pattern('.*')], 'abc\ndef')).to.deep.equal(['abc', 'def']);
    expect(found([pattern('a*')], 'baac')).to.deep.equal(['aa']);
  });

  it('finds letter-spaced and hyphenated words', () => {
    expect(found([pattern('\\d{3}-\\d{4}')], 'no 1 2 3 - 4 5 6 7 here')).to.deep.equal(['1 2 3 - 4 5 6 7']);
    expect(found([pattern('\\bsecret\\b')], 'a sec-\nret')).to.deep.equal(['sec-\nret']);
  });

  it('explains why a pattern is invalid', () => {
    const faults = [
      '(a',
      'a)',
      '[a',
      'a**',
      '[z-a]',
      '\\p{Foo}',
      '\\1',
      'x{2,1}',
      '\\G',
      '(?y)',
      '\\',
      '(?<n>a)(?<n>b)',
      '\\k<n>',
      `${'('.repeat(300)}a${')'.repeat(300)}`,
    ];
    for (const text of faults)
      expect(compileFault(pattern(text)), text)
        .to.be.a('string')
        .and.not.equal('');
    expect(compileFault({ text: '(a' })).to.equal(undefined);
  });

  it('stops a pattern with catastrophic backtracking, names it, and skips the remaining texts', () => {
    const search = new TextSearch([{ text: 'x' }, pattern('(a+)+$')], { each: 200, all: 300 });
    const text = `${'a'.repeat(40)}!`;
    for (let i = 0; i < 3; i++)
      expect(() => search.find(text))
        .to.throw()
        .that.includes({ code: 'PATTERN_TOO_SLOW' })
        .with.property('data')
        .that.includes({ number: 2 });
    expect(() => new TextSearch([pattern('(.*)*\\1x')], { each: 200 }).holding(['y', 'ab'.repeat(5000)]))
      .to.throw()
      .with.property('code', 'PATTERN_TOO_SLOW');
  });

  it('finds all matches in texts of which it is known that they contain one', () => {
    const texts = ['one two', 'two two-\nx T w o two', 'none', ''];
    for (const terms of [[pattern('t[wx]o')], [pattern('one'), pattern('t[wx]o')], [{ text: 'one' }, pattern('two')]]) {
      const search = new TextSearch(terms);
      search.holding(texts);
      // A caller may change what it is given.
      for (const text of texts) search.find(text).length = 0;
      for (const text of texts) expect(search.find(text)).to.deep.equal(new TextSearch(terms).find(text));
    }
    expect(new TextSearch([pattern('t[wx]o')]).find(texts[1]!)).to.have.length.above(3);
  });

  it('returns which of many texts contain a match', () => {
    expect(
      new TextSearch([{ text: 'one' }, pattern('t[wx]o')]).holding(['one', 'none here', 'nothing', '', 'two']),
    ).to.deep.equal([0, 1, 4]);
  });
});

describe('readingOf and finderOf', () => {
  const textOf = (...pieces: string[]) => readingOf(pieces.map((text) => ({ text })));

  it('join words by one blank and lines by one line feed', () => {
    expect(textOf(' ', 'a', ' ', '\u00a0', 'b', ' ', '\n', 'c', '\n').text).to.equal('a b\nc');
  });

  it('compose separately painted marks, and map every character to its source', () => {
    const { text, first, last } = textOf('r', 'e', '\u0301', '\ufb01', '\u200b', 'x');
    expect([text, first, last]).to.deep.equal(['réfix', [0, 1, 3, 3, 5], [0, 2, 3, 3, 5]]);
  });

  it('find ranges in any text', () => {
    const find = finderOf(new TextSearch([{ text: 'jane roe' }]));
    const text = '  Dear\tJANE \r\n Roe!';
    expect(find(text).map(([from, to]) => text.slice(from, to))).to.deep.equal(['JANE \r\n Roe']);
    expect(find('')).to.deep.equal([]);
  });
});
