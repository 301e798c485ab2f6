import { DocumentError } from '@quire/document';
import { unpackFile } from '@quire/document/structure/attachments';
import { guardDocument, withPdf } from '@quire/document/file/open';
import { attachmentFacts, type EmbeddedAttachment, listAttachments } from '@quire/document/structure/attachments';
import { distinctNames } from '@quire/document/structure/names';
import type { PDFContext } from 'pdf-lib';

/** Limits for the extracted files (docs/interface/misc.yml, extract-attachments), and for the work on skipped ones. */
export const extractionLimits = {
  fileBytes: 50 * 1024 ** 2,
  totalBytes: 200 * 1024 ** 2,
  workedBytes: 1024 ** 3,
  files: 10_000,
} as const;

export interface ExtractedFile {
  readonly path: string;
  /** A file name without folders, unique among the extracted files. */
  readonly name: string;
  readonly modified: Date | undefined;
}

export interface ExtractOptions {
  /** Used to name a file without a name. */
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
  readonly limits?: Readonly<Record<keyof typeof extractionLimits, number>>;
}

/**
 * Writes the files of the document's EmbeddedFiles into an empty folder, in order, and returns the names of those
 * skipped because of their size or broken data. Throws the errors of `withPdf`; ATTACHMENTS_NONE if nothing was
 * written.
 */
export function extractAttachmentFiles(
  path: string,
  folder: string,
  options: ExtractOptions,
): Promise<{ readonly files: ExtractedFile[]; readonly skipped: string[] }> {
  return withPdf({ path }, { repair: false }, ({ document: { context } }) =>
    guardDocument('fileInput', () => extractFrom(context, folder, options)),
  );
}

async function extractFrom(
  context: PDFContext,
  folder: string,
  { now, signal, progress, limits = extractionLimits }: ExtractOptions,
): Promise<{ files: ExtractedFile[]; skipped: string[] }> {
  const attachments = listAttachments(context);
  const files: ExtractedFile[] = [];
  const skipped: string[] = [];
  const distinct = distinctNames();
  let [total, worked] = [0, 0];
  for (const [i, attachment] of attachments.entries()) {
    signal.throwIfAborted();
    progress(i, attachments.length);
    const target = `${folder}/${i}`;
    const maxBytes = Math.min(limits.fileBytes, limits.totalBytes - total);
    // Skipped data costs time too: a document with many decompression bombs must not take forever.
    const unpacked =
      i < limits.files && worked < limits.workedBytes
        ? await unpackFile(context, attachment.file, target, maxBytes, signal)
        : undefined;
    worked += unpacked?.worked ?? 0;
    if (unpacked?.outcome !== 'written') {
      skipped.push(attachment.name);
      continue;
    }
    total += unpacked.size;
    files.push({ path: target, name: distinct(fileName(attachment.name, now)), modified: timeOf(context, attachment) });
  }
  if (files.length > 0) return { files, skipped };
  const detail =
    attachments.length === 0
      ? 'its list of attachments is empty'
      : `all ${attachments.length} are too large or cannot be unpacked`;
  throw new DocumentError('ATTACHMENTS_NONE', { field: 'fileInput', detail });
}

function timeOf(context: PDFContext, attachment: EmbeddedAttachment): Date | undefined {
  const { modificationDate, creationDate } = attachmentFacts(context, attachment);
  const text = modificationDate ?? creationDate;
  return text === null ? undefined : new Date(text);
}

/** Removes folders and control characters from a name; invents a name if nothing is left. */
function fileName(raw: string, now: Date): string {
  const bare = (raw.split(/[/\\]/).at(-1) ?? '').replaceAll(/[\p{Cc}\u2028\u2029]/gu, '').trim();
  return /^\.*$/.test(bare) ? `unknown_attachment_${now.getTime()}` : bare;
}
