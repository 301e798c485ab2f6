import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { expect } from 'chai';
import { PDFDocument, PDFHexString, PDFName, PDFRawStream, PDFString, StandardFonts } from 'pdf-lib';
import { fakeFile } from '@quire/plugin-kit';
import { readPdf } from '@quire/document/content/text';
import { fixture, run, type TestFile } from './support.js';

const edit = (file: TestFile, edits: unknown, more: Record<string, unknown> = {}) =>
  run('general/edit-text', [file], { edits: typeof edits === 'string' ? edits : JSON.stringify(edits), ...more });

/** Texts of the pages as PDFium reads them, ignoring white space. */
async function texts(bytes: Uint8Array): Promise<string[]> {
  return readPdf(bytes, (document) =>
    Array.from({ length: document.pageCount }, (_unused, i) => document.pageText(i).replaceAll(/\s+/g, ' ').trim()),
  );
}

async function edited(
  file: TestFile,
  edits: unknown,
  more: Record<string, unknown> = {},
): Promise<{ bytes: Uint8Array; pages: string[] }> {
  const { outputs, code, detail } = await edit(file, edits, more);
  expect(code, detail).to.equal(undefined);
  const { bytes } = outputs[0]!;
  return { bytes, pages: await texts(bytes) };
}

/** The file's bytes with its streams inflated. */
async function everything(bytes: Uint8Array): Promise<string> {
  const { context } = await PDFDocument.load(bytes, { updateMetadata: false });
  const parts = context.enumerateIndirectObjects().map(([, object]) => {
    if (!(object instanceof PDFRawStream)) return object.toString();
    try {
      return `${object.dict.toString()}${inflateSync(object.contents).toString('latin1')}`;
    } catch {
      return Buffer.from(object.contents).toString('latin1');
    }
  });
  return `${Buffer.from(bytes).toString('latin1')}${parts.join('\n')}`;
}

/** One page with this content; Helvetica is /F1. */
async function page(content: string, more: (document: PDFDocument) => void = () => undefined): Promise<TestFile> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  const sheet = document.addPage([300, 300]);
  sheet.node.setFontDictionary(PDFName.of('F1'), font.ref);
  sheet.node.set(
    PDFName.of('Contents'),
    document.context.register(document.context.stream(Buffer.from(content, 'latin1'))),
  );
  more(document);
  return fakeFile('page.pdf', await document.save({ useObjectStreams: false }));
}

const line = (text: string): string => `BT /F1 12 Tf 20 200 Td ${text} ET`;

describe('general/edit-text', () => {
  it('replaces matches across kerning, operators, colours and lines, in forms and in rotated text', async () => {
    const { pages, bytes } = await edited(await fixture('cut-text.pdf'), [
      { find: 'secret', replace: 'plain' },
      { find: 'the line end', replace: 'lines' },
    ]);
    for (const wanted of [
      'Kerned plain text',
      'hold a plain here',
      'Broken over lines',
      'red plain in it',
      'plainary plain plain_1 "plain"',
      'Turned plain up',
    ])
      expect(pages[0]).to.contain(wanted);
    expect(pages[0]?.match(/Shared plain form/g)).to.have.length(2);
    expect(pages[1]).to.equal('Shared plain form');
    expect(await everything(bytes)).not.to.match(/secret|s3cret/);
  });

  it('runs edits in order, later ones on the result of earlier ones', async () => {
    const { pages } = await edited(await page(line('(one two) Tj')), [
      { find: 'one', replace: 'two' },
      { find: 'two', replace: 'three' },
      { find: 'three three', replace: 'done' },
    ]);
    expect(pages).to.deep.equal(['done']);
  });

  it('accepts a single object, deletes for an empty or missing replacement, and respects case', async () => {
    expect((await edited(await page(line('(aXbxc) Tj')), { find: 'x', replace: '', other: 1 })).pages).to.deep.equal([
      'aXbc',
    ]);
    expect((await edited(await page(line('(aXbxc) Tj')), [{ find: 'X' }])).pages).to.deep.equal(['abxc']);
  });

  it('replaces whole words only when asked', async () => {
    const { pages } = await edited(
      await page(line('(cat cats cat_1 scat 1cat cat. \\(cat\\)) Tj')),
      [{ find: 'cat', replace: 'dog' }],
      { wholeWordSearch: 'true' },
    );
    expect(pages).to.deep.equal(['dog cats cat_1 scat 1cat dog. (dog)']);
  });

  it('edits only the chosen pages', async () => {
    const handbook = await fixture('handbook.pdf');
    const edits = [{ find: 'Chapter', replace: 'Part' }];
    expect((await edited(handbook, edits, { pageNumbers: '2' })).pages).to.deep.equal([
      'Cover',
      'Part one',
      'Chapter two',
      'Index',
    ]);
    for (const pageNumbers of [undefined, '', 'all'])
      expect((await edited(handbook, edits, { pageNumbers })).pages[2]).to.equal('Part two');
    const shared = await edited(await fixture('cut-text.pdf'), [{ find: 'Shared', replace: 'Split' }], {
      pageNumbers: '2',
    });
    expect(shared.pages[0]).to.contain('Shared secret form');
    expect(shared.pages[1]).to.equal('Split secret form');
  });

  it('uses an embedded font for characters of any script that the font lacks', async () => {
    const { pages, bytes } = await edited(await page(line('(Hello there, you) Tj')), [
      { find: 'Hello', replace: 'Привіт' },
      { find: 'there', replace: '日本語' },
      { find: 'you', replace: 'ไทย €' },
    ]);
    expect(pages).to.deep.equal(['Привіт 日本語, ไทย €']);
    expect(await everything(bytes)).to.contain('QuireNoto');
    expect(
      await everything(
        (await edited(await page(line('(Hello) Tj')), [{ find: 'Hello', replace: 'Good day, ä' }])).bytes,
      ),
    ).not.to.contain('QuireNoto');
  });

  it('finds and writes right-to-left text', async () => {
    const { bytes, pages } = await edited(await page(line('(word) Tj')), [{ find: 'word', replace: 'שלום' }]);
    expect(pages[0]).to.contain('שלום');
    const file = await fakeFile('hebrew.pdf', bytes);
    expect((await edited(file, [{ find: 'שלום', replace: 'peace' }])).pages).to.deep.equal(['peace']);
  });

  it('keeps text in other columns in place and moves the rest of the line', async () => {
    const { bytes } = await edited(await page(line('[(Name) -5000 (City)] TJ 0 -20 Td (short tail) Tj')), [
      { find: 'Name', replace: 'A longer name' },
      { find: 'short', replace: 'much longer' },
    ]);
    const content = await everything(bytes);
    // Helvetica: Name has a width of 2667.
    const [, gap] = /\(A longer name\) (-[\d.]+) \(City\)/.exec(content) ?? [];
    expect(Number(gap)).to.be.closeTo(-(2667 + 5000 - widthOf('A longer name')), 1);
    expect(content).to.match(/\(much longer tail\)/);
  });

  it('finds ligatures and alternative text', async () => {
    const ligature = await page(line('(\\001ne o\\002ce) Tj'), (document) => {
      const font = document.context.obj({
        Type: 'Font',
        Subtype: 'Type1',
        BaseFont: 'Helvetica',
        Encoding: { BaseEncoding: 'WinAnsiEncoding', Differences: [1, 'fi', 'f_f_i'] },
      });
      document.getPage(0).node.setFontDictionary(PDFName.of('F1'), document.context.register(font));
    });
    expect(
      (
        await edited(ligature, [
          { find: 'fine', replace: 'good' },
          { find: 'off', replace: 'pol' },
        ])
      ).pages,
    ).to.deep.equal(['good police']);
    const { pages, bytes } = await edited(await fixture('cut-text.pdf'), [{ find: 'spoken secret', replace: 'word' }]);
    expect(pages[0]).to.contain('a word');
    expect(pages[0]).not.to.contain('sp0ken');
    expect(await everything(bytes)).to.contain(PDFHexString.fromText('a word').asString().toLowerCase());
  });

  it('updates the alternative text of tags', async () => {
    const tagged = await page(line('/P <</MCID 0>> BDC (the secret) Tj EMC'), (document) => {
      const { context, catalog } = document;
      const [root, element] = [context.nextRef(), context.nextRef()];
      context.assign(
        element,
        context.obj({
          Type: 'StructElem',
          S: 'P',
          P: root,
          Pg: document.getPage(0).ref,
          K: 0,
          ActualText: PDFString.of('the secret'),
          Alt: PDFString.of('a secret picture'),
        }),
      );
      context.assign(root, context.obj({ Type: 'StructTreeRoot', K: [element] }));
      catalog.set(PDFName.of('StructTreeRoot'), root);
    });
    const { bytes } = await edited(tagged, [{ find: 'secret', replace: 'truth' }]);
    const { context } = await PDFDocument.load(bytes, { updateMetadata: false });
    const spoken = context
      .enumerateIndirectObjects()
      .map(([, object]) => object.toString())
      .join('\n');
    expect(spoken.toUpperCase()).to.contain(PDFHexString.fromText('the truth').asString().toUpperCase());
  });

  it('rewrites the document if nothing is found, and leaves its text unchanged', async () => {
    const { pages } = await edited(await fixture('handbook.pdf'), [{ find: 'nowhere', replace: 'x' }]);
    expect(pages).to.deep.equal(['Cover', 'Chapter one', 'Chapter two', 'Index']);
  });

  it('refuses invalid edits with the codes that clients know', async () => {
    const file = await fixture('two-pages.pdf');
    const cases: readonly (readonly [string | undefined, RegExp])[] = [
      [undefined, /error\.editText\.no\.edits/],
      ['', /error\.editText\.no\.edits/],
      ['[]', /error\.editText\.no\.edits/],
      ['null', /error\.editText\.no\.edits/],
      ['[{"find": ""}]', /error\.editText\.empty\.find/],
      ['{}', /error\.editText\.empty\.find/],
      ['[{"find": "a"}, {"replace": "b"}]', /\/1\/find.*error\.editText\.empty\.find/],
      ['not json', /must be JSON/],
      ['[1]', /\/0 must be an object/],
      ['[{"find": ["a"]}]', /\/0\/find must be text/],
    ];
    for (const [edits, detail] of cases) {
      const result = await run('general/edit-text', [file], edits === undefined ? {} : { edits });
      expect([result.code, result.fields], edits).to.deep.equal(['INPUT_INVALID', ['edits']]);
      expect(result.detail, edits).to.match(detail);
    }
    expect((await edit(file, [{ find: 'a' }], { wholeWordSearch: 'perhaps' })).fields).to.deep.equal([
      'wholeWordSearch',
    ]);
    expect((await edit(file, [{ find: 'a' }], { pageNumbers: 'even' })).code).to.equal('PAGES_INVALID');
    expect((await edit(file, [{ find: 'page', replace: '\u{10ff00}' }])).code).to.equal('INPUT_INVALID');
    expect((await edit(await fixture('broken.pdf'), [{ find: 'a' }])).code).to.equal('PDF_DAMAGED');
  });

  it('produces a file that a second reader accepts', async function () {
    if (spawnSync('qpdf', ['--version']).error !== undefined) this.skip();
    const { bytes } = await edited(await fixture('cut-text.pdf'), [{ find: 'secret', replace: 'тайна' }]);
    const folder = mkdtempSync(join(tmpdir(), 'quire-test-'));
    try {
      writeFileSync(join(folder, 'out.pdf'), bytes);
      expect(spawnSync('qpdf', ['--check', join(folder, 'out.pdf')]).status).to.equal(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** Width in Helvetica, in thousandths. */
function widthOf(text: string): number {
  const widths: Readonly<Record<string, number>> = {
    A: 667,
    ' ': 278,
    l: 222,
    o: 556,
    n: 556,
    g: 556,
    e: 556,
    r: 333,
    a: 556,
    m: 833,
  };
  return [...text].reduce((sum, character) => sum + (widths[character] ?? 0), 0);
}
