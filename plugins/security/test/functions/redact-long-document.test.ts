import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TextSearch } from '@quire/document/redaction/search';
import { readPdf } from '@quire/document/content/text';
import { expect } from 'chai';
import { PDFDict, type PDFDocument, PDFHexString, PDFName, type PDFRef } from 'pdf-lib';
import { redactDocument, type RedactionReport } from '../../src/functions/redaction/redact-document.js';
import { paintedPdf, type PaintedPage } from './painted-pages.js';
import { cases } from './redaction-cases.js';

const run = promisify(execFile);
const options = {
  signal: new AbortController().signal,
  modified: new Date('2026-02-03T04:05:06Z'),
  progress: () => undefined,
};
/** Long enough that plain pages are read in the fast way. */
const PLAIN = 20;
const plainPage = (text: string): PaintedPage => ({
  content: `BT /H 12 Tf 14 TL 50 200 Td (${text}) Tj T* (and more) Tj ET`,
});
const plainPages = (text = 'nothing of note'): PaintedPage[] => Array.from({ length: PLAIN }, () => plainPage(text));

describe('redacting long documents', function () {
  this.timeout(120_000);
  let folder: string;
  let files = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redact-long-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Redacts, and returns the text of each page of the result as two programs read it. */
  async function redacted(
    bytes: Uint8Array,
    term: string,
    regex = false,
  ): Promise<RedactionReport & { readonly poppler: string; readonly pdfium: readonly string[] }> {
    const source = join(folder, `${++files}.pdf`);
    await writeFile(source, bytes);
    const search = new TextSearch([{ text: term, regex }]);
    const plan = { search, colour: { red: 0, green: 0, blue: 0 }, padding: 0 };
    const report = await redactDocument(source, join(folder, `${files}-out.pdf`), plan, options);
    await run('qpdf', ['--check', report.path]);
    const { stdout: poppler } = await run('pdftotext', [report.path, '-']);
    const pdfium = await readPdf({ path: report.path }, (document) =>
      Array.from({ length: document.pageCount }, (_, i) => document.pageText(i)),
    );
    return { ...report, poppler, pdfium };
  }

  for (const [title, { page, term, regex, matches = 1 }] of Object.entries(cases)) {
    // This one matches all plain pages as well.
    if (title === 'a pattern that matches everything') continue;
    it(`removes ${title}`, async () => {
      const result = await redacted(await paintedPdf([page, ...plainPages(), page]), term, regex);
      expect(result.matches).to.equal(2 * matches);
      const search = new TextSearch([{ text: term, ...(regex === true ? { regex } : {}) }]);
      const hits = [result.poppler.replaceAll('\f', '').trim(), ...result.pdfium].map((text) =>
        search.find(text.trim()),
      );
      expect(hits.flat(), result.poppler).to.deep.equal([]);
      expect(result.pdfium.slice(1, -1)).to.deep.equal(
        Array.from({ length: PLAIN }, () => 'nothing of note\r\nand more'),
      );
    });
  }

  it('removes matches on plain pages, and only these', async () => {
    const pages = plainPages('a secret word').map((page, i) => (i % 3 === 0 ? page : plainPage('a public word')));
    const { matches, pdfium, poppler } = await redacted(await paintedPdf(pages), 'secret');
    expect(matches).to.equal(7);
    expect(pdfium).to.deep.equal(
      pages.map((_page, i) => (i % 3 === 0 ? 'a word\r\nand more' : 'a public word\r\nand more')),
    );
    expect(poppler).not.to.contain('secret');
  });

  it('removes a match over a blank at a line end that only PDFium takes for a line feed', async () => {
    const page = plainPage('one two ');
    const { pdfium } = await redacted(await paintedPdf([...plainPages(), page]), 'two\\nand', true);
    expect(pdfium.at(-1)).not.to.match(/two\s+and/);
  });

  /** Two fonts for the codes ab: one whose map only Quire takes for AB, and one that PDFium reads from the right. */
  const fontFor = ({ context }: PDFDocument, map: string): PDFRef =>
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
  const withFont =
    (map: string) =>
    (document: PDFDocument): void => {
      for (const page of document.getPages())
        page.node.Resources()?.lookup(PDFName.of('Font'), PDFDict).set(PDFName.of('T'), fontFor(document, map));
    };

  for (const term of ['xyzzy', 'XYZZY'] as const) {
    it(`removes text that a font gives to one reader only (${term})`, async () => {
      const codes = [...'xyz'].map((one) => one.charCodeAt(0));
      const hex = (code: number): string => code.toString(16).padStart(2, '0');
      // The first letter is another one for Quire, which takes pairs outside of their section as well.
      const pairs = codes.map((code) => `<${hex(code)}> <00${hex(code - 32)}>`);
      const map = `<78> <0041> 1 beginbfchar ${pairs.join(' ')} endbfchar`;
      const page: PaintedPage = { content: 'BT /T 12 Tf 50 200 Td (xyzzy) Tj ( stays) Tj ET' };
      const { pdfium, poppler } = await redacted(await paintedPdf([...plainPages(), page], withFont(map)), term);
      for (const text of [poppler, ...pdfium]) expect(text.toLowerCase()).not.to.contain('xyzzy');
    });
  }

  it('removes text of a document that runs from right to left for PDFium only', async () => {
    const page = plainPage('secret 42');
    const bytes = await paintedPdf([...plainPages(), page], (document) =>
      document.catalog.set(PDFName.of('ViewerPreferences'), document.context.obj({ Direction: 'R2L' })),
    );
    const { pdfium } = await redacted(bytes, '42');
    expect(pdfium.at(-1)).not.to.contain('42');
  });

  it('removes a term from names and other places between plain pages', async () => {
    const bytes = await paintedPdf([...plainPages(), plainPage('a secret')], (document) => {
      document.setTitle('the secret title');
      const { context } = document;
      const page = document.getPages()[3]!.node;
      page.Resources()?.lookup(PDFName.of('Font'), PDFDict).set(PDFName.of('secretFont'), context.obj({}));
      page.set(
        PDFName.of('Annots'),
        context.obj([
          context.register(
            context.obj({
              Type: 'Annot',
              Subtype: 'Text',
              Rect: [0, 0, 10, 10],
              Contents: PDFHexString.fromText('a secret note'),
            }),
          ),
        ]),
      );
    });
    const { path, pdfium } = await redacted(bytes, 'secret');
    const { stdout } = await run('qpdf', ['--qdf', '--object-streams=disable', path, '-'], { encoding: 'latin1' });
    expect(stdout).not.to.contain('secret');
    expect(pdfium[3]).to.equal('nothing of note\r\nand more');
  });
});
