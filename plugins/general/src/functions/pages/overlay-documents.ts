import { PageOverlay } from '@quire/document/content/drawing';
import { invert, multiply, translation, type UprightPage, uprightPage } from '@quire/document/structure/geometry';
import { PageImports } from '@quire/document/structure/imposition';
import {
  editFile,
  guardDocument,
  type OpenedPdf,
  openPdf,
  type OpenOptions,
  type WriteOptions,
} from '@quire/document/file/open';
import { readClaims, withdrawClaims } from '@quire/document/structure/metadata';
import { withSources } from '@quire/document/file/source';
import type { PDFContext } from 'pdf-lib';
import type { OverlayPlan } from './overlay-plan.js';

export interface OverlayOptions extends OpenOptions, WriteOptions {
  /** True puts the overlays under the content of the base pages. */
  readonly under: boolean;
  /**
   * Receives the page counts of the overlay files and returns the plan for the base pages; an error that it throws
   * stops the work.
   */
  readonly plan: (pageCounts: readonly number[]) => OverlayPlan;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

const FIELD = 'overlayFiles';
/** Standards that restrict what pages show. PDF/UA is not one: overlays are artifacts and do not affect tags. */
const APPEARANCE_BOUND: ReadonlySet<string> = new Set(['PDF/A', 'PDF/X', 'PDF/E', 'PDF/VT']);

/**
 * Puts pages of other documents over or under the pages of a base document and writes the result to `target`: centred
 * on the visible base page, upright, neither scaled nor clipped. Each overlay page is copied once, however often it is
 * used. Throws the errors of `openPdf` for either, naming `fileInput` or `overlayFiles`.
 */
export async function overlayDocuments(
  base: string,
  overlays: readonly string[],
  target: string,
  options: OverlayOptions,
): Promise<void> {
  const { under, plan, signal, onProgress, ...writing } = options;
  await withSources(
    overlays.map((path) => ({ path })),
    async (sources) => {
      const opened: OpenedPdf[] = [];
      for (const source of sources) opened.push(await openPdf(source, { field: FIELD }));
      const planned = plan(opened.map(({ pages }) => pages.length));
      await editFile(base, target, writing, async ({ document: { context }, pages }) => {
        const imports = opened.map((one) => new PageImports(one, context));
        const overlay = new PageOverlay(context);
        for (const [i, page] of pages.entries()) {
          signal?.throwIfAborted();
          const wanted = planned(i);
          const source = wanted === undefined ? undefined : imports[wanted.file];
          if (wanted !== undefined && source !== undefined) {
            const { form, seen } = await guardDocument(FIELD, () => source.page(wanted.page));
            const matrix = centred(seen, uprightPage(context, page));
            if (matrix !== undefined) overlay.add(page, form, { matrix, under, artifact: true });
          }
          onProgress?.(i + 1, pages.length);
        }
        for (const source of imports) await guardDocument(FIELD, () => source.addLayers());
        withdrawUnshared(context, opened);
      });
    },
  );
}

/** Declarations about colours and fonts stay only if all overlays have the same ones. */
function withdrawUnshared(context: PDFContext, overlays: readonly OpenedPdf[]): void {
  const claims = overlays.map(({ document }) => readClaims(document.context));
  const unshared = [...readClaims(context)].filter(
    ([standard, level]) => APPEARANCE_BOUND.has(standard) && claims.some((one) => one.get(standard) !== level),
  );
  if (unshared.length > 0)
    withdrawClaims(
      context,
      unshared.map(([standard]) => standard),
    );
}

/**
 * From the overlay page's user space to the base page's, so that their visible centres coincide; undefined for a base
 * page without size.
 */
function centred(overlay: UprightPage, base: UprightPage): ReturnType<typeof invert> {
  const back = invert(base.matrix);
  if (back === undefined) return undefined;
  const middle = translation((base.width - overlay.width) / 2, (base.height - overlay.height) / 2);
  return multiply(multiply(overlay.matrix, middle), back);
}
