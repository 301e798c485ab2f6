import type { PdfiumDocument } from '../pdfium/index.js';
import { breathe } from './breathe.js';
import { fittingDpi, pixelSize } from './limits.js';
import { renderPage } from './render-page.js';
import { readPdf } from '../../content/text/index.js';

/** Pages read between two checks of the signal. */
const PAGES_PER_CHECK = 16;

/** Defines when a page without text is blank. */
export interface BlankRule {
  /** How far below 255 the darkest channel of a white pixel may be, 0 to 255. */
  readonly threshold: number;
  /** Share of white pixels in percent from which the page is blank. */
  readonly whitePercent: number;
}

export interface FindOptions {
  /** Resolution to use; lowered where the pixel limits require it. */
  readonly maxDpi: number;
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

/**
 * Reports for each page whether it is blank (`docs/interface/misc.yml`, remove-blanks): a page with text never is, one
 * that draws nothing always is, and every other page is rendered and measured, whether it has images, vectors or
 * annotations. Throws the errors of `readPdf`.
 */
export async function findBlankPages(
  source: string,
  rule: BlankRule,
  { maxDpi, signal, progress }: FindOptions,
): Promise<boolean[]> {
  return readPdf({ path: source }, async (document) => {
    const verdicts: (boolean | undefined)[] = [];
    for (let page = 0, pages = document.reachablePages(); page < pages; page++) {
      if (page % PAGES_PER_CHECK === 0) await breathe(signal);
      verdicts.push(document.pageText(page).trim() !== '' ? false : drawsNothing(document, page) ? true : undefined);
    }
    const doubtful = verdicts.flatMap((verdict, page) =>
      verdict === undefined ? [{ page, ...document.pageGeometry(page) }] : [],
    );
    const dpi = fittingDpi(doubtful, maxDpi);
    for (const [done, { page, ...size }] of doubtful.entries()) {
      await breathe(signal);
      verdicts[page] = isWhite(renderPage(document, page, { ...pixelSize(size, dpi), annotations: true }), rule);
      progress?.(done + 1, doubtful.length);
    }
    return verdicts.map((verdict) => verdict === true);
  });
}

function drawsNothing(document: PdfiumDocument, index: number): boolean {
  const { pdfium } = document;
  return document.withPage(
    index,
    (page) => pdfium.FPDFPage_CountObjects(page) <= 0 && pdfium.FPDFPage_GetAnnotCount(page) <= 0,
  );
}

/** Every channel counts, so that pale and coloured marks are not white. */
function isWhite(rgba: Uint8Array, { threshold, whitePercent }: BlankRule): boolean {
  const least = 255 - threshold;
  let white = 0;
  for (let i = 0; i < rgba.length; i += 4)
    if (rgba[i]! >= least && rgba[i + 1]! >= least && rgba[i + 2]! >= least) white++;
  return (white / (rgba.length / 4)) * 100 >= whitePercent;
}
