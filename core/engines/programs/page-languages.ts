import { fileHead } from '@quire/document/file/source';
import type { PageLanguage, PageLanguages } from '@quire/registry';
import { DefectError, InputError, OperationalError } from '@quire/registry/errors';
import { failureOf } from './program-failure.js';
import { drawPdf, holdsSomething, quietGhostscript } from './program-files.js';
import type { ProgramSupervisor } from './supervisor.js';

/** Devices by language, at their own resolutions (docs/interface/convert.yml, pdf/vector). */
const devices: Readonly<Record<PageLanguage, string>> = {
  ps: 'ps2write',
  eps: 'eps2write',
  pcl: 'pxlcolor',
  xps: 'xpswrite',
};
const program = 'ghostscript';
/**
 * Memory limit of PostScript in kilobytes: a gigabyte is more than pages need, and an endless program reaches it soon.
 */
const MOST_MEMORY = '-K1048576';

/**
 * Converts between PDF and page description languages with Ghostscript. PostScript is an untrusted program: it runs
 * without files but its own (-dSAFER), without network, and within the limits of memory, time and file size of all
 * programs.
 */
export class GhostscriptPageLanguages implements PageLanguages {
  constructor(private readonly programs: ProgramSupervisor) {}

  /** Rejects with PROGRAM_MISSING, DOCUMENT_UNPROCESSABLE, and what the supervisor rejects with. */
  async fromPdf(language: PageLanguage, input: string, output: string, signal: AbortSignal): Promise<void> {
    // The value comes from a worker, which is not trusted.
    if (!Object.hasOwn(devices, language))
      throw new DefectError('CONTRACT_BROKEN', { detail: 'not a page description language that Ghostscript writes' });
    await drawPdf(
      this.programs,
      input,
      output,
      [`-sDEVICE=${devices[language]}`, ...(language === 'eps' ? ['-dLastPage=1'] : [])],
      signal,
    );
  }

  /** Rejects with POSTSCRIPT_UNREADABLE, DOCUMENT_UNPROCESSABLE, PROGRAM_MISSING, or as the supervisor does. */
  async toPdf(quality: 'default' | 'prepress', input: string, output: string, signal: AbortSignal): Promise<void> {
    if (quality !== 'default' && quality !== 'prepress')
      throw new DefectError('CONTRACT_BROKEN', { detail: 'not a known quality' });
    if (!this.programs.has(program)) throw new OperationalError('PROGRAM_MISSING', { program });
    // Ghostscript detects a dozen other languages by their first bytes, PDF among them.
    if (!(await beginsLikePostScript(input))) throw unreadable('it does not begin like PostScript');
    const { code, stdout, stderr } = await this.programs.run(
      program,
      async (files) => [
        ...quietGhostscript,
        '-dNOPROMPT',
        MOST_MEMORY,
        '-sDEVICE=pdfwrite',
        '-dCompatibilityLevel=1.4',
        `-dPDFSETTINGS=/${quality}`,
        '-dAutoRotatePages=/None',
        '-dEPSCrop',
        '-o',
        files.output(output),
        '-f',
        await files.input(input),
      ],
      { signal, okCodes: 'any' },
    );
    // A signal means that the program crashed on the document, or that it exceeded a limit.
    if (code >= 126) throw failureOf(program, code, stderr);
    if (code !== 0) throw unreadable(errorOf(stdout) ?? errorOf(stderr) ?? `the program ended with code ${code}`);
    if (!(await holdsSomething(output))) throw unreadable('it draws no page');
  }
}

function unreadable(detail: string): InputError {
  return new InputError('POSTSCRIPT_UNREADABLE', { field: 'fileInput', detail });
}

/** Returns PostScript's name of the error alone: the rest is text of the document. */
function errorOf(output: string): string | undefined {
  const [, name] = /Error: \/(\w{1,40})/.exec(output) ?? [];
  return name === undefined ? undefined : `it ends with the error ${name}`;
}

/**
 * True for a file that begins with the marker of PostScript, after the end-of-file mark that some drivers send first,
 * or with the header of EPS for DOS.
 */
async function beginsLikePostScript(path: string): Promise<boolean> {
  return /^(?:\x04?%!|\xc5\xd0\xd3\xc6)/.test((await fileHead(path, 8)).toString('latin1'));
}
