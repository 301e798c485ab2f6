import { InputError } from '@quire/registry';
import type { WireFile } from '../workers/wire-file.js';
import { fileAmong } from './blame-input.js';
import { isPdf } from './operation-run.js';
import type { RunDocuments } from './run-documents.js';

/** Most pages of one document, as the caller's role says. */
export interface PageLimit {
  readonly limit: number;
  /** Name and title of the role. */
  readonly role: string;
  readonly title: string;
}

/** The documents of one run. */
export interface SentDocuments {
  readonly files: readonly WireFile[];
  /** Pages of each PDF among the files, in order; empty if the operation opens them itself. */
  readonly pages: readonly number[];
  readonly parts: Readonly<Record<string, readonly WireFile[]>>;
}

/**
 * Throws ROLE_PAGES_EXCEEDED for a PDF with more pages than the caller's role allows, in the files of other fields too.
 * A file that does not open, or not without its password, has no pages that could be counted.
 */
export async function checkPageLimit(
  { limit, role, title }: PageLimit,
  { files, pages, parts }: SentDocuments,
  documents: Pick<RunDocuments, 'countPages'>,
): Promise<void> {
  const refuse = (field: string, all: readonly WireFile[], counts: readonly number[]): void => {
    const pdfs = all.filter(isPdf);
    pdfs.forEach((file, at) => {
      const found = counts[at] ?? 0;
      if (found <= limit) return;
      const data = { file: fileAmong(all, all.indexOf(file)), found, limit, role, title };
      const { message } = new InputError('ROLE_PAGES_EXCEEDED', data);
      throw new InputError('ROLE_PAGES_EXCEEDED', data, [{ pointer: `/${field}`, detail: message }]);
    });
  };
  const countOf = async (all: readonly WireFile[]): Promise<readonly number[]> => {
    const pdfs = all.filter(isPdf);
    return pdfs.length === 0 ? [] : documents.countPages(pdfs);
  };
  refuse('fileInput', files, pages.length > 0 ? pages : await countOf(files));
  for (const [field, sent] of Object.entries(parts)) refuse(field, sent, await countOf(sent));
}
