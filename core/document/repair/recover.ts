import { PDFDict } from 'pdf-lib';
import { type Security, stringBytes } from '../encryption/index.js';
import { DocumentError } from '../errors.js';
import { isInterrupted, withinTime } from '../interrupt.js';
import { asDict, asNumber, catalogOf, elements, entry, isString, resolve } from '../objects/index.js';
import { mendPages, walkPages } from '../pages/index.js';
import { type LazyDocument, openLazily } from '../reader/index.js';
import { rewriteBytes } from '../writer/index.js';
import { gatherPages } from './gather-pages.js';
import type { RungResult } from './rungs.js';

/**
 * Reads a PDF with our own reader, which finds what is not where the file says, puts its page tree right and writes what the catalog
 * reaches anew. A file without catalog or pages gets its pages gathered. Version, form of the cross-reference and encryption stay.
 * Errors: PDF_DAMAGED (also when `timeMs` is over), PDF_NO_PAGES, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED, PDF_ENCRYPTION_PUBLIC_KEY,
 * and those of the bounds.
 */
export function recoverPdf(bytes: Uint8Array, timeMs: number): RungResult {
  try {
    return withinTime(timeMs, () => {
      const { document, warnings } = readWhole(bytes);
      const security = sameSecurity(document);
      const objectStreams = document.crossReference?.form === 'stream';
      return { bytes: rewriteBytes(document.context, { objectStreams, ...(security === undefined ? {} : { security }) }), warnings };
    });
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const detail = isInterrupted(error) ? 'the reader came to no end with it' : 'its objects contradict each other';
    throw new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail }, [], { cause: error });
  }
}

function readWhole(bytes: Uint8Array): { readonly document: LazyDocument; readonly warnings: readonly string[] } {
  const { document, gathered } = openOrGather(bytes);
  const claimed = claimedPages(document);
  const pages = mendPages(document.context);
  if (pages.length === 0) throw new DocumentError('PDF_NO_PAGES', { field: 'fileInput' });
  // Only a look at every object tells what stands elsewhere.
  for (const ref of document.references()) document.lookup(ref);
  const warnings = [
    ...(gathered ? ['its catalog or page tree was lost: the pages that are left were put together'] : []),
    ...(document.crossReference === undefined ? ['its cross-reference was missing or unreadable: the file was searched for objects']
      : !document.continuable ? ['objects stood elsewhere than its cross-reference says'] : document.recovered ? ['its cross-reference or the ends of objects were wrong'] : []),
    ...(claimed !== undefined && claimed !== pages.length && !gathered ? [`it claimed ${claimed} pages and has ${pages.length}`] : []),
  ];
  return { document, warnings };
}

function openOrGather(bytes: Uint8Array): { readonly document: LazyDocument; readonly gathered: boolean } {
  let refusal: unknown;
  try {
    const document = openLazily(bytes);
    if (walkPages(document.context).length > 0) return { document, gathered: false };
  } catch (error) {
    if (!(error instanceof DocumentError) || error.code !== 'PDF_DAMAGED') throw error;
    refusal = error;
  }
  const document = gatherPages(bytes);
  if (document === undefined) throw refusal ?? new DocumentError('PDF_NO_PAGES', { field: 'fileInput' });
  return { document, gathered: true };
}

/** The number of pages that the root of the page tree tells. */
function claimedPages({ context }: LazyDocument): number | undefined {
  const catalog = catalogOf(context);
  const root = catalog === undefined ? undefined : asDict(context, entry(catalog, 'Pages'));
  return root === undefined ? undefined : asNumber(context, entry(root, 'Count'));
}

/** The encryption that the file has, for the new one: the same keys and passwords hold. Undefined when it has none. */
function sameSecurity(document: LazyDocument): Security | undefined {
  const { context, security } = document;
  const dict = resolve(context, context.trailerInfo.Encrypt);
  if (security === undefined || !(dict instanceof PDFDict)) return undefined;
  const [first] = elements(context, context.trailerInfo.ID);
  const string = resolve(context, first);
  const versions = { 2: '1.1', 3: '1.4', 4: '1.6' } as const;
  const { revision, cipher } = security;
  return { dict, cipher, id: isString(string) ? stringBytes(string) : new Uint8Array(), pdfVersion: revision in versions ? versions[revision as keyof typeof versions] : '2.0' };
}
