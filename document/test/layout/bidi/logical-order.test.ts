import { expect } from 'chai';
import createBidi from 'bidi-js';
import { logicalOrder } from '../../../layout/read/bidi/logical-order.js';
import { mirroredBracket } from '../../../layout/read/bidi/brackets.js';

const bidi = createBidi();

/** A text as a reader sees it, from left to right, by the Unicode Bidirectional Algorithm in bidi-js. */
function seenOf(text: string, rtl: boolean): string[] {
  const levels = [...bidi.getEmbeddingLevels(text, rtl ? 'rtl' : 'ltr').levels];
  const letters = [...text].map((letter, i) => ({
    letter: levels[i]! % 2 === 1 ? mirroredBracket(letter) : letter,
    level: levels[i]!,
  }));
  for (let least = Math.max(...levels); least > 0; least--)
    for (let from = 0; from < letters.length;) {
      let to = from;
      while (to < letters.length && letters[to]!.level >= least) to++;
      letters.splice(from, to - from, ...letters.slice(from, to).reverse());
      from = Math.max(to, from + 1);
    }
  return letters.map(({ letter }) => letter);
}

const logical = (seen: readonly string[], rtl: boolean): string =>
  logicalOrder(seen, rtl)
    .map(({ text }) => text)
    .join('');

const LEFT_TO_RIGHT = [
  'Order 123 for שלום עולם and more text here.',
  'Price: 12.50 € العربية نص طويل جدا هنا end.',
  '日本語 and العربية نص and עברית.',
  'The word אבג (דהו) and "שלום" are Hebrew (see עברית).',
  'Call שלום now (or never), 15% off',
  'a (אבג) b',
];

const RIGHT_TO_LEFT = [
  'مرحبا بالعالم 123 (test) نهاية.',
  'זהו טקסט (עם סוגריים) ומספר 1,234.50 ותאריך 12/05/2024, וגם Microsoft Word 2019 באמצע.',
  'هذا نص بتاريخ 2024-03-05 ورقم ١٢٣٤ ونسبة 15% وعنوان https://example.com/a?b=1 داخل النص.',
  'אני גר ב-New York (USA) כבר 10 שנים!',
  '[1] ראשון {שני} סוף',
  '(يناير) «إختبار ذاتي» < ٣٤',
  'טלפון 03-1234567, מחיר 50₪ או -5%',
  'שעות: 08:30 - 17:00',
];

describe('The logical order of a line', () => {
  for (const text of LEFT_TO_RIGHT)
    it(`of a left-to-right paragraph is found: ${text}`, () => {
      expect(logical(seenOf(text, false), false)).to.equal(text);
    });

  for (const text of RIGHT_TO_LEFT)
    it(`of a right-to-left paragraph is found: ${text}`, () => {
      expect(logical(seenOf(text, true), true)).to.equal(text);
    });

  it('turns brackets back, whichever of both the file has', () => {
    const seen = seenOf('שלום (עולם) [1]', true);
    for (const written of [seen, seen.map(mirroredBracket)]) expect(logical(written, true)).to.equal('שלום (עולם) [1]');
  });

  it('of any words and numbers looks like the line', () => {
    let seed = 7;
    const random = (most: number): number => (seed = (seed * 48271) % 2147483647) % most;
    const words = ['abc', 'de', 'אבג', 'דה', 'عرب', 'نص', '12', '3.5'];
    const other: string[] = [];
    const LINES = 2000;
    for (let i = 0; i < LINES; i++) {
      const text = Array.from({ length: 1 + random(7) }, () => words[random(words.length)]).join(' ');
      for (const rtl of [false, true]) {
        const seen = seenOf(text, rtl).join('');
        const again = logical([...seen], rtl);
        if (seenOf(again, rtl).join('') !== seen) other.push(`${rtl ? 'rtl' : 'ltr'} ${text} → ${again}`);
      }
    }
    expect(other.slice(0, 40).join('\n'), `${other.length} of ${2 * LINES}`).to.equal('');
  });
});
