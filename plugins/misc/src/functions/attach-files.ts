import { DocumentError } from '@quire/document';
import { packFile } from '@quire/document/embedded';
import { editFile, type OpenedPdf, withPdf } from '@quire/document/open';
import { addAttachments, distinctNames, type NewAttachment, readClaims, withdrawClaims } from '@quire/document/parts';
import { claimsPdfA, prepareForPdfA, restoreParts } from '@quire/document/pdfa';
import { InputError } from '@quire/registry/errors';

/** Bounds of what is embedded in one call, in bytes (contract/misc.yml, add-attachments). */
export const attachmentLimits = { file: 50 * 1024 ** 2, total: 200 * 1024 ** 2 } as const;

/** A file that is to be embedded. */
export interface FileToAttach {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly mediaType: string;
}

/** How files are attached. */
export interface AttachOptions {
  readonly mode: 'append' | 'rewrite';
  readonly now: Date;
  /** An empty folder for what is on its way into the document. */
  readonly scratch: string;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

/** What was done. */
export interface Attached {
  readonly attached: number;
  /** Attachments of the same name that were there before. */
  readonly replaced: number;
  /** The document claimed to be PDF/A of a part that takes no such files, and claims it no longer. */
  readonly withdrawn: boolean;
}

/** Checks the files of a call before anything is done. Errors: ATTACHMENT_TOO_LARGE, ATTACHMENTS_TOO_LARGE. */
export function checkAttachments(files: readonly FileToAttach[], limits: Readonly<Record<'file' | 'total', number>> = attachmentLimits): void {
  const field = 'attachments';
  const large = files.find(({ size }) => size > limits.file);
  if (large !== undefined) throw new InputError('ATTACHMENT_TOO_LARGE', { field, found: large.name, limit: limits.file }, [{ pointer: `/${field}`, detail: `"${large.name}" has ${large.size} bytes; the limit for one attachment is ${limits.file}` }]);
  const found = files.reduce((sum, { size }) => sum + size, 0);
  if (found > limits.total) throw new InputError('ATTACHMENTS_TOO_LARGE', { field, found, limit: limits.total }, [{ pointer: `/${field}`, detail: `together ${found} bytes; the limit is ${limits.total}` }]);
}

/**
 * Embeds files in a document, written to `target`. Errors: those of `editFile`.
 */
export function attachFiles(source: string, target: string, files: readonly FileToAttach[], options: AttachOptions): Promise<Attached> {
  return editFile(source, target, { mode: options.mode, mend: options.mode === 'rewrite', modified: options.now }, (opened) => attachTo(opened, files, options));
}

/**
 * Embeds files in what a program made of a document as PDF/A-3, written to `target`; the document's own files and metadata, which programs lose,
 * are put back. Errors: those of `editFile`; PDFA_IMPOSSIBLE when the program could not make PDF/A of it.
 */
export async function attachToPdfA3(original: string, converted: string, target: string, files: readonly FileToAttach[], options: AttachOptions): Promise<Attached & { readonly kept: number; readonly lost: number; readonly droppedAnnotations: number }> {
  // XMP would say fractions of a second that the information dictionary cannot say.
  const modified = new Date(Math.floor(options.now.getTime() / 1000) * 1000);
  return editFile(converted, target, { mode: 'rewrite', modified }, async (opened) => {
    if (!claimsPdfA(opened.document.context, 3)) throw new DocumentError('PDFA_IMPOSSIBLE', { field: 'fileInput', part: 3, level: 'B', detail: 'the converter found what the standard does not allow and could not leave it out' });
    const restored = await withPdf({ path: original }, {}, (before) => restoreParts(before, opened, { part: 3, scratch: options.scratch, now: modified, signal: options.signal }));
    return { ...(await attachTo(opened, files, { ...options, now: modified })), kept: restored.files, lost: restored.lost.length, droppedAnnotations: restored.annotations };
  });
}

/** Gives the path of the document as it is to be converted: the given one, or a copy in the scratch folder. Errors: those of `withPdf`. */
export function pathToConvert(path: string, { scratch }: Pick<AttachOptions, 'scratch'>): Promise<string> {
  return prepareForPdfA(path, `${scratch}/plain.pdf`);
}

/** True for a document that claims to be PDF/A-3 already: it needs no conversion, which would cost its tags, forms and fonts. */
export function isPdfA3(path: string): Promise<boolean> {
  return withPdf({ path }, { mend: false }, ({ document, decrypted }) => !decrypted && claimsPdfA(document.context, 3));
}

async function attachTo({ document: { context }, pages }: OpenedPdf, files: readonly FileToAttach[], { now, scratch, signal, progress }: AttachOptions): Promise<Attached> {
  const [part = '', level = ''] = (readClaims(context).get('PDF/A') ?? '').split('|');
  // Parts 1, 2 and 4 take no file, or only files that are PDF/A themselves (ISO 19005-1, 6.1.11; -2, 6.8; -4, 6.9); 3, 4e and 4f want to know what each is to the document.
  const takesAny = part === '3' || (part === '4' && (level === 'F' || level === 'E'));
  const withdrawn = part !== '' && !takesAny && withdrawClaims(context, ['PDF/A']).length > 0;
  const nameFor = distinctNames();
  const added: NewAttachment[] = [];
  for (const [i, file] of files.entries()) {
    signal.throwIfAborted();
    progress(i, files.length);
    const { stream, size, checksum } = await packFile(context, file.path, `${scratch}/new-${i}`, signal);
    const name = nameFor(file.name);
    added.push({
      name, file: stream, mediaType: file.mediaType, size, checksum, created: now, modified: now, description: name, ...(takesAny ? { relationship: 'Unspecified' as const } : {}),
    });
  }
  return { attached: added.length, replaced: addAttachments(context, pages, added), withdrawn };
}
