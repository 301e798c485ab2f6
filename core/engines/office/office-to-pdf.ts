import { basename, extname, join } from 'node:path';
import type { OfficeToPdf } from '@quire/registry';
import { OperationalError } from '@quire/registry/errors';
import { beginsLikePdf } from '../programs/program-files.js';
import type { ProgramSupervisor } from '../programs/supervisor.js';
import { convertDocument } from './convert-document.js';
import type { OfficePool } from './pool.js';
import { refuseGarbage } from './refuse-garbage.js';

/**
 * Converts office documents to PDF with a running LibreOffice: macros off, nothing fetched, no network where the
 * machine allows that.
 */
export class LibreOfficeToPdf implements OfficeToPdf {
  constructor(
    private readonly programs: ProgramSupervisor,
    private readonly pool: OfficePool,
  ) {}

  /** Rejects with OFFICE_UNREADABLE when the program cannot read the file, and with what the pool rejects with. */
  async convert(input: string, outputFolder: string, signal: AbortSignal, name: string = input): Promise<string> {
    if (!this.programs.has('libreoffice')) throw new OperationalError('PROGRAM_MISSING', { program: 'libreoffice' });
    await refuseGarbage(input);
    const target = join(outputFolder, `${basename(input, extname(input))}.pdf`);
    await convertDocument(this.pool, input, target, { suffix: extname(name), writes: 'pdf' }, signal, expectPdf);
    return target;
  }
}

/** Rejects with PROGRAM_FAILED for a result that does not begin like a PDF. */
export async function expectPdf(file: string): Promise<void> {
  if (!(await beginsLikePdf(file)))
    throw new OperationalError('PROGRAM_FAILED', {
      program: 'libreoffice',
      detail: 'it wrote a file that is not a PDF',
    });
}
