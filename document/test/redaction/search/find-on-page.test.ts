import { existsSync } from 'node:fs';
import { ContentReader, type Quad, readPageText } from '@quire/document/content';
import {
  columnOrder,
  findOnPage,
  PageGlyphs,
  pageTexts,
  pdfiumReadingText,
  readingOf,
  searchPdfiumText,
  TextSearch,
  withPdfiumText,
} from '@quire/document/redaction/search';
import { withPdf } from '@quire/document/file/open';
import { readPdf } from '@quire/document/content/text';
import { expect } from 'chai';
import { PDFDocument, PDFName, StandardFonts } from 'pdf-lib';

async function painted(content: string): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.Courier);
  const page = document.addPage([400, 300]);
  page.node.set(PDFName.of('Resources'), document.context.obj({ Font: { F: font.ref } }));
  page.node.set(PDFName.of('Contents'), document.context.register(document.context.flateStream(content)));
  return document.save();
}
const onPage = <T>(
  bytes: Uint8Array | { readonly path: string },
  fn: (text: ReturnType<typeof readPageText>) => T,
): Promise<T> =>
  withPdf(bytes, {}, ({ document, pages }) => fn(readPageText(new ContentReader(document.context), pages[0]!)));
const quads = (bytes: Uint8Array, term: string): Promise<Quad[][]> =>
  onPage(bytes, (text) =>
    findOnPage(text, new TextSearch([{ text: term }])).found.map(({ lines }) => lines.map(({ quad }) => quad)),
  );
const near = (quad: Quad | undefined, expected: readonly number[]): void =>
  quad?.forEach((value, i) => expect(value, `${quad.map(Math.round).join(' ')}`).to.be.closeTo(expected[i]!, 3.5));

describe('findOnPage', () => {
  it('returns one quad for each line of a match, rotated like the text', async () => {
    const [found] = await quads(
      await painted("BT /F 10 Tf 12 TL 50 200 Td (for Jane) Tj (Roe stays) ' ET"),
      'jane roe',
    );
    expect(found).to.have.length(2);
    near(found?.[0], [74, 197, 98, 197, 98, 207, 74, 207]);
    near(found?.[1], [50, 185, 68, 185, 68, 195, 50, 195]);
  });

  it('follows rotated text', async () => {
    const [up] = await quads(await painted('BT /F 10 Tf 0 1 -1 0 100 50 Tm (a word) Tj ET'), 'word');
    near(up?.[0], [103, 62, 103, 86, 93, 86, 93, 62]);
    const [down] = await quads(await painted('BT /F 10 Tf -1 0 0 -1 100 50 Tm (a word) Tj ET'), 'word');
    near(down?.[0], [88, 53, 64, 53, 64, 43, 88, 43]);
  });

  it('finds a word that blanks without a width go through, and takes these with it', async () => {
    const document = await PDFDocument.create({ updateMetadata: false });
    const Widths = Array.from({ length: 95 }, (_none, i) => (i === 0 ? 0 : 500));
    const F = { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica', FirstChar: 32, LastChar: 126, Widths };
    const { node } = document.addPage([400, 300]);
    node.set(PDFName.of('Resources'), document.context.obj({ Font: { F } } as never));
    const content = 'BT /F 10 Tf 50 200 Td (for Jane Roe) Tj ET';
    node.set(PDFName.of('Contents'), document.context.register(document.context.flateStream(content)));
    const bytes = await document.save();
    for (const term of ['JaneRoe', 'Jane Roe']) {
      const found = await quads(bytes, term);
      expect(found, term).to.have.length(1);
      near(found[0]?.[0], [65, 197, 100, 197, 100, 207, 65, 207]);
    }
  });

  it('counts a match once, even if several readings contain it', async () => {
    const found = await quads(
      await painted(
        'BT /F 10 Tf 1 0 0 1 50 100 Tm (below) Tj 1 0 0 1 50 200 Tm (sec) Tj 1 0 0 1 68 200 Tm (ret) Tj ET',
      ),
      'secret',
    );
    expect(found.map((lines) => lines.length)).to.deep.equal([1]);
  });

  it('reads two columns one after another, between lines across both', async () => {
    const at = (x: number, y: number, text: string): string => `1 0 0 1 ${x} ${y} Tm (${text}) Tj`;
    const rows = [1, 2, 3].flatMap((i) => [
      at(20, 250 - i * 12, `left column line ${i}.....`),
      at(220, 250 - i * 12, `right column line ${i}....`),
    ]);
    const bytes = await painted(
      [
        'BT /F 8 Tf',
        at(20, 270, 'a title that reaches over both of the columns of the page'),
        ...rows,
        at(20, 150, 'a last line that reaches over both of the columns as well'),
        'ET',
      ].join(' '),
    );
    const text = await onPage(bytes, ({ runs }) => readingOf(columnOrder(new PageGlyphs(runs).all(), 200)).text);
    expect(
      text
        .replace(/\.+/g, '')
        .split('\n')
        .map((line) => line.slice(0, 20)),
    ).to.deep.equal([
      'a title that reaches',
      'left column line 1',
      'left column line 2',
      'left column line 3',
      'right column line 1',
      'right column line 2',
      'right column line 3',
      'a last line that rea',
    ]);
  });

  it('merges overlapping matches, and knows their terms and the text around them', async () => {
    const bytes = await painted('BT /F 10 Tf 50 200 Td (a most secret word) Tj ET');
    const search = new TextSearch([{ text: 'secret' }, { text: 'none' }, { text: 'most s' }]);
    const { found } = await onPage(bytes, (text) => findOnPage(text, search));
    expect(found.map(({ terms, excerpt }) => [[...terms].sort(), excerpt])).to.deep.equal([
      [[0, 2], { before: 'a most ', text: 'secret', after: ' word' }],
    ]);
  });

  it('finds the same glyphs with PDFium, and the letters above them', async () => {
    const bytes = await painted('BT /F 10 Tf 50 212 Td (upper line) Tj 0 -12 Td (one ) Tj (sec) Tj (ret word) Tj ET');
    const search = new TextSearch([{ text: 'secret' }]);
    const second = await readPdf(bytes, (document) => {
      expect(pdfiumReadingText(document, 0)).to.equal('upper line\none secret word');
      expect(pdfiumReadingText(document, 7)).to.equal('');
      return withPdfiumText(document, 0, (text) => searchPdfiumText(text, search));
    });
    expect(second?.matches.map(({ excerpt, places }) => [excerpt.text, places.length])).to.deep.equal([['secret', 6]]);
    const { found, staying } = await onPage(bytes, (text) => findOnPage(text, search, second));
    expect([found.length, staying.map(({ text }) => text).join('')]).to.deep.equal([1, 'rline']);
  });

  const corpus = new URL('../../../../../shared/corpus/', import.meta.url);
  const arabic = new URL('pyHanko/arabic-box.pdf', corpus).pathname;
  (existsSync(arabic) ? it : it.skip)(
    'finds what /ActualText says of shaped letters (a file of the corpus)',
    async () => {
      const found = await onPage({ path: arabic }, (text) => [
        pageTexts(text.shown).texts.some((one) => one.includes('اَلْفُصْحَىٰ')),
        findOnPage(text, new TextSearch([{ text: 'اَلْفُصْحَىٰ' }])).found.length,
      ]);
      expect(found).to.deep.equal([true, 1]);
    },
  );
});
