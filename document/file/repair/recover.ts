import { damageBehind, DocumentError } from '../../errors.js';
import { isInterrupted, withinTime } from '../../interrupt.js';
import { asDict, asNumber, catalogOf, entry } from '../objects/index.js';
import { securityOf } from '../open/index.js';
import { repairPages, walkPages } from '../../structure/pages/index.js';
import { type LazyDocument, openLazily } from '../reader/index.js';
import { rewriteBytes } from '../writer/index.js';
import { gatherPages } from './gather-pages.js';
import type { EngineResult } from './repair-engine.js';

/**
 * Reads a PDF with Quire's reader, which searches for misplaced objects, repairs the page tree and rewrites the objects
 * that the catalog reaches. In a file without catalog or pages, all page objects are collected. Version and
 * cross-reference form stay, and so does the encryption unless it is dropped. Throws PDF_DAMAGED (also after `timeMs`),
 * PDF_NO_PAGES, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED, PDF_ENCRYPTION_PUBLIC_KEY, and the errors of `bounds.ts`.
 */
export function recoverPdf(
  bytes: Uint8Array,
  timeMs: number,
  encryption: 'keep' | 'drop' = 'keep',
): EngineResult & { readonly encrypted: boolean } {
  try {
    return withinTime(timeMs, () => {
      const { document, gathered } = openOrGather(bytes);
      const claimed = claimedPages(document);
      const pages = repairPages(document.context);
      if (pages.length === 0) throw new DocumentError('PDF_NO_PAGES', { field: 'fileInput' });
      const security = encryption === 'keep' ? securityOf(document) : undefined;
      const written = rewriteBytes(document.context, {
        objectStreams: usesObjectStreams(document) ? true : undefined,
        ...(security === undefined ? {} : { security }),
      });
      // Evaluated after writing: only then has every object been read, and is it known which were misplaced.
      return {
        bytes: written,
        encrypted: security !== undefined,
        warnings: gathered
          ? ['its catalog or page tree was lost: the remaining pages were collected']
          : warningsOf(document, claimed, pages.length),
      };
    });
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const detail = isInterrupted(error) ? 'the reader did not finish in time' : damageBehind(error);
    throw new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail }, [], { cause: error });
  }
}

function warningsOf(document: LazyDocument, claimed: number | undefined, pages: number): readonly string[] {
  const places =
    document.crossReference === undefined
      ? 'its cross-reference was missing or unreadable: the file was searched for objects'
      : !document.continuable
        ? 'objects were not where its cross-reference says'
        : document.recovered
          ? 'its cross-reference or the ends of objects were wrong'
          : undefined;
  return [
    ...(places === undefined ? [] : [places]),
    ...(claimed === undefined || claimed === pages ? [] : [`it claimed ${claimed} pages and has ${pages}`]),
  ];
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

/** /Count of the root of the page tree. */
function claimedPages({ context }: LazyDocument): number | undefined {
  const catalog = catalogOf(context);
  const root = catalog === undefined ? undefined : asDict(context, entry(catalog, 'Pages'));
  return root === undefined ? undefined : asNumber(context, entry(root, 'Count'));
}

function usesObjectStreams(document: LazyDocument): boolean {
  if (document.crossReference !== undefined) return document.crossReference.form === 'stream';
  for (const { objectNumber } of document.references()) if (document.entry(objectNumber)?.kind === 'in') return true;
  return false;
}
