import { composeHtml } from '@quire/document/composition';
import type { ComposePdfOptions } from '@quire/document/composition/pdf';
import type { ValidationReport } from './validate.js';
import { type CheckedFile, type ReportLanguage, viewReport } from './view/view-report.js';

export interface WriteReportOptions extends ComposePdfOptions {
  readonly output: 'html' | 'pdf';
  readonly language: ReportLanguage;
}

/** The result of a check as a page for people: HTML without scripts, or PDF/A-3a. */
export async function writeReport(
  report: ValidationReport,
  file: CheckedFile,
  { output, language, ...options }: WriteReportOptions,
): Promise<Uint8Array> {
  const view = viewReport(report, file, language);
  if (output === 'html') return Buffer.from(composeHtml(view));
  const { composePdf } = await import('@quire/document/composition/pdf');
  return (await composePdf(view, options)).bytes;
}
