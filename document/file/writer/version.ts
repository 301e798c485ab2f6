import type { PDFContext } from 'pdf-lib';
import type { Security } from '../encryption/index.js';

const LEGAL = /^(?:1\.[0-7]|2\.0)$/;

/**
 * The version for the header: the document's, raised to what the output needs; always one that the standard defines.
 */
export function headerVersion(
  context: PDFContext,
  { version, objectStreams, security }: { version?: string; objectStreams?: boolean; security?: Security },
): string {
  const current = /%PDF-(\d\.\d+)/.exec(context.header.toString())?.[1] ?? '1.7';
  const needed = [version ?? '', objectStreams === true ? '1.5' : '', security?.pdfVersion ?? ''];
  return [LEGAL.test(current) ? current : '1.7', ...needed].reduce((most, each) =>
    LEGAL.test(each) && each > most ? each : most,
  );
}
