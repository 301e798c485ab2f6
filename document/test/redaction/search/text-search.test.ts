import { expect } from 'chai';
import { compileFault, finderOf, readingOf, type SearchTerm, TextSearch } from '@quire/document/redaction/search';

const found = (terms: readonly (string | SearchTerm)[], text: string): string[] =>
  new TextSearch(terms.map((term) => (typeof term === 'string' ? { text: term } : term)))
    .find(text)
    .map(({ start, end }) => text.slice(start, end));
const pattern = (text: string): SearchTerm => ({ text, regex: true });
const whole = (text: string): SearchTerm => ({ text, wholeWord: true });

describe('searching for plain terms', () => {
  it('finds them in any case, through line ends, hyphens at them, soft hyphens and spaced-out letters', () => {
    expect(
      found(['confidential'], 'CONFIDENTIAL confi-\ndential con\u00adfidential C o n f i d e n t i a l'),
    ).to.deep.equal(['CONFIDENTIAL', 'confi-\ndential', 'con\u00adfidential', 'C o n f i d e n t i a l']);
  });

  it('finds phrases over any white space, but never where a word goes on', () => {
    expect(found(['John Doe'], 'john\ndoe JOHN   DOE johndoe John-\nDoe')).to.deep.equal(['john\ndoe', 'JOHN   DOE']);
    expect(found(['therapist'], 'the rapist, the\nrapist, an other')).to.deep.equal([]);
  });

  it('finds other shapes of the same letters', () => {
    expect(
      found(
        ['straße', "o'brien", 'naïve', 'office', 'ΣΟΦΟΣ', 'istanbul'],
        'STRASSE O’Brien nai\u0308ve o\ufb03ce σοφος İSTANBUL',
      ),
    ).to.have.length(6);
    expect(found(['ňŉŊ'], 'ŇŉŊ')).to.have.length(1);
  });

  it('finds scripts without blanks across lines, and hyphenated words at their own hyphen', () => {
    expect(found(['机密文件'], '机密\n文件')).to.deep.equal(['机密\n文件']);
    expect(found(['well-known'], 'well-\nknown well\u2011known wellknown')).to.deep.equal([
      'well-\nknown',
      'well\u2011known',
    ]);
    expect(found(['+49 30 123'], 'call +49 30\n123 now')).to.deep.equal(['+49 30\n123']);
  });

  it('takes whole words only when asked, one-letter words and words beside marks included', () => {
    expect(found([whole('cat')], 'cat concat cats (cat) cat_')).to.deep.equal(['cat', 'cat']);
    expect(found([whole('a')], 'a ab á')).to.deep.equal(['a']);
    expect(found([whole('$100')], 'for $100, not $1000')).to.deep.equal(['$100']);
    expect(found([whole('müller')], 'Müllers Müller')).to.deep.equal(['Müller']);
  });

  it('takes a term of marks alone to the letter', () => {
    expect(found(['--', '***'], 'a -- b *** c')).to.deep.equal(['--', '***']);
  });
});

describe('searching for patterns', () => {
  it('understands the notation of Java', () => {
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

  it('sees lines and words as the page has them, and matches across lines', () => {
    expect(found([pattern('Jane\\s+Roe')], 'Jane\nRoe')).to.deep.equal(['Jane\nRoe']);
    expect(found([pattern('.*')], 'abc\ndef')).to.deep.equal(['abc', 'def']);
    expect(found([pattern('a*')], 'baac')).to.deep.equal(['aa']);
  });

  it('finds what is spaced out or divided at a line end', () => {
    expect(found([pattern('\\d{3}-\\d{4}')], 'no 1 2 3 - 4 5 6 7 here')).to.deep.equal(['1 2 3 - 4 5 6 7']);
    expect(found([pattern('\\bsecret\\b')], 'a sec-\nret')).to.deep.equal(['sec-\nret']);
  });

  it('says why a pattern cannot be used', () => {
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

  it('stops a pattern that would never end, names it, and does not wait for the rest of the texts', () => {
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

  it('tells which of many texts hold anything', () => {
    expect(
      new TextSearch([{ text: 'one' }, pattern('t[wx]o')]).holding(['one', 'none here', 'nothing', '', 'two']),
    ).to.deep.equal([0, 1, 4]);
  });
});

describe('texts that are searched', () => {
  const textOf = (...pieces: string[]) => readingOf(pieces.map((text) => ({ text })));

  it('joins words by one blank and lines by one line feed', () => {
    expect(textOf(' ', 'a', ' ', '\u00a0', 'b', ' ', '\n', 'c', '\n').text).to.equal('a b\nc');
  });

  it('composes marks that are painted by themselves, and knows where every character comes from', () => {
    const { text, first, last } = textOf('r', 'e', '\u0301', '\ufb01', '\u200b', 'x');
    expect([text, first, last]).to.deep.equal(['réfix', [0, 1, 3, 3, 5], [0, 2, 3, 3, 5]]);
  });

  it('finds in any text with its own places', () => {
    const find = finderOf(new TextSearch([{ text: 'jane roe' }]));
    const text = '  Dear\tJANE \r\n Roe!';
    expect(find(text).map(([from, to]) => text.slice(from, to))).to.deep.equal(['JANE \r\n Roe']);
    expect(find('')).to.deep.equal([]);
  });
});
