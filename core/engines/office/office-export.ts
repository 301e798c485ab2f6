import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { OfficeExport, OfficeFormat } from '@quire/registry';
import { OperationalError } from '@quire/registry/errors';
import type { ProgramSupervisor } from '../programs/supervisor.js';
import { convertDocument } from './convert-document.js';
import { expectPdf } from './office-to-pdf.js';
import type { OfficePool } from './pool.js';
import { refuseGarbage } from './refuse-garbage.js';

/** The filters that write, by name, because an extension may have several. */
const writers: Readonly<Record<Exclude<OfficeFormat, 'pdf' | 'xml'>, string>> = {
  doc: 'MS Word 97',
  docx: 'MS Word 2007 XML',
  odt: 'writer8',
  rtf: 'Rich Text Format',
  ppt: 'MS PowerPoint 97',
  pptx: 'Impress MS PowerPoint 2007 XML',
  odp: 'impress8',
};
const slides: readonly OfficeFormat[] = ['ppt', 'pptx', 'odp'];
const slideNames = /^\.(?:ppt|pptx|pptm|pps|ppsx|ppsm|pot|potx|potm|odp|otp|fodp)$/i;
const sheetNames = /^\.(?:xls|xlsx|xlsm|xlsb|xlt|xltx|xltm|ods|ots|fods|csv|tsv|dif|slk|dbf)$/i;

/** Writes documents in other formats with a running LibreOffice. */
export class LibreOfficeExport implements OfficeExport {
  constructor(
    private readonly programs: ProgramSupervisor,
    private readonly pool: OfficePool,
  ) {}

  /**
   * `xml` is a flat OpenDocument file (OpenDocument 1.3, part 3, 2.2). Rejects with OFFICE_UNREADABLE when the program
   * cannot read the file or has no such format for it, and with what the pool rejects with.
   */
  async convert(format: OfficeFormat, input: string, output: string, signal: AbortSignal): Promise<void> {
    if (!this.programs.has('libreoffice')) throw new OperationalError('PROGRAM_MISSING', { program: 'libreoffice' });
    await refuseGarbage(input);
    const suffix = extname(input);
    const writer = format === 'pdf' ? undefined : format === 'xml' ? flatWriter(suffix) : writers[format];
    // Otherwise it would open a PDF as a drawing, which has none of these formats.
    const reader =
      suffix.toLowerCase() !== '.pdf'
        ? undefined
        : slides.includes(format)
          ? 'impress_pdf_import'
          : 'writer_pdf_import';
    await convertDocument(
      this.pool,
      input,
      output,
      {
        suffix,
        writes: format,
        ...(writer === undefined ? {} : { writer }),
        ...(reader === undefined ? {} : { reader }),
      },
      signal,
      format === 'pdf' ? expectPdf : expectSomething,
    );
  }
}

function flatWriter(suffix: string): string {
  return (
    `OpenDocument ${slideNames.test(suffix) ? 'Presentation' : sheetNames.test(suffix) ? 'Spreadsheet' : 'Text'} ` +
    'Flat XML'
  );
}

async function expectSomething(file: string): Promise<void> {
  if ((await stat(file)).size === 0)
    throw new OperationalError('PROGRAM_FAILED', { program: 'libreoffice', detail: 'it wrote an empty file' });
}
