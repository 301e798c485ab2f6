import { packFile } from '@quire/document/structure/attachments';
import { editFile, type OpenedPdf } from '@quire/document/file/open';
import { addAttachments, type NewAttachment } from '@quire/document/structure/attachments';
import { distinctNames } from '@quire/document/structure/names';
import { readClaims, withdrawClaims } from '@quire/document/structure/metadata';
import type { ImagesInstead } from '@quire/document/engines/rendering';
import { convertToPdfA, type PdfAEngines, type PdfAWay } from '@quire/document/standards/pdfa';
import { InputError } from '@quire/registry/errors';

/** Limits for the files of one call, in bytes (docs/interface/misc.yml, add-attachments). */
const attachmentLimits = { file: 50 * 1024 ** 2, total: 200 * 1024 ** 2 } as const;

export interface FileToAttach {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly mediaType: string;
}

export interface AttachOptions {
  readonly mode: 'append' | 'rewrite';
  /** As in `WriteOptions`. */
  readonly spendsInput?: boolean;
  readonly now: Date;
  /** An empty folder for intermediate files. */
  readonly scratch: string;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

export interface Attached {
  readonly attached: number;
  /** Number of existing attachments with the same name that were replaced. */
  readonly replaced: number;
  /** The document declared a part of PDF/A that forbids such files, and the declaration was removed. */
  readonly withdrawn: boolean;
}

/** Checks the files of a call before any work. Throws ATTACHMENT_TOO_LARGE, ATTACHMENTS_TOO_LARGE. */
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

/** Embeds files in a document, written to `target`. Throws the errors of `editFile`. */
export function attachFiles(
  source: string,
  target: string,
  files: readonly FileToAttach[],
  options: AttachOptions,
): Promise<Attached> {
  return editFile(
    source,
    target,
    {
      mode: options.mode,
      repair: options.mode === 'rewrite',
      modified: options.now,
      spendsInput: options.spendsInput === true,
    },
    (opened) => attachTo(opened, files, options),
  );
}

export interface AttachedToPdfA extends Attached {
  /** How the document became PDF/A-3; `kept` if it was PDF/A-3 before. */
  readonly way: PdfAWay;
  readonly converted: boolean;
  readonly checked: boolean;
  /** True if a validator confirmed that the result is PDF/A-3; otherwise the result does not declare it. */
  readonly compliant: boolean;
  /** Number of files and annotations that PDF/A-3 forbids and that were removed. */
  readonly lost: number;
  readonly droppedAnnotations: number;
}

const PDFA_3B = { part: 3, level: 'B' } as const;

/**
 * Embeds files in a document and converts it to PDF/A-3, level B. Returns the path of the result, in the scratch
 * folder. Throws the errors of `editFile` and `convertToPdfA`.
 */
export async function attachToPdfA3(
  source: string,
  files: readonly FileToAttach[],
  programs: PdfAEngines,
  options: AttachOptions,
): Promise<{ readonly path: string; readonly facts: AttachedToPdfA; readonly images?: ImagesInstead }> {
  // XMP would store fractions of a second, which the information dictionary cannot, and the two must match.
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
    images,
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
    ...(images === undefined ? {} : { images }),
  };
}

async function attachTo(
  { document: { context }, pages }: OpenedPdf,
  files: readonly FileToAttach[],
  { now, scratch, signal, progress }: AttachOptions,
): Promise<Attached> {
  const [part = '', level = ''] = (readClaims(context).get('PDF/A') ?? '').split('|');
  // Parts 1, 2 and 4 allow no files, or only files that are PDF/A themselves (ISO 19005-1, 6.1.11; -2, 6.8; -4, 6.9);
  // 3, 4e and 4f allow any file whose relationship to the document is declared.
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
