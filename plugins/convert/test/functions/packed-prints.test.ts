import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { finishExport, finishPrint } from '@quire/document/engines/printing';
import { expect } from 'chai';
import { textDocument } from '../office-samples.js';
import { onPath } from '../on-path.js';

const NOW = new Date('2026-11-30T12:00:00Z');
const ask = (program: string, ...args: string[]): Buffer =>
  execFileSync(program, args, { stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 1024 * 1024 });

/** What must be the same before and after, of two independent programs: text, tags, links, destinations and pixels. */
const CHECKS: Readonly<Record<string, (pdf: string) => Buffer>> = {
  text: (pdf) => ask('pdftotext', '-layout', pdf, '-'),
  // Links are given by the numbers of their objects.
  tags: (pdf) =>
    Buffer.from(
      ask('pdfinfo', '-struct-text', pdf)
        .toString()
        .replaceAll(/Object \d+ 0/g, 'Object'),
    ),
  links: (pdf) => ask('pdfinfo', '-url', pdf),
  'words of mutool': (pdf) => ask('mutool', 'draw', '-q', '-F', 'txt', pdf),
  bookmarks: (pdf) => ask('mutool', 'show', pdf, 'outline'),
  'pixels at 96 dpi': (pdf) => ask('pdftoppm', '-r', '96', pdf),
  'pixels at 150 dpi, by mutool': (pdf) => ask('mutool', 'draw', '-q', '-r', '150', '-F', 'ppm', '-o', '-', pdf),
};

const PAGE = `<!doctype html><html lang="en"><title>Stock</title><style>.box { width: 40mm; padding: 2mm;
background: linear-gradient(#eef, #cce); border-radius: 2mm }</style><h1 id="top">Stock</h1>
<p>Plain, <b>bold</b> and <code>fixed</code>, ąęś, Ελληνικά, Русский, <span dir="rtl">نص عربي</span>, ✓ ☃.</p>
<p><a href="https://example.org/">Outside</a> and <a href="#top">inside</a></p>
${'<h2>Part</h2><div class="box">Box</div><table><tr><th>Item<th>Count</tr>'.concat('<tr><td>Nut<td>7</tr>'.repeat(30), '</table>').repeat(4)}`;

describe('prints of real programs (skipped where they, poppler or mutool are missing)', function suite() {
  this.timeout(180_000);
  let folder: string;
  before(function needsPrograms() {
    if (!onPath('qpdf', 'pdftotext', 'pdftoppm', 'pdfinfo', 'mutool')) return this.skip();
    folder = mkdtempSync(join(tmpdir(), 'quire-packed-'));
  });
  after(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const expectSmaller = (before: string, after: string, share: number): void => {
    ask('qpdf', '--check', after);
    for (const [name, check] of Object.entries(CHECKS)) {
      const [was, is] = [check(before), check(after)];
      expect(was.equals(is), name).to.equal(true);
      expect(was.length, name).to.be.above(0);
    }
    expect(statSync(after).size / statSync(before).size).to.be.below(share);
  };

  it('are smaller by more than half of a browser, and lose nothing', async function needsBrowser() {
    if (!onPath('chromium')) return this.skip();
    const [page, from, to] = ['page.html', 'printed.pdf', 'print.pdf'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(page, PAGE);
    ask(
      'chromium',
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      `--user-data-dir=${join(folder, 'profile')}`,
      '--generate-pdf-document-outline',
      '--no-pdf-header-footer',
      `--print-to-pdf=${from}`,
      page,
    );
    await finishPrint(from, to, { title: 'Stock', modified: NOW });
    expectSmaller(from, to, 0.45);
  });

  it('are smaller by more than two thirds of LibreOffice, and lose nothing', async function needsOffice() {
    if (!onPath('soffice')) return this.skip();
    const cell = (text: string): string => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
    const rows = `<w:tr>${cell('Nut')}${cell('7')}</w:tr>`.repeat(30);
    const heading =
      '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>Part</w:t></w:r></w:p>';
    const body = `${heading}<w:p><w:r><w:t>Text, ąęś, Ελληνικά</w:t></w:r></w:p><w:tbl>${rows}</w:tbl>`;
    const source = join(folder, 'stock.docx');
    writeFileSync(source, await textDocument({ body: body.repeat(4) }));
    ask(
      'soffice',
      `-env:UserInstallation=${pathToFileURL(join(folder, 'office')).href}`,
      '--headless',
      '--convert-to',
      'pdf:writer_pdf_Export:{"UseTaggedPDF":{"type":"boolean","value":"true"}}',
      '--outdir',
      folder,
      source,
    );
    const [from, to] = [join(folder, 'stock.pdf'), join(folder, 'export.pdf')];
    await finishExport(from, to, NOW);
    expectSmaller(from, to, 0.33);
  });
});
