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

  interface Case {
    readonly page: PaintedPage;
    readonly term: string;
    /** Bytes that no stream or string may contain afterwards. */
    readonly gone: readonly string[];
    readonly stays?: string;
    readonly regex?: true;
    readonly matches?: number;
  }
  const hebrew = { 1: 'ש', 2: 'ל', 3: 'ו', 4: 'ם' };
  const cases: Readonly<Record<string, Case>> = {
    'words split over several show operators': {
      page: { content: 'BT /H 12 Tf 50 200 Td (A confi) Tj (den) Tj (tial note) Tj ET' },
      term: 'confidential',
      gone: ['confi', '(den)', 'tial'],
      stays: 'note',
    },
    'words kerned in an array': {
      page: { content: 'BT /H 12 Tf 50 200 Td [(A co) 40 (nf) -30 (ident) 20 (ial) -250 (note)] TJ ET' },
      term: 'confidential',
      gone: ['(nf)', 'ident'],
      stays: 'note',
    },
    'words painted letter by letter, out of order': {
      page: {
        content:
          'BT /H 12 Tf 1 0 0 1 50 200 Tm (sec) Tj 1 0 0 1 50 100 Tm (other line) Tj 1 0 0 1 69.3 200 Tm (ret) Tj ET',
      },
      term: 'secret',
      gone: ['(sec)', '(ret)'],
      stays: 'other line',
    },
    'letters spaced out by the text state and by blanks': {
      page: { content: 'BT /H 12 Tf 8 Tc 50 200 Td (secret) Tj 0 Tc 0 -40 Td (s e c r e t word) Tj ET' },
      term: 'secret',
      gone: ['secret', 's e c r'],
      stays: 'word',
      matches: 2,
    },
    'words hyphenated at a line end': {
      page: { content: 'BT /H 12 Tf 14 TL 50 200 Td (a confi-) Tj T* (dential note) Tj ET' },
      term: 'confidential',
      gone: ['confi', 'dential'],
      stays: 'note',
    },
    'phrases that cross lines': {
      page: { content: "BT /H 12 Tf 14 TL 50 200 Td (for Jane) Tj (Roe stays) ' ET" },
      term: 'Jane Roe',
      gone: ['Jane', 'Roe'],
      stays: 'stays',
    },
    'text in forms within forms': {
      page: {
        content: 'q 1 0 0 1 20 20 cm /F Do Q',
        forms: {
          F: {
            content: 'BT /H 12 Tf 10 10 Td (open) Tj ET /G Do',
            matrix: [1, 0, 0, 1, 5, 5],
            forms: {
              G: { content: 'BT /H 12 Tf 80 80 Td (a secret word) Tj ET', matrix: [0.8, 0.6, -0.6, 0.8, 60, 0] },
            },
          },
        },
      },
      term: 'secret',
      gone: ['secret'],
      stays: 'open',
    },
    'text painted twice to look bold': {
      page: {
        content:
          'BT /H 12 Tf 50 200 Td (s) Tj -6 0.1 Td 6.2 0 Td (s) Tj 6 0 Td (ecret) Tj -6.2 0 Td 6.4 0 Td (ecret) Tj ET BT /H 12 Tf 50 100 Td (open) Tj ET',
      },
      term: 'secret',
      gone: ['ecret'],
      stays: 'open',
    },
    'text of a rotated page that is cropped and magnified': {
      page: {
        content: 'BT /H 12 Tf 0 1 -1 0 200 120 Tm (a secret word) Tj ET',
        entries: { Rotate: 90, CropBox: [100, 100, 300, 250], UserUnit: 2 },
      },
      term: 'secret',
      gone: ['secret'],
      stays: 'word',
    },
    'invisible text, and text outside the crop box': {
      page: {
        content: 'BT /H 12 Tf 3 Tr 50 200 Td (hidden secret) Tj 0 Tr 500 0 Td (secret beyond) Tj ET',
        entries: { CropBox: [0, 0, 400, 300] },
      },
      term: 'secret',
      gone: ['secret'],
      stays: 'hidden',
      matches: 2,
    },
    'ligatures by glyph name, without ToUnicode': {
      page: {
        content: 'BT /N 12 Tf 50 200 Td (\\001\\002\\003) Tj /H 12 Tf ( open) Tj ET',
        fonts: { N: { codes: { 1: 'o', 2: 'ffi', 3: 'c' }, names: true } },
      },
      term: 'offic',
      gone: ['\\001\\002\\003', '<010203>'],
      stays: 'open',
    },
    'ligatures by ToUnicode': {
      page: {
        content: 'BT /U 12 Tf 50 200 Td (AB) Tj /H 12 Tf ( open) Tj ET',
        fonts: { U: { codes: { 65: 'de', 66: '\ufb01ne' } } },
      },
      term: 'define',
      gone: ['(AB)'],
      stays: 'open',
    },
    'composed letters that are painted decomposed': {
      page: {
        content: 'BT /U 12 Tf 50 200 Td (ABC) Tj ET',
        fonts: { U: { codes: { 65: 'caf', 66: 'e', 67: '\u0301' } } },
      },
      term: 'CAFÉ',
      gone: ['(ABC)'],
    },
    'accents painted over letters': {
      page: {
        content: 'BT /U 12 Tf 50 200 Td [(AB) 500 (C)] TJ ET',
        fonts: { U: { codes: { 65: 'm', 66: '\u00a8', 67: 'u' } } },
      },
      term: 'mü',
      gone: ['(AB)'],
    },
    'full-width letters': {
      page: { content: 'BT /U 12 Tf 50 200 Td (ABC) Tj ET', fonts: { U: { codes: { 65: 'ｔ', 66: 'ｏ', 67: 'ｐ' } } } },
      term: 'top',
      gone: ['(ABC)'],
    },
    'words from right to left, painted from the left': {
      page: {
        content: 'BT /U 12 Tf 50 200 Td (DCBA) Tj ET BT /H 12 Tf 50 100 Td (open) Tj ET',
        fonts: { U: { codes: { 65: hebrew[1], 66: hebrew[2], 67: hebrew[3], 68: hebrew[4] } } },
      },
      term: 'שלום',
      gone: ['(DCBA)'],
      stays: 'open',
    },
    'words from right to left, painted as they are spoken': {
      page: {
        content:
          'BT /U 12 Tf 1 0 0 1 68 200 Tm (A) Tj 1 0 0 1 62 200 Tm (B) Tj 1 0 0 1 56 200 Tm (C) Tj 1 0 0 1 50 200 Tm (D) Tj ET',
        fonts: { U: { codes: { 65: hebrew[1], 66: hebrew[2], 67: hebrew[3], 68: hebrew[4] } } },
      },
      term: 'שלום',
      gone: ['(A) Tj', '(B)', '(C)', '(D)'],
    },
    'Arabic in presentation forms': {
      page: {
        content: 'BT /U 12 Tf 50 200 Td (CBA) Tj ET',
        fonts: { U: { codes: { 65: '\ufeb3', 66: '\ufeae', 67: '\ufef1' } } },
      },
      term: 'سري',
      gone: ['(CBA)'],
    },
    'Chinese over a line end': {
      page: {
        content: 'BT /U 12 Tf 14 TL 50 200 Td (A) Tj T* (B) Tj ET',
        fonts: { U: { codes: { 65: '机', 66: '密' } } },
      },
      term: '机密',
      gone: ['(A)', '(B)'],
    },
    'text that /ActualText spells, and glyphs that it hides': {
      page: {
        content:
          'BT /H 12 Tf 50 200 Td /Span <</ActualText (secret)>> BDC (xyz) Tj EMC 0 -30 Td /Span <</ActualText (abc)>> BDC (secret) Tj EMC ET',
      },
      term: 'secret',
      gone: ['secret', '(xyz)', '(abc)'],
      matches: 2,
    },
    patterns: {
      page: { content: 'BT /H 12 Tf 50 200 Td (number 123) Tj (-45-6789 stays) Tj ET' },
      term: '\\b\\d{3}-\\d{2}-\\d{4}\\b',
      regex: true,
      gone: ['number 123', '45-6789'],
      stays: 'stays',
    },
    'patterns with multiple blanks between words': {
      page: { content: 'BT /H 12 Tf 50 200 Td (Jane    Roe stays) Tj ET' },
      term: 'Jane Roe',
      regex: true,
      gone: ['Jane', 'Roe'],
      stays: 'stays',
    },
    'a pattern that matches everything': {
      page: { content: 'BT /H 12 Tf 50 200 Td (all of it) Tj 0 -20 Td (goes) Tj ET' },
      term: '.*',
      regex: true,
      gone: ['all of', 'goes'],
      matches: 2,
    },
  };
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
    it(`removes and counts what only PDFium reads: ${name}${existsSync(path) ? '' : ' (skipped: no ../shared/corpus)'}`, async function () {
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
    expect((await redacted(await paintedPdf([page]), terms('secret'))).unreadable).to.equal(2);
  });
});
