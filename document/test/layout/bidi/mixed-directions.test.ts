import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { withLayout, withPages } from '../../../layout/index.js';
import { plainPageText } from '../../../layout/plain-text.js';

const fixture = (name: string): Promise<Uint8Array> =>
  readFile(new URL(`../../fixtures/directions/${name}`, import.meta.url));

/** Lines of bidi.html, of which both fixtures were printed, as they are written there. */
const LINES = [
  'مرحبا بالعالم 123 (test) نهاية.',
  'Price: 12.50 € العربية نص طويل جدا هنا end.',
  'بتاريخ 2024-03-05 ورقم ١٢٣٤ ونسبة 15% وعنوان https://example.com/a?b=1 داخل النص.',
  'لا إله إلا الله.',
  'مُحَمَّدٌ رَسُولُ اللهِ',
  'בְּרֵאשִׁית בָּרָא אֱלֹהִים אֵת הַשָּׁמַיִם',
  'זהו טקסט בעברית (עם סוגריים) ומספר 1,234.50 ותאריך 12/05/2024, וגם Microsoft Word 2019 באמצע.',
  'The word אבג (דהו) and "שלום" are Hebrew (see עברית).',
  'אני גר ב-New York (USA) כבר 10 שנים!',
  '[1] ראשון {שני} מודגש נטוי סוף',
  'שם מחיר כמות',
  'תפוח אדום 12.50 ₪ 3',
  'בננה (צהובה) 7.00 ₪ 10',
  'Name الاسم Qty',
  'Apple تفاحة حمراء 3',
];

async function textOf(name: string): Promise<string> {
  const texts = await withPages(await fixture(name), ({ document, pageCount }) =>
    Array.from({ length: pageCount }, (_, page) => plainPageText(document, page)),
  );
  return texts.join('').normalize('NFC');
}

describe('Text in both directions', () => {
  for (const name of ['bidi-browser.pdf', 'bidi-office.pdf'])
    describe(`in ${name}`, () => {
      let text: string;
      before(async () => {
        text = await textOf(name);
      });

      for (const line of LINES)
        it(`is in logical order: ${line}`, () => {
          expect(text).to.include(line.normalize('NFC'));
        });
    });

  it('in a browser’s PDF begins a left-to-right paragraph', async () => {
    expect(await textOf('bidi-browser.pdf')).to.match(/^Order 123 for שלום עולם and more text here\.\n/);
  });

  it('has the direction of its paragraph in the layout', async () => {
    const paragraphs = await withLayout(await fixture('bidi-browser.pdf'), {}, async (layout) => {
      const found: { text: string; direction: string }[] = [];
      for await (const { blocks } of layout.pages())
        for (const block of blocks)
          if (block.kind === 'paragraph' || block.kind === 'heading')
            found.push({ text: block.runs.map(({ text }) => text).join(''), direction: block.direction });
      return found;
    });
    const directionOf = (start: string): string | undefined =>
      paragraphs.find(({ text }) => text.startsWith(start))?.direction;
    expect({
      price: directionOf('Price: 12.50 € العربية نص طويل جدا هنا end.'),
      word: directionOf('The word אבג (דהו) and'),
      hello: directionOf('مرحبا بالعالم 123 (test) نهاية.'),
      live: directionOf('אני גר ב-New York (USA) כבר 10 שנים!'),
      long: directionOf('זהו טקסט בעברית (עם סוגריים)'),
    }).to.deep.equal({ price: 'ltr', word: 'ltr', hello: 'rtl', live: 'rtl', long: 'rtl' });
  });

  it('has the direction of its table in the layout', async () => {
    const directions = await withLayout(await fixture('bidi-browser.pdf'), {}, async (layout) => {
      const found: string[] = [];
      for await (const { blocks } of layout.pages())
        for (const block of blocks) if (block.kind === 'table') found.push(block.direction);
      return found;
    });
    expect(directions).to.deep.equal(['rtl', 'ltr']);
  });
});
