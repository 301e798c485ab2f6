import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TextSearch } from '@quire/document/redaction/search';
import { readPdf } from '@quire/document/content/text';
import { expect } from 'chai';
import { PDFDict, PDFDocument, PDFHexString, PDFName, PDFString } from 'pdf-lib';
import type { RedactionPlan } from '../../src/functions/redaction/plan.js';
import { redactDocument, type RedactionReport } from '../../src/functions/redaction/redact-document.js';
import { paintedPdf, type PaintedPage } from './painted-pages.js';
import { cases } from './redaction-cases.js';

const run = promisify(execFile);
const black = { red: 0, green: 0, blue: 0 };
const options = {
  signal: new AbortController().signal,
  modified: new Date('2026-02-03T04:05:06Z'),
  progress: () => undefined,
};

describe('redacting a document', function () {
  this.timeout(60_000);
  let folder: string;
  let files = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redact-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Redacts, and returns the result as two programs and a search of all decompressed bytes see it. */
  async function redacted(
    bytes: Uint8Array,
    plan: Partial<RedactionPlan>,
  ): Promise<RedactionReport & { readonly poppler: string; readonly pdfium: string; readonly unpacked: string }> {
    const source = join(folder, `${++files}.pdf`);
    await writeFile(source, bytes);
    const report = await redactDocument(
      source,
      join(folder, `${files}-out.pdf`),
      { colour: black, padding: 0, ...plan },
      options,
    );
    await run('qpdf', ['--check', report.path]);
    const [{ stdout: poppler }, { stdout: unpacked }] = await Promise.all([
      run('pdftotext', [report.path, '-']),
      run('qpdf', ['--qdf', '--object-streams=disable', '--decode-level=all', report.path, '-'], {
        encoding: 'latin1',
        maxBuffer: 1e8,
      }),
    ]);
    const pdfium = await readPdf({ path: report.path }, (document) =>
      Array.from({ length: document.pageCount }, (_, i) => document.pageText(i)).join('\n'),
    );
    return { ...report, poppler, pdfium, unpacked };
  }
  const terms = (...texts: string[]): Partial<RedactionPlan> => ({
    search: new TextSearch(texts.map((text) => ({ text }))),
  });
  const pattern = (text: string): Partial<RedactionPlan> => ({ search: new TextSearch([{ text, regex: true }]) });

  for (const [title, { page, term, gone, stays, regex, matches = 1 }] of Object.entries(cases)) {
    it(`removes ${title}`, async () => {
      const result = await redacted(await paintedPdf([page, page]), regex === true ? pattern(term) : terms(term));
      expect(result.matches).to.equal(2 * matches);
      const search = new TextSearch([{ text: term, ...(regex === true ? { regex } : {}) }]);
      expect(search.find(result.poppler.replaceAll('\f', '').trim()), result.poppler).to.deep.equal([]);
      expect(search.find(result.pdfium.trim()), result.pdfium).to.deep.equal([]);
      for (const bytes of gone) expect(result.unpacked.includes(bytes), bytes).to.equal(false);
      if (stays !== undefined)
        for (const text of [result.poppler, result.pdfium]) expect(text.split(stays)).to.have.length(3);
    });
  }

  it('clears author, subject, keywords and XMP and updates the date only if something was found', async () => {
    const bytes = await paintedPdf([{ content: 'BT /H 12 Tf 50 200 Td (a secret word) Tj ET' }], (document) => {
      document.setTitle('Report');
      document.setAuthor('Jane');
      document.setSubject('Matter');
      document.setKeywords(['kept']);
      document.catalog.set(
        PDFName.of('Metadata'),
        document.context.register(
          document.context.stream('<x:xmpmeta xmlns:x="adobe:ns:meta/">Jane</x:xmpmeta>', {
            Type: 'Metadata',
            Subtype: 'XML',
          }),
        ),
      );
    });
    const hit = await redacted(bytes, terms('secret'));
    const info = await PDFDocument.load(await (await import('node:fs/promises')).readFile(hit.path), {
      updateMetadata: false,
    });
    expect([
      info.getTitle(),
      info.getAuthor(),
      info.getSubject(),
      info.getKeywords(),
      info.getModificationDate()?.toISOString(),
    ]).to.deep.equal(['Report', undefined, undefined, undefined, '2026-02-03T04:05:06.000Z']);
    expect(hit.unpacked).to.not.match(/xmpmeta|Jane/);
    const miss = await redacted(bytes, terms('nowhere'));
    expect([miss.matches, /xmpmeta/.test(miss.unpacked)]).to.deep.equal([0, true]);
  });

  it('removes matches from bookmarks, annotations, names and attachments as well', async () => {
    const bytes = await paintedPdf([{ content: 'BT /H 12 Tf 50 200 Td (open) Tj ET' }], (document) => {
      const { context } = document;
      const page = document.getPage(0);
      const outlines = context.nextRef();
      const item = context.register(
        context.obj({
          Title: PDFHexString.fromText('The secret part'),
          Parent: outlines,
          Dest: [page.ref, PDFName.of('Fit')],
        }),
      );
      context.assign(outlines, context.obj({ Type: 'Outlines', First: item, Last: item, Count: 1 }));
      document.catalog.set(PDFName.of('Outlines'), outlines);
      page.node.set(
        PDFName.of('Annots'),
        context.obj([
          context.register(
            context.obj({
              Type: 'Annot',
              Subtype: 'Text',
              Rect: [10, 10, 30, 30],
              Contents: PDFString.of('a secret remark'),
            }),
          ),
        ]),
      );
    });
    const { unpacked } = await redacted(bytes, terms('secret'));
    expect(Buffer.from(unpacked, 'latin1').toString('utf16le')).to.not.contain('secret');
    expect(unpacked).to.not.match(/secret|s\0e\0c\0r\0e\0t/);
  });

  it('empties pattern tiles with matches, and no others', async () => {
    const bytes = await paintedPdf(
      [{ content: '/Pattern cs /P scn 20 20 200 100 re f /Q scn 20 150 200 100 re f' }],
      (document) => {
        const { context } = document;
        const resources = document.getPage(0).node.lookup(PDFName.of('Resources'), PDFDict);
        const tile = (text: string) =>
          context.register(
            context.stream(`BT /H 12 Tf 2 5 Td (${text}) Tj ET`, {
              Type: 'Pattern',
              PatternType: 1,
              PaintType: 1,
              TilingType: 1,
              BBox: [0, 0, 100, 40],
              XStep: 100,
              YStep: 40,
              Resources: { Font: resources.lookup(PDFName.of('Font'), PDFDict) },
            } as never),
          );
        resources.set(PDFName.of('Pattern'), context.obj({ P: tile('a secret tile'), Q: tile('an open tile') }));
      },
    );
    const { unpacked } = await redacted(bytes, terms('secret'));
    expect([unpacked.includes('secret'), unpacked.includes('an open tile')]).to.deep.equal([false, true]);
  });

  it('keeps neighbouring lines readable, and removes what padding covers', async () => {
    const page = {
      content: 'BT /H 12 Tf 12 TL 50 200 Td (line above) Tj T* (has secret here) Tj T* (line below) Tj ET',
    };
    const plain = await redacted(await paintedPdf([page]), terms('secret'));
    expect(plain.poppler).to.match(/line above\s+has\s+here\s+line below/);
    const padded = await redacted(await paintedPdf([page]), { ...terms('secret'), padding: 8 });
    expect(padded.poppler)
      .to.match(/line\s/)
      .and.match(/here/)
      .and.not.match(/above|below|secret/);
  });

  for (const [name, word] of [
    ['pdf.js/simpletype3font.pdf', 'ababab'],
    ['pdfbox/PDFBOX-4322-Empty-ToUnicode-reduced.pdf', 'Justin'],
    ['pdf.js/issue3566.pdf', 'different'],
  ] as const) {
    const path = new URL(`../../../../../shared/corpus/${name}`, import.meta.url).pathname;
    const skipped = existsSync(path) ? '' : ' (skipped: no ../shared/corpus)';
    it(`removes and counts what only PDFium reads: ${name}${skipped}`, async function () {
      if (!existsSync(path)) return this.skip();
      const bytes = await readFile(path);
      expect(await readPdf({ path }, (document) => document.pageText(0))).to.include(word);
      const { matches, pdfium } = await redacted(bytes, terms(word));
      expect(matches).to.equal(1);
      expect(pdfium).not.to.include(word);
    });
  }

  it('counts glyphs whose font does not map them to characters', async () => {
    const page: PaintedPage = {
      content: 'BT /N 12 Tf 50 200 Td (AB) Tj /H 12 Tf ( open) Tj ET',
      fonts: { N: { codes: { 65: 'g23', 66: 'g24' }, names: true } },
    };
    expect([...(await redacted(await paintedPdf([page]), terms('secret'))).unreadable]).to.deep.equal([
      ['Helvetica', 2],
    ]);
  });
});
