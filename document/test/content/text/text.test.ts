import { expect } from 'chai';
import { PDFDocument, PDFName, StandardFonts } from 'pdf-lib';
import { containsImage, containsText } from '../../../content/text/index.js';

const all = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

async function paper(change: (pdf: PDFDocument) => void = () => undefined): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  pdf.addPage([300, 300]).drawText('Résumé of March', { x: 20, y: 200, size: 20, font });
  pdf.addPage([300, 300]);
  change(pdf);
  return pdf.save();
}

function addImage(pdf: PDFDocument, inForm: boolean): void {
  const image = pdf.context.register(
    pdf.context.stream('broken', { Type: 'XObject', Subtype: 'Image', Width: 5, Height: 5, Filter: 'DCTDecode' }),
  );
  const page = pdf.getPage(1).node;
  if (!inForm) return void page.setXObject(PDFName.of('Im'), image);
  const ref = pdf.context.nextRef();
  // A form within itself must not run for ever.
  pdf.context.assign(
    ref,
    pdf.context.stream('', {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, 9, 9],
      Resources: { XObject: { Self: ref, Im: image } },
    }),
  );
  page.setXObject(PDFName.of('Fm'), ref);
}

describe('containsText', () => {
  it('tells upper and lower case apart and looks at the chosen pages only', async () => {
    const bytes = await paper();
    expect(await containsText({ bytes }, 'of March', all)).to.equal(true);
    expect(await containsText({ bytes }, 'of march', all)).to.equal(false);
    expect(await containsText({ bytes }, 'of March', () => [1])).to.equal(false);
  });

  it('finds accents in either of their forms', async () => {
    expect(await containsText({ bytes: await paper() }, 'Résumé'.normalize('NFD'), all)).to.equal(true);
  });

  it('takes no text as any text, and empty text as held by every page', async () => {
    const bytes = await paper();
    expect(await containsText({ bytes }, undefined, () => [0])).to.equal(true);
    expect(await containsText({ bytes }, undefined, () => [1])).to.equal(false);
    expect(await containsText({ bytes }, '', () => [1])).to.equal(true);
    expect(await containsText({ bytes }, '', () => [])).to.equal(false);
  });

  it('is not led astray by a count of pages that are not there', async () => {
    const bytes = await paper((pdf) => pdf.catalog.Pages().set(PDFName.of('Count'), pdf.context.obj(2_000_000_000)));
    const counts: number[] = [];
    await containsText({ bytes }, 'x', (count) => (counts.push(count), []));
    expect(counts).to.deep.equal([2]);
  });
});

describe('containsImage', () => {
  it('finds images of a page and of its forms, broken ones too', async () => {
    expect(await containsImage(await paper(), all)).to.equal(false);
    for (const inForm of [false, true]) {
      const bytes = await paper((pdf) => addImage(pdf, inForm));
      expect(await containsImage(bytes, all)).to.equal(true);
      expect(await containsImage(bytes, () => [0])).to.equal(false);
    }
  });
});
