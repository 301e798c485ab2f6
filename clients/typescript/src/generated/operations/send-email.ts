// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface SendEmailOptions {
  /** Email address of the recipient; separate several by commas. */
  readonly to: string;
  /** Subject, one line. Default: A file from Quire. */
  readonly subject?: string;
  /** Body of the message, as HTML. Default: <p>The file that you were sent is attached.</p>. */
  readonly body?: string;
}

export interface SendEmail {
  /**
   * Send a file by email.
   *
   * Returns once the mail server has accepted the message for every recipient. If it refuses the message, its own
   * words are returned (502 `MAIL_REFUSED`); if mail is not set up (`mail.*`), the call fails with 503. The file is
   * attached unchanged, under its own name, up to 25 MB (the setting `operations` can raise that).
   *
   * POST /api/v1/general/send-email
   */
  sendEmail(file: Input, options: SendEmailOptions, call?: CallOptions): Promise<FileResult>;
}
