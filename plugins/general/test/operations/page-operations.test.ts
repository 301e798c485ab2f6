import { expect } from 'chai';
import { expectPdf, fakeFile, makePdf } from '@quire/plugin-kit';
import { call, fixture, run } from './support.js';

async function pagesOf(result: Uint8Array[] | string): Promise<number[] | string> {
  if (typeof result === 'string') return result;
  return Promise.all(result.map(async (bytes) => (await expectPdf(bytes)).pages));
}

const ten = async () => fakeFile('ten.pdf', await makePdf({ pages: 10 }));

describe('the page operations', () => {
  it('rotate by any multiple of 90 degrees and by nothing else', async () => {
    const file = await fixture('two-pages.pdf');
    for (const angle of ['90', 0, -270, 720, undefined, ''])
      expect(await pagesOf(await call('general/rotate-pdf', [file], { angle })), String(angle)).to.deep.equal([2]);
    for (const angle of [45, '90e0', 'x'])
      expect(await call('general/rotate-pdf', [file], { angle }), String(angle)).to.equal('INPUT_INVALID');
  });

  it('split into as many parts as the page expression selects', async () => {
    const parts = async (pageNumbers: string | undefined) =>
      pagesOf(await call('general/split-pages', [await ten()], { pageNumbers }));
    expect(await parts('2,4')).to.deep.equal([2, 2, 6]);
    expect(await parts('5,2')).to.deep.equal([2, 3, 5]);
    expect(await parts('all')).to.have.length(10);
    expect(await parts(undefined)).to.have.length(10);
    expect(await parts('3n')).to.deep.equal([3, 3, 3, 1]);
    expect(await parts('2n+1')).to.deep.equal([3, 2, 2, 2, 1]);
  });

  it('refuse invalid page expressions and those that select nothing', async () => {
    for (const path of ['general/split-pages', 'general/remove-pages']) {
      expect(await call(path, [await ten()], { pageNumbers: 'even' })).to.equal('PAGES_INVALID');
      expect(await call(path, [await ten()], { pageNumbers: '10000' })).to.equal('PAGES_OUT_OF_RANGE');
    }
  });

  it('remove pages whatever the order and repetition of the expression', async () => {
    const left = async (pageNumbers: string | undefined) =>
      pagesOf(await call('general/remove-pages', [await ten()], { pageNumbers }));
    expect(await left('3,1,1,3')).to.deep.equal([8]);
    expect(await left('2-100')).to.deep.equal([1]);
    expect(await left('all')).to.equal('PAGES_NONE_LEFT');
    expect(await left(undefined)).to.equal('INPUT_INVALID');
  });

  it('merge with a warning that names lines of fileOrder which match no file', async () => {
    const files = [await fixture('handbook.pdf'), await fixture('two-pages.pdf')];
    const warned = async (fileOrder: string): Promise<readonly string[] | undefined> =>
      (await run('general/merge-pdfs', files, { fileOrder })).warnings;
    expect(await warned('two-pages.pdf\r\n\nhandbook.pdf\n')).to.deep.equal([]);
    expect(await warned(' \n')).to.deep.equal([]);
    expect(await warned('two-page.pdf\nhandbook.pdf')).to.deep.equal([
      'fileOrder has names that no file has, or more often than files have them; they were skipped: "two-page.pdf".',
    ]);
    const [bounded] = (await warned(Array.from({ length: 8 }, (_, i) => `${i}.pdf`).join('\n'))) ?? [];
    expect(bounded).to.match(/"4\.pdf" and 3 more\.$/);
    expect(await warned('handbook.pdf\nhandbook.pdf')).to.have.length(1);
  });

  it('merge in the requested order, and in the order sent for an unknown one', async () => {
    const files = [await fixture('two-pages.pdf'), await fixture('handbook.pdf')];
    for (const sortType of ['byFileName', 'byPDFTitle', 'byDateModified', 'none such', undefined]) {
      expect(await pagesOf(await call('general/merge-pdfs', files, { sortType })), sortType).to.deep.equal([6]);
    }
    expect(
      await pagesOf(
        await call('general/merge-pdfs', files.slice(0, 1), { removeCertSign: 'yes', clientFileIds: '["a"]' }),
      ),
    ).to.deep.equal([2]);
  });

  it('refuse damaged documents', async () => {
    const broken = await fixture('broken.pdf');
    for (const [path, params] of [
      ['general/rotate-pdf', {}],
      ['general/merge-pdfs', {}],
      ['general/split-pages', {}],
      ['general/remove-pages', { pageNumbers: '1' }],
    ] as const) {
      expect(await call(path, [broken], params), path).to.equal('PDF_DAMAGED');
    }
  });
});
