import { expect } from 'chai';
import { editBytes } from '@quire/document/file/open';
import { PDFDict, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { type PageNumbering, addPageNumbers } from '../../src/functions/add-page-numbers.js';
import { colourAt, fixture, inkOf, pageText, refusal } from '../page-pixels.js';

const base: PageNumbering = {
  text: '{n}',
  fileName: 'report',
  fontSize: 12,
  fontType: 'helvetica',
  colour: '#ff0000',
  zeroPad: 0,
  position: 8,
  startingNumber: 1,
  customMargin: 'medium',
  pages: [0],
};
const numbered = (bytes: Uint8Array, numbering: Partial<PageNumbering>): Promise<Uint8Array> =>
  editBytes(bytes, { mode: 'append' }, (opened) => addPageNumbers(opened, { ...base, ...numbering }));

async function blank(pages = 1, change?: (document: PDFDocument) => void): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let i = 0; i < pages; i++) document.addPage([400, 300]);
  change?.(document);
  return document.save();
}

/** Base fonts of a document, without the subset tag. */
async function fontsOf(bytes: Uint8Array): Promise<string[]> {
  const { context } = await PDFDocument.load(bytes);
  const fonts = context
    .enumerateIndirectObjects()
    .map(([, object]) => object)
    .filter(
      (object): object is PDFDict =>
        object instanceof PDFDict &&
        object.get(PDFName.of('Type')) === PDFName.of('Font') &&
        object.has(PDFName.of('Encoding')),
    );
  return fonts.map((font) => String(font.get(PDFName.of('BaseFont'))).replace(/^\/(?:[A-Z]{6}\+)?/, '')).sort();
}

describe('addPageNumbers', function () {
  this.timeout(60_000);

  it('counts numbered pages in the order in which they are listed', async () => {
    const bytes = await numbered(await blank(4), {
      text: 'No. {n} of {total}',
      pages: [3, 1, 0],
      startingNumber: 5,
      zeroPad: 3,
    });
    const texts = await Promise.all([0, 1, 2, 3].map((page) => pageText(bytes, page)));
    expect(texts).to.deep.equal(['No. 007 of 4', 'No. 006 of 4', '', 'No. 005 of 4']);
  });

  it("inserts the file's name, and expands nothing twice", async () => {
    expect(
      await pageText(await numbered(await blank(), { text: '{filename}-{n}-{N}-{page}', fileName: 'a {n}' })),
    ).to.equal('a {n}-1-{N}-{page}');
  });

  it('has nine positions with margins relative to width and height', async () => {
    const page = await blank();
    for (let position = 1; position <= 9; position++) {
      const box = (await inkOf(await numbered(page, { position, text: 'HHH', customMargin: 'large' }), 0, 'red'))!;
      const column = (position - 1) % 3;
      const row = Math.floor((position - 1) / 3);
      expect([box.left, (box.left + box.right) / 2, box.right][column], `x of ${position}`).to.be.closeTo(
        [20, 200, 380][column]!,
        2,
      );
      expect([box.top, (box.top + box.bottom) / 2, box.bottom][row], `y of ${position}`).to.be.closeTo(
        [285, 150, 15][row]!,
        1.5,
      );
    }
  });

  it('is upright at the same position on rotated and cropped pages', async () => {
    const bytes = await numbered(await fixture('turned-and-cropped.pdf'), {
      text: 'HHH',
      position: 9,
      colour: '#0000ff',
      pages: [0, 1, 2, 3, 4, 5],
    });
    for (const [page, [width, height]] of (
      [
        [400, 300],
        [300, 400],
        [400, 300],
        [300, 400],
        [200, 300],
      ] as const
    ).entries()) {
      const box = (await inkOf(bytes, page, 'blue'))!;
      expect(box.right, `page ${page}`).to.be.closeTo(width * 0.965, 2);
      expect(box.bottom, `page ${page}`).to.be.closeTo(height * 0.035, 1.5);
    }
  });

  it('uses the requested standard font in any case, and helvetica for an unknown one', async () => {
    for (const [fontType, name] of [
      ['Times', 'Times-Roman'],
      ['COURIER', 'Courier'],
      ['helvetica', 'Helvetica'],
      ['wingdings', 'Helvetica'],
    ] as const) {
      expect(await fontsOf(await numbered(await blank(), { fontType })), fontType).to.deep.equal([name]);
    }
  });

  it('uses embedded fonts for characters that the standard font lacks, in any script', async () => {
    for (const text of [
      '第{n}页',
      'หน้าที่ {n}',
      '페이지 {n}',
      'ページ {n}',
      'Čž {n}',
      'стр. {n}',
      '{n} 😀'.replace('😀', '→'),
    ]) {
      expect(await pageText(await numbered(await blank(), { text, startingNumber: 42 })), text).to.equal(
        text.replace('{n}', '42'),
      );
    }
    expect(await pageText(await numbered(await blank(), { text: 'صفحة {n}' })))
      .to.contain('صفحة')
      .and.to.contain('1');
    expect(await fontsOf(await numbered(await blank(), { text: '第{n}页' }))).to.deep.equal(['Helvetica', 'QuireNoto']);
  });

  it('embeds all fonts if the document declares PDF/A', async () => {
    const claim =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
      '<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>2</pdfaid:part>' +
      '<pdfaid:conformance>B</pdfaid:conformance></rdf:Description></rdf:RDF></x:xmpmeta>';
    const bytes = await blank(1, (document) => {
      const dict = document.context.obj({ Type: 'Metadata', Subtype: 'XML' });
      document.catalog.set(
        PDFName.of('Metadata'),
        document.context.register(PDFRawStream.of(dict, Buffer.from(claim))),
      );
    });
    expect(await fontsOf(await numbered(bytes, {}))).to.deep.equal(['QuireNoto']);
  });

  it('accepts colours with #, with 0x and in decimal; an unreadable value means black', async () => {
    const page = await blank();
    const block = { text: '█', fontSize: 100, position: 5 };
    for (const [colour, expected] of [
      ['#0000ff', [0, 0, 255]],
      ['0x00ff00', [0, 255, 0]],
      ['16711680', [255, 0, 0]],
      ['pinkish', [0, 0, 0]],
      ['99999999', [0, 0, 0]],
    ] as const) {
      expect(await colourAt(await numbered(page, { ...block, colour }), 0, 200, 150), colour).to.deep.equal([
        ...expected,
      ]);
    }
  });

  it('shows a question mark for file name characters without a font, but refuses them in the text', async () => {
    expect(await pageText(await numbered(await blank(), { text: '{filename}', fileName: 'x𒀀' }))).to.equal('x?');
    expect(await refusal(numbered(await blank(), { text: '𒀀' }))).to.equal('INPUT_INVALID');
  });

  it('numbers a page that occurs twice in the page tree once', async () => {
    const bytes = await blank(2, (document) => {
      const kids = document.catalog.Pages().Kids();
      kids.set(1, kids.get(0));
    });
    expect(await pageText(await numbered(bytes, { pages: [0, 1] }))).to.equal('1');
  });
});
