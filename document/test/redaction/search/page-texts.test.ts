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
