import { expect } from 'chai';
import { PageOverlay, formOf } from '@quire/document/content/drawing';
import { editBytes } from '@quire/document/file/open';
import { withDocument } from '@quire/document/engines/pdfium';
import { renderPage } from '@quire/document/engines/rendering';
import { PDFDocument, PDFName } from 'pdf-lib';

async function overlaid(content: string): Promise<number[]> {
  const document = await PDFDocument.create();
  const page = document.addPage([100, 100]);
  page.node.set(PDFName.of('Contents'), document.context.register(document.context.stream(content)));
  const bytes = await editBytes(await document.save(), { mode: 'append' }, ({ document: { context }, pages }) => {
    new PageOverlay(context).add(
      pages[0]!,
      formOf(context, {
        content: '1 0 0 rg 0 0 50 50 re f',
        area: { left: 0, bottom: 0, width: 100, height: 100 },
        resources: {},
      }),
    );
  });
  return withDocument(bytes, {}, (opened) => [
    ...renderPage(opened, 0, { width: 100, height: 100, annotations: false }).subarray(
      (75 * 100 + 25) * 4,
      (75 * 100 + 25) * 4 + 3,
    ),
  ]);
}

describe('Content that ends in the middle of its operands', () => {
  it('takes nothing of what is laid over the page', async () => {
    for (const content of [
      'BT 20 50 Td (',
      '[ /oops',
      '[(a(b) 12',
      '/P << /A [1 (x)',
      '<41',
      '(a\\) b',
      '0 0 m % (x',
      '<< /A <41> >>',
      'q 1 0 0 1 900 900 cm [1 2',
      '[1 2] 0 d (a) Tj',
    ]) {
      expect(await overlaid(content), content).to.deep.equal([255, 0, 0]);
    }
  });

  it('is not looked for behind an inline image, whose data may hold anything', async () => {
    expect(await overlaid('q 10 0 0 10 80 80 cm BI /W 1 /H 1 /BPC 8 /CS /G ID ( EI Q')).to.deep.equal([255, 0, 0]);
  });
});
