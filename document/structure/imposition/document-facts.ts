import type { PDFContext } from 'pdf-lib';
import { asDict, catalogOf, entry, setEntry } from '../../file/objects/index.js';
import { acroFormOf } from '../../forms/fields/index.js';
import { dropPermissions } from '../../signatures/fields/index.js';
import { readClaims, readXmp, withdrawClaims, writeXmp } from '../metadata/index.js';
import { type Standard, withoutPageFacts } from '../metadata/xmp.js';

/** What imposing does that a standard may forbid. */
export interface Imposition {
  /** Every page lies on one sheet, once. */
  readonly eachOnce: boolean;
  /** Layers were added. */
  readonly layered: boolean;
}

/** Corrects what a document says of itself after its pages became sheets, in place. */
export function correctFacts(context: PDFContext, imposition: Imposition): void {
  const catalog = catalogOf(context);
  if (catalog === undefined) return;
  // Labels number the pages that were, and a sheet shows several of them or a part of one; so do print ranges and parts
  // of print jobs.
  for (const key of ['PageLabels', 'DPartRoot']) setEntry(catalog, key, undefined);
  const preferences = asDict(context, entry(catalog, 'ViewerPreferences'));
  if (preferences !== undefined) setEntry(preferences, 'PrintPageRange', undefined);
  // XFA lays the form out on its own pages; the fields themselves stand without it.
  const form = acroFormOf(context);
  if (form !== undefined) setEntry(form, 'XFA', undefined);
  dropPermissions(context);
  withdrawClaims(context, untrue(context, imposition));
  const xmp = readXmp(context);
  if (xmp === undefined) return;
  const text = withoutPageFacts(xmp);
  if (text !== xmp) setEntry(catalog, 'Metadata', writeXmp(context, text));
}

/**
 * Sheets have no trim box, as PDF/X and what builds on it want; PDF/A-1 knows no layers; content shown twice is tagged
 * once.
 */
function untrue(context: PDFContext, { eachOnce, layered }: Imposition): Standard[] {
  const claims = readClaims(context);
  return [...claims.keys()].filter((standard) => {
    if (standard === 'PDF/A') return layered && (claims.get(standard) ?? '').startsWith('1');
    if (standard === 'PDF/UA' || standard === 'WTPDF') return !eachOnce;
    return standard === 'PDF/X' || standard === 'PDF/VT';
  });
}
