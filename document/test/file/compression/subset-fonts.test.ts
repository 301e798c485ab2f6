import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fontkit from '@pdf-lib/fontkit';
import { expect } from 'chai';
import { PDFDict, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { decompress } from 'woff2-encoder';
import { subsetFonts } from '../../../file/compression/subset-fonts.js';
import { openPdf, savePdf } from '../../../file/open/index.js';
import { withDocument } from '../../../engines/pdfium/index.js';
import { pictureHashes } from '../../checks/pictures.js';

const TEXT = 'Grüße, fiancée: 100 % Übung';

/** A page whose text uses a few glyphs of a completely embedded font. */
async function document(change: (pdf: PDFDocument) => void | Promise<void> = () => undefined): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.registerFontkit(fontkit);
  const path = createRequire(import.meta.url).resolve(
    '@fontsource-variable/noto-sans/files/noto-sans-latin-wght-normal.woff2',
  );
  const font = await pdf.embedFont(await decompress(readFileSync(path)), { subset: false });
  pdf.addPage([300, 100]).drawText(TEXT, { x: 10, y: 40, size: 18, font });
  await font.embed();
  await change(pdf);
  return pdf.save();
}

async function subset(bytes: Uint8Array): Promise<{ readonly count: number; readonly bytes: Uint8Array }> {
  const opened = await openPdf(bytes);
  const count = await subsetFonts(opened);
  return { count, bytes: await savePdf(opened.document) };
}

function fonts(pdf: PDFDocument): PDFDict[] {
  return pdf.context
    .enumerateIndirectObjects()
    .map(([, object]) => object)
    .filter(
      (object): object is PDFDict =>
        object instanceof PDFDict && object.get(PDFName.of('Subtype')) === PDFName.of('Type0'),
    );
}

describe('subsetting fonts', () => {
  it('keeps only the glyphs that are shown, with the same appearance and text', async () => {
    const before = await document();
    const { count, bytes } = await subset(before);
    expect(count).to.equal(1);
    expect(bytes.length).to.be.lessThan(before.length * 0.6);
    expect(await pictureHashes(bytes, 1)).to.deep.equal(await pictureHashes(before, 1));
    const text = (pdf: Uint8Array): Promise<string> => withDocument(pdf, {}, (shown) => shown.pageText(0));
    expect(await text(bytes))
      .to.equal(await text(before))
      .and.to.contain('Grüße');
  });

  it('adds a subset tag to the font names', async () => {
    const { bytes } = await subset(await document());
    const [font] = fonts(await PDFDocument.load(bytes));
    expect(font?.get(PDFName.of('BaseFont'))?.toString()).to.match(/^\/[A-Z]{6}\+/);
  });

  it('keeps the fonts of form fields complete', async () => {
    const bytes = await document((pdf) => {
      const [font] = pdf.context
        .enumerateIndirectObjects()
        .filter(([, object]) => object instanceof PDFDict && object.get(PDFName.of('Subtype')) === PDFName.of('Type0'));
      pdf.catalog.set(PDFName.of('AcroForm'), pdf.context.obj({ Fields: [], DR: { Font: { F: font?.[0] ?? null } } }));
    });
    expect((await subset(bytes)).count).to.equal(0);
  });

  it('keeps all fonts complete where a form inherits its font, or content cannot be read', async () => {
    const withForm = (content: string, filter: object): Promise<Uint8Array> =>
      document((pdf) => {
        pdf.context.register(
          PDFRawStream.of(
            pdf.context.obj({
              Type: 'XObject',
              Subtype: 'Form',
              BBox: [0, 0, 9, 9],
              Resources: {},
              ...filter,
            }) as PDFDict,
            Buffer.from(content),
          ),
        );
        pdf
          .getPage(0)
          .node.set(
            PDFName.of('PieceInfo'),
            pdf.context.obj({ Keep: pdf.context.enumerateIndirectObjects().at(-1)?.[0] ?? null }),
          );
      });
    expect((await subset(await withForm('BT <0024> Tj ET', {}))).count).to.equal(0);
    expect((await subset(await withForm('BT ET', { Filter: 'Unknown' }))).count).to.equal(0);
    expect((await subset(await withForm('BT ET', {}))).count).to.equal(1);
  });

  it('leaves an invalid font program alone', async () => {
    const bytes = await document((pdf) => {
      for (const [ref, object] of pdf.context.enumerateIndirectObjects()) {
        if (object instanceof PDFRawStream && object.dict.has(PDFName.of('Length1')))
          pdf.context.assign(
            ref,
            PDFRawStream.of(pdf.context.obj({ Length1: 20_000 }) as PDFDict, new Uint8Array(20_000).fill(7)),
          );
      }
    });
    const { bytes: after } = await subset(bytes);
    expect((await PDFDocument.load(after)).getPageCount()).to.equal(1);
  });
});
