import { expect } from 'chai';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import type { PdfAFlavour } from '@quire/registry';
import { withPdf } from '@quire/document/file/open';
import { readClaims } from '@quire/document/structure/metadata';
import { codeOf } from '../../../test/suites/code-of.js';
import { keptLog } from '../../../test/suites/memory-accounts.js';
import { loadSettings } from '../../settings/index.js';
import { GhostscriptPdfToPdfA, ProgramSupervisor } from './index.js';

describe('PDF/A by Ghostscript', function suite() {
  this.timeout(60_000);
  let folder: string;
  const base = mkdtempSync(join(tmpdir(), 'quire (pdf\\a) '));
  after(() => rmSync(base, { recursive: true, force: true }));
  const { signal } = new AbortController();
  const supervise = (searchPath?: string): ProgramSupervisor =>
    new ProgramSupervisor(loadSettings({ env: {}, cwd: base }), keptLog(), searchPath);
  const file = (content: string | Uint8Array): string => {
    writeFileSync(join(folder, 'in.pdf'), content);
    return join(folder, 'in.pdf');
  };
  // The path is inserted into a program that Ghostscript runs.
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire (pdf\\a) '));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is refused without the program, and for a file that is not a PDF, which Ghostscript would run', async () => {
    const output = join(folder, 'out.pdf');
    expect(
      await codeOf(
        new GhostscriptPdfToPdfA(supervise('/nowhere')).convert(
          { part: 3, conformance: 'B' },
          file('%PDF-1.7'),
          output,
          signal,
        ),
      ),
    ).to.equal('PROGRAM_MISSING');
    const programs = supervise();
    if (programs.has('ghostscript'))
      expect(
        await codeOf(
          new GhostscriptPdfToPdfA(programs).convert({ part: 3, conformance: 'B' }, file('%!PS\nquit'), output, signal),
        ),
      ).to.equal('DOCUMENT_UNPROCESSABLE');
  });

  it('refuses an unknown flavour from a worker', async () => {
    for (const flavour of [
      { part: 4, conformance: 'B' },
      { part: '3 -dNOSAFER', conformance: 'B' },
      { part: 3, conformance: 'A' },
      null,
    ]) {
      expect(
        await codeOf(
          new GhostscriptPdfToPdfA(supervise('/nowhere')).convert(
            flavour as PdfAFlavour,
            file('%PDF-1.7'),
            join(folder, 'out.pdf'),
            signal,
          ),
        ),
      ).to.equal('CONTRACT_BROKEN');
    }
  });

  for (const part of [1, 2, 3] as const) {
    it(`claims part ${part}, has an output intent, and leaves no other file`, async function needsProgram() {
      const programs = supervise();
      if (!programs.has('ghostscript')) return this.skip();
      const pdf = await PDFDocument.create({ updateMetadata: false });
      pdf.addPage([200, 200]).drawText('Text', { x: 20, y: 20, font: await pdf.embedFont(StandardFonts.Helvetica) });
      const output = join(folder, 'out.pdf');
      await new GhostscriptPdfToPdfA(programs).convert(
        { part, conformance: 'B' },
        file(await pdf.save()),
        output,
        signal,
      );
      expect(
        await withPdf({ path: output }, {}, ({ document: { context } }) => readClaims(context).get('PDF/A')),
      ).to.equal(`${part}|B|`);
      expect((await PDFDocument.load(readFileSync(output))).catalog.toString()).to.contain('/OutputIntents');
      expect(
        readdirSync(folder)
          .filter((name) => !name.startsWith('.'))
          .sort(),
      ).to.deep.equal(['in.pdf', 'out.pdf']);
    });
  }
});
