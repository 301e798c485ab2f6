import { type PDFContext, PDFDict } from 'pdf-lib';
import { asName, asNumber, asText, entry, resolve } from '../../file/objects/index.js';
import { type Attachment, readAttachments } from './attachments.js';
import { isoDate } from '../metadata/dates.js';

/** Properties of an embedded file; null if not stated. */
export interface AttachmentFacts {
  readonly filename: string;
  /** Declared size in bytes; -1 if not declared. */
  readonly size: number;
  /** Media type. */
  readonly contentType: string | null;
  readonly description: string | null;
  /** ISO 8601. */
  readonly creationDate: string | null;
  readonly modificationDate: string | null;
}

/** A file of the document's list that is really embedded. */
export type EmbeddedAttachment = Attachment & { readonly file: NonNullable<Attachment['file']> };

/** Returns the files of the document's own list in order; those of annotations and external files are not included. */
export function listAttachments(context: PDFContext): EmbeddedAttachment[] {
  return readAttachments(context, []).filter(
    (attachment): attachment is EmbeddedAttachment => attachment.from === 'document' && attachment.file !== undefined,
  );
}

/** Reads the declared properties of a file (ISO 32000-1, tables 44 to 46). */
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
