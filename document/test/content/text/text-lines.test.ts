import { expect } from 'chai';
import { withDocument } from '@quire/document/engines/pdfium';
import { pageLines } from '@quire/document/content/text';
import { PDFDocument, StandardFonts, degrees } from 'pdf-lib';

async function twoLines(change?: (document: PDFDocument) => void): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const page = document.addPage([300, 200]);
  page.drawText('Upper line', { x: 50, y: 120, size: 20, font });
  page.drawText('Lower', { x: 80, y: 60, size: 20, font });
  document.addPage([300, 200]);
  change?.(document);
  return document.save();
}

const linesOf = (bytes: Uint8Array, page = 0) => withDocument(bytes, {}, (document) => pageLines(document, page));

describe('pageLines', () => {
  it('gives each line with the rectangle around its letters', async () => {
    const [upper, lower, ...more] = await linesOf(await twoLines());
    expect([upper?.text.trim(), lower?.text.trim(), more.length]).to.deep.equal(['Upper line', 'Lower', 0]);
    expect(upper!.left).to.be.within(50, 53);
    expect(upper!.bottom).to.be.within(114, 117);
    expect(upper!.top).to.be.within(133, 137);
    expect(lower!.left).to.be.within(80, 83);
  });

  it('gives places in user space, whatever the rotation and the crop box', async () => {
    const [plain] = await linesOf(await twoLines());
    const [turned] = await linesOf(await twoLines((document) => document.getPage(0).setRotation(degrees(90))));
    const [cropped] = await linesOf(await twoLines((document) => document.getPage(0).setCropBox(40, 50, 200, 100)));
    expect([turned?.left, turned?.bottom, cropped?.left, cropped?.top]).to.deep.equal([
      plain?.left,
      plain?.bottom,
      plain?.left,
      plain?.top,
    ]);
  });

  it('gives nothing for an empty page and for one that is not there', async () => {
    const bytes = await twoLines();
    expect([await linesOf(bytes, 1), await linesOf(bytes, 7)]).to.deep.equal([[], []]);
  });
});
