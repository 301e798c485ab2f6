import { expect } from 'chai';
import { PDFDict, PDFDocument, PDFName, StandardFonts } from 'pdf-lib';
import { readFontProgram, standardFont } from '@quire/document/content';
import { dictOf, entry } from '@quire/document/file/objects';
import { embedStandardFonts, fontsWithoutProgram } from '@quire/document/standards/pdfa';
import { standardFontProgram } from '@quire/document/engines/pdfium';
import { withWidths } from '../../../standards/pdfa/cff-widths.js';

describe('embedded fonts that viewers have', () => {
  it("get programs with the standard's glyphs, all fourteen, once per document", async () => {
    const pdf = await PDFDocument.create({ updateMetadata: false });
    const page = pdf.addPage([100, 100]);
    for (const [i, name] of Object.values(StandardFonts).entries())
      page.node.setFontDictionary(
        PDFName.of(`A${i}`),
        pdf.context.register(pdf.context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: name })),
      );
    for (const [i, name] of ['Arial,Bold', 'TimesNewRomanPSMT', 'LiberationMono', 'ABCDEF+Helvetica-Bold'].entries())
      page.node.setFontDictionary(
        PDFName.of(`B${i}`),
        pdf.context.register(pdf.context.obj({ Type: 'Font', Subtype: 'TrueType', BaseFont: name })),
      );
    const { embedded, missing } = await embedStandardFonts(pdf.context);
    expect([embedded, missing, fontsWithoutProgram(pdf.context)]).to.deep.equal([18, [], []]);
    const fonts = page.node.Resources()!.lookup(PDFName.of('Font'), PDFDict);
    const programs = new Set(
      fonts
        .keys()
        .map((key) =>
          fonts.lookup(key, PDFDict).lookup(PDFName.of('FontDescriptor'), PDFDict).get(PDFName.of('FontFile3')),
        ),
    );
    expect(programs.size).to.equal(14);
    const helvetica = fonts.lookup(PDFName.of('A4'), PDFDict);
    const names = readFontProgram(pdf.context, helvetica.lookup(PDFName.of('FontDescriptor'), PDFDict))?.names;
    for (const glyph of ['A', 'Adieresis', 'Euro', 'at', 'guillemotleft'])
      expect(names?.has(glyph), glyph).to.equal(true);
  });

  it('leaves fonts with other widths and unknown fonts alone', async () => {
    const pdf = await PDFDocument.create({ updateMetadata: false });
    const page = pdf.addPage([100, 100]);
    page.node.setFontDictionary(
      PDFName.of('A'),
      pdf.context.register(
        pdf.context.obj({
          Type: 'Font',
          Subtype: 'TrueType',
          BaseFont: 'Arial',
          Encoding: 'WinAnsiEncoding',
          FirstChar: 65,
          LastChar: 66,
          Widths: [500, 500],
        }),
      ),
    );
    page.node.setFontDictionary(
      PDFName.of('B'),
      pdf.context.register(pdf.context.obj({ Type: 'Font', Subtype: 'TrueType', BaseFont: 'Fancy' })),
    );
    expect(await embedStandardFonts(pdf.context)).to.deep.equal({ embedded: 0, missing: ['Fancy', 'Arial'] });
  });

  it("have the standard's width where the program's differs", async () => {
    const program = await standardFontProgram('Helvetica-BoldOblique');
    const repaired = withWidths(program, (glyph) => standardFont('Helvetica-BoldOblique')?.width(glyph));
    expect(repaired.length).to.be.greaterThan(program.length);
    expect(
      Buffer.compare(
        withWidths(repaired, (glyph) => standardFont('Helvetica-BoldOblique')?.width(glyph)),
        repaired,
      ),
    ).to.equal(0);
    const pdf = await PDFDocument.create({ updateMetadata: false });
    const descriptor = dictOf(pdf.context, { FontFile3: pdf.context.register(pdf.context.flateStream(repaired)) });
    expect(readFontProgram(pdf.context, descriptor)?.names?.has('five')).to.equal(true);
    expect(entry(descriptor, 'FontFile3')).to.not.equal(undefined);
    expect(withWidths(Buffer.from('no font'), () => 1).length).to.equal(7);
  });
});
