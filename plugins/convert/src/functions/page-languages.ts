import { stackPages } from '@quire/document/structure/imposition';
import { editFile, withPdf, writePdf } from '@quire/document/file/open';
import { fileHead } from '@quire/document/file/source';
import { InputError } from '@quire/registry/errors';

/** Formats that a PDF is written in. */
export const vectorFormats = ['ps', 'eps', 'pcl', 'xps'] as const;
export type VectorFormat = (typeof vectorFormats)[number];

/**
 * Returns the path of a PDF that Ghostscript can convert: the given one, or a copy at `copy` that is decrypted, starts
 * with its header, and, for EPS with its single page, has all pages stacked into one. Throws the codes of `withPdf`.
 */
export async function readyForVector(path: string, copy: string, format: VectorFormat): Promise<string> {
  const begins = await startsWithHeader(path);
  return withPdf({ path }, {}, async (opened) => {
    const several = format === 'eps' && opened.pages.length > 1;
    if (!several && begins && !opened.decrypted && opened.original !== undefined && opened.warnings.length === 0)
      return path;
    if (several) await stackPages(opened);
    writePdf(opened, copy, { mode: 'rewrite', stamp: false, protection: 'none', version: '1.6' });
    return copy;
  });
}

async function startsWithHeader(path: string): Promise<boolean> {
  return (await fileHead(path, 5)).toString('latin1') === '%PDF-';
}

/**
 * Names the program's result as made by whom it was made, and proves that it can be read. Errors: POSTSCRIPT_UNREADABLE
 * for one without pages.
 */
export async function finishDrawn(drawn: string, target: string, modified: Date): Promise<void> {
  try {
    await editFile(drawn, target, { mode: 'append', repair: false, modified }, () => undefined);
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'PDF_NO_PAGES')
      throw new InputError('POSTSCRIPT_UNREADABLE', { field: 'fileInput', detail: 'it draws no page' });
    throw error;
  }
}
