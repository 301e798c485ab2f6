import { DocumentError } from '@quire/document';
import { unpackFile } from '@quire/document/structure/attachments';
import { guardDocument, withPdf } from '@quire/document/file/open';
import { attachmentFacts, type EmbeddedAttachment, listAttachments } from '@quire/document/structure/attachments';
import { distinctNames } from '@quire/document/structure/names';
import type { PDFContext } from 'pdf-lib';

/** Bounds of what is handed out (docs/interface/misc.yml, extract-attachments), and of the work on what is not. */
export const extractionLimits = {
  fileBytes: 50 * 1024 ** 2,
  totalBytes: 200 * 1024 ** 2,
  workedBytes: 1024 ** 3,
  files: 10_000,
} as const;

/** A file that was taken out of a document. */
export interface ExtractedFile {
  readonly path: string;
  /** A file name of its own among all of them, without folders. */
  readonly name: string;
  readonly modified: Date | undefined;
}

/** How files are taken out. */
export interface ExtractOptions {
  /** Names a file that has no name. */
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
  readonly limits?: Readonly<Record<keyof typeof extractionLimits, number>>;
}

/**
 * Writes the files of a document's own list into an empty folder, in their order; names those that were skipped because
 * of their size or their data. Errors: those of `withPdf`; ATTACHMENTS_NONE when nothing was written.
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
    const room = Math.min(limits.fileBytes, limits.totalBytes - total);
    // What is thrown away costs too: many bombs in one document must come to an end.
    const unpacked =
      i < limits.files && worked < limits.workedBytes
        ? await unpackFile(context, attachment.file, target, room, signal)
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

/** A name without folders and control characters; of its own making where nothing is left. */
function fileName(raw: string, now: Date): string {
  const bare = (raw.split(/[/\\]/).at(-1) ?? '').replaceAll(/[\p{Cc}\u2028\u2029]/gu, '').trim();
  return /^\.*$/.test(bare) ? `unknown_attachment_${now.getTime()}` : bare;
}
