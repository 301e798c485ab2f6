import { expect } from 'chai';
import { PDFDocument, PDFHexString, PDFRawStream, PDFString } from 'pdf-lib';
import { asText } from '../../../file/objects/index.js';
import { withPdf } from '../../../file/open/index.js';
import { streamText } from '../../../file/objects/index.js';
import { encryptionFacts, PageTexts, type TextCounts } from '../../../structure/report/index.js';
import { plain, withBounds } from '../../file/reader/support.js';

const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

const onePage = (content: string, font: string): Uint8Array =>
  Buffer.from(
    plain({
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      3:
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R ' +
        `/Resources << /Font << /F ${font} >> >> >>`,
      4: `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    }),
    'latin1',
  );

async function counts(content: string, font = HELVETICA): Promise<TextCounts> {
  return withPdf({ bytes: onePage(content, font) }, {}, ({ document, pages }) =>
    new PageTexts(document.context, { tagged: false }).read(pages[0]!),
  );
}

describe('PageTexts', () => {
  it('counts gaps as blanks, within one operator and between two', async () => {
    expect(
      await counts('BT /F 10 Tf (one) Tj 40 0 Td (two) Tj 40 0 Td [(th) -20 (ree) -500 (four)] TJ ET'),
    ).to.deep.equal({ characters: 18, words: 4, lines: 1 });
  });

  it('does not split words that are set letter by letter', async () => {
    expect(await counts('BT /F 10 Tf (w) Tj (o) Tj (r) Tj (d) Tj ET')).to.deep.equal({
      characters: 4,
      words: 1,
      lines: 1,
    });
  });

  it('counts lines by their position, whether or not they end with blanks', async () => {
    expect(
      await counts(
        'BT /F 10 Tf 50 700 Td (a line ) Tj 0 -12 Td (and another) Tj 0 -12 Td (   ) Tj 0 -12 Td (third) Tj ET',
      ),
    ).to.deep.include({ words: 5, lines: 3 });
  });

  it('treats code 32 as a blank if the font does not define it', async () => {
    const font =
      '/Type /Font /Subtype /Type1 /BaseFont /Odd /FirstChar 32 /LastChar 98 ' +
      '/Encoding << /Differences [32 /nothing 97 /a /b] >>';
    expect(await counts('BT /F 10 Tf (a b) Tj ET', `<< ${font} >>`)).to.deep.equal({
      characters: 3,
      words: 2,
      lines: 1,
    });
  });

  it('reads the replacement text of marked content once', async () => {
    expect(await counts('/Span << /ActualText (whole) >> BDC BT /F 10 Tf (w) Tj (h) Tj (ole) Tj ET EMC')).to.deep.equal(
      { characters: 5, words: 1, lines: 1 },
    );
  });

  it('stops at the limit for all pages, and immediately on later pages', async () => {
    const content = 'BT /F 10 Tf (text) Tj ET';
    await withPdf({ bytes: onePage(content, HELVETICA) }, {}, ({ document, pages: [page] }) => {
      const texts = new PageTexts(document.context, { tagged: false });
      withBounds({ inflatedBytes: content.length * 2.5 }, () => {
        for (let n = 0; n < 2; n++) expect(texts.read(page!).words).to.equal(1);
        for (let n = 0; n < 2; n++) expect(() => texts.read(page!)).to.throw('PDF_INFLATED_TOTAL');
      });
      expect(() => texts.read(page!)).to.throw('PDF_INFLATED_TOTAL');
    });
  });

  it('returns zero for an empty page', async () => {
    expect(await counts('')).to.deep.equal({ characters: 0, words: 0, lines: 0 });
  });
});

describe('text strings', () => {
  it('are read at any length', async () => {
    const { context } = await PDFDocument.create();
    const long = 'words '.repeat(100_000);
    expect(asText(context, PDFString.of(long))).to.equal(long);
    expect(asText(context, PDFHexString.fromText(long))).to.equal(long);
    expect(asText(context, PDFString.of(`${long}\x80`))).to.equal(`${long}•`);
    expect(streamText(context, PDFRawStream.of(context.obj({}), Buffer.from(long)))).to.equal(long);
  });

  it('may be UTF-8 with its byte order mark', async () => {
    const { context } = await PDFDocument.create();
    expect(asText(context, PDFHexString.of(Buffer.from('\ufeffÅ–日').toString('hex')))).to.equal('Å–日');
  });
});

describe('encryptionFacts', () => {
  it('reports no encryption and all permissions for an unencrypted file', async () => {
    await withPdf({ bytes: Buffer.from(plain(), 'latin1') }, {}, (opened) => {
      const { encrypted, handler, permissions } = encryptionFacts(opened);
      expect([encrypted, handler, new Set(Object.values(permissions))]).to.deep.equal([
        false,
        undefined,
        new Set([true]),
      ]);
    });
  });
});
