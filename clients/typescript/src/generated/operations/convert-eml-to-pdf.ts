// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ConvertEmlToPdfOptions {
  /**
   * Embeds the attachments in the PDF, which opens with its attachment list; each entry of the printed list gets an
   * annotation. Default: false.
   */
  readonly includeAttachments?: boolean;
  /** Attachments larger than this (in MiB) are listed but not embedded. Whole number from 1 to 100 MB. Default: 10. */
  readonly maxAttachmentSizeMB?: number;
  /** Returns the page as a self-contained HTML file instead of a PDF. Default: false. */
  readonly downloadHtml?: boolean;
  /** Also shows CC and BCC. Default: true. */
  readonly includeAllRecipients?: boolean;
}

export interface ConvertEmlToPdf {
  /**
   * Convert an email to PDF or HTML.
   *
   * Internet mail (`.eml`) and Outlook messages (`.msg`) are recognised by their content. The page shows subject,
   * sender, recipients, the date in UTC, the body (HTML preferred) and a list of attachments; attached emails are
   * attachments. Images inside the email are shown; external images are never loaded, their description is shown
   * instead. Content signed with S/MIME or wrapped in `winmail.dat` is shown; encrypted content is reported as
   * encrypted. Without `includeAllRecipients`, CC and BCC are left out. For a PDF, `X-Tool-Report` contains
   * `attachments`, `embedded` and `simplified` (the formatted body could not be printed, so its text was).
   *
   * POST /api/v1/convert/eml/pdf
   */
  convertEmlToPdf(file: Input, options?: ConvertEmlToPdfOptions, call?: CallOptions): Promise<FileResult>;
}
