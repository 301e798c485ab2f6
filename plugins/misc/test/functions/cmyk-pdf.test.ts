import { expect } from 'chai';
import { PDFDocument, PDFName, type PDFRawStream, degrees } from 'pdf-lib';
import { ContentReader } from '@quire/document/content';
import { asDict, elements, entry, resolve } from '@quire/document/file/objects';
import { editBytes, openPdf } from '@quire/document/file/open';
import { readClaims } from '@quire/document/structure/metadata';
import { appendAppearances, takeConverted } from '../../src/functions/colours/cmyk-pdf.js';
import { codeOf } from '../operations/recolour-support.js';

/**
 * A rotated page with a shifted origin and its own unit, tagged, with a stamp whose box does not start at the origin,
 * and a stamp too small to be seen.
 */
async function sample(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const { context, catalog } = document;
  const page = document.addPage();
  page.setMediaBox(-10, 20, 100, 60);
  page.setRotation(degrees(90));
  page.node.set(PDFName.of('UserUnit'), context.obj(2));
  page.node.set(PDFName.of('StructParents'), context.obj(0));
  const stamp = (box: readonly number[]) =>
    context.obj({
      Type: 'Annot',
      Subtype: 'Stamp',
      Rect: [0, 30, 20, 50],
      AP: {
        N: context.register(context.stream('1 0 0 rg 7 9 20 20 re f', { BBox: [...box], Matrix: [0, 1, -1, 0, 0, 0] })),
      },
    });
  page.node.set(PDFName.of('Annots'), context.obj([stamp([7, 9, 27, 29]), stamp([0, 0, 0.1, 0.1])]));
  catalog.set(PDFName.of('StructTreeRoot'), context.obj({ Type: 'StructTreeRoot' }));
  catalog.set(PDFName.of('OutputIntents'), context.obj([{ Type: 'OutputIntent' }]));
  catalog.set(
    PDFName.of('Metadata'),
    context.register(
      context.stream(
        '<rdf:Description xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="2" pdfaid:conformance="B"/>',
        { Type: 'Metadata', Subtype: 'XML' },
      ),
    ),
  );
  return document.save();
}

/** The result of a converter: upright pages in CMYK. */
async function converted(sizes: readonly (readonly [number, number])[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (const [i, size] of sizes.entries()) {
    const page = document.addPage([...size]);
    page.node.set(
      PDFName.of('Contents'),
      document.context.register(document.context.stream(`0 ${i} 1 0 k 0 0 ${size[0]} ${size[1]} re f`)),
    );
  }
  return document.save();
}

describe('pages for an external converter', () => {
  it('include a page for each visible appearance', async () => {
    const bytes = await editBytes(await sample(), {}, (opened) => {
      expect(appendAppearances(opened)).to.equal(2);
    });
    const { pages, document } = await openPdf(bytes);
    expect(
      pages.map(({ dict }) => elements(document.context, entry(dict, 'MediaBox')).map(String).join(' ')),
    ).to.deep.equal(['-10 20 90 80', '7 9 27 29']);
  });

  it('return to their place, rotation and size', async () => {
    const opened = await openPdf(await sample());
    const {
      document: { context },
      pages,
    } = opened;
    takeConverted(
      opened,
      await openPdf(
        await converted([
          [120, 200],
          [20, 20],
        ]),
      ),
    );
    const boxes: number[][] = [];
    const visitor = {
      path: ({ box, state }: { box: readonly number[]; state: { fill: { space: string } } }) => {
        boxes.push([...box].map((value) => Math.round(value * 100) / 100));
        expect(state.fill.space).to.equal('DeviceCMYK');
      },
    };
    const reader = new ContentReader(context);
    reader.page(pages[0]!, visitor);
    const [stamp, tiny] = elements(context, entry(pages[0]!.dict, 'Annots')).map(
      (value) => resolve(context, entry(asDict(context, entry(asDict(context, value)!, 'AP'))!, 'N')) as PDFRawStream,
    );
    reader.stream(stamp!, undefined, visitor);
    expect(boxes).to.deep.equal([
      [-10, 20, 90, 80],
      [-29, 7, -9, 27],
    ]);
    expect(Buffer.from(tiny!.contents).toString('latin1'), 'too small to be seen').to.contain('1 0 0 rg');
    const catalog = asDict(context, context.trailerInfo.Root)!;
    expect([
      entry(catalog, 'StructTreeRoot'),
      entry(catalog, 'OutputIntents'),
      entry(pages[0]!.dict, 'StructParents'),
      readClaims(context).size,
    ]).to.deep.equal([undefined, undefined, undefined, 0]);
  });

  it('are refused if their number differs', async () => {
    const opened = await openPdf(await sample());
    expect(await codeOf((async () => takeConverted(opened, await openPdf(await converted([[120, 200]]))))())).to.equal(
      'DOCUMENT_UNPROCESSABLE',
    );
  });
});
