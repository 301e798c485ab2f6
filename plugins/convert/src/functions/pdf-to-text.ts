import { open } from 'node:fs/promises';
import { type PageTextsOptions, pageTexts } from '@quire/document/layout';
import type { PdfInput } from '@quire/document/file/source';

/** How the conversion is watched. */
export interface TextOptions extends PageTextsOptions {
  /** Called if no page has text. */
  readonly withoutText?: () => void;
}

/**
 * Writes the text of a PDF as UTF-8 into a file, line by line in reading order; each page ends with an empty line.
 * Throws PDF_DAMAGED, PDF_NO_PAGES, PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED.
 */
export async function pdfToText(input: PdfInput, target: string, options: TextOptions): Promise<void> {
  const file = await open(target, 'w');
  let hasText = false;
  try {
    await pageTexts(input, options, async (texts) => {
      hasText ||= texts.some((text) => text.trim() !== '');
      await file.write(texts.map((text) => `${text}\n`).join(''));
    });
    if (!hasText) options.withoutText?.();
  } finally {
    await file.close();
  }
}
