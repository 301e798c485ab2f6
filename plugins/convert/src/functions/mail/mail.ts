import { UPPER_WINDOWS } from '@quire/document/file/charsets';

/** Somebody who wrote or got a mail. */
export interface MailAddress {
  readonly name: string;
  /** Empty for a name without an address. */
  readonly address: string;
}

/** A file in a mail. */
export interface MailAttachment {
  /** Never empty, and without folders. */
  readonly name: string;
  /** In lower case, without parameters. */
  readonly mediaType: string;
  readonly content: Uint8Array;
  /** Without angle brackets (RFC 2392). */
  readonly contentId?: string;
  /** Where the page says that it comes from (RFC 2557, 4.2). */
  readonly location?: string;
}

/** The parts of an email that can be shown, independent of its format. */
export interface Mail {
  readonly subject: string;
  readonly from: readonly MailAddress[];
  readonly to: readonly MailAddress[];
  readonly cc: readonly MailAddress[];
  readonly bcc: readonly MailAddress[];
  /** A text where the mail's own date cannot be understood. */
  readonly date?: Date | string;
  readonly html?: string;
  readonly text?: string;
  readonly attachments: readonly MailAttachment[];
  /** Why the body cannot be shown, where it is encrypted. */
  readonly sealed?: string;
}

/** More files than this in one mail are an attack. */
export const MAX_ATTACHMENTS = 2000;

/**
 * A name for a file of a mail, without folders and control characters; `attachment-<n>.<ext>` where it has none
 * (docs/interface/convert.yml, eml/pdf).
 */
export function attachmentName(given: string | null | undefined, n: number, mediaType: string): string {
  const name =
    (given ?? '')
      .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
      .split(/[/\\]/)
      .at(-1)
      ?.trim()
      .slice(0, 200) ?? '';
  return name === '' || /^\.+$/.test(name) ? `attachment-${n}.${extensionOf(mediaType)}` : name;
}

const extensions: Readonly<Record<string, string>> = {
  'text/plain': 'txt',
  'text/html': 'html',
  'text/calendar': 'ics',
  'application/ics': 'ics',
  'text/csv': 'csv',
  'text/vcard': 'vcf',
  'text/x-vcard': 'vcf',
  'message/rfc822': 'eml',
  'message/delivery-status': 'txt',
  'text/rfc822-headers': 'txt',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/json': 'json',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
  'image/tiff': 'tiff',
  'image/svg+xml': 'svg',
  'application/pgp-signature': 'asc',
  'application/pkcs7-signature': 'p7s',
  'application/x-pkcs7-signature': 'p7s',
  'application/pkcs7-mime': 'p7m',
  'application/x-pkcs7-mime': 'p7m',
  'application/vnd.ms-outlook': 'msg',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/rtf': 'rtf',
  'text/rtf': 'rtf',
};

function extensionOf(mediaType: string): string {
  return Object.hasOwn(extensions, mediaType) ? (extensions[mediaType] ?? 'bin') : 'bin';
}

/** Codes that were meant as windows-1252 and read as Latin 1, which has controls there, become characters again. */
export function windowsText(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, (control) => {
    const character = UPPER_WINDOWS[control.charCodeAt(0) - 0x80] ?? ' ';
    return character === ' ' ? control : character;
  });
}
