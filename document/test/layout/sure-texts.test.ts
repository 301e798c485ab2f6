import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, PDFName, type PDFObject, StandardFonts } from 'pdf-lib';
import { isNightly, sampleOf } from '../../../test/suites/nightly.js';
import { readPdf } from '../../content/text/index.js';
import { pageTexts, plainPageText } from '../../layout/index.js';

const corpus = new URL('../../../../shared/corpus/', import.meta.url).pathname;

type Fonts = (document: PDFDocument) => Record<string, PDFObject>;

/** Creates pages with this content each, with Helvetica as H. */
async function painted(contents: readonly string[], fonts?: Fonts): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const helvetica = await document.embedFont(StandardFonts.Helvetica);
  const resources = context.obj({ Font: { H: helvetica.ref, ...fonts?.(document) } });
  for (const content of contents) {
    const { node } = document.addPage([400, 400]);
    node.set(PDFName.of('Resources'), resources);
    node.set(PDFName.of('Contents'), context.register(context.flateStream(content)));
  }
  return document.save({ useObjectStreams: false });
}

const lines = (...texts: readonly string[]): string =>
  `BT /H 10 Tf 14 TL 40 350 Td ${texts.map((text) => `(${text}) Tj T*`).join(' ')} ET`;
const plainPage = (page: number): string => lines(`This is page ${page}`, 'with a second line-', ' and  blanks ');
const plainText = (page: number): string => `This is page ${page}\nwith a second line-\nand blanks\n`;
const pages = <T>(count: number, of: (page: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i + 1));

/** A font whose codes say these texts. */
const mapped = ({ context }: PDFDocument, map: string): PDFObject =>
  context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type1',
      BaseFont: 'Helvetica',
      Encoding: 'WinAnsiEncoding',
      ToUnicode: context.register(
        context.stream(`begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${map} endcmap`),
      ),
    }),
  );

async function texts(input: Uint8Array | { readonly path: string }): Promise<string[]> {
  const found: string[] = [];
  await pageTexts(input, {}, async (some) => void found.push(...some));
  return found;
}

/** What PDFium reads, page by page. */
const byPdfium = (bytes: Uint8Array): Promise<string[]> =>
  readPdf(bytes, (document) => pages(document.reachablePages(), (page) => plainPageText(document, page - 1)));

describe('texts of long documents with plain pages', function () {
  this.timeout(60_000);

  for (const count of [15, 16, 520])
    it(`are those that PDFium gives for ${count} pages, in order, each once`, async () => {
      const bytes = await painted(pages(count, plainPage));
      const found = await texts(bytes);
      expect(found).to.deep.equal(pages(count, plainText));
      expect(found).to.deep.equal(await byPdfium(bytes));
    });

  it('are read without a second thread', async () => {
    const threads = async (): Promise<number> =>
      Number(/^Threads:\s+(\d+)/m.exec(await readFile('/proc/self/status', 'utf8'))?.[1]);
    const folder = await mkdtemp(join(tmpdir(), 'sure-texts-'));
    try {
      const path = join(folder, 'plain.pdf');
      await writeFile(path, await painted(pages(200, plainPage)));
      await texts({ path });
      const before = await threads();
      let most = 0;
      await pageTexts({ path }, {}, async () => void (most = Math.max(most, await threads())));
      expect(most).to.equal(before);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  const shortLines = pages(12, (line) => `(a${line}) Tj T*`).join(' ');
  const doubtful: Record<string, string> = {
    'turned text': 'BT /H 10 Tf 0 1 -1 0 50 50 Tm (turned) Tj ET',
    'gaps that may be blanks': 'BT /H 10 Tf 50 200 Td [(a)-150(gap)] TJ ET',
    'raised figures': 'BT /H 10 Tf 50 200 Td (note) Tj /H 6 Tf 4 Ts (1) Tj ET',
    'lines of few letters from the bottom up': `BT /H 10 Tf -14 TL 40 50 Td ${shortLines} ET`,
    'no-break spaces': 'BT /L 10 Tf 50 200 Td (ada) Tj ET',
    'no text': '10 10 20 20 re f',
    'ligatures and accents': 'BT /L 10 Tf 50 200 Td (abc) Tj ET',
    'a font that PDFium takes for another': 'BT /D 10 Tf 50 200 Td (ab) Tj ET',
  };
  const fonts: Fonts = (document) => ({
    L: mapped(document, '4 beginbfchar <61> <fb01> <62> <00c4> <63> <00660069> <64> <00a0> endbfchar'),
    D: mapped(document, '<61> <0041> 1 beginbfchar <61> <0041> <62> <0042> endbfchar'),
  });
  for (const [title, content] of Object.entries(doubtful)) {
    it(`are the same with pages between them that have ${title}`, async () => {
      const bytes = await painted(
        // Not the first, the middle or the last one, which PDFium reads in any case.
        pages(30, (page) => ([5, 12].includes(page) ? content : plainPage(page))),
        fonts,
      );
      const found = await texts(bytes);
      expect(found).to.deep.equal(await byPdfium(bytes));
      expect(found.slice(0, 2)).to.deep.equal([plainText(1), plainText(2)]);
    });

    it(`are the same where all pages have ${title}`, async () => {
      const bytes = await painted(Array<string>(80).fill(content), fonts);
      expect(await texts(bytes)).to.deep.equal(await byPdfium(bytes));
    });
  }

  // Among them append-xref-loop.pdf, in whose update PDFium finds other objects than Quire.
  (existsSync(corpus) ? it : it.skip)('are those that PDFium gives for real files (of the corpus)', async () => {
    let compared = 0;
    for (const folder of ['qpdf', 'pypdf'].filter((one) => existsSync(join(corpus, one)))) {
      const names = readdirSync(join(corpus, folder)).filter((one) => one.endsWith('.pdf'));
      for (const name of sampleOf(names, 3)) {
        const bytes = await readFile(join(corpus, folder, name));
        // Files that cannot be opened have no texts.
        const expected = await byPdfium(bytes).catch(() => []);
        if (expected.length < 16 || expected.length > 200) continue;
        expect(await texts(bytes), `${folder}/${name}`).to.deep.equal(expected);
        compared++;
      }
    }
    expect(compared).to.be.above(isNightly ? 5 : 0);
  });

  it('are not read any further once they are cancelled', async () => {
    const bytes = await painted(pages(600, plainPage));
    const abort = new AbortController();
    let given = 0;
    const reading = pageTexts(bytes, { signal: abort.signal }, async (some) => {
      given += some.length;
      abort.abort(new Error('cancelled'));
    });
    expect(await reading.catch(String)).to.equal('Error: cancelled');
    expect(given).to.be.below(100);
  });
});
