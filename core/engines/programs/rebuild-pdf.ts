import type { RebuildPdf } from '@quire/registry';
import { OperationalError } from '@quire/registry/errors';
import { allOrNothing, mustBeginLikePdf, mustHaveWritten, quietGhostscript } from './program-files.js';
import type { ProgramName } from './program-table.js';
import type { ProgramSupervisor } from './supervisor.js';

/** How a program writes a PDF again. */
interface Rebuilder {
  readonly program: ProgramName;
  arguments(input: string, output: string): readonly string[];
  readonly okCodes: readonly number[];
  /** Ghostscript would run a file that is not a PDF as a PostScript program. */
  readonly runsPostScript?: true;
}

/**
 * In the order in which they are worth trying: qpdf and mutool copy objects, so bookmarks, forms and attachments stay;
 * Ghostscript interprets the pages and draws them again, which saves most of what can be seen and little else.
 */
const rebuilders: readonly Rebuilder[] = [
  // 3: done, with warnings about what was repaired.
  {
    program: 'qpdf',
    arguments: (input, output) => ['--warning-exit-0', '--object-streams=preserve', '--', input, output],
    okCodes: [0, 3],
  },
  { program: 'mutool', arguments: (input, output) => ['clean', input, output], okCodes: [0] },
  {
    program: 'ghostscript',
    arguments: (input, output) => [
      ...quietGhostscript,
      '-sDEVICE=pdfwrite',
      '-dAutoRotatePages=/None',
      '-o',
      output,
      '-f',
      input,
    ],
    okCodes: [0],
    runsPostScript: true,
  },
];

/** Rewrites damaged PDFs with whichever of qpdf, mutool and Ghostscript are installed. */
export class ProgramsRebuildPdf implements RebuildPdf {
  constructor(private readonly programs: ProgramSupervisor) {}

  /** The programs found, those that keep most in front. */
  async available(): Promise<readonly string[]> {
    return rebuilders.map(({ program }) => program).filter((program) => this.programs.has(program));
  }

  /**
   * Rejects with PROGRAM_MISSING (also for an unknown name), DOCUMENT_UNPROCESSABLE, and what the supervisor rejects
   * with.
   */
  async rebuild(program: string, input: string, output: string, signal: AbortSignal): Promise<void> {
    const rebuilder = rebuilders.find((candidate) => candidate.program === program);
    if (rebuilder === undefined) throw new OperationalError('PROGRAM_MISSING', { program });
    if (rebuilder.runsPostScript === true) await mustBeginLikePdf(rebuilder.program, input);
    await allOrNothing(output, async () => {
      await this.programs.run(
        rebuilder.program,
        async (files) => rebuilder.arguments(await files.input(input), files.output(output)),
        { signal, okCodes: rebuilder.okCodes },
      );
      await mustHaveWritten(rebuilder.program, output);
    });
  }
}
