import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RebuildPdf } from '@quire/registry';
import { OperationalError } from '@quire/registry/errors';
import type { ProgramName } from './program-table.js';
import type { ProgramSupervisor } from './supervisor.js';

/** How a program writes a PDF anew. */
interface Rebuilder {
  readonly program: ProgramName;
  arguments(input: string, output: string): readonly string[];
  readonly okCodes: readonly number[];
  /** It takes what is no PDF for a PostScript program, and runs it. */
  readonly runsPostScript?: true;
}

/**
 * In the order in which they are worth trying: qpdf and mutool copy objects, so bookmarks, forms and attachments stay; Ghostscript
 * interprets the pages and draws them anew, which saves most of what can be seen and little else.
 */
const rebuilders: readonly Rebuilder[] = [
  // 3: done, with warnings about what was mended.
  { program: 'qpdf', arguments: (input, output) => ['--warning-exit-0', '--object-streams=preserve', '--', input, output], okCodes: [0, 3] },
  { program: 'mutool', arguments: (input, output) => ['clean', input, output], okCodes: [0] },
  { program: 'ghostscript', arguments: (input, output) => ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-dAutoRotatePages=/None', '-o', output, '-f', input], okCodes: [0], runsPostScript: true },
];

/** Writes damaged PDFs anew with whichever of qpdf, mutool and Ghostscript are installed. */
export class ProgramsRebuildPdf implements RebuildPdf {
  constructor(private readonly programs: ProgramSupervisor) {}

  /** The programs found, those that keep most in front. */
  async available(): Promise<readonly string[]> {
    return rebuilders.map(({ program }) => program).filter((program) => this.programs.has(program));
  }

  /** Rejects with PROGRAM_MISSING (also for a name that is none of ours), PROGRAM_FAILED, and what the supervisor rejects with. */
  async rebuild(program: string, input: string, output: string, signal: AbortSignal): Promise<void> {
    const rebuilder = rebuilders.find((candidate) => candidate.program === program);
    if (rebuilder === undefined) throw new OperationalError('PROGRAM_MISSING', { program });
    if (rebuilder.runsPostScript === true && !(await beginsLikePdf(input))) throw new OperationalError('PROGRAM_FAILED', { program, detail: 'the file does not begin like a PDF' });
    await this.programs.run(rebuilder.program, rebuilder.arguments(input, output), { cwd: dirname(output), signal, okCodes: rebuilder.okCodes });
    const size = await stat(output).then((found) => found.size, () => 0);
    if (size === 0) throw new OperationalError('PROGRAM_FAILED', { program, detail: 'it wrote nothing' });
  }
}

/** True for a file whose first bytes are those of a PDF. */
export async function beginsLikePdf(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(5), 0, 5, 0);
    return buffer.toString('latin1', 0, bytesRead) === '%PDF-';
  } finally {
    await file.close();
  }
}
