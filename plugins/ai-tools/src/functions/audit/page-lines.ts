import { plainPageText, withPages } from '@quire/document/layout';
import type { PdfInput } from '@quire/document/file/source';

/**
 * The lines of text of every page, empty ones left out; none for a page without text. Errors: those of opening, the
 * signal's reason.
 */
export async function pageLines(input: PdfInput, signal: AbortSignal): Promise<readonly (readonly string[])[]> {
  return withPages(input, async ({ document, pageCount }) => {
    const pages: string[][] = [];
    for (let index = 0; index < pageCount; index++) {
      signal.throwIfAborted();
      pages.push(
        plainPageText(document, index)
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
      );
      // The worker hears of a cancelled run between pages.
      if (index % 20 === 19)
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
    }
    return pages;
  });
}
