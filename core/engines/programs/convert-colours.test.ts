import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, cmyk, degrees, rgb } from 'pdf-lib';
import { withPdf } from '@quire/document/file/open';
import { pageContent } from '@quire/document/content';
import { codeOf } from '../../../test/suites/code-of.js';
import { keptLog } from '../../../test/suites/memory-accounts.js';
import { loadSettings } from '../../settings/index.js';
import { GhostscriptConvertColours, ProgramSupervisor } from './index.js';

describe('colours converted by Ghostscript', function suite() {
  this.timeout(60_000);
  let folder: string;
  const base = mkdtempSync(join(tmpdir(), 'quire (cmyk) '));
  after(() => rmSync(base, { recursive: true, force: true }));
  const { signal } = new AbortController();
  const supervise = (searchPath?: string): ProgramSupervisor =>
    new ProgramSupervisor(loadSettings({ env: {}, cwd: base }), keptLog(), searchPath);
  const file = (content: string | Uint8Array): string => {
    writeFileSync(join(folder, 'in.pdf'), content);
    return join(folder, 'in.pdf');
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire (cmyk) '));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are refused without the program, and for a file that is not a PDF, which Ghostscript would run', async () => {
    const output = join(folder, 'out.pdf');
    expect(
      await codeOf(new GhostscriptConvertColours(supervise('/nowhere')).toCmyk(file('%PDF-1.7'), output, signal)),
    ).to.equal('PROGRAM_MISSING');
    const programs = supervise();
    if (programs.has('ghostscript'))
      expect(await codeOf(new GhostscriptConvertColours(programs).toCmyk(file('%!PS\nquit'), output, signal))).to.equal(
        'DOCUMENT_UNPROCESSABLE',
      );
  });

  it('are CMYK, on upright pages at the origin', async function needsProgram() {
    const programs = supervise();
    if (!programs.has('ghostscript')) return this.skip();
    const pdf = await PDFDocument.create();
    const page = pdf.addPage([200, 100]);
    page.setMediaBox(-20, 10, 200, 100);
    page.setRotation(degrees(90));
    page.drawRectangle({ x: 0, y: 20, width: 50, height: 50, color: rgb(1, 0, 0) });
    page.drawRectangle({ x: 60, y: 20, width: 50, height: 50, color: cmyk(0, 0, 1, 0) });
    const output = join(folder, 'out.pdf');
    await new GhostscriptConvertColours(programs).toCmyk(file(await pdf.save()), output, signal);
    const { width, height } = (await PDFDocument.load(readFileSync(output))).getPage(0).getMediaBox();
    expect([Math.round(width), Math.round(height)]).to.deep.equal([100, 200]);
    const content = await withPdf({ path: output }, {}, ({ document, pages }) =>
      Buffer.from(pageContent(document.context, pages[0]!).bytes).toString('latin1'),
    );
    expect(content)
      .to.match(/ k\b/)
      .and.not.match(/\brg\b/);
  });
});
