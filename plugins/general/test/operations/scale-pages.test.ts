import { openPdf } from '@quire/document/file/open';
import { pageBox, pageRotation, userUnit } from '@quire/document/structure/pages';
import { readAnnotations } from '@quire/document/structure/annotations';
import { readOutlines } from '@quire/document/structure/outlines';
import { asNumber, elements, entry } from '@quire/document/file/objects';
import { expectPdf, fakeFile, makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, PDFName } from 'pdf-lib';
import { drawn } from './pixels.js';
import { fixture, run, type TestFile } from './support.js';

const scaled = async (file: TestFile, params: Record<string, unknown>): Promise<Uint8Array> => {
  const { outputs, code, detail } = await run('general/scale-pages', [file], params);
  if (outputs[0] === undefined) throw new Error(`${code}: ${detail}`);
  return outputs[0].bytes;
};
const RED = 'e60000';

describe('scale-pages', () => {
  it('scales every page to the named paper, in landscape when asked in any case', async () => {
    const file = await fixture('unusual-pages.pdf');
    for (const [pageSize, orientation, size] of [
      ['A4', undefined, [595.28, 841.89]],
      ['A4', 'landscape', [841.89, 595.28]],
      ['LETTER', 'sideways', [612, 792]],
      ['LEGAL', 'LANDSCAPE', [1008, 612]],
      ['A0', '', [2383.94, 3370.39]],
    ] as const) {
      const facts = await expectPdf(await scaled(file, { pageSize, orientation })).pages(4);
      for (const { width, height, rotation } of facts.sizes)
        expect([Math.round(width), Math.round(height), rotation], pageSize).to.deep.equal([
          Math.round(size[0]),
          Math.round(size[1]),
          0,
        ]);
    }
  });

  it('uses the visible size of the first page for KEEP, whatever the orientation', async () => {
    const facts = await expectPdf(
      await scaled(await fixture('unusual-pages.pdf'), { pageSize: 'KEEP', orientation: 'LANDSCAPE' }),
    ).pages(4);
    for (const { width, height } of facts.sizes) expect([width, height]).to.deep.equal([300, 400]);
  });

  it('writes upright pages without crop box, rotation and unit', async () => {
    const {
      document: { context },
      pages,
    } = await openPdf(await scaled(await fixture('unusual-pages.pdf'), { pageSize: 'A5' }));
    for (const page of pages) {
      expect(pageBox(context, page, 'MediaBox').map(Math.round)).to.deep.equal([0, 0, 420, 595]);
      expect([pageRotation(context, page), userUnit(context, page), entry(page.dict, 'CropBox')]).to.deep.equal([
        0,
        1,
        undefined,
      ]);
    }
  });

  it('centres the visible page', async () => {
    const pages = await drawn(await scaled(await fixture('unusual-pages.pdf'), { pageSize: 'KEEP' }));
    // 300 x 400 points each; the mark is 20 points in the lower left corner of the page's own coordinates.
    expect(pages[0]?.at(14, 14), 'cropped, as it was').to.equal(RED);
    // Visible size 200 x 300, rotated by 90 degrees: the mark is at the upper left; 4/3 larger, 17 points of margin at
    // the sides.
    expect(pages[1]?.at(17 + 18, 400 - 18), 'turned').to.equal(RED);
    // Visible size 300 x 260: the mark is at the lower right, 70 points above the edge.
    expect(pages[2]?.at(300 - 14, 70 + 14), 'turned and cropped').to.equal(RED);
    // 400 x 300 points, shrunk to 300 x 225 with 87.5 points above and below.
    expect(pages[3]?.at(21, 87.5 + 21), 'large units').to.equal(RED);
    expect(pages[3]?.at(21, 60), 'margin').to.equal('ffffff');
  });

  it('scales about the centre by the factor', async () => {
    const [page] = await drawn(
      await scaled(await fixture('unusual-pages.pdf'), { pageSize: 'KEEP', scaleFactor: 0.5 }),
    );
    expect(page?.at(75 + 7, 100 + 7)).to.equal(RED);
    expect(page?.at(14, 14)).to.equal('ffffff');
    const [nothing] = await drawn(
      await scaled(await fixture('unusual-pages.pdf'), { pageSize: 'KEEP', scaleFactor: 0 }),
    );
    for (let x = 5; x < 300; x += 5) for (let y = 5; y < 400; y += 5) expect(nothing?.at(x, y)).to.equal('ffffff');
  });

  it('shows nothing that a crop box hid', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([200, 200]);
    page.drawRectangle({ x: 0, y: 0, width: 200, height: 200 });
    page.setCropBox(80, 20, 40, 160);
    const [result] = await drawn(
      await scaled(fakeFile('cropped.pdf', await document.save()), { pageSize: 'A6', orientation: 'LANDSCAPE' }),
    );
    expect(result?.at(210, 150)).to.equal('000000');
    for (const x of [10, 100, 300, 400]) expect(result?.at(x, 150), String(x)).to.equal('ffffff');
  });

  it('moves patterns with the shapes that they fill', async () => {
    const red = (colour: string | undefined): number => Number.parseInt(colour?.slice(0, 2) ?? '', 16);
    const [before] = await drawn(await (await fixture('unusual-pages.pdf')).bytes());
    const [after] = await drawn(
      await scaled(await fixture('unusual-pages.pdf'), { pageSize: 'KEEP', scaleFactor: 0.5 }),
    );
    // From yellow at 200 to green at 280 points from the left of the visible page; half as large in the middle of the
    // result.
    for (const x of [203, 240, 276])
      expect(red(after?.at(75 + x / 2, 100 + 230 / 2)), String(x)).to.be.closeTo(red(before?.at(x, 230)), 8);
  });

  it('moves links, fields and destinations with their pages', async () => {
    const bytes = await scaled(await fixture('unusual-pages.pdf'), { pageSize: 'KEEP', scaleFactor: 0.5 });
    const {
      document: { context },
      pages,
    } = await openPdf(bytes);
    const rect = (page: number): number[] =>
      elements(context, entry(readAnnotations(context, pages[page]!.dict)[0]!.dict, 'Rect')).map(
        (value) => asNumber(context, value) ?? 0,
      );
    expect(rect(0)).to.deep.equal([90, 110, 140, 130]);
    // The field with its border, 149.5..250.5 x 89.5..120.5 of 300 x 200, is upright at 89.5..120.5 x 49.5..150.5;
    // times 2/3, centred.
    expect(rect(1).map(Math.round)).to.deep.equal([143, 133, 164, 200]);
    const [first] = readOutlines(context);
    expect(
      elements(context, entry(first!.dict, 'Dest'))
        .slice(2, 4)
        .map((value) => asNumber(context, value)),
    ).to.deep.equal([90, 140]);
    const document = await PDFDocument.load(bytes);
    expect(document.getForm().getTextField('name').getText()).to.equal('Field');
    expect(document.catalog.has(PDFName.of('PageLabels'))).to.equal(true);
  });

  it('treats a page with an empty media box as the sheet that viewers show', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([612, 792]);
    page.drawRectangle({ x: 0, y: 0, width: 612, height: 792 });
    page.node.set(PDFName.of('MediaBox'), document.context.obj([0, 0, 0, 0]));
    const [result] = await drawn(
      await scaled(fakeFile('empty.pdf', await document.save()), { pageSize: 'LETTER', scaleFactor: 0.5 }),
    );
    expect([result?.at(306, 396), result?.at(160, 200), result?.at(140, 180)]).to.deep.equal([
      '000000',
      '000000',
      'ffffff',
    ]);
  });

  it('leaves a page that already fills its paper unchanged', async () => {
    const bytes = await makePdf({ pages: 1, size: [612, 792] });
    const result = await scaled(fakeFile('letter.pdf', bytes), { pageSize: 'LETTER' });
    const {
      document: { context },
      pages,
    } = await openPdf(result);
    expect(elements(context, entry(pages[0]!.dict, 'Contents')).length).to.be.lessThan(3);
    await expectPdf(result).pages(1).text(1, 'Page 1');
  });

  it('refuses invalid parameters, naming the field, and damaged files', async () => {
    const file = await fixture('two-pages.pdf');
    for (const [params, field] of [
      [{}, 'pageSize'],
      [{ pageSize: 'a4' }, 'pageSize'],
      [{ pageSize: 'B5' }, 'pageSize'],
      [{ pageSize: 'A4', scaleFactor: -1 }, 'scaleFactor'],
      [{ pageSize: 'A4', scaleFactor: 'NaN' }, 'scaleFactor'],
      [{ pageSize: 'A4', scaleFactor: 1e9 }, 'scaleFactor'],
    ] as const) {
      const { code, fields } = await run('general/scale-pages', [file], params);
      expect([code, fields], JSON.stringify(params)).to.deep.equal(['INPUT_INVALID', [field]]);
    }
    expect((await run('general/scale-pages', [await fixture('broken.pdf')], { pageSize: 'A4' })).code).to.equal(
      'PDF_DAMAGED',
    );
  });
});
