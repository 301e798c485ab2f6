import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFArray, PDFDict, PDFName, PDFRef } from 'pdf-lib';
import type { Block, Composition, Table } from '../../composition/index.js';
import { composePdf } from '../../composition/pdf/index.js';
import { withDocument } from '../../engines/pdfium/index.js';
import { look } from '../support.js';

const now = new Date('2026-11-30T10:00:00Z');
const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

const composition = (blocks: readonly Block[]): Composition => ({
  language: 'de',
  title: 'Bericht Ä & <b>',
  subtitle: 'Kurz gesagt',
  author: 'Müller & Söhne',
  pageLabel: 'Seite {page} von {pages}',
  blocks,
});

const table = (count: number, more: Partial<Table> = {}): Table => ({
  kind: 'table',
  caption: 'Positionen',
  columns: [
    { title: 'Name', align: 'start', width: 70 },
    { title: 'Wert', align: 'end', width: 30 },
  ],
  rows: Array.from({ length: count }, (_, i) => ({ cells: [[{ text: `Zeile ${i + 1}` }], [{ text: `${i},00` }]] })),
  rowHeader: 0,
  ...more,
});

const everything: readonly Block[] = [
  { kind: 'heading', level: 2, text: 'Überschrift' },
  {
    kind: 'columns',
    columns: [
      [
        { kind: 'heading', level: 3, text: 'Links' },
        { kind: 'paragraph', text: '株式会社サンプル\nشركة المثال للتجارة', tone: 'strong' },
      ],
      [{ kind: 'facts', facts: [{ label: 'Nummer', value: 'R-1' }] }],
    ],
  },
  { kind: 'facts', facts: [{ label: 'Datum', value: '30.11.2026' }] },
  table(3, {
    rows: [
      {
        cells: [
          [
            { text: 'A', tone: 'strong' },
            { label: 'Nr', text: '7', tone: 'muted' },
          ],
          [],
        ],
      },
      { cells: [[{ text: 'Teil' }], [{ text: '1,00' }]], depth: 1 },
      { cells: [[{ text: 'Summe' }], [{ text: '1,00' }]], tone: 'total' },
    ],
  }),
  { kind: 'paragraph', text: 'Wort '.repeat(3000), tone: 'muted' },
  { kind: 'paragraph', text: 'x'.repeat(5000) },
];

function textsOf(bytes: Uint8Array): Promise<string[]> {
  return withDocument(bytes, {}, (document) =>
    Array.from({ length: document.pageCount }, (_, i) => document.pageText(i)),
  );
}

/** The elements of the structure tree in reading order, as `Type` or `Type(n)` with its number of marks. */
async function elementsOf(bytes: Uint8Array): Promise<string[]> {
  const { context, catalog } = await look(bytes);
  const found: string[] = [];
  const visit = (object: unknown): void => {
    const value = object instanceof PDFRef ? context.lookup(object) : object;
    if (value instanceof PDFArray) value.asArray().forEach(visit);
    if (!(value instanceof PDFDict)) return;
    const type = value.get(PDFName.of('S'));
    if (type instanceof PDFName) found.push(type.decodeText());
    visit(value.get(PDFName.of('K')));
  };
  visit(catalog.get(PDFName.of('StructTreeRoot')));
  return found;
}

describe('a composed PDF', () => {
  it('is PDF/A-3a, and lacks nothing of PDF/UA-1 but its claim', async function () {
    if (!isInstalled('verapdf')) return this.skip();
    this.timeout(120_000);
    const folder = mkdtempSync(join(tmpdir(), 'quire-compose-'));
    try {
      const file = join(folder, 'made.pdf');
      writeFileSync(file, (await composePdf(composition(everything), { now })).bytes);
      const check = (flavour: string): string =>
        spawnSync('verapdf', ['--flavour', flavour, '--format', 'xml', file], { encoding: 'utf8' }).stdout;
      expect(check('3a')).to.include('isCompliant="true"');
      const descriptions = [...check('ua1').matchAll(/<description>([^<]*)/g)].map(([, text = '']) => text);
      expect(descriptions).to.have.length(1);
      expect(descriptions[0]).to.include('PDF/UA Identification extension schema');
      expect(spawnSync('qpdf', ['--check', file]).status ?? 0).to.equal(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has the elements that its blocks mean, in reading order', async () => {
    const { bytes } = await composePdf(composition(everything.slice(0, 4)), { now });
    expect((await elementsOf(bytes)).join(' ')).to.equal(
      'Document H1 P H2 Sect H3 P Sect L LI Lbl LBody L LI Lbl LBody ' +
        'Table THead TR TH P TH P TBody TR TH P P TD TR TH P TD P TR TH P TD P',
    );
  });

  it('gives headers of rows and columns their scope', async () => {
    const { bytes } = await composePdf(composition([table(1)]), { now });
    const { context } = await look(bytes);
    const scopes = context
      .enumerateIndirectObjects()
      .flatMap(([, object]) => (object instanceof PDFDict ? [object.get(PDFName.of('A'))] : []))
      .flatMap((attributes) => (attributes instanceof PDFDict ? [attributes.get(PDFName.of('Scope'))] : []));
    expect(scopes.map(String).filter((scope) => scope.startsWith('/'))).to.deep.equal(['/Column', '/Column', '/Row']);
  });

  it('repeats the header of a table on each page, read only once, and numbers the pages', async () => {
    const { bytes, pages } = await composePdf(composition([table(300)]), { now });
    expect(pages).to.be.greaterThan(4);
    const texts = await textsOf(bytes);
    texts.forEach((text, i) => {
      expect(text, `page ${i + 1}`)
        .to.include('Name')
        .and.include('Wert');
      expect(text).to.include(`Seite ${i + 1} von ${pages}`);
    });
    const all = texts.join('\n');
    for (let i = 1; i <= 300; i++) expect(all).to.match(new RegExp(`Zeile ${i}\\s`));
    expect((await elementsOf(bytes)).filter((type) => type === 'TH')).to.have.length(302);
  });

  it('keeps a heading with what follows, and small tables in one piece', async () => {
    const filler: Block = { kind: 'paragraph', text: Array.from({ length: 46 }, () => 'Zeile').join('\n') };
    const { bytes } = await composePdf(composition([filler, { kind: 'heading', level: 2, text: 'Summen' }, table(8)]), {
      now,
    });
    const [first = '', second = ''] = await textsOf(bytes);
    expect(first).to.not.include('Summen');
    expect(second).to.include('Summen').and.include('Zeile 1').and.include('Zeile 8');
  });

  it('goes on over pages with a row that is higher than one', async () => {
    const text = Array.from({ length: 200 }, (_, i) => `Absatz${i}`).join('\n');
    const { bytes } = await composePdf(composition([table(1, { rows: [{ cells: [[{ text }], []] }] })]), { now });
    const texts = await textsOf(bytes);
    expect(texts.length).to.be.greaterThan(2);
    for (const page of texts) expect(page).to.include('Name');
    for (let i = 0; i < 200; i++) expect(texts.join('\n')).to.match(new RegExp(`Absatz${i}\\s`));
  });

  it('loses no letter of words that are wider than a line', async () => {
    const word = Array.from({ length: 400 }, (_, i) => `W${i}`).join('');
    const { bytes } = await composePdf(composition([{ kind: 'paragraph', text: word }]), { now });
    expect((await textsOf(bytes)).join('').replace(/\s/g, '')).to.include(word);
  });

  it('shows a question mark for what no font has, and reports it', async () => {
    const { bytes, replaced } = await composePdf(composition([{ kind: 'paragraph', text: 'a\u{e000}b' }]), { now });
    expect(replaced).to.deep.equal(['\u{e000}']);
    expect((await textsOf(bytes)).join('')).to.include('a?b');
  });

  it('draws blanks of unusual width as blanks', async () => {
    const { bytes, replaced } = await composePdf(composition([{ kind: 'paragraph', text: '1\u202f234\u2009567' }]), {
      now,
    });
    expect(replaced).to.deep.equal([]);
    expect((await textsOf(bytes)).join('')).to.match(/1\s234\s567/);
  });

  it('ignores characters that turn the direction of a text', async () => {
    const { bytes } = await composePdf(composition([{ kind: 'paragraph', text: '\u202eDE02 1203\u202c' }]), { now });
    expect((await textsOf(bytes)).join('')).to.include('DE02 1203');
  });

  it('is the same for the same input and time', async () => {
    const made = await Promise.all([1, 2].map(() => composePdf(composition(everything), { now })));
    expect(Buffer.compare(made[0]?.bytes ?? Buffer.of(), made[1]?.bytes ?? Buffer.of(1))).to.equal(0);
  });

  it('names language, title and author', async () => {
    const { bytes } = await composePdf(composition([]), { now });
    const document = await look(bytes);
    expect([document.getTitle(), document.getAuthor()]).to.deep.equal(['Bericht Ä & <b>', 'Müller & Söhne']);
    expect(String(document.catalog.get(PDFName.of('Lang')))).to.equal('(de)');
    expect(document.getCreationDate()).to.deep.equal(now);
    const [page] = document.getPages();
    expect(String(page?.node.get(PDFName.of('StructParents')))).to.equal('0');
  });

  it('stops when the call is cancelled', async () => {
    const stopped = await composePdf(composition(everything), { now, signal: AbortSignal.abort() }).catch(
      (error: unknown) => error,
    );
    expect(stopped).to.have.property('name', 'AbortError');
  });
});
