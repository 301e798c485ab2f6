import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pdfOfObjects } from '@quire/plugin-kit';
import { basicInfo, formOverview } from '../../src/functions/document-facts.js';
import { look } from '../../src/functions/look.js';
import { pageSizes, singlePrecision } from '../../src/functions/page-sizes.js';
import { countAnnotations, fontNames } from '../../src/functions/page-tallies.js';

describe('Numbers in single precision', () => {
  it('are printed with the digits that tell them apart and no more', () => {
    const written = [595.276, 841.89, 612, 0.1, 1 / 3, 16_777_217, 595.2760009765625, 1e-7, 12_345.678, 0];
    expect(written.map(singlePrecision)).to.deep.equal([
      595.276, 841.89, 612, 0.1, 0.333_333_34, 16_777_216, 595.276, 1e-7, 12_345.678, 0,
    ]);
    for (let value = 0.37; value < 40_000; value *= 1.37)
      expect(Math.fround(singlePrecision(value))).to.equal(Math.fround(value));
  });

  it('stay numbers of JSON where single precision ends', () => {
    expect(singlePrecision(1e300)).to.equal(1e300);
  });
});

describe('Facts about hostile documents', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-analysis-'));
  });
  after(() => rm(folder, { recursive: true }));
  const tell = async <T>(bytes: Buffer, fn: Parameters<typeof look<T>>[1]): Promise<T> => {
    await writeFile(join(folder, 'in.pdf'), bytes);
    return look(join(folder, 'in.pdf'), fn);
  };

  it('is the pages that are there, whatever /Count claims and however the tree loops', async () => {
    const looping = pdfOfObjects([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R 2 0 R 4 0 R] /Count 2000000000 >>',
      '<< /Type /Page /Parent 2 0 R >>',
      '<< /Type /Pages /Kids [2 0 R 4 0 R 3 0 R] /Count -1 >>',
    ]);
    expect(await tell(looping, basicInfo)).to.deep.equal({ pageCount: 2, pdfVersion: 1.7 });
    expect(await tell(looping, pageSizes)).to.deep.equal([
      { width: 612, height: 792 },
      { width: 612, height: 792 },
    ]);
  });

  it('handle ten thousand pages that share a list of ten thousand annotations and as many fonts', async () => {
    const many = 10_000;
    const annotations = Array.from({ length: many }, (_, i) => `<< /Subtype /K${i} >>`).join(' ');
    const fonts = Array.from({ length: many }, (_, i) => `/F${i} 4 0 R`).join(' ');
    const pages = Array.from(
      { length: many },
      () => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 10 10] /Annots 3 0 R >>',
    );
    const bytes = pdfOfObjects([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${pages.map((_, i) => `${i + 5} 0 R`).join(' ')}] /Resources << /Font << ${fonts}` +
        ' >> >> >>',
      `[${annotations}]`,
      '<< /Type /Font >>',
      ...pages,
    ]);
    const { totalCount, typeBreakdown } = await tell(bytes, countAnnotations);
    expect([totalCount, Object.keys(typeBreakdown).length, typeBreakdown.K9999]).to.deep.equal([
      many * many,
      many,
      many,
    ]);
    expect((await tell(bytes, fontNames)).fontCount).to.equal(many);
    expect((await tell(bytes, pageSizes)).length).to.equal(many);
  }).timeout(100_000);

  it('is the form as far as it holds together', async () => {
    const page = ['<< /Type /Pages /Kids [3 0 R] /Count 1 >>', '<< /Type /Page /Parent 2 0 R >>'];
    const form = (entries: string, ...objects: string[]): Buffer =>
      pdfOfObjects([`<< /Type /Catalog /Pages 2 0 R /AcroForm << ${entries} >> >>`, ...page, ...objects]);
    const nothing = { fieldCount: 0, hasXFA: false, isSignaturesExist: false };
    expect(await tell(form('/Fields 7 /XFA (text) /SigFlags /None'), formOverview)).to.deep.equal(nothing);
    // A field within itself, one named twice, and an object that is not a field.
    expect(
      await tell(
        form('/Fields [4 0 R 4 0 R 5 0 R null 99 0 R 3] /SigFlags 1', '<< /T (a) /Kids [4 0 R] >>', '<< /T (b) >>'),
        formOverview,
      ),
    ).to.deep.equal({ fieldCount: 2, hasXFA: false, isSignaturesExist: true });
  });
});
