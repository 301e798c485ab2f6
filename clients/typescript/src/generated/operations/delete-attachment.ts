// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface DeleteAttachmentOptions {
  /** Exact name, as list-attachments returns it. */
  readonly attachmentName: string;
}

export interface DeleteAttachment {
  /**
   * Delete an attachment from a PDF.
   *
   * Deletes the first attachment with that name: its bytes, its entry among the associated files, and the annotations
   * that show it.
   *
   * POST /api/v1/misc/delete-attachment
   */
  deleteAttachment(file: Input, options: DeleteAttachmentOptions, call?: CallOptions): Promise<FileResult>;
}
