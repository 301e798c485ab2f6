import { open } from 'node:fs/promises';
import { plainPageText } from '@quire/document/layout';
import { breathe } from '@quire/document/engines/rendering';
import type { PdfInput } from '@quire/document/file/source';
import { readPdf } from '@quire/document/content/text';

/** How the extraction is watched. */
export interface PdfToTextOptions {
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

/** Pages between which the process may do other things. */
const PAGES_AT_ONCE = 8;

/**
 * Writes the text of a PDF as UTF-8 into a file, line by line in reading order; each page ends with an empty line.
 * Throws PDF_DAMAGED, PDF_NO_PAGES, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED.
 */
export async function pdfToText(
  input: PdfInput,
  target: string,
  { signal, progress }: PdfToTextOptions,
): Promise<void> {
  await readPdf(input, async (document) => {
    const pages = document.reachablePages();
    const file = await open(target, 'w');
    try {
      let waiting = '';
      for (let index = 0; index < pages; index++) {
        waiting += `${plainPageText(document, index)}\n`;
        if (index % PAGES_AT_ONCE !== PAGES_AT_ONCE - 1 && index < pages - 1) continue;
        await file.write(waiting);
        waiting = '';
        progress(index + 1, pages);
        await breathe(signal);
      }
    } finally {
      await file.close();
    }
  });
}
