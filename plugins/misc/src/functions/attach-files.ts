import { packFile } from '@quire/document/structure/attachments';
import { editFile, type OpenedPdf } from '@quire/document/file/open';
import { addAttachments, type NewAttachment } from '@quire/document/structure/attachments';
import { distinctNames } from '@quire/document/structure/names';
import { readClaims, withdrawClaims } from '@quire/document/structure/metadata';
import { convertToPdfA, type PdfAEngines, type PdfAWay } from '@quire/document/standards/pdfa';
import { InputError } from '@quire/registry/errors';

/** Bounds of what is embedded in one call, in bytes (docs/interface/misc.yml, add-attachments). */
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
export function checkAttachments(
  files: readonly FileToAttach[],
  limits: Readonly<Record<'file' | 'total', number>> = attachmentLimits,
): void {
  const field = 'attachments';
  const large = files.find(({ size }) => size > limits.file);
  if (large !== undefined)
    throw new InputError('ATTACHMENT_TOO_LARGE', { field, found: large.name, limit: limits.file }, [
      {
        pointer: `/${field}`,
        detail: `"${large.name}" has ${large.size} bytes; the limit for one attachment is ${limits.file}`,
      },
    ]);
  const found = files.reduce((sum, { size }) => sum + size, 0);
  if (found > limits.total)
    throw new InputError('ATTACHMENTS_TOO_LARGE', { field, found, limit: limits.total }, [
      { pointer: `/${field}`, detail: `together ${found} bytes; the limit is ${limits.total}` },
    ]);
}

/**
 * Embeds files in a document, written to `target`. Errors: those of `editFile`.
 */
export function attachFiles(
  source: string,
  target: string,
  files: readonly FileToAttach[],
  options: AttachOptions,
): Promise<Attached> {
  return editFile(
    source,
    target,
    { mode: options.mode, repair: options.mode === 'rewrite', modified: options.now },
    (opened) => attachTo(opened, files, options),
  );
}

/** What was done on the way to PDF/A-3. */
export interface AttachedToPdfA extends Attached {
  /** How the document became PDF/A-3, `kept` when it was so before. */
  readonly way: PdfAWay;
  readonly converted: boolean;
  readonly checked: boolean;
  /** A validator found the result to be what it claims; where it is not, it claims nothing. */
  readonly compliant: boolean;
  /** Files and annotations that PDF/A-3 does not take. */
  readonly lost: number;
  readonly droppedAnnotations: number;
}

const PDFA_3B = { part: 3, level: 'B' } as const;

/**
 * Embeds files in a document and makes all of it PDF/A-3, level B; gives the path of the result, in the scratch folder.
 * Errors: those of `editFile` and `convertToPdfA`.
 */
export async function attachToPdfA3(
  source: string,
  files: readonly FileToAttach[],
  programs: PdfAEngines,
  options: AttachOptions,
): Promise<{ readonly path: string; readonly facts: AttachedToPdfA }> {
  // XMP would say fractions of a second that the information dictionary cannot say.
  const now = new Date(Math.floor(options.now.getTime() / 1000) * 1000);
  const filled = `${options.scratch}/filled.pdf`;
  const attached = await attachFiles(source, filled, files, { ...options, mode: 'rewrite', now });
  const {
    path,
    way,
    claims,
    checked,
    files: lost,
    annotations,
  } = await convertToPdfA(filled, PDFA_3B, programs, {
    folder: `${options.scratch}/pdfa`,
    now,
    strict: false,
    signal: options.signal,
  });
  return {
    path,
    facts: {
      ...attached,
      way,
      converted: way !== 'kept',
      checked,
      compliant: checked && claims !== undefined,
      lost,
      droppedAnnotations: annotations,
    },
  };
}

async function attachTo(
  { document: { context }, pages }: OpenedPdf,
  files: readonly FileToAttach[],
  { now, scratch, signal, progress }: AttachOptions,
): Promise<Attached> {
  const [part = '', level = ''] = (readClaims(context).get('PDF/A') ?? '').split('|');
  // Parts 1, 2 and 4 take no file, or only files that are PDF/A themselves (ISO 19005-1, 6.1.11; -2, 6.8; -4, 6.9); 3,
  // 4e and 4f want to know what each is to the document.
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
      name,
      file: stream,
      mediaType: file.mediaType,
      size,
      checksum,
      created: now,
      modified: now,
      description: name,
      ...(takesAny ? { relationship: 'Unspecified' as const } : {}),
    });
  }
  return { attached: added.length, replaced: addAttachments(context, pages, added), withdrawn };
}
