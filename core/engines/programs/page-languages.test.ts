import { expect } from 'chai';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PageLanguage } from '@quire/registry';
import { codeOf } from '../../../test/suites/code-of.js';
import { keptLog } from '../../../test/suites/memory-accounts.js';
import { loadSettings } from '../../settings/index.js';
import { GhostscriptPageLanguages, ProgramSupervisor } from './index.js';

describe('page languages by Ghostscript', function suite() {
  this.timeout(60_000);
  let folder: string;
  const base = mkdtempSync(join(tmpdir(), 'quire-languages-'));
  after(() => rmSync(base, { recursive: true, force: true }));
  let programs: ProgramSupervisor;
  const { signal } = new AbortController();
  const supervise = (searchPath?: string): ProgramSupervisor =>
    new ProgramSupervisor(loadSettings({ env: {}, cwd: base }), keptLog(), searchPath);
  const write = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  beforeEach(function () {
    folder = mkdtempSync(join(tmpdir(), 'quire-languages-'));
    programs = supervise();
    if (!programs.has('ghostscript')) this.skip();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const run = (postScript: string, on = signal): Promise<string> =>
    codeOf(
      new GhostscriptPageLanguages(programs).toPdf(
        'default',
        write('in.ps', `%!PS\n${postScript}`),
        join(folder, 'out.pdf'),
        on,
      ),
    );

  it(
    'are refused without the program, for a file that is neither PDF nor PostScript, and for unknown values ' +
      'from a worker',
    async () => {
      const bare = new GhostscriptPageLanguages(supervise('/nowhere'));
      expect(await codeOf(bare.fromPdf('ps', write('in.pdf', '%PDF-1.7'), join(folder, 'o'), signal))).to.equal(
        'PROGRAM_MISSING',
      );
      expect(await codeOf(bare.toPdf('default', write('in.ps', '%!PS'), join(folder, 'o'), signal))).to.equal(
        'PROGRAM_MISSING',
      );
      const languages = new GhostscriptPageLanguages(programs);
      expect(
        await codeOf(languages.fromPdf('ps', write('in.pdf', '%!PS\nshowpage'), join(folder, 'o'), signal)),
      ).to.equal('DOCUMENT_UNPROCESSABLE');
      expect(await codeOf(languages.toPdf('default', write('in.ps', '%PDF-1.7'), join(folder, 'o'), signal))).to.equal(
        'POSTSCRIPT_UNREADABLE',
      );
      for (const language of ['pdf', 'toString', '-dNOSAFER', null])
        expect(
          await codeOf(languages.fromPdf(language as PageLanguage, join(folder, 'in.pdf'), join(folder, 'o'), signal)),
        ).to.equal('CONTRACT_BROKEN');
      expect(
        await codeOf(languages.toPdf('printer' as 'default', join(folder, 'in.ps'), join(folder, 'o'), signal)),
      ).to.equal('CONTRACT_BROKEN');
    },
  );

  it('do not let PostScript read files, write files or start programs', async () => {
    const secret = write('secret.txt', 'canary');
    const marker = join(folder, 'made');
    const attacks = [
      `(${secret}) (r) file 100 string readstring pop show showpage`,
      '(/etc/passwd) (r) file closefile showpage',
      `(%pipe%touch ${marker}) (w) file closefile showpage`,
      `(%pipe%cat /etc/passwd) (r) file closefile showpage`,
      `(${marker}) (w) file (x) writestring showpage`,
      `(${secret}) deletefile showpage`,
      `(${secret}) (${marker}) renamefile showpage`,
      `(${secret}) run showpage`,
      '(/etc/passwd) (r) .libfile pop closefile showpage',
      'mark /PermitFileReading [(*)] /PermitFileWriting [(*)] /LockSafetyParams false .dicttomark ' +
        `setuserparams (${secret}) (r) file closefile showpage`,
      `.setsafe .currentglobal pop systemdict /SAFER false put (${secret}) (r) file closefile showpage`,
    ];
    for (const attack of attacks) expect(await run(attack), attack).to.equal('POSTSCRIPT_UNREADABLE');
    // It may ask for another output file, which is ignored.
    await run(`<< /OutputFile (${marker}) >> setpagedevice showpage`);
    expect([existsSync(marker), readFileSync(secret, 'utf8')]).to.deep.equal([false, 'canary']);
  });

  it('report the error of PostScript, and refuse files that draw nothing or need too much memory', async () => {
    const refusal = await new GhostscriptPageLanguages(programs)
      .toPdf('default', write('in.ps', '%!PS\nnosuchoperator'), join(folder, 'out.pdf'), signal)
      .then(
        () => undefined,
        (error: unknown) => error as { data: { detail: string } },
      );
    expect(refusal?.data.detail).to.contain('undefined').and.not.contain('nosuchoperator');
    expect(await run('[ { 10000000 array } loop showpage')).to.equal('POSTSCRIPT_UNREADABLE');
  });

  it('end when they are cancelled although they never would, and leave nothing running', async () => {
    const controller = new AbortController();
    const running = run('{ } loop', controller.signal);
    while (programs.list().find(({ name }) => name === 'ghostscript')?.running !== 1) await pause(20);
    controller.abort();
    expect(await running).to.equal('CANCELLED');
    expect(programs.list().find(({ name }) => name === 'ghostscript')).to.include({ running: 0 });
    expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).to.not.include('made');
  });
});
