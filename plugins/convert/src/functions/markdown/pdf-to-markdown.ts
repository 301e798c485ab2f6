import { open } from 'node:fs/promises';
import { type Artefact, type LayoutPage, withLayout } from '@quire/document/layout';
import type { PdfInput } from '@quire/document/source';
import { MarkdownWriter } from './blocks.js';
import { escapeText } from './inline.js';

/** How the conversion is watched. */
export interface PdfToMarkdownOptions {
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

/**
 * Writes a PDF as Markdown (CommonMark with pipe tables and footnotes) into a file, page by page. Running titles and page numbers are left out.
 * Errors: PDF_DAMAGED, PDF_NO_PAGES, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED.
 */
export async function pdfToMarkdown(input: PdfInput, target: string, options: PdfToMarkdownOptions): Promise<void> {
  await withLayout(input, options, async (document) => {
    const writer = new MarkdownWriter();
    const file = await open(target, 'w');
    try {
      let first = true;
      let across = '';
      for await (const page of document.pages()) {
        const beside = acrossText(page.artefacts);
        const text = [pageText(writer, page), beside === across ? '' : beside].filter((one) => one !== '').join('\n\n');
        across = beside;
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

/** A page's body with its footnotes behind it; one that nothing refers to is a paragraph, or it would not be shown. */
function pageText(writer: MarkdownWriter, { blocks, footnotes }: LayoutPage): string {
  const body = writer.blocks(blocks);
  const notes = footnotes.map(({ id, mark, blocks: own }) => {
    const text = writer.blocks(own);
    return writer.isReferred(id) ? `[^${writer.footnote(id)}]: ${text.split('\n').map((line, i) => (i === 0 || line === '' ? line : `    ${line}`)).join('\n')}` : `<sup>${escapeText(mark)}</sup> ${text}`;
  });
  return [body, ...notes].filter((one) => one !== '').join('\n\n');
}

/** Text that stands across the others; the same on page after page is a mark, told once. */
function acrossText(artefacts: readonly Artefact[]): string {
  return artefacts.filter(({ kind }) => kind === 'other').map(({ runs }) => escapeText(runs.map(({ text }) => text).join('').trim())).join('\n\n');
}
