// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface RenameAttachmentOptions {
  /** Exact current name, as list-attachments returns it. */
  readonly attachmentName: string;
  /** New name, with its extension. */
  readonly newName: string;
}

export interface RenameAttachment {
  /**
   * Rename an attachment of a PDF.
   *
   * The first attachment with that name is renamed everywhere in the document. A new name that another attachment
   * already has is refused, because that attachment would be lost.
   *
   * POST /api/v1/misc/rename-attachment
   */
  renameAttachment(file: Input, options: RenameAttachmentOptions, call?: CallOptions): Promise<FileResult>;
}
