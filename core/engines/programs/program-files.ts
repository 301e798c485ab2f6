import { rm, stat } from 'node:fs/promises';
import { fileHead } from '@quire/document/file/source';
import { OperationalError } from '@quire/registry/errors';
import { unprocessable } from './program-failure.js';
import type { ProgramName } from './program-table.js';
import type { RunFolder } from './run-folder.js';
import type { ProgramSupervisor } from './supervisor.js';

/** True for a file whose first bytes are those of a PDF. */
export async function beginsLikePdf(path: string): Promise<boolean> {
  return (await fileHead(path, 5)).toString('latin1') === '%PDF-';
}

/**
 * Protects a program that would run any other input, as Ghostscript runs PostScript. Rejects with
 * DOCUMENT_UNPROCESSABLE when the file does not begin like a PDF.
 */
export async function mustBeginLikePdf(program: ProgramName, path: string): Promise<void> {
  if (!(await beginsLikePdf(path))) throw unprocessable(program, 'the file does not begin like a PDF');
}

/** Rejects with DOCUMENT_UNPROCESSABLE when a program that exited with 0 left nothing at `path`. */
export async function mustHaveWritten(program: ProgramName, path: string): Promise<void> {
  if (!(await holdsSomething(path))) throw unprocessable(program, 'it wrote nothing');
}

/** True for a file that exists and is not empty. */
export function holdsSomething(path: string): Promise<boolean> {
  return stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );
}

/** Does work that writes `output`. When it fails, nothing is left there, so that the same name can be written again. */
export async function allOrNothing(output: string, work: () => Promise<void>): Promise<void> {
  await work().catch(async (error: unknown) => {
    await rm(output, { force: true });
    throw error;
  });
}

/** The first arguments of every call of Ghostscript: no dialogue, no files but those named. */
export const quietGhostscript = ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE'] as const;

/**
 * Has Ghostscript read the PDF at `input` and write to `output` with these arguments, which a function makes that may
 * add files to the run; `before` are files that it runs first. Rejects with PROGRAM_MISSING, DOCUMENT_UNPROCESSABLE,
 * and what the supervisor rejects with.
 */
export async function drawPdf(
  programs: ProgramSupervisor,
  input: string,
  output: string,
  args: readonly string[] | ((files: RunFolder) => Promise<DrawArguments>),
  signal: AbortSignal,
): Promise<void> {
  const program = 'ghostscript';
  if (!programs.has(program)) throw new OperationalError('PROGRAM_MISSING', { program });
  // It would run anything else as a program in PostScript.
  await mustBeginLikePdf(program, input);
  await allOrNothing(output, async () => {
    await programs.run(
      program,
      async (files) => {
        const { options, before } = typeof args === 'function' ? await args(files) : { options: args, before: [] };
        return [
          ...quietGhostscript,
          ...options,
          '-dAutoRotatePages=/None',
          '-o',
          files.output(output),
          ...before,
          '-f',
          await files.input(input),
        ];
      },
      { signal },
    );
    await mustHaveWritten(program, output);
  });
}

interface DrawArguments {
  readonly options: readonly string[];
  /** Files that Ghostscript runs before it reads the PDF. */
  readonly before: readonly string[];
}
