import { type PDFContext, PDFDict } from 'pdf-lib';
import { asName, asNumber, asText, entry, resolve } from '../../file/objects/index.js';
import { type Attachment, readAttachments } from './attachments.js';
import { isoDate } from '../metadata/dates.js';

/** What a document says of one of its files; null where it says nothing. */
export interface AttachmentFacts {
  readonly filename: string;
  /** Bytes as declared; -1 when they are not. */
  readonly size: number;
  /** Media type. */
  readonly contentType: string | null;
  readonly description: string | null;
  /** ISO 8601. */
  readonly creationDate: string | null;
  readonly modificationDate: string | null;
}

/** A file of the document's list that is really there. */
export type EmbeddedAttachment = Attachment & { readonly file: NonNullable<Attachment['file']> };

/**
 * Gives the files of the document's own list, in its order; those of annotations and those that are not in the document
 * are none of them.
 */
export function listAttachments(context: PDFContext): EmbeddedAttachment[] {
  return readAttachments(context, []).filter(
    (attachment): attachment is EmbeddedAttachment => attachment.from === 'document' && attachment.file !== undefined,
  );
}

/** Tells what a document says of a file (ISO 32000-1, tables 44 to 46). */
export function attachmentFacts(context: PDFContext, { name, spec, file }: EmbeddedAttachment): AttachmentFacts {
  const parameters = resolve(context, entry(file.dict, 'Params'));
  const of = (key: string) => (parameters instanceof PDFDict ? entry(parameters, key) : undefined);
  const size = asNumber(context, of('Size'));
  return {
    filename: name,
    size: size !== undefined && Number.isSafeInteger(size) && size >= 0 ? size : -1,
    contentType: asName(context, entry(file.dict, 'Subtype')) ?? null,
    description: asText(context, entry(spec, 'Desc')) ?? null,
    creationDate: isoDate(asText(context, of('CreationDate'))) ?? null,
    modificationDate: isoDate(asText(context, of('ModDate'))) ?? null,
  };
}
