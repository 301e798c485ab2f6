import type { PDFContext } from 'pdf-lib';
import type { RewriteOptions } from './rewrite.js';

const LEGAL = /^(?:1\.[0-7]|2\.0)$/;

/**
 * The version that a header says: the document's own, and not less than what is written needs; one that the standard
 * knows.
 */
export function headerVersion(context: PDFContext, { version, objectStreams, security }: RewriteOptions): string {
  const own = /%PDF-(\d\.\d+)/.exec(context.header.toString())?.[1] ?? '1.7';
  const needed = [version ?? '', objectStreams === true ? '1.5' : '', security?.pdfVersion ?? ''];
  return [LEGAL.test(own) ? own : '1.7', ...needed].reduce((most, each) =>
    LEGAL.test(each) && each > most ? each : most,
  );
}
