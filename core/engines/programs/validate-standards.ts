import type { StandardsReport, StandardsValidator } from '@quire/registry';
import { InputError, OperationalError } from '@quire/registry/errors';
import { endingOf } from './program-failure.js';
import type { ProgramSupervisor } from './supervisor.js';
import { readVeraPdfReport } from './verapdf-report.js';

/** A report has at most some hundred rules of a few hundred bytes each, and of each one place. */
const LONGEST_REPORT = 8 * 1024 * 1024;

/**
 * A report for a run that a document ended: by an error that the program does not catch (things nested too deep), or by
 * a signal (more time or memory than it is given). Undefined when it never came to the document.
 */
function brokenDown(code: number, stderr: string): StandardsReport | undefined {
  const [, error] = /^Exception in thread "[^"]*" (?:[\w$]+\.)*([\w$]+)/m.exec(stderr) ?? [];
  const crash = code >= 128 ? endingOf(code) : error;
  return crash === undefined ? undefined : { declaresPdfA: false, checks: [], crash };
}

/** Checks documents against the standards that they declare, with veraPDF as a separate program. */
export class VeraPdfValidator implements StandardsValidator {
  constructor(private readonly programs: ProgramSupervisor) {}

  /** Rejects with PROGRAM_MISSING, PROGRAM_FAILED, PDF_DAMAGED, PDF_ENCRYPTED, and what the supervisor rejects with. */
  async validate(input: string, signal: AbortSignal): Promise<StandardsReport> {
    const program = 'verapdf';
    if (!this.programs.has(program)) throw new OperationalError('PROGRAM_MISSING', { program });
    // Flavour 0: what the document declares. It ends with 1 for a document that breaks a rule, with 7 for one that it
    // cannot read.
    const options = '--format json --flavour 0 --maxfailuresdisplayed 1 --loglevel 0 --nonpdfext'.split(' ');
    const { code, stdout, stderr } = await this.programs.run(
      program,
      async (files) => [...options, await files.input(input)],
      { signal, okCodes: 'any', keepBytes: LONGEST_REPORT },
    );
    const answer = readVeraPdfReport(stdout) ?? brokenDown(code, stderr);
    if (answer === undefined)
      throw new OperationalError('PROGRAM_FAILED', { program, detail: `it ended with code ${code} and no report` });
    if (!('unreadable' in answer)) return answer;
    if (answer.encrypted) throw new InputError('PDF_ENCRYPTED', { field: 'fileInput' });
    throw new InputError('PDF_DAMAGED', { field: 'fileInput', detail: answer.unreadable });
  }
}
