import { readPdf } from '../../content/text/index.js';
import { breathe } from '../../engines/rendering/breathe.js';
import type { PdfiumDocument } from '../../engines/pdfium/index.js';
import { type FileSource, type PdfInput, withSource } from '../../file/source/index.js';
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

/** A document of fewer pages is read before its fonts are compared. */
const PAGES_WORTH_COMPARING = 16;

/**
 * Passes the text of each page to `take`, page by page from the first, as `plainPageText` gives it. Of long documents,
 * plain pages are read without PDFium, and if there are few of them, files are read by two threads. Errors:
 * PDF_DAMAGED, PDF_NO_PAGES, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED; the signal's reason.
 */
export async function pageTexts(
  input: PdfInput,
  { signal, progress }: PageTextsOptions,
  take: (texts: readonly string[]) => Promise<void>,
): Promise<void> {
  await withSource(input, (source) =>
    readPdf(source, async (document) => {
      const pages = document.reachablePages();
      let done = 0;
      const give = async (texts: readonly string[]): Promise<void> => {
        await take(texts);
        done += texts.length;
        progress?.(done, pages);
        await breathe(signal);
      };
      if (pages >= PAGES_WORTH_COMPARING) await readSurely(source, document, signal, give);
      const path = 'path' in input ? input.path : undefined;
      if (done < pages) await readByThreads({ document, path, pages, first: done }, give);
    }),
  );
}

type Give = (texts: readonly string[]) => Promise<void>;

/** Reads pages from the first on, as long as most of them are plain. */
async function readSurely(
  source: Uint8Array | FileSource,
  document: PdfiumDocument,
  signal: AbortSignal = new AbortController().signal,
  give: Give,
): Promise<void> {
  const { SureTexts } = await import('./sure-texts.js');
  const sure = await SureTexts.open(source, document, signal);
  if (sure === undefined) return;
  for (let done = 0; ;) {
    const texts = await sure.from(done);
    if (texts.length === 0) return;
    for (let next = 0; next < texts.length; next += SIZES.perTurn) {
      const turn = texts.slice(next, next + SIZES.perTurn);
      await give(turn.map((text, i) => text ?? plainPageText(document, done + next + i)));
    }
    done += texts.length;
  }
}

interface Remaining {
  readonly document: PdfiumDocument;
  /** Its file, if it is in one. */
  readonly path: string | undefined;
  readonly pages: number;
  /** The page (0-based) to begin with. */
  readonly first: number;
}

async function readByThreads({ document, path, pages, first }: Remaining, give: Give): Promise<void> {
  const order = new PageOrder(pages, SIZES);
  order.startAt(first);
  const second =
    pages - first < PAGES_WORTH_A_THREAD || path === undefined
      ? undefined
      : await SecondThread.start<string>(new URL('./text-thread-entry.js', import.meta.url), path, order, {});
  const texts = new SharedReading(order, second, (page) => plainPageText(document, page));
  try {
    for (let done = first; done < pages;) {
      const next = await texts.from(done);
      await give(next);
      done += next.length;
    }
  } finally {
    await texts.stop();
  }
}
