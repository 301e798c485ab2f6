import { expectPdf, fakeFile, makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, PDFName } from 'pdf-lib';
import { largestWithin, splitByRule } from '../../src/functions/split-by-size.js';
import { fixture, run, type TestFile } from './support.js';

const pages = async (count: number): Promise<TestFile> => fakeFile('in.pdf', await makePdf({ pages: count }));

describe('splitting by chapters', () => {
  const split = (file: TestFile, params: Record<string, unknown> = {}) =>
    run('general/split-pdf-by-chapters', [file], params);

  it('names parts by number and title, and includes nothing of other chapters', async () => {
    const { outputs } = await split(await fixture('handbook.pdf'));
    expect(outputs.map(({ name }) => name)).to.deep.equal(['0 Chapter one.pdf', '1 Chapter two.pdf']);
    await expectPdf(outputs[0]!.bytes)
      .pages(1)
      .text(1, 'Chapter one')
      .noText(/Cover|two|Index/);
    await expectPdf(outputs[1]!.bytes)
      .pages(2)
      .text(2, 'Index')
      .noText(/Cover|one/);
    const fields = await Promise.all(
      outputs.map(async ({ bytes }) =>
        (await PDFDocument.load(bytes))
          .getForm()
          .getFields()
          .map((field) => field.getName()),
      ),
    );
    expect(fields).to.deep.equal([['reader.name'], ['remark']]);
  });

  it('copies document metadata only when asked', async () => {
    const titles = async (includeMetadata: unknown) =>
      Promise.all(
        (await split(await fixture('handbook.pdf'), { includeMetadata })).outputs.map(async ({ bytes }) =>
          (await PDFDocument.load(bytes, { updateMetadata: false })).getTitle(),
        ),
      );
    expect(await titles('true')).to.deep.equal(['Handbook', 'Handbook']);
    expect(await titles(undefined)).to.deep.equal([undefined, undefined]);
  });

  it('otherwise leaves XMP metadata out as well', async () => {
    const document = await PDFDocument.load(await (await fixture('handbook.pdf')).bytes());
    document.catalog.set(
      PDFName.of('Metadata'),
      document.context.register(
        document.context.stream('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>', {
          Type: 'Metadata',
          Subtype: 'XML',
        }),
      ),
    );
    const file = await fakeFile('in.pdf', await document.save());
    const has = async (includeMetadata: boolean) =>
      (await PDFDocument.load((await split(file, { includeMetadata })).outputs[0]!.bytes)).catalog.has(
        PDFName.of('Metadata'),
      );
    expect([await has(true), await has(false)]).to.deep.equal([true, false]);
  });

  it('refuses documents without bookmarks, and levels that are negative or not a number', async () => {
    expect((await split(await pages(2))).code).to.equal('PDF_NO_BOOKMARKS');
    for (const bookmarkLevel of [-1, 'x', '1e0'])
      expect(
        (await split(await fixture('handbook.pdf'), { bookmarkLevel })).fields,
        String(bookmarkLevel),
      ).to.deep.equal(['bookmarkLevel']);
    for (const field of ['allowDuplicates', 'includeMetadata'])
      expect((await split(await fixture('handbook.pdf'), { [field]: 'perhaps' })).fields).to.deep.equal([field]);
    expect((await split(await fixture('broken.pdf'))).code).to.equal('PDF_DAMAGED');
  });

  it('refuses bookmarks that produce too many parts or too many pages', async () => {
    const code = async (count: number, pageOf: (i: number) => number) => {
      const bookmarkData = JSON.stringify(
        Array.from({ length: count }, (_unused, i) => ({ title: String(i), pageNumber: pageOf(i) })),
      );
      const { outputs } = await run('general/edit-table-of-contents', [await pages(500)], { bookmarkData });
      return (await split(await fakeFile('in.pdf', outputs[0]!.bytes), { allowDuplicates: true })).code;
    };
    expect(await code(10_001, () => 1)).to.equal('INPUT_TOO_COMPLEX');
    expect(await code(2000, (i) => (i % 2 === 0 ? 1 : 500))).to.equal('INPUT_TOO_COMPLEX');
  }).timeout(60_000);
});

describe('splitting by size or count', () => {
  const split = (file: TestFile, splitType: unknown, splitValue: unknown) =>
    run('general/split-by-size-or-count', [file], { splitType, splitValue });
  const counts = async (count: number, splitType: number, splitValue: string) =>
    Promise.all(
      (await split(await pages(count), splitType, splitValue)).outputs.map(
        async ({ bytes }) => (await expectPdf(bytes)).pages,
      ),
    );

  it('creates parts with the given page count, the last one shorter', async () => {
    expect(await counts(20, 1, '5')).to.deep.equal([5, 5, 5, 5]);
    expect(await counts(20, 1, '10')).to.deep.equal([10, 10]);
    expect(await counts(7, 1, '3')).to.deep.equal([3, 3, 1]);
    expect(await counts(3, 1, '999999999999999')).to.deep.equal([3]);
  });

  it('creates parts whose page counts differ by at most one, and never an empty one', async () => {
    expect(await counts(20, 2, '2')).to.deep.equal([10, 10]);
    expect(await counts(20, 2, '4')).to.deep.equal([5, 5, 5, 5]);
    expect(await counts(11, 2, '4')).to.deep.equal([3, 3, 3, 2]);
    expect(await counts(3, 2, '999999999999999')).to.deep.equal([1, 1, 1]);
  });

  it('names the parts by number', async () => {
    expect((await split(await pages(3), 1, '2')).outputs.map(({ name }) => name)).to.deep.equal([
      'in_1.pdf',
      'in_2.pdf',
    ]);
  });

  it('splits by 10 MB when nothing is sent', async () => {
    expect((await split(await pages(3), undefined, undefined)).outputs).to.have.length(1);
  });

  it('refuses invalid types, sizes and counts, naming the field', async () => {
    const wrong: [unknown, unknown, string][] = [
      [3, '1', 'splitType'],
      [-1, '1', 'splitType'],
      ['1e0', '1', 'splitType'],
      [1, undefined, 'splitValue'],
      [2, '', 'splitValue'],
      [1, '0', 'splitValue'],
      [2, '-2', 'splitValue'],
      [1, '2.5', 'splitValue'],
      [1, '5MB', 'splitValue'],
      [0, 'large', 'splitValue'],
      [0, '-5MB', 'splitValue'],
      [0, '0', 'splitValue'],
      [undefined, '1PB', 'splitValue'],
    ];
    for (const [type, value, field] of wrong)
      expect((await split(await pages(2), type, value)).fields, `${String(type)} ${String(value)}`).to.deep.equal([
        field,
      ]);
    expect((await split(await fixture('broken.pdf'), 1, '1')).code).to.equal('PDF_DAMAGED');
  });

  describe('by size', () => {
    let folder: string;
    let source: string;
    const weights = Array.from({ length: 120 }, (_unused, i) => (i * 37) % 29);

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'quire-size-'));
      source = join(folder, 'in.pdf');
      const document = await PDFDocument.create();
      const { context } = document;
      let noise = 1;
      for (const weight of weights) {
        // Noise that cannot be compressed.
        const bytes = Uint8Array.from(
          { length: weight * 100 },
          () => (noise = (noise * 48_271) % 2_147_483_647) & 0xff,
        );
        document.addPage([100, 100]).node.set(PDFName.of('Contents'), context.register(context.stream(bytes)));
      }
      writeFileSync(source, await document.save());
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    async function parts(limit: number): Promise<{ sizes: number[]; ends: number[]; measured: number }> {
      const target = mkdtempSync(join(folder, 'parts-'));
      const sizes: number[] = [];
      const ends: number[] = [];
      let measured = 0;
      await splitByRule(source, { by: 'bytes', limit }, (n) => join(target, `${n}.pdf`), {
        modified: new Date(0),
        onMeasure: () => {
          measured++;
        },
        onPart: (path, _n, done) => {
          sizes.push(statSync(path).size);
          ends.push(done);
        },
      });
      return { sizes, ends, measured };
    }

    it('keeps every part within the limit, unless it is one page, and as large as possible', async () => {
      const { sizes, ends } = await parts(12_000);
      expect(ends.at(-1)).to.equal(120);
      expect(sizes.length).to.be.greaterThan(5);
      for (const [i, size] of sizes.entries()) {
        const first = i === 0 ? 0 : ends[i - 1]!;
        if (ends[i]! - first > 1) expect(size, `part ${i + 1}`).to.be.at.most(12_000);
        if (ends[i] === 120) continue;
        // The same part with one more page, created separately, is too large.
        const more = await run('general/rearrange-pages', [await fakeFile('in.pdf', readFileSync(source))], {
          pageNumbers: `${first + 1}-${ends[i]! + 1}`,
        });
        expect(more.outputs[0]!.bytes.length, `part ${i + 1} and a page`).to.be.greaterThan(12_000);
      }
    }).timeout(60_000);

    it('puts a page beyond the limit in its own part', async () => {
      const { sizes, ends } = await parts(1000);
      expect(ends.at(-1)).to.equal(120);
      const large = sizes.flatMap((size, i) => (size > 1000 ? [ends[i]! - (ends[i - 1] ?? 0)] : []));
      expect(large.length).to.be.greaterThan(50);
      expect(new Set(large)).to.deep.equal(new Set([1]));
    });

    it('measures a few times per part, not each page from the start', async () => {
      const { sizes, measured } = await parts(12_000);
      expect(measured).to.be.at.most(sizes.length * 8);
    });
  });

  it('finds the largest count within a limit from any guess, in few steps', () => {
    for (const wanted of [0, 1, 2, 7, 63, 64, 65, 999, 1000]) {
      for (const guess of [1, 2, 50, 64, 65, 1000, 5000]) {
        let steps = 0;
        const count = largestWithin(wanted, 1000, guess, (pageCount) => {
          steps++;
          expect(pageCount).to.be.within(1, 1000);
          return pageCount;
        });
        expect(count, `${wanted} from ${guess}`).to.equal(Math.max(1, wanted));
        expect(steps, `${wanted} from ${guess}`).to.be.at.most(22);
      }
    }
  });
});
