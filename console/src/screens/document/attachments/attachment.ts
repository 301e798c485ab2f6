/** A file in the document, as `misc/list-attachments` describes it. */
export interface Attachment {
  readonly filename: string;
  /** Bytes; -1 if the document does not say. */
  readonly size: number;
  readonly contentType: string | null;
  readonly description: string | null;
  readonly modificationDate: string | null;
}
