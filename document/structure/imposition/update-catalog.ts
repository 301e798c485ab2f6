import type { PDFContext } from 'pdf-lib';
import { asDict, catalogOf, entry, setEntry } from '../../file/objects/index.js';
import { acroFormOf } from '../../forms/fields/index.js';
import { dropPermissions } from '../../signatures/fields/index.js';
import { readClaims, readXmp, withdrawClaims, writeXmp } from '../metadata/index.js';
import { type Standard, withoutPageFacts } from '../metadata/xmp.js';

/** Properties of an imposition that a standard may forbid. */
export interface Imposition {
  /** True if every page is placed exactly once. */
  readonly eachOnce: boolean;
  /** True if layers were added. */
  readonly layered: boolean;
}

/** Removes document-level data that is wrong after pages became sheets, in place. */
export function updateCatalog(context: PDFContext, imposition: Imposition): void {
  const catalog = catalogOf(context);
  if (catalog === undefined) return;
  // Page labels count the old pages, and a sheet shows several of them or only a part; the same applies to document
  // parts (DPart).
  for (const key of ['PageLabels', 'DPartRoot']) setEntry(catalog, key, undefined);
  const preferences = asDict(context, entry(catalog, 'ViewerPreferences'));
  if (preferences !== undefined) setEntry(preferences, 'PrintPageRange', undefined);
  // XFA lays out the form on its own pages; the AcroForm fields work without it.
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
 * Sheets have no trim box, which PDF/X and standards based on it require; PDF/A-1 forbids layers; content that is shown
 * twice is tagged once.
 */
function untrue(context: PDFContext, { eachOnce, layered }: Imposition): Standard[] {
  const claims = readClaims(context);
  return [...claims.keys()].filter((standard) => {
    if (standard === 'PDF/A') return layered && (claims.get(standard) ?? '').startsWith('1');
    if (standard === 'PDF/UA' || standard === 'WTPDF') return !eachOnce;
    return standard === 'PDF/X' || standard === 'PDF/VT';
  });
}
