import { InputError } from '@quire/registry/errors';
import type { Mail } from './mail.js';

/** Headers are looked for in this much of a file (docs/interface/convert.yml, eml/pdf). */
const HEAD = 8192;
const OLE = 'd0cf11e0a1b11ae1';

/** Two of these make a mail. */
const marks = [
  /^(?:from|return-path)[ \t]*:/im,
  /^subject[ \t]*:/im,
  /^message-id[ \t]*:/im,
  /^date[ \t]*:/im,
  /^(?:to|cc|bcc)[ \t]*:/im,
];
const mimeMarks = [
  /^mime-version[ \t]*:/im,
  /^content-type[ \t]*:\s*multipart\/[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*boundary[ \t]*=/im,
];

/**
 * Reads an email, recognised by its content: Outlook `.msg` (MS-OXMSG) or internet mail (RFC 5322). Throws
 * MAIL_UNREADABLE and INPUT_TOO_COMPLEX.
 */
export async function readMail(bytes: Uint8Array, field = 'fileInput'): Promise<Mail> {
  const refuse = (detail: string, cause?: unknown): InputError =>
    new InputError('MAIL_UNREADABLE', { field, detail }, [{ pointer: `/${field}`, detail }], { cause });
  const outlook = Buffer.from(bytes.subarray(0, 8)).toString('hex') === OLE;
  if (!outlook && !isMail(bytes))
    throw refuse(`it is neither an Outlook message nor begins with the headers of a mail; found "${beginning(bytes)}"`);
  try {
    return outlook
      ? await (await import('./read-msg.js')).readMsg(bytes)
      : await (await import('./read-eml.js')).readEml(bytes);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw refuse(outlook ? `its storage is damaged or holds no message: ${reason(error)}` : reason(error), error);
  }
}

/** True when the first bytes are headers of a mail, or those of a MIME structure. */
export function isMail(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, HEAD))
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '');
  return marks.filter((mark) => mark.test(head)).length >= 2 || mimeMarks.some((mark) => mark.test(head));
}

function beginning(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 40))
    .toString('latin1')
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim();
}

function reason(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200).replace(/\.$/, '');
}
