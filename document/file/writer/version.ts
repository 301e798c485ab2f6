import type { PDFContext } from 'pdf-lib';
import { claimsOf } from '../../structure/metadata/xmp.js';
import type { Security } from '../encryption/index.js';
import { catalogOf, entry } from '../objects/index.js';
import { xmlText } from '../objects/text-streams.js';

const LEGAL = /^(?:1\.[0-7]|2\.0)$/;

/**
 * The version for the header: the document's, raised to what the output needs; always one that the standard defines.
 */
export function headerVersion(
  context: PDFContext,
  { version, objectStreams, security }: { version?: string; objectStreams?: boolean | undefined; security?: Security },
): string {
  const current = /%PDF-(\d\.\d+)/.exec(context.header.toString())?.[1] ?? '1.7';
  const needed = [version ?? '', objectStreams === true ? '1.5' : '', security?.pdfVersion ?? ''];
  return [LEGAL.test(current) ? current : '1.7', ...needed].reduce((most, each) =>
    LEGAL.test(each) && each > most ? each : most,
  );
}

/** True for documents that claim PDF/A-1, which forbids object and cross-reference streams (ISO 19005-1, 6.1.4). */
export function forbidsObjectStreams(context: PDFContext): boolean {
  const catalog = catalogOf(context);
  const xmp = catalog === undefined ? undefined : xmlText(context, entry(catalog, 'Metadata'));
  return (
    claimsOf(xmp ?? '')
      .get('PDF/A')
      ?.startsWith('1|') === true
  );
}
