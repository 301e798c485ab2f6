import { fakeFile, makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFNumber, PDFString, degrees } from 'pdf-lib';
import { fixture, run, type TestFile } from './support.js';

interface Bookmark {
  title: string;
  pageNumber: number;
  children: Bookmark[];
}

const toc = (file: TestFile, bookmarkData: unknown) =>
  run('general/edit-table-of-contents', [file], {
    bookmarkData: typeof bookmarkData === 'string' ? bookmarkData : JSON.stringify(bookmarkData),
  });
const bookmarks = async (bytes: Uint8Array) =>
  (await run('general/extract-bookmarks', [await fakeFile('x.pdf', bytes)], {})).json as Bookmark[];
const five = async () => fakeFile('five.pdf', await makePdf({ pages: 5 }));
const leaf = (title: string, pageNumber: number): Bookmark => ({ title, pageNumber, children: [] });

describe('extracting bookmarks', () => {
  it('lists titles, pages from 1 and children', async () => {
    expect(await bookmarks(await (await fixture('handbook.pdf')).bytes())).to.deep.equal([
      leaf('Chapter one', 2),
      leaf('Chapter two', 3),
    ]);
  });

  it('returns an empty list if there are none', async () => {
    expect(await bookmarks(await (await fixture('two-pages.pdf')).bytes())).to.deep.equal([]);
  });

  it('resolves named destinations and actions, and returns page 1 if nothing is found', async () => {
    const document = await PDFDocument.load(await makePdf({ pages: 3 }));
    const { context, catalog } = document;
    const pages = document.getPages().map(({ ref }) => ref);
    catalog.set(PDFName.of('Dests'), context.obj({ old: [pages[1]!, 'Fit'] }));
    catalog.set(
      PDFName.of('Names'),
      context.obj({ Dests: { Names: [PDFString.of('new'), { D: [pages[2]!, 'Fit'] }] } }),
    );
    const root = context.nextRef();
    const targets = [
      { Dest: PDFString.of('new') },
      { A: { S: 'GoTo', D: PDFName.of('old') } },
      { Dest: PDFString.of('nowhere') },
      { A: { S: 'URI', URI: PDFString.of('https://x.test') } },
      { Dest: [2, 'Fit'] },
      {},
    ];
    const items = targets.map((target) =>
      context.register(context.obj({ Title: PDFHexString.fromText('章'), Parent: root, ...target })),
    );
    items.forEach(
      (item, i) => items[i + 1] !== undefined && context.lookup(item, PDFDict).set(PDFName.of('Next'), items[i + 1]!),
    );
    context.assign(root, context.obj({ First: items[0]!, Last: items.at(-1)! }));
    catalog.set(PDFName.of('Outlines'), root);
    expect((await bookmarks(await document.save())).map(({ title, pageNumber }) => title + pageNumber)).to.deep.equal([
      '章3',
      '章2',
      '章1',
      '章1',
      '章3',
      '章1',
    ]);
  });
});

describe('editing the table of contents', () => {
  it('writes what extracting returns', async () => {
    const tree = [
      { ...leaf('Start', 1), children: [{ ...leaf('Mitte – Ärger', 3), children: [leaf('目次 😀', 4)] }] },
      leaf('العربية', 5),
      leaf('', 2),
    ];
    const { outputs } = await toc(await five(), tree);
    expect(await bookmarks(outputs[0]!.bytes)).to.deep.equal(tree);
  });

  it('replaces every existing bookmark, and leaves none of their words in the file', async () => {
    const { outputs } = await toc(await fixture('handbook.pdf'), [leaf('New', 2)]);
    const bytes = outputs[0]!.bytes;
    expect(await bookmarks(bytes)).to.deep.equal([leaf('New', 2)]);
    expect(
      Buffer.from(bytes).includes(Buffer.from('Chapter two', 'utf16le').swap16().toString('hex').toUpperCase()),
    ).to.equal(false);
  });

  it('keeps the form, the labels, the links and the attachments of the document', async () => {
    const { outputs } = await toc(await fixture('handbook.pdf'), []);
    const document = await PDFDocument.load(outputs[0]!.bytes, { updateMetadata: false });
    expect(
      document
        .getForm()
        .getFields()
        .map((field) => field.getName()),
    ).to.deep.equal(['reader.name', 'remark']);
    for (const key of ['PageLabels', 'Names']) expect(document.catalog.has(PDFName.of(key)), key).to.equal(true);
    expect(document.getPage(0).node.Annots()?.size()).to.equal(1);
    expect(document.catalog.has(PDFName.of('Outlines'))).to.equal(false);
  });

  it('no longer opens a bookmark panel that has become empty', async () => {
    const document = await PDFDocument.load(await (await fixture('handbook.pdf')).bytes());
    document.catalog.set(PDFName.of('PageMode'), PDFName.of('UseOutlines'));
    const file = await fakeFile('x.pdf', await document.save());
    const mode = async (data: unknown) =>
      (await PDFDocument.load((await toc(file, data)).outputs[0]!.bytes)).catalog.get(PDFName.of('PageMode'));
    expect(await mode([])).to.equal(undefined);
    expect(String(await mode([leaf('a', 1)]))).to.equal('/UseOutlines');
  });

  it('limits pages to those of the document, and uses the first if none is given', async () => {
    const { outputs } = await toc(
      await five(),
      '[{"title":"a","pageNumber":0},{"title":"b","pageNumber":-7},{"title":"c","pageNumber":99},{"title":"d"},' +
        '{"title":"e","pageNumber":null},{"title":"f","pageNumber":"2"},{"title":"g","pageNumber":1e300}]',
    );
    expect((await bookmarks(outputs[0]!.bytes)).map(({ pageNumber }) => pageNumber)).to.deep.equal([
      1, 1, 5, 1, 1, 2, 5,
    ]);
  });

  it('warns of bookmarks without a page', async () => {
    const { warnings } = await toc(await five(), '[{"title":"a","page":2},{"title":"b","children":[{"title":"c"}]}]');
    expect(warnings).to.deep.equal(['The bookmark "a" and 2 more have no pageNumber and go to the first page.']);
    expect((await toc(await five(), [leaf('a', 2)])).warnings).to.deep.equal([]);
  });

  it('accepts absent and null children, and ignores unknown members', async () => {
    const { outputs } = await toc(
      await five(),
      '[{"title":"a","pageNumber":1,"children":null,"x":{}},{"title":7,"pageNumber":2},{"pageNumber":3,' +
        '"children":[]},{"title":null}]',
    );
    expect((await bookmarks(outputs[0]!.bytes)).map(({ title }) => title)).to.deep.equal(['a', '7', '', '']);
  });

  it('replaces a lone surrogate', async () => {
    const { outputs } = await toc(await five(), '[{"title":"a\\ud83d","pageNumber":1}]');
    expect((await bookmarks(outputs[0]!.bytes))[0]?.title).to.equal('a\ufffd');
  });

  it('names the field for an invalid list of bookmarks, and the position in it', async () => {
    const wrong: [string, string][] = [
      ['', ''],
      ['x', 'JSON'],
      ['{}', 'must be a list'],
      ['null', 'must be a list'],
      ['[1]', '/0'],
      ['[null]', '/0'],
      ['[[]]', '/0'],
      ['[{"title":{}}]', '/0/title'],
      ['[{"pageNumber":1.5}]', '/0/pageNumber'],
      ['[{"pageNumber":"one"}]', '/0/pageNumber'],
      ['[{"children":{}}]', '/0/children'],
      ['[{"children":[{"children":[{"pageNumber":[]}]}]}]', '/0/children/0/children/0/pageNumber'],
      ['[{"title":"a"}', 'JSON'],
      ['[{"titel":"a","page":2}]', '/0 has no "title" (it has "titel", "page")'],
    ];
    for (const [data, where] of wrong) {
      const { code, fields, detail } = await toc(await five(), data);
      expect([code, fields], data).to.deep.equal(['INPUT_INVALID', ['bookmarkData']]);
      expect(detail, data).to.include(where);
    }
    expect((await run('general/edit-table-of-contents', [await five()], {})).fields).to.deep.equal(['bookmarkData']);
  });

  it('accepts 200 levels and 100000 bookmarks, and no more', async () => {
    const nested = (depth: number): string => `${'[{"children":'.repeat(depth)}[]${'}]'.repeat(depth)}`;
    expect((await toc(await five(), nested(200))).code).to.equal(undefined);
    expect((await toc(await five(), nested(201))).code).to.equal('INPUT_INVALID');
    expect((await toc(await five(), nested(200_000))).code).to.equal('INPUT_INVALID');
    expect((await toc(await five(), JSON.stringify(Array.from({ length: 100_001 }, () => ({}))))).code).to.equal(
      'INPUT_INVALID',
    );
  }).timeout(60_000);

  it('leads to the upper edge of a page as it is rotated and cropped', async () => {
    const document = await PDFDocument.create();
    for (const angle of [0, 90, 180, 270]) {
      const page = document.addPage([300, 400]);
      page.setCropBox(10, 20, 200, 300);
      page.setRotation(degrees(angle));
    }
    const { outputs } = await toc(
      await fakeFile('turned.pdf', await document.save()),
      [1, 2, 3, 4].map((page) => leaf(String(page), page)),
    );
    const result = await PDFDocument.load(outputs[0]!.bytes);
    const shown: (number | null)[][] = [];
    const root = result.catalog.lookup(PDFName.of('Outlines'), PDFDict);
    for (
      let item = root.lookupMaybe(PDFName.of('First'), PDFDict);
      item !== undefined;
      item = item.lookupMaybe(PDFName.of('Next'), PDFDict)
    ) {
      shown.push(
        [2, 3]
          .map((i) => item!.lookup(PDFName.of('Dest'), PDFArray).lookup(i))
          .map((value) => (value instanceof PDFNumber ? value.asNumber() : null)),
      );
    }
    expect(shown).to.deep.equal([
      [null, 320],
      [10, null],
      [null, 20],
      [210, null],
    ]);
  });

  it('is read the same way by another program', async function () {
    if (spawnSync('qpdf', ['--version']).error !== undefined) this.skip();
    const folder = mkdtempSync(join(tmpdir(), 'quire-toc-'));
    try {
      const { outputs } = await toc(await five(), [{ ...leaf('Grüße', 2), children: [leaf('日本', 3)] }]);
      writeFileSync(join(folder, 'x.pdf'), outputs[0]!.bytes);
      const { stdout, status } = spawnSync('qpdf', ['--json', '--json-key=outlines', join(folder, 'x.pdf')], {
        encoding: 'utf8',
      });
      expect(status).to.equal(0);
      const told = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
        outlines: { title: string; destpageposfrom1: number; kids: { title: string; destpageposfrom1: number }[] }[];
      };
      const [first] = told.outlines;
      expect([
        first?.title,
        first?.destpageposfrom1,
        first?.kids[0]?.title,
        first?.kids[0]?.destpageposfrom1,
      ]).to.deep.equal(['Grüße', 2, '日本', 3]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('refuses damaged documents', async () => {
    expect((await toc(await fixture('broken.pdf'), [])).code).to.equal('PDF_DAMAGED');
    expect((await run('general/extract-bookmarks', [await fixture('broken.pdf')], {})).code).to.equal('PDF_DAMAGED');
  });
});
