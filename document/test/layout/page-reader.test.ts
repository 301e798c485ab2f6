import { expect } from 'chai';
import { degrees, PDFDocument, PDFName, PDFNumber, PDFString, StandardFonts } from 'pdf-lib';
import { type PageContent, withPages } from '../../layout/index.js';

async function read(make: (document: PDFDocument) => Promise<void>): Promise<PageContent[]> {
  const document = await PDFDocument.create();
  await make(document);
  return withPages(await document.save(), ({ reader, pageCount }) =>
    Array.from({ length: pageCount }, (_, i) => reader.read(i)),
  );
}

const near = (values: readonly number[], wanted: readonly number[], by = 1.5): void => {
  for (const [i, value] of values.entries())
    expect(
      Math.abs(value - wanted[i]!),
      `${values.map((one) => one.toFixed(1)).join(' ')} for ${wanted.join(' ')}`,
    ).to.be.below(by);
};

describe('What a page shows', () => {
  it('is placed on the page as shown: turned, cropped, with a user unit', async () => {
    const pages = await read(async (document) => {
      const font = await document.embedFont(StandardFonts.Helvetica);
      for (const turn of [0, 90, 180, 270]) {
        const page = document.addPage([300, 400]);
        page.setCropBox(50, 100, 200, 250);
        page.setRotation(degrees(turn));
        page.drawText('Word', { x: 60, y: 200, size: 10, font });
        page.drawText('Outside', { x: 5, y: 20, size: 10, font });
        page.drawLine({ start: { x: 60, y: 190 }, end: { x: 160, y: 190 }, thickness: 1 });
        if (turn === 270) page.node.set(PDFName.of('UserUnit'), PDFNumber.of(2));
      }
    });
    expect(pages.map(({ width, height }) => [width, height])).to.deep.equal([
      [200, 250],
      [250, 200],
      [200, 250],
      [500, 400],
    ]);
    expect(pages.map(({ words }) => words.map(({ text, angle, style }) => [text, angle, style.size]))).to.deep.equal([
      [['Word', 0, 10]],
      [['Word', 270, 10]],
      [['Word', 180, 10]],
      [['Word', 90, 20]],
    ]);
    near(
      pages.map(({ words }) => words[0]!.baseline),
      [150, 100, 100, 300],
    );
    near(
      pages.map(({ words }) => words[0]!.box.left),
      [10, 98, 166, 284],
      6,
    );
    expect(pages.map(({ rulings }) => rulings.map(({ direction }) => direction))).to.deep.equal([
      ['horizontal'],
      ['vertical'],
      ['horizontal'],
      ['vertical'],
    ]);
    near(
      pages.map(({ rulings }) => rulings[0]!.at),
      [160, 90, 90, 320],
    );
    near(
      pages.map(({ rulings: [ruling] }) => ruling!.to - ruling!.from),
      [100, 100, 100, 200],
    );
  });

  it('reports styles, raised text and links, and reads words that are drawn twice once', async () => {
    const [page] = await read(async (document) => {
      const [bold, mono] = [
        await document.embedFont(StandardFonts.TimesRomanBoldItalic),
        await document.embedFont(StandardFonts.Courier),
      ];
      const sheet = document.addPage([300, 200]);
      sheet.drawText('Strong', { x: 20, y: 150, size: 12, font: bold });
      sheet.drawText('Strong', { x: 20.4, y: 150, size: 12, font: bold });
      sheet.drawText('code', { x: 20, y: 100, size: 9, font: mono });
      const link = document.context.obj({
        Type: 'Annot',
        Subtype: 'Link',
        Rect: [15, 95, 60, 112],
        Border: [0, 0, 0],
        A: { S: 'URI', URI: PDFString.of('https://example.org/x') },
      });
      sheet.node.set(PDFName.of('Annots'), document.context.obj([link]));
    });
    expect(
      page!.words.map(({ text, style: { family, bold, italic, monospace } }) => [
        text,
        family,
        bold,
        italic,
        monospace,
      ]),
    ).to.deep.equal([
      ['Strong', 'Times New Roman', true, true, false],
      ['code', 'Courier New', false, false, true],
    ]);
    expect(page!.links.map(({ link }) => link)).to.deep.equal([{ uri: 'https://example.org/x' }]);
    near([page!.links[0]!.box.left, page!.links[0]!.box.top], [15, 88]);
  });

  it('has the values of form fields, and the links of such a page', async () => {
    const [page] = await read(async (document) => {
      const sheet = document.addPage([300, 200]);
      const field = document.getForm().createTextField('name');
      field.setText('Ann Example');
      field.addToPage(sheet, { x: 20, y: 20, width: 150, height: 24 });
      const link = document.context.obj({
        Type: 'Annot',
        Subtype: 'Link',
        Rect: [15, 95, 60, 112],
        A: { S: 'URI', URI: PDFString.of('https://example.org/') },
      });
      sheet.node.addAnnot(document.context.register(link));
    });
    expect([page!.words.map(({ text }) => text).join(' '), page!.links.length]).to.deep.equal(['Ann Example', 1]);
  });

  it('is bounded for a page of letters in one place and for one of lines', async function bounded() {
    this.timeout(120_000);
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    const content = (text: string): void => {
      const page = document.addPage([200, 200]);
      page.node.newFontDictionary('F1', font.ref);
      page.node.set(PDFName.of('Contents'), document.context.register(document.context.flateStream(text)));
    };
    content(`BT /F1 8 Tf ${'1 0 0 1 50 50 Tm (one) Tj '.repeat(30_000)} ET`);
    content('10 10 m 90 90 l S 5 5 m 5 95 l S '.repeat(20_000));
    const bytes = await document.save();
    const { layoutOf } = await import('./support.js');
    const pages = await layoutOf(bytes);
    expect(pages).to.have.length(2);
  });
});
