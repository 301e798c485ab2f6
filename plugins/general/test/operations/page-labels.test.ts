import { fakeFile, makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFNumber } from 'pdf-lib';
import { fixture, run, type TestFile } from './support.js';

interface Range {
  readonly pageNumber: number;
  readonly style?: string;
  readonly prefix?: string;
  readonly start?: number;
}

const five = async (): Promise<TestFile> => fakeFile('five.pdf', await makePdf({ pages: 5 }));

async function labelled(file: TestFile, labels: readonly Range[]): Promise<Uint8Array> {
  const called = await run('general/edit-page-labels', [file], { labels: JSON.stringify(labels) });
  expect([called.code, called.detail]).to.deep.equal([undefined, undefined]);
  return called.outputs[0]!.bytes;
}

const extracted = async (bytes: Uint8Array): Promise<unknown> =>
  (await run('general/extract-page-labels', [await fakeFile('x.pdf', bytes)], {})).json;

/** The refusal: its code, its field and its words. */
async function refused(labels: unknown): Promise<readonly unknown[]> {
  const text = typeof labels === 'string' ? labels : JSON.stringify(labels);
  const { code, fields, detail } = await run('general/edit-page-labels', [await five()], { labels: text });
  return [code, fields.join(), detail];
}

describe('editing page labels', () => {
  it('writes ranges with style, prefix and start, as another parser reads them', async () => {
    const bytes = await labelled(await five(), [
      { pageNumber: 1, style: 'romanUpper' },
      { pageNumber: 3, prefix: 'A–', start: 7 },
      { pageNumber: 5, style: 'none', prefix: 'Ende' },
    ]);
    const { catalog } = await PDFDocument.load(bytes);
    const nums = catalog.lookup(PDFName.of('PageLabels'), PDFDict).lookup(PDFName.of('Nums'), PDFArray);
    const read = Array.from({ length: nums.size() / 2 }, (_unused, i) => {
      const dict = nums.lookup(2 * i + 1, PDFDict);
      return [
        nums.lookup(2 * i, PDFNumber).asNumber(),
        dict.lookupMaybe(PDFName.of('S'), PDFName)?.decodeText(),
        dict.lookupMaybe(PDFName.of('P'), PDFHexString)?.decodeText(),
        dict.lookupMaybe(PDFName.of('St'), PDFNumber)?.asNumber(),
      ];
    });
    expect(read).to.deep.equal([
      [0, 'R', undefined, undefined],
      [2, 'D', 'A–', 7],
      [4, undefined, 'Ende', undefined],
    ]);
  });

  it('writes what qpdf reads without a complaint, for every style', async () => {
    const styles = ['decimal', 'romanLower', 'romanUpper', 'lettersLower', 'lettersUpper'];
    const bytes = await labelled(
      await five(),
      styles.map((style, i) => ({ pageNumber: i + 1, style })),
    );
    const folder = mkdtempSync(join(tmpdir(), 'quire-labels-'));
    try {
      writeFileSync(join(folder, 'x.pdf'), bytes);
      execFileSync('qpdf', ['--check', join(folder, 'x.pdf')]);
      const json = execFileSync('qpdf', ['--json', '--json-key=pagelabels', join(folder, 'x.pdf')], {
        encoding: 'utf8',
      });
      const { pagelabels } = JSON.parse(json) as {
        readonly pagelabels: readonly { readonly index: number; readonly label: Readonly<Record<string, unknown>> }[];
      };
      expect(pagelabels.map(({ index, label }) => [index, label['/S']])).to.deep.equal([
        [0, '/D'],
        [1, '/r'],
        [2, '/R'],
        [3, '/a'],
        [4, '/A'],
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('returns as ranges what it wrote, in the order of the pages', async () => {
    const bytes = await labelled(await five(), [
      { pageNumber: 4, style: 'lettersUpper', prefix: 'Annex ', start: 2 },
      { pageNumber: 1, style: 'romanLower' },
    ]);
    expect(await extracted(bytes)).to.deep.equal([
      { pageNumber: 1, style: 'romanLower', prefix: '', start: 1 },
      { pageNumber: 4, style: 'lettersUpper', prefix: 'Annex ', start: 2 },
    ]);
  });

  it('numbers pages before the first range 1, 2, 3, as viewers do', async () => {
    const bytes = await labelled(await five(), [{ pageNumber: 3, style: 'romanLower' }]);
    expect(await extracted(bytes)).to.deep.equal([
      { pageNumber: 1, style: 'decimal', prefix: '', start: 1 },
      { pageNumber: 3, style: 'romanLower', prefix: '', start: 1 },
    ]);
  });

  it('removes all labels with an empty list, and keeps everything else', async () => {
    const bytes = await labelled(await fixture('handbook.pdf'), []);
    const document = await PDFDocument.load(bytes, { updateMetadata: false });
    expect(document.catalog.has(PDFName.of('PageLabels'))).to.equal(false);
    for (const key of ['Outlines', 'Names', 'AcroForm'])
      expect(document.catalog.has(PDFName.of(key)), key).to.equal(true);
    expect(await extracted(bytes)).to.deep.equal([]);
  });

  it('refuses ranges that cannot be, and says which', async () => {
    const [code, field, words] = await refused([{ pageNumber: 6 }]);
    expect([code, field]).to.deep.equal(['INPUT_INVALID', 'labels']);
    expect(words).to.contain('begins at page 6; the document has 5 pages');
    expect((await refused([{ pageNumber: 2 }, { pageNumber: 2 }]))[2]).to.contain('two ranges that begin at page 2');
    expect((await refused('cover'))[2]).to.contain('must be a JSON array');
    const wrong: readonly (readonly [object, string])[] = [
      [{ pageNumber: 0 }, 'pageNumber'],
      [{ pageNumber: 1, style: 'greek' }, 'style'],
      [{ pageNumber: 1, start: 0 }, 'start'],
      [{ prefix: 'A' }, 'pageNumber'],
    ];
    for (const [range, member] of wrong) {
      const [refusal, , said] = await refused([range]);
      expect(refusal).to.equal('INPUT_INVALID');
      expect(said).to.contain(member);
    }
  });

  it('reads labels in a number tree of several levels, and unknown styles as none', async () => {
    const document = await PDFDocument.load(await makePdf({ pages: 4 }));
    const { context, catalog } = document;
    const kids = [
      context.register(context.obj({ Limits: [0, 0], Nums: [0, { S: 'Greek', P: PDFHexString.fromText('x') }] })),
      context.register(context.obj({ Limits: [2, 2], Nums: [2, { S: 'a', St: 3 }] })),
    ];
    catalog.set(PDFName.of('PageLabels'), context.obj({ Kids: kids }));
    expect(await extracted(await document.save())).to.deep.equal([
      { pageNumber: 1, style: 'none', prefix: 'x', start: 1 },
      { pageNumber: 3, style: 'lettersLower', prefix: '', start: 3 },
    ]);
  });
});
