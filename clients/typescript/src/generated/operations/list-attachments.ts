// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

/** Answer of `listAttachments`. */
export type ListAttachmentsAnswer = readonly {
  readonly filename: string;
  readonly size: number;
  readonly contentType: string | null;
  readonly description: string | null;
  readonly creationDate: string | null;
  readonly modificationDate: string | null;
}[];

export interface ListAttachments {
  /**
   * List the attachments of a PDF.
   *
   * Lists the attachments of the document, however deeply the name tree is nested. Files in file attachment
   * annotations are not included. `size` is the size that the document declares, or -1 if it declares none; dates are
   * ISO 8601. Unknown values are null.
   *
   * POST /api/v1/misc/list-attachments
   */
  listAttachments(file: Input, options?: Record<never, never>, call?: CallOptions): Promise<ListAttachmentsAnswer>;
}
