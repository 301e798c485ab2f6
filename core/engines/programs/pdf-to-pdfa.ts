import { srgbProfile } from '@quire/document/images/icc';
import type { PdfAFlavour, PdfToPdfA } from '@quire/registry';
import { DefectError } from '@quire/registry/errors';
import { drawPdf } from './program-files.js';
import type { ProgramSupervisor } from './supervisor.js';

/**
 * Converts PDFs to PDF/A, level B, with Ghostscript: pages redrawn in sRGB, fonts embedded, forbidden features left
 * out.
 */
export class GhostscriptPdfToPdfA implements PdfToPdfA {
  constructor(private readonly programs: ProgramSupervisor) {}

  /** Rejects with PROGRAM_MISSING, DOCUMENT_UNPROCESSABLE, and what the supervisor rejects with. */
  async convert(flavour: PdfAFlavour, input: string, output: string, signal: AbortSignal): Promise<void> {
    // The value comes from a worker, which is not trusted.
    const { part, conformance } = flavour ?? {};
    if (![1, 2, 3].includes(part) || conformance !== 'B')
      throw new DefectError('CONTRACT_BROKEN', { detail: 'not a flavour of PDF/A that Ghostscript writes' });
    // Features that PDF/A does not allow are left out, and the rest is PDF/A.
    await drawPdf(
      this.programs,
      input,
      output,
      async (files) => {
        const profile = await files.add('srgb.icc', srgbProfile());
        const intent = await files.add('intent.ps', outputIntent(profile));
        return {
          options: [
            `--permit-file-read=${profile}`,
            '-sDEVICE=pdfwrite',
            `-dPDFA=${part}`,
            '-dPDFACompatibilityPolicy=1',
            '-sColorConversionStrategy=RGB',
          ],
          before: [intent],
        };
      },
      signal,
    );
  }
}

/**
 * Names the profile as the document's output intent (ISO 19005-1, 6.2.2). All parts of the standard call it GTS_PDFA1.
 */
function outputIntent(profile: string): string {
  return `%!
[ /_objdef {profile} /type /stream /OBJ pdfmark
[ {profile} << /N 3 >> /PUT pdfmark
[ {profile} <${Buffer.from(profile, 'utf8').toString('hex')}> (r) file /PUT pdfmark
[ /_objdef {intent} /type /dict /OBJ pdfmark
[ {intent} << /Type /OutputIntent /S /GTS_PDFA1 /DestOutputProfile {profile}
/OutputConditionIdentifier (sRGB) /Info (sRGB IEC61966-2.1) >> /PUT pdfmark
[ {Catalog} << /OutputIntents [ {intent} ] >> /PUT pdfmark
`;
}
