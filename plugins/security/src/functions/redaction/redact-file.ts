import { pagesAsPictures } from './pages-as-pictures.js';
import type { RedactionPlan } from './plan.js';
import { redactDocument, type RedactOptions } from './redact-document.js';

export interface RedactFileOptions extends RedactOptions {
  /** Resolution at which pages are converted to images afterwards; undefined leaves them as they are. */
  readonly dpi: number | undefined;
}

/** Path of the result, and values for the report. */
export interface RedactedFile {
  readonly path: string;
  readonly facts: Readonly<Record<string, number>>;
}

/**
 * Redacts a file into a new folder, and converts the pages of the result to images if requested. Throws the errors of
 * `redactDocument` and `pagesAsPictures`.
 */
export async function redactFile(
  source: string,
  folder: string,
  plan: RedactionPlan,
  { dpi, ...options }: RedactFileOptions,
): Promise<RedactedFile> {
  const { path, matches, unreadable } = await redactDocument(source, `${folder}/redacted.pdf`, plan, options);
  const facts = { ...(plan.search === undefined ? {} : { matches }), ...(unreadable > 0 ? { unreadable } : {}) };
  if (dpi === undefined) return { path, facts };
  const pictures = `${folder}/pictures.pdf`;
  await pagesAsPictures(path, pictures, { dpi, signal: options.signal, progress: options.progress });
  return { path: pictures, facts };
}
