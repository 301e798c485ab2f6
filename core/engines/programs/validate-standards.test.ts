import { expect } from 'chai';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { codeOf } from '../../../test/suites/code-of.js';
import { keptLog } from '../../../test/suites/memory-accounts.js';
import { programsIn } from '../../../test/suites/programs-in.js';
import { loadSettings } from '../../settings/index.js';
import { GhostscriptPdfToPdfA, ProgramSupervisor, VeraPdfValidator } from './index.js';

const printed = (name: string): string => `verapdf-${name}.json`;
const fixture = (name: string): string =>
  new URL(`../../../plugins/security/fixtures/${name}`, import.meta.url).pathname;

describe('checks of declared standards', function suite() {
  this.timeout(60_000);
  let folder: string;
  const base = mkdtempSync(join(tmpdir(), 'quire (verapdf) '));
  after(() => rmSync(base, { recursive: true, force: true }));
  /** Holds the private folders of runs. */
  const work = join(base, 'data', 'tmp', 'programs');
  const { signal } = new AbortController();
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire (verapdf) '));
    mkdirSync(join(folder, 'bin'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const supervise = (searchPath?: string): ProgramSupervisor =>
    new ProgramSupervisor(loadSettings({ env: {}, cwd: base }), keptLog(), searchPath);
  /** A program of that name that runs a few lines of shell; `$here` is its folder, with the reports. */
  const pretend = (script: string): ProgramSupervisor => {
    const fixtures = new URL('fixtures/', import.meta.url).pathname;
    for (const name of readdirSync(fixtures)) copyFileSync(join(fixtures, name), join(folder, 'bin', name));
    writeFileSync(join(folder, 'bin', 'verapdf'), `#!/bin/sh\nhere=$(dirname "$0")\n${script}\n`);
    chmodSync(join(folder, 'bin', 'verapdf'), 0o755);
    return supervise(`${join(folder, 'bin')}:/usr/bin:/bin`);
  };
  const validate = (
    programs: ProgramSupervisor,
    input = '/in.pdf',
    end = signal,
  ): ReturnType<VeraPdfValidator['validate']> => new VeraPdfValidator(programs).validate(input, end);
  const printing = (name: string, code = 1): string => `cat "$here/${printed(name)}"; exit ${code}`;

  it('are refused where the program is not there, and where it cannot start', async () => {
    expect(await codeOf(validate(supervise('/nowhere')))).to.equal('PROGRAM_MISSING');
    for (const script of [
      'exit 127',
      'echo "Error: Unable to access jarfile" >&2; exit 1',
      'echo "Error occurred during initialization of VM" >&2; exit 1',
    ])
      expect(await codeOf(validate(pretend(script))), script).to.equal('PROGRAM_FAILED');
  });

  it('read the report, whatever the code with which the program ends', async () => {
    expect((await validate(pretend(printing('two-standards')))).checks.map(({ standard }) => standard)).to.deep.equal([
      '2b',
      'ua1',
    ]);
    expect((await validate(pretend(printing('nothing-declared')))).checks).to.deep.equal([]);
    expect(await validate(pretend(printing('crash', 6))))
      .to.have.property('crash')
      .that.is.a('string');
  });

  it('refuse what the program cannot read', async () => {
    expect(await codeOf(validate(pretend(printing('unreadable', 7))))).to.equal('PDF_DAMAGED');
    expect(await codeOf(validate(pretend(printing('encrypted', 8))))).to.equal('PDF_ENCRYPTED');
  });

  it('tell a document that the program died of from a program that is broken', async () => {
    expect(
      await validate(pretend('echo "Exception in thread \\"main\\" java.lang.StackOverflowError" >&2; exit 1')),
    ).to.deep.equal({ declaresPdfA: false, checks: [], crash: 'StackOverflowError' });
    expect((await validate(pretend('kill -KILL $$'))).crash).to.match(/time or memory/);
  });

  it('take reports of megabytes, and give Java a heap and folders of the run', async () => {
    const programs = pretend(
      'case "$JDK_JAVA_OPTIONS" in -Xmx*m*-Djava.io.tmpdir=.tmp\\ -Duser.home=.tmp) ;; *) exit 9;; esac; ' +
        `printf '{"padding":"'; head -c 3000000 /dev/zero | tr '\\0' x; printf '",'; ` +
        `tail -c +2 "$here/${printed('two-standards')}"`,
    );
    expect((await validate(programs)).checks).to.have.length(2);
    expect(readdirSync(work)).to.deep.equal([]);
  });

  it('end with the program when they are cancelled', async () => {
    const cancel = new AbortController();
    const running = codeOf(validate(pretend('exec sleep 60'), '/in.pdf', cancel.signal));
    const lines = (): string[] => [...programsIn(base).values()];
    for (let tries = 0; tries < 1200 && !lines().some((line) => line.startsWith('sleep')); tries++) await pause(20);
    cancel.abort();
    expect(await running).to.equal('CANCELLED');
    for (let tries = 0; tries < 1200 && lines().length > 0; tries++) await pause(20);
    expect(lines()).to.deep.equal([]);
    expect(readdirSync(work)).to.deep.equal([]);
  });

  const real = supervise();
  describe(real.has('verapdf') ? 'by veraPDF itself' : 'by veraPDF itself (skipped: it is not installed)', () => {
    before(function needsProgram() {
      if (!real.has('verapdf')) this.skip();
    });

    it('find what Ghostscript made PDF/A compliant', async function needsGhostscript() {
      if (!real.has('ghostscript')) return this.skip();
      const pdf = await PDFDocument.create({ updateMetadata: false });
      pdf.addPage([200, 200]).drawText('Text', { x: 20, y: 20, font: await pdf.embedFont(StandardFonts.Helvetica) });
      // Its name does not end with .pdf, as names of uploads need not.
      const [input, output] = [join(folder, 'in'), join(folder, 'out')];
      writeFileSync(input, await pdf.save());
      await new GhostscriptPdfToPdfA(real).convert({ part: 3, conformance: 'B' }, input, output, signal);
      expect(await validate(real, output)).to.deep.equal({
        declaresPdfA: true,
        checks: [
          {
            standard: '3b',
            name: 'PDF/A-3b',
            profileName: 'PDF/A-3b validation profile',
            compliant: true,
            failures: [],
          },
        ],
      });
    });

    it('agree with the report that the other tests read', async () => {
      const expected = await validate(pretend(printing('two-standards')));
      expect(await validate(real, fixture('declares-2b-and-ua1.pdf'))).to.deep.equal(expected);
    });

    it('end with Java when they are cancelled', async () => {
      const cancel = new AbortController();
      const running = codeOf(validate(real, fixture('pdfa-2b.pdf'), cancel.signal));
      for (
        let tries = 0;
        tries < 2000 && real.list().every(({ name, running: count }) => name !== 'verapdf' || count === 0);
        tries++
      )
        await pause(10);
      cancel.abort();
      expect(await running).to.equal('CANCELLED');
      expect(readdirSync(work)).to.deep.equal([]);
    });

    it('report that the check broke down for a document that is nested too deep', async () => {
      const objects = [
        `<< /Type /Catalog /Pages 2 0 R /X ${'['.repeat(500_000)}${']'.repeat(500_000)} >>`,
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
      ];
      let pdf = '%PDF-1.7\n';
      const table = objects.map((object, i) => {
        const at = pdf.length;
        pdf += `${i + 1} 0 obj\n${object}\nendobj\n`;
        return `${String(at).padStart(10, '0')} 00000 n \n`;
      });
      writeFileSync(
        join(folder, 'deep.pdf'),
        `${pdf}xref\n0 4\n0000000000 65535 f \n${table.join('')}trailer\n<< /Root 1 0 R /Size 4 >>\nstartxref\n` +
          `${pdf.length}\n%%EOF\n`,
      );
      expect(await validate(real, join(folder, 'deep.pdf'))).to.deep.equal({
        declaresPdfA: false,
        checks: [],
        crash: 'StackOverflowError',
      });
    });
  });
});
