import { existsSync } from 'node:fs';
import { ContentReader, placePage, showPage } from '@quire/document/content';
import { pageReadings, pageTexts, readingOf } from '@quire/document/redaction/search';
import { type OpenedPdf, withPdf } from '@quire/document/file/open';
import { expect } from 'chai';
import { PDFDocument, PDFName, StandardFonts } from 'pdf-lib';

const corpus = new URL('../../../../../shared/corpus', import.meta.url).pathname;

async function painted(content: string): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const font = await document.embedFont(StandardFonts.Courier);
  const page = document.addPage([400, 300]);
  page.node.set(PDFName.of('Resources'), document.context.obj({ Font: { F: font.ref } }));
  page.node.set(PDFName.of('Contents'), document.context.register(document.context.flateStream(content)));
  return document.save();
}

/** Returns the texts of all pages without glyph positions, and those of all readings with positions. */
function bothWays({ document, pages }: OpenedPdf): { told: string[][]; read: string[][] } {
  const reader = new ContentReader(document.context);
  const shown = pages.slice(0, 20).map((page) => showPage(reader, page));
  return {
    told: shown.map((page) => [...pageTexts(page).texts]),
    read: shown.map((page) => pageReadings(placePage(page)).ways.map((pieces) => readingOf(pieces).text)),
  };
}

describe('pageTexts', () => {
  for (const [title, content, text] of [
    [
      'gaps of TJ and new lines',
      'BT /F 10 Tf 12 TL 50 200 Td [(Jo) -80 (hn) -700 (Doe)] TJ T* (stays) Tj ET',
      'John Doe\nstays',
    ],
    [
      'runs that go on where the one before stopped',
      'BT /F 10 Tf 50 200 Td (Jo) Tj (hn) Tj 24 0 Td ( ) Tj (Doe) Tj ET',
      'John Doe',
    ],
    ['spacing between letters', 'BT /F 10 Tf 8 Tc 50 200 Td (Jane) Tj ET', 'Jane'],
    ['a negative size', 'BT /F -10 Tf -1 0 0 -1 50 200 Tm (Jane) Tj [(x) -2000 (y)] TJ ET', 'Janex y'],
  ] as const) {
    it(`equals the readings with glyph positions: ${title}`, async () => {
      const { told, read } = await withPdf(await painted(content), {}, bothWays);
      expect(told).to.deep.equal(read);
      expect(told[0]?.[0]).to.equal(text);
    });
  }

  it('also reads what blanks without a width separate as one word', async () => {
    // The font gives code 32 no width, as in many files without a width for it.
    const document = await PDFDocument.create({ updateMetadata: false });
    const Widths = Array.from({ length: 95 }, (_none, i) => (i === 0 ? 0 : 500));
    const F = { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica', FirstChar: 32, LastChar: 126, Widths };
    const contents = [
      ['BT /F 10 Tf 50 200 Td (Jane Roe) Tj ET', ['Jane Roe', 'JaneRoe']],
      // Other ways to move the pen make a gap of it.
      ['BT /F 10 Tf 50 200 Td 3 Tw (Jane Roe) Tj ET', ['Jane Roe']],
      ['BT /F 10 Tf 50 200 Td 2 Tc (Jane Roe) Tj ET', ['Jane Roe']],
      ['BT /F 10 Tf 50 200 Td [(Jane ) -400 (Roe)] TJ ET', ['Jane Roe', 'Jane Roe']],
      ['BT /F 10 Tf 50 200 Td (Jane) Tj ET', ['Jane']],
    ] as const;
    for (const [content] of contents) {
      const { node } = document.addPage([400, 300]);
      node.set(PDFName.of('Resources'), document.context.obj({ Font: { F } } as never));
      node.set(PDFName.of('Contents'), document.context.register(document.context.flateStream(content)));
    }
    const { told, read } = await withPdf(await document.save(), {}, bothWays);
    expect(told).to.deep.equal(contents.map(([, texts]) => texts));
    expect(read).to.deep.equal(told);
  });

  it('uses the characters of glyphs and /ActualText', async () => {
    const { told, read } = await withPdf(
      await painted('BT /F 10 Tf 50 200 Td /Span <</ActualText (Jane)>> BDC (J.) Tj EMC ( Roe) Tj ET'),
      {},
      bothWays,
    );
    expect([told, read]).to.deep.equal([[['J. Roe', 'Jane Roe']], [['J. Roe', 'Jane Roe']]]);
  });

  it('rejects too long strings before any glyph is placed', async () => {
    const bytes = await painted(`BT /F 10 Tf 50 200 Td (${'a'.repeat(600_000)}) Tj ET`);
    const error = await withPdf(bytes, {}, ({ document, pages }) =>
      showPage(new ContentReader(document.context), pages[0]!),
    ).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.include({ code: 'INPUT_TOO_COMPLEX' });
  });

  for (const name of [
    'pdf.js/ArabicCIDTrueType.pdf',
    'pdf.js/arial_unicode_en_cidfont.pdf',
    'pdf.js/bug816075.pdf',
    'pdf.js/bug866395.pdf',
    'pdf.js/issue5751.pdf',
    'pdf.js/simpletype3font.pdf',
  ]) {
    it(
      'equals the readings with glyph positions in ' +
        `${name}${existsSync(corpus) ? '' : ' (skipped: no ../shared/corpus)'}`,
      async function () {
        if (!existsSync(`${corpus}/${name}`)) this.skip();
        const { told, read } = await withPdf({ path: `${corpus}/${name}` }, {}, bothWays);
        expect(told).to.deep.equal(read);
      },
    );
  }
});
