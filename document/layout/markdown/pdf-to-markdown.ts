import { open } from 'node:fs/promises';
import { withLayout } from '../index.js';
import type { PdfInput } from '../../file/source/index.js';
import { PageWriter } from './page-writer.js';

/** How the conversion is watched. */
export interface PdfToMarkdownOptions {
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
  /** Called if no page has text. */
  readonly withoutText?: () => void;
}

/**
 * Writes a PDF as Markdown (CommonMark with pipe tables and footnotes) into a file, page by page. Running titles and
 * page numbers are left out. Errors: PDF_DAMAGED, PDF_NO_PAGES, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED.
 */
export async function pdfToMarkdown(input: PdfInput, target: string, options: PdfToMarkdownOptions): Promise<void> {
  await withLayout(input, options, async (document) => {
    const writer = new PageWriter();
    const file = await open(target, 'w');
    try {
      let first = true;
      for await (const page of document.pages()) {
        const text = writer
          .parts(page)
          .map((part) => part.text)
          .join('\n\n');
        if (text === '') continue;
        await file.write(`${first ? '' : '\n'}${text}\n`);
        first = false;
      }
      // A file of no bytes would be no answer.
      if (first) await file.write('\n');
    } finally {
      await file.close();
    }
  });
}
