import { openPdf } from '@quire/document/file/open';
import { entry } from '@quire/document/file/objects';
import { destinationPage, readNamedDestinations } from '@quire/document/structure/names';
import { readAnnotations } from '@quire/document/structure/annotations';
import { readOutlines } from '@quire/document/structure/outlines';
import { readPageLabels } from '@quire/document/structure/pages';
import { expectPdf, fakeFile, makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, PDFName, rgb } from 'pdf-lib';
import { drawn } from './pixels.js';
import { fixture, run, type TestFile } from './support.js';

const PATH = 'general/split-pdf-by-sections';
const split = async (
  file: TestFile,
  params: Record<string, unknown>,
): Promise<readonly { name: string; bytes: Uint8Array }[]> => {
  const { outputs, code, detail } = await run(PATH, [file], params);
  if (code !== undefined) throw new Error(`${code}: ${detail}`);
  return outputs;
};
/** A page of four coloured quarters: upper left red, lower left green, upper right blue, lower right black. */
async function quarters(change: (document: PDFDocument) => void = () => undefined): Promise<TestFile> {
  const document = await PDFDocument.create();
  const page = document.addPage([200, 100]);
  const fill = (x: number, y: number, colour: readonly [number, number, number]): void =>
    page.drawRectangle({ x, y, width: 100, height: 50, color: rgb(...colour) });
  fill(0, 50, [1, 0, 0]);
  fill(0, 0, [0, 1, 0]);
  fill(100, 50, [0, 0, 1]);
  fill(100, 0, [0, 0, 0]);
  change(document);
  return fakeFile('quarters.pdf', await document.save());
}
const [RED, GREEN, BLUE, BLACK] = ['ff0000', '00ff00', '0000ff', '000000'];

describe('split-pdf-by-sections', () => {
  it('numbers sections column by column from the left, top to bottom, and names them by page and section', async () => {
    const parts = await split(await quarters(), { horizontalDivisions: 1, verticalDivisions: '1' });
    expect(parts.map(({ name }) => name)).to.deep.equal([1, 2, 3, 4].map((n) => `quarters_split_1_${n}.pdf`));
    const colours = await Promise.all(parts.map(async ({ bytes }) => (await drawn(bytes))[0]?.at(50, 25)));
    expect(colours).to.deep.equal([RED, GREEN, BLUE, BLACK]);
    for (const { bytes } of parts) await expectPdf(bytes).pages(1).size(1, 100, 50);
  });

  it('cuts into two rows by default', async () => {
    const parts = await split(await quarters(), {});
    expect(parts.map(({ name }) => name)).to.deep.equal(['quarters_split_1_1.pdf', 'quarters_split_1_2.pdf']);
    const [upper, lower] = await Promise.all(parts.map(async ({ bytes }) => (await drawn(bytes))[0]));
    expect([upper?.at(50, 25), upper?.at(150, 25), lower?.at(50, 25), lower?.at(150, 25)]).to.deep.equal([
      RED,
      BLUE,
      GREEN,
      BLACK,
    ]);
  });

  it('returns one document for merge, with sections in place of their pages', async () => {
    const [merged, ...more] = await split(await fixture('two-pages.pdf'), {
      horizontalDivisions: 1,
      verticalDivisions: 2,
      merge: 'true',
    });
    expect(more).to.deep.equal([]);
    const facts = await expectPdf(merged!.bytes).pages(12);
    for (const { width, height } of facts.sizes) expect([width, Math.round(height * 100)]).to.deep.equal([150, 13333]);
  });

  it('cuts the pages of the mode and leaves the others whole', async () => {
    const file = fakeFile('four.pdf', await makePdf({ pages: 4, size: [100, 100] }));
    const names = async (params: Record<string, unknown>): Promise<string[]> =>
      (await split(file, params)).map(({ name }) => name.slice('four_split_'.length, -4));
    expect(await names({ splitMode: 'SPLIT_ALL_EXCEPT_FIRST' })).to.deep.equal([
      '1_1',
      '2_1',
      '2_2',
      '3_1',
      '3_2',
      '4_1',
      '4_2',
    ]);
    expect(await names({ splitMode: 'SPLIT_ALL_EXCEPT_LAST' })).to.deep.equal([
      '1_1',
      '1_2',
      '2_1',
      '2_2',
      '3_1',
      '3_2',
      '4_1',
    ]);
    expect(await names({ splitMode: 'SPLIT_ALL_EXCEPT_FIRST_AND_LAST' })).to.deep.equal([
      '1_1',
      '2_1',
      '2_2',
      '3_1',
      '3_2',
      '4_1',
    ]);
    expect(await names({ splitMode: 'CUSTOM', pageNumbers: '4,2' })).to.deep.equal([
      '1_1',
      '2_1',
      '2_2',
      '3_1',
      '4_1',
      '4_2',
    ]);
    expect(await names({ splitMode: 'SPLIT_ALL', pageNumbers: 'nothing that is read' })).to.have.length(8);
    const one = fakeFile('one.pdf', await makePdf({ pages: 1 }));
    expect((await split(one, { splitMode: 'SPLIT_ALL_EXCEPT_FIRST_AND_LAST' })).map(({ name }) => name)).to.deep.equal([
      'one_split_1_1.pdf',
    ]);
    const whole = (await split(file, { splitMode: 'SPLIT_ALL_EXCEPT_FIRST' }))[0];
    await expectPdf(whole!.bytes).pages(1).size(1, 100, 100).text(1, 'Page 1');
  });

  it('cuts pages as they are seen: rotated, cropped, in points', async () => {
    const [merged] = await split(await fixture('unusual-pages.pdf'), {
      horizontalDivisions: 1,
      verticalDivisions: 1,
      merge: true,
    });
    const pages = await drawn(merged!.bytes);
    expect(pages.map(({ width, height }) => `${width}x${height}`)).to.deep.equal(
      ['150x200', '100x150', '150x130', '200x150'].flatMap((size) => Array.from({ length: 4 }, () => size)),
    );
    const marks = pages.map((page) =>
      [page.at(14, 14), page.at(14, page.height - 14), page.at(page.width - 14, 14)].indexOf('e60000'),
    );
    // The mark is in the lower left section, the upper left of the rotated page, the lower right of the one rotated the
    // other way.
    expect(marks).to.deep.equal([-1, 0, -1, -1, 1, -1, -1, -1, -1, -1, -1, 2, -1, 0, -1, -1]);
  });

  it('leads bookmarks to the section that shows their target, and labels sections like their page', async () => {
    const [merged] = await split(await fixture('unusual-pages.pdf'), {
      horizontalDivisions: 1,
      verticalDivisions: 1,
      merge: true,
    });
    const {
      document: { context },
      pages,
    } = await openPdf(merged!.bytes);
    const refs = pages.map(({ ref }) => ref);
    const named = readNamedDestinations(context);
    const targets = readOutlines(context).map(({ dict }) =>
      refs.findIndex((ref) => ref === destinationPage(context, named, entry(dict, 'Dest'), refs)),
    );
    // Point 30, 180 in each page's own coordinates.
    expect(targets).to.deep.equal([1, 6, 11, 12]);
    expect(
      readPageLabels(context, 16)
        ?.map(({ prefix, number }) => `${prefix}${number}`)
        .join(' '),
    ).to.equal('1 1 1 1 2 2 2 2 B-1 B-1 B-1 B-1 B-2 B-2 B-2 B-2');
  });

  it('moves links and fields to the section that contains their centre', async () => {
    const parts = await split(await fixture('unusual-pages.pdf'), {
      horizontalDivisions: 1,
      verticalDivisions: 1,
      splitMode: 'CUSTOM',
      pageNumbers: '1,2',
    });
    const kinds = await Promise.all(
      parts.map(async ({ bytes }) => {
        const {
          document: { context },
          pages,
        } = await openPdf(bytes);
        return readAnnotations(context, pages[0]!.dict)
          .map(({ kind }) => kind)
          .join();
      }),
    );
    // The link leads to another page, which is not in its part.
    expect(kinds).to.deep.equal(['', '', '', '', '', '', '', 'Widget', '', '']);
    const form = (await PDFDocument.load(parts[7]!.bytes)).getForm();
    expect(form.getTextField('name').getText()).to.equal('Field');
    const [merged] = await split(await fixture('unusual-pages.pdf'), {
      horizontalDivisions: 1,
      verticalDivisions: 1,
      merge: true,
    });
    const {
      document: { context },
      pages,
    } = await openPdf(merged!.bytes);
    expect(pages.map(({ dict }) => readAnnotations(context, dict).length).join('')).to.equal('0100000100000000');
  });

  it('keeps the tags of a part, referring to its own page', async () => {
    const file = await quarters((document) => {
      const { context } = document;
      const page = document.getPage(0);
      const element = context.nextRef();
      const root = context.register(
        context.obj({
          Type: 'StructTreeRoot',
          K: [element],
          ParentTree: { Nums: [0, [element]] },
          ParentTreeNextKey: 1,
        }),
      );
      context.assign(element, context.obj({ Type: 'StructElem', S: 'Figure', P: root, Pg: page.ref, K: 0 }));
      document.catalog.set(PDFName.of('StructTreeRoot'), root);
      page.node.set(PDFName.of('StructParents'), context.obj(0));
      page.node.set(
        PDFName.of('Contents'),
        context.register(context.stream('/Figure <</MCID 0>> BDC 0 0 200 100 re f EMC')),
      );
    });
    for (const { bytes } of await split(file, { horizontalDivisions: 1, verticalDivisions: 0 })) {
      const {
        document: { context },
        pages,
      } = await openPdf(bytes);
      const items = context
        .enumerateIndirectObjects()
        .map(([, object]) => String(object))
        .filter((text) => text.includes('/S /Figure'));
      expect(items).to.have.length(1);
      expect(items[0]).to.include(`/Pg ${pages[0]!.ref.toString()}`).and.to.include('/MCID 0').and.to.include('/Stm');
    }
  });

  it('refuses invalid parameters, naming the field, too many sections, and damaged files', async () => {
    const file = await fixture('two-pages.pdf');
    for (const [params, field] of [
      [{ horizontalDivisions: 51 }, 'horizontalDivisions'],
      [{ verticalDivisions: -1 }, 'verticalDivisions'],
      [{ verticalDivisions: '1e0' }, 'verticalDivisions'],
      [{ splitMode: 'split_all' }, 'splitMode'],
      [{ splitMode: '' }, 'splitMode'],
      [{ splitMode: 'CUSTOM' }, 'pageNumbers'],
      [{ splitMode: 'CUSTOM', pageNumbers: '' }, 'pageNumbers'],
      [{ merge: 'maybe' }, 'merge'],
    ] as const) {
      const { code, fields } = await run(PATH, [file], params);
      expect([code, [...new Set(fields)]], JSON.stringify(params)).to.deep.equal(['INPUT_INVALID', [field]]);
    }
    expect((await run(PATH, [file], { splitMode: 'CUSTOM', pageNumbers: 'SPLIT_ALL' })).code).to.equal('PAGES_INVALID');
    expect((await run(PATH, [file], { splitMode: 'CUSTOM', pageNumbers: '9' })).code).to.equal('PAGES_OUT_OF_RANGE');
    const many = fakeFile('many.pdf', await makePdf({ pages: 20 }));
    expect((await run(PATH, [many], { horizontalDivisions: 50, verticalDivisions: 50 })).code).to.equal(
      'INPUT_TOO_COMPLEX',
    );
    expect((await run(PATH, [await fixture('broken.pdf')], {})).code).to.equal('PDF_DAMAGED');
  });
});
