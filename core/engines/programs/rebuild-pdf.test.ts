import { expect } from 'chai';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import type { QuireError } from '@quire/registry/errors';
import { loadSettings } from '../../settings/index.js';
import { ProgramsRebuildPdf, ProgramSupervisor } from './index.js';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

describe('PDFs rewritten by programs', function suite() {
  this.timeout(60_000);
  let folder: string;
  const base = mkdtempSync(join(tmpdir(), 'quire-rebuild-'));
  after(() => rmSync(base, { recursive: true, force: true }));
  const { signal } = new AbortController();
  const supervise = (searchPath?: string): ProgramSupervisor =>
    new ProgramSupervisor(loadSettings({ env: {}, cwd: base }), quiet, searchPath);
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no error',
      (error: unknown) => (error as QuireError).code ?? String(error),
    );
  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-rebuild-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('need none of the programs to be there', async () => {
    const rebuilder = new ProgramsRebuildPdf(supervise('/nowhere'));
    expect(await rebuilder.available()).to.deep.equal([]);
    expect(
      await codeOf(rebuilder.rebuild('qpdf', file('in.pdf', '%PDF-1.7'), join(folder, 'out.pdf'), signal)),
    ).to.equal('PROGRAM_MISSING');
  });

  it('come from these programs only', async () => {
    const input = file('in.pdf', '%PDF-1.7');
    for (const name of ['libreoffice', 'sh', '../qpdf', 'constructor'])
      expect(
        await codeOf(new ProgramsRebuildPdf(supervise()).rebuild(name, input, join(folder, 'out.pdf'), signal)),
        name,
      ).to.equal('PROGRAM_MISSING');
  });

  for (const program of ['qpdf', 'mutool', 'ghostscript']) {
    describe(`with ${program} (skipped where it is not on PATH)`, () => {
      const programs = supervise();
      const rebuilder = new ProgramsRebuildPdf(programs);
      before(function needsProgram() {
        if (!programs.has(program)) this.skip();
      });

      it('keep the pages of a file whose cross-reference points nowhere', async () => {
        const pdf = await PDFDocument.create({ updateMetadata: false });
        for (const size of [
          [200, 300],
          [300, 200],
        ] as const)
          pdf.addPage([...size]).drawRectangle({ x: 20, y: 20, width: 50, height: 50 });
        const damaged = Buffer.from(await pdf.save({ useObjectStreams: false }))
          .toString('latin1')
          .replace(/startxref\n\d+/, 'startxref\n99999')
          .replace('/Count 2', '/Count 2 ');
        const output = join(folder, 'out.pdf');
        await rebuilder.rebuild(program, file('in.pdf', Buffer.from(damaged, 'latin1')), output, signal);
        const pages = (await PDFDocument.load(readFileSync(output))).getPages();
        expect(pages.map((page) => [Math.round(page.getWidth()), Math.round(page.getHeight())])).to.deep.equal([
          [200, 300],
          [300, 200],
        ]);
      });

      it('are never made of a PostScript program', async () => {
        const target = join(folder, 'written');
        const input = file('in.pdf', `%!PS\n%PDF-1.7\n(${target}) (w) file dup (x) writestring closefile showpage\n`);
        expect(await codeOf(rebuilder.rebuild(program, input, join(folder, 'out.pdf'), signal))).to.equal(
          'DOCUMENT_UNPROCESSABLE',
        );
        expect([existsSync(target), existsSync(join(folder, 'out.pdf'))]).to.deep.equal([false, false]);
      });
    });
  }
});
