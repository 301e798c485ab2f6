import { expectPdf, fakeFile, makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDict, PDFDocument, PDFName, PDFString } from 'pdf-lib';
import { call, fixture, run, type TestFile } from './support.js';

const pages = async (count: number): Promise<TestFile> =>
  fakeFile(
    'in.pdf',
    await makePdf({ pages: count, text: Array.from({ length: count }, (_unused, i) => `page number ${i + 1}.`) }),
  );

/** The numbers on the pages of the result, or the code of the error. */
async function order(file: TestFile, params: Record<string, unknown>): Promise<number[] | string> {
  const result = await call('general/rearrange-pages', [file], params);
  if (typeof result === 'string') return result;
  return (await expectPdf(result[0]!)).text.map((text) => Number(/page number (\d+)\./.exec(text)?.[1]));
}

describe('rearranging pages', () => {
  it('puts exactly the listed pages in the listed order, each once', async () => {
    expect(await order(await pages(5), { pageNumbers: '3,1' })).to.deep.equal([3, 1]);
    expect(await order(await pages(5), { pageNumbers: '5,1-2,1,5' })).to.deep.equal([5, 1, 2]);
    expect(await order(await pages(5), { pageNumbers: '2n,all' })).to.deep.equal([2, 4, 1, 3, 5]);
  });

  it('uses the list if the mode is missing, empty or CUSTOM in any case, and all pages without a list', async () => {
    for (const customMode of [undefined, '', 'CUSTOM', 'custom', ' Custom '])
      expect(await order(await pages(2), { pageNumbers: '2,1', customMode }), customMode).to.deep.equal([2, 1]);
    expect(await order(await pages(2), {})).to.deep.equal([1, 2]);
  });

  it('accepts every preset in any case', async () => {
    const wanted: Record<string, number[]> = {
      reverse_order: [5, 4, 3, 2, 1],
      Duplex_Sort: [1, 5, 2, 4, 3],
      BOOKLET_SORT: [1, 5, 2, 4],
      side_stitch_booklet_sort: [4, 1, 2, 3, 5, 5, 5, 5],
      ODD_EVEN_SPLIT: [1, 3, 5, 2, 4],
      REMOVE_FIRST: [2, 3, 4, 5],
      remove_last: [1, 2, 3, 4],
      REMOVE_FIRST_AND_LAST: [2, 3, 4],
      duplicate: [1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
    };
    for (const [customMode, numbers] of Object.entries(wanted))
      expect(await order(await pages(5), { customMode }), customMode).to.deep.equal(numbers);
  });

  it('uses the field as a repeat count when pages are duplicated', async () => {
    expect(await order(await pages(2), { customMode: 'DUPLICATE', pageNumbers: '3' })).to.deep.equal([
      1, 1, 1, 2, 2, 2,
    ]);
    const { code, fields } = await run('general/rearrange-pages', [await pages(2)], {
      customMode: 'DUPLICATE',
      pageNumbers: '101',
    });
    expect([code, fields]).to.deep.equal(['INPUT_INVALID', ['pageNumbers']]);
  });

  it('ignores the list if the preset defines the order', async () => {
    expect(await order(await pages(2), { customMode: 'REVERSE_ORDER', pageNumbers: 'even' })).to.deep.equal([2, 1]);
  });

  it('refuses unknown modes, invalid lists and an empty result, naming the field', async () => {
    const refused = async (file: TestFile, params: Record<string, unknown>) => {
      const { code, fields } = await run('general/rearrange-pages', [file], params);
      return [code, ...fields];
    };
    expect(await refused(await pages(2), { customMode: 'SHUFFLE' })).to.deep.equal(['INPUT_INVALID', 'customMode']);
    expect(await refused(await pages(2), { pageNumbers: 'n^2' })).to.deep.equal(['PAGES_INVALID', 'pageNumbers']);
    expect(await refused(await pages(2), { pageNumbers: '7' })).to.deep.equal(['PAGES_OUT_OF_RANGE', 'pageNumbers']);
    expect(await refused(await pages(1), { customMode: 'REMOVE_FIRST' })).to.deep.equal([
      'PAGES_NONE_LEFT',
      'customMode',
    ]);
    expect(await refused(await fixture('broken.pdf'), {})).to.deep.equal(['PDF_DAMAGED']);
  });

  it('keeps bookmarks, links, names, attachments, fields and labels when pages only change places', async () => {
    const [bytes] = (await call('general/rearrange-pages', [await fixture('handbook.pdf')], {
      customMode: 'REVERSE_ORDER',
    })) as Uint8Array[];
    const document = await PDFDocument.load(bytes!, { updateMetadata: false });
    const { json } = await run('general/extract-bookmarks', [await fakeFile('r.pdf', bytes!)], {});
    expect(
      (json as { title: string; pageNumber: number }[]).map(({ title, pageNumber }) => `${title} ${pageNumber}`),
    ).to.deep.equal(['Chapter one 3', 'Chapter two 2']);
    expect(
      document
        .getForm()
        .getFields()
        .map((field) => field.getName()),
    ).to.deep.equal(['reader.name', 'remark']);
    expect(document.getPage(3).node.Annots()?.size()).to.equal(1);
    const labels = String(document.catalog.lookup(PDFName.of('PageLabels')));
    expect(labels.replace(/\s+/g, ' ')).to.match(
      /0 << \/S \/D \/St 3 >> 1 << \/S \/D \/St 2 >> 2 << \/S \/D >> 3 << \/S \/r >>/,
    );
    expect(document.catalog.lookup(PDFName.of('Names'), PDFDict).has(PDFName.of('EmbeddedFiles'))).to.equal(true);
  });

  it('keeps article threads when every page stays', async () => {
    const document = await PDFDocument.load(await makePdf({ pages: 2 }));
    const { context, catalog } = document;
    const [thread, bead] = [context.nextRef(), context.nextRef()];
    context.assign(thread, context.obj({ Type: 'Thread', F: bead, I: { Title: PDFString.of('story') } }));
    context.assign(
      bead,
      context.obj({ Type: 'Bead', T: thread, N: bead, V: bead, P: document.getPage(0).ref, R: [0, 0, 9, 9] }),
    );
    catalog.set(PDFName.of('Threads'), context.obj([thread]));
    document.getPage(0).node.set(PDFName.of('B'), context.obj([bead]));
    const [bytes] = (await call('general/rearrange-pages', [await fakeFile('in.pdf', await document.save())], {
      pageNumbers: '2,1',
    })) as Uint8Array[];
    const result = await PDFDocument.load(bytes!);
    expect(result.catalog.has(PDFName.of('Threads'))).to.equal(true);
    expect(result.getPage(1).node.has(PDFName.of('B'))).to.equal(true);
  });

  it('leaves no words, bookmarks or fields of a removed page behind', async () => {
    const [bytes] = (await call('general/rearrange-pages', [await fixture('handbook.pdf')], {
      pageNumbers: '4,2',
    })) as Uint8Array[];
    await expectPdf(bytes!)
      .pages(2)
      .text(1, 'Index')
      .text(2, 'Chapter one')
      .noText(/Cover|Chapter two/);
    const document = await PDFDocument.load(bytes!, { updateMetadata: false });
    expect(
      document
        .getForm()
        .getFields()
        .map((field) => field.getName()),
    ).to.deep.equal(['reader.name']);
    const { json } = await run('general/extract-bookmarks', [await fakeFile('r.pdf', bytes!)], {});
    expect(json).to.deep.equal([{ title: 'Chapter one', pageNumber: 2, children: [] }]);
    // Document-level content stays.
    expect(document.catalog.lookup(PDFName.of('Names'), PDFDict).has(PDFName.of('EmbeddedFiles'))).to.equal(true);
  });

  it('creates repeated pages that look the same, with one field for all their widgets', async () => {
    const [bytes] = (await call('general/rearrange-pages', [await fixture('handbook.pdf')], {
      customMode: 'DUPLICATE',
      pageNumbers: '3',
    })) as Uint8Array[];
    const { text } = await expectPdf(bytes!).pages(12);
    expect(text[3]).to.equal(text[5]);
    const form = (await PDFDocument.load(bytes!, { updateMetadata: false })).getForm();
    expect(form.getFields().map((field) => [field.getName(), field.acroField.getWidgets().length])).to.deep.equal([
      ['reader.name', 3],
      ['remark', 3],
    ]);
  });
});
