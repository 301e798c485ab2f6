import type { StandardsReport, StandardsValidator } from '@quire/registry';
import { InputError, OperationalError } from '@quire/registry/errors';
import { endingOf } from './program-failure.js';
import type { ProgramSupervisor } from './supervisor.js';
import { LONGEST_REPORT, readVeraPdfReport, veraPdfOptions, type VeraPdfAnswer } from './verapdf-report.js';
import type { WaitingVeraPdf } from './waiting-verapdf.js';

const PROGRAM = 'verapdf';

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
  /** `waiting`: keeps a process ready; without it each check starts one. */
  constructor(
    private readonly programs: ProgramSupervisor,
    private readonly waiting?: WaitingVeraPdf,
  ) {}

  /** Rejects with PROGRAM_MISSING, PROGRAM_FAILED, PDF_DAMAGED, PDF_ENCRYPTED, and what the supervisor rejects with. */
  async validate(input: string, signal: AbortSignal): Promise<StandardsReport> {
    if (!this.programs.has(PROGRAM)) throw new OperationalError('PROGRAM_MISSING', { program: PROGRAM });
    try {
      // A document on which the waiting process fails is checked by a new one, which reports why.
      const report = (await this.waiting?.check(input, signal)) ?? '';
      const answer = readVeraPdfReport(report) ?? (await this.#checkInNewProcess(input, signal));
      if (!('unreadable' in answer)) return answer;
      if (answer.encrypted) throw new InputError('PDF_ENCRYPTED', { field: 'fileInput' });
      throw new InputError('PDF_DAMAGED', { field: 'fileInput', detail: answer.unreadable });
    } finally {
      this.waiting?.prepare();
    }
  }

  async #checkInNewProcess(input: string, signal: AbortSignal): Promise<VeraPdfAnswer> {
    this.waiting?.prepare(1);
    // It ends with 1 for a document that breaks a rule, with 7 for one that it cannot read.
    const { code, stdout, stderr } = await this.programs.run(
      PROGRAM,
      async (files) => [...veraPdfOptions, await files.input(input)],
      { signal, okCodes: 'any', keepBytes: LONGEST_REPORT },
    );
    const answer = readVeraPdfReport(stdout) ?? brokenDown(code, stderr);
    if (answer !== undefined) return answer;
    throw new OperationalError('PROGRAM_FAILED', {
      program: PROGRAM,
      detail: `it ended with code ${code} and no report`,
    });
  }
}
