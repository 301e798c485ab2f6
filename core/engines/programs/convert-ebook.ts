import type { ConvertEbook } from '@quire/registry';
import { OperationalError } from '@quire/registry/errors';
import { mustHaveWritten } from './program-files.js';
import type { ProgramSupervisor } from './supervisor.js';

const program = 'calibre';

/** Writes e-books in other formats with Calibre, as a separate program without network. */
export class CalibreConvertEbook implements ConvertEbook {
  constructor(private readonly programs: ProgramSupervisor) {}

  /** Rejects with PROGRAM_MISSING, DOCUMENT_UNPROCESSABLE, and what the supervisor rejects with. */
  async toAzw3(input: string, output: string, signal: AbortSignal): Promise<void> {
    if (!this.programs.has(program)) throw new OperationalError('PROGRAM_MISSING', { program });
    // Its settings are in the run's folder and are removed with it. The book's own style is unchanged.
    await this.programs.run(
      program,
      async (files) => [
        await files.input(input),
        files.output(output),
        '--output-profile',
        'kindle_pw3',
        '--no-inline-toc',
      ],
      { signal, env: { CALIBRE_NO_NATIVE_FILEDIALOGS: '1' } },
    );
    await mustHaveWritten(program, output);
  }
}
