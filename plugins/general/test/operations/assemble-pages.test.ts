import { expectPdf, fakeFile, makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDict, PDFDocument, PDFName } from 'pdf-lib';
import { fixture, run, type TestFile } from './support.js';
import { everythingIn } from '../../../../document/test/support.js';

const numbered = async (name: string, count: number, word = name): Promise<TestFile> =>
  fakeFile(
    `${name}.pdf`,
    await makePdf({ pages: count, text: Array.from({ length: count }, (_unused, i) => `${word} ${i + 1}.`) }),
  );

async function assemble(files: readonly TestFile[], pages: unknown): Promise<Uint8Array> {
  const called = await run('general/assemble-pages', files, { pages: JSON.stringify(pages) });
  expect([called.code, called.detail]).to.deep.equal([undefined, undefined]);
  return called.outputs[0]!.bytes;
}

async function refused(files: readonly TestFile[], pages: unknown): Promise<unknown[]> {
  const text = typeof pages === 'string' ? pages : JSON.stringify(pages);
  const { code, fields } = await run('general/assemble-pages', files, { pages: text });
  return [code, ...fields];
}

describe('assembling pages', () => {
  it('puts pages of several files in the order listed, a page several times, blank ones between them', async () => {
    const files = [await numbered('a', 3), await numbered('b', 2), await numbered('unused', 1)];
    const bytes = await assemble(files, [
      { file: 2, page: 2 },
      { page: 1 },
      { blank: true, width: 200, height: 100 },
      { file: 2, page: 1 },
      { page: 3 },
      { page: 1 },
    ]);
    const { text } = await expectPdf(bytes);
    expect(text.map((words) => words.trim())).to.deep.equal(['b 2.', 'a 1.', '', 'b 1.', 'a 3.', 'a 1.']);
    expect((await PDFDocument.load(bytes)).getPage(2).getSize()).to.deep.equal({ width: 200, height: 100 });
    expect(await everythingIn(bytes)).to.not.include('unused');
  });

  it('adds the rotation to that of each listed page, and to one copy of it only', async () => {
    const file = await fixture('unusual-pages.pdf');
    const bytes = await assemble(
      [file],
      [{ page: 2 }, { page: 2, rotate: 90 }, { page: 3, rotate: -90 }, { page: 1, rotate: 450 }],
    );
    const angles = (await PDFDocument.load(bytes)).getPages().map((page) => page.getRotation().angle);
    expect(angles).to.deep.equal([90, 180, 180, 90]);
  });

  it('makes a blank page A4 when it has no size', async () => {
    const bytes = await assemble([await numbered('a', 1)], [{ blank: true }, { page: 1 }]);
    expect((await PDFDocument.load(bytes)).getPage(0).getSize()).to.deep.equal({ width: 595.28, height: 841.89 });
  });

  it('keeps bookmarks, labels, fields and attachments of what stays, and nothing of removed pages', async () => {
    const bytes = await assemble(
      [await fixture('handbook.pdf'), await numbered('b', 1)],
      [{ page: 4 }, { blank: true }, { file: 2, page: 1 }, { page: 2 }],
    );
    await expectPdf(bytes)
      .pages(4)
      .text(1, 'Index')
      .text(4, 'Chapter one')
      .noText(/Cover|Chapter two/);
    const { json } = await run('general/extract-bookmarks', [await fakeFile('r.pdf', bytes)], {});
    expect(json).to.deep.equal([{ title: 'Chapter one', pageNumber: 4, children: [] }]);
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    const fields = document.getForm().getFields();
    expect(fields.map((field) => field.getName())).to.deep.equal(['reader.name']);
    expect(document.catalog.lookup(PDFName.of('Names'), PDFDict).has(PDFName.of('EmbeddedFiles'))).to.equal(true);
    const labels = String(document.catalog.lookup(PDFName.of('PageLabels'))).replace(/\s+/g, ' ');
    expect(labels).to.match(/0 << \/S \/D \/St 3 >> 1 << >> 2 << \/S \/D >> 3 << \/S \/D >>/);
  });

  it('names the entry at fault', async () => {
    const files = [await numbered('a', 3), await numbered('b', 2)];
    expect(await refused(files, [{ page: 1 }, { file: 3, page: 1 }])).to.deep.equal(['INPUT_INVALID', 'pages/1/file']);
    expect(await refused(files, [{ file: 2, page: 3 }])).to.deep.equal(['INPUT_INVALID', 'pages/0/page']);
    expect(await refused(files, [{ page: 1, rotate: 45 }])).to.deep.equal(['INPUT_INVALID', 'pages/0/rotate']);
    expect(await refused(files, [{ blank: true, width: 0 }, { page: 1 }])).to.deep.equal([
      'INPUT_INVALID',
      'pages/0/width',
    ]);
    expect(await refused(files, [{ file: 1 }])).to.deep.equal(['INPUT_INVALID', 'pages/0/page']);
    expect(await refused(files, [])).to.deep.equal(['INPUT_INVALID', 'pages']);
    expect(await refused(files, '1,2')).to.deep.equal(['INPUT_INVALID', 'pages']);
    expect(await refused(files, [{ blank: true }])).to.deep.equal(['INPUT_INVALID', 'pages']);
  });
});
