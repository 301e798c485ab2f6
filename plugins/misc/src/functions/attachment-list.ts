import { DocumentError } from '@quire/document';
import { guardDocument, withPdf } from '@quire/document/file/open';
import type { PageEntry } from '@quire/document/structure/pages';
import {
  type AttachmentFacts,
  attachmentFacts,
  listAttachments,
  removeAttachment,
  renameAttachment,
} from '@quire/document/structure/attachments';
import type { PDFContext } from 'pdf-lib';

/** Lists the files of the document's EmbeddedFiles, in its order. Throws the errors of `withPdf`. */
export function readAttachmentFacts(path: string): Promise<AttachmentFacts[]> {
  return withPdf({ path }, { repair: false }, ({ document: { context } }) =>
    guardDocument('fileInput', () =>
      listAttachments(context).map((attachment) => attachmentFacts(context, attachment)),
    ),
  );
}

/** Renames the first attachment with that name, in place. Throws ATTACHMENT_UNKNOWN, ATTACHMENT_NAME_TAKEN. */
export function renameIn(context: PDFContext, from: string, to: string): void {
  const outcome = renameAttachment(context, from, to);
  if (outcome === 'unknown') throw unknown(context, from, 'attachmentName');
  if (outcome === 'taken')
    throw new DocumentError('ATTACHMENT_NAME_TAKEN', { found: to }, [
      { pointer: '/newName', detail: `another attachment already has the name "${to}"` },
    ]);
}

/** Removes the first attachment with that name, in place. Throws ATTACHMENT_UNKNOWN. */
export function deleteFrom(context: PDFContext, pages: readonly PageEntry[], name: string): void {
  if (!removeAttachment(context, pages, name)) throw unknown(context, name, 'attachmentName');
}

/** How many existing names the error for an unknown name lists. */
const MAX_LISTED_NAMES = 10;

function unknown(context: PDFContext, found: string, field: string): DocumentError {
  const names = listAttachments(context).map(({ name }) => `"${name.slice(0, 100)}"`);
  const more = names.length > MAX_LISTED_NAMES ? ` and ${names.length - MAX_LISTED_NAMES} more` : '';
  const known = names.length === 0 ? 'none' : `${names.slice(0, MAX_LISTED_NAMES).join(', ')}${more}`;
  return new DocumentError('ATTACHMENT_UNKNOWN', { found, known }, [
    { pointer: `/${field}`, detail: `no attachment has the name "${found}"; existing names: ${known}` },
  ]);
}
