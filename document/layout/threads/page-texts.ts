import { readPdf } from '../../content/text/index.js';
import { breathe } from '../../engines/rendering/breathe.js';
import type { PdfInput } from '../../file/source/index.js';
import { plainPageText } from '../plain-text.js';
import { PageOrder } from './page-order.js';
import { SecondThread } from './second-thread.js';
import { SharedReading } from './shared-reading.js';

/** How the reading is watched. */
export interface PageTextsOptions {
  readonly signal?: AbortSignal;
  /** Called with the pages that are done, and the pages in all. */
  readonly progress?: (done: number, total: number) => void;
}

/** A document of fewer pages is read before a second thread has started. */
const PAGES_WORTH_A_THREAD = 64;
const SIZES = { perTurn: 8, ahead: 64 };

/**
 * Passes the text of each page to `take`, page by page from the first, as `plainPageText` gives it. Long documents in
 * files are read by two threads. Errors: PDF_DAMAGED, PDF_NO_PAGES, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED; the
 * signal's reason.
 */
export async function pageTexts(
  input: PdfInput,
  { signal, progress }: PageTextsOptions,
  take: (texts: readonly string[]) => Promise<void>,
): Promise<void> {
  await readPdf(input, async (document) => {
    const pages = document.reachablePages();
    const order = new PageOrder(pages, SIZES);
    const second =
      pages < PAGES_WORTH_A_THREAD || !('path' in input)
        ? undefined
        : await SecondThread.start<string>(new URL('./text-thread-entry.js', import.meta.url), input.path, order, {});
    const texts = new SharedReading(order, second, (page) => plainPageText(document, page));
    try {
      for (let done = 0; done < pages;) {
        const next = await texts.from(done);
        await take(next);
        done += next.length;
        progress?.(done, pages);
        await breathe(signal);
      }
    } finally {
      await texts.stop();
    }
  });
}
