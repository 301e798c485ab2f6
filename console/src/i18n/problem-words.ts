import { t } from './frame.ts';

/** What an error with this code means for the person before the page; the server's own words are for programs. */
const words: Readonly<Record<string, () => string>> = {
  PDF_ENCRYPTED: () => t('The file needs a password.'),
  PDF_ENCRYPTION_UNSUPPORTED: unreadableEncryption,
  PDF_ENCRYPTION_PUBLIC_KEY: unreadableEncryption,
  PDF_DAMAGED: () => t('The file is damaged, or it is not a PDF.'),
  PDF_NO_PAGES: () => t('The PDF has no pages.'),
  PDF_WITHOUT_TEXT: withoutText,
  TEXT_MISSING: withoutText,
  PDF_NO_FORM: () => t('The PDF has no form.'),
  PDF_SIGNED: () => t('The PDF is signed, and this tool would make its signature invalid.'),
  INPUT_TOO_COMPLEX: tooComplex,
  PDF_TOO_BROKEN: tooComplex,
  PDF_RATIO: tooComplex,
  PDF_INFLATED_TOTAL: tooComplex,
  PDF_OBJECT_TOO_LARGE: tooComplex,
  PDF_NESTING: tooComplex,
  PDF_PAGE_TREE: tooComplex,
  INPUT_KIND: () => t('This tool does not take files of this kind.'),
  IMAGE_UNREADABLE: unreadable,
  OFFICE_UNREADABLE: unreadable,
  MAIL_UNREADABLE: unreadable,
  BOOK_UNREADABLE: unreadable,
  POSTSCRIPT_UNREADABLE: unreadable,
  OFFICE_ENCRYPTED: () => t('The document needs a password. Save it without one first.'),
  KEYSTORE_PASSWORD: () => t('The password of the keystore is wrong.'),
  KEYSTORE_UNREADABLE: () => t('The file is not a keystore, or it is damaged.'),
  PROGRAM_MISSING: () => t('The server lacks a program that this tool needs.'),
  OPERATION_DISABLED: () => t('This tool is switched off on this server.'),
  TIMEOUT: () => t('The work took too long and was stopped.'),
  QUEUE_FULL: () => t('The server is busy. Try again in a moment.'),
  SHUTTING_DOWN: () => t('The server is being restarted. Try again in a moment.'),
  STORAGE_FULL: () => t('The disk of the server is full.'),
  WORKER_LOST: unexpected,
  INTERNAL: unexpected,
  LOGIN_FAILED: () => t('The user name or the password is wrong.'),
};

/** Begins the text of `PDF_ENCRYPTED` where a password can be sent; existing clients compare it, so it is stable. */
const PASSWORD_SENT = 'The PDF Document is passworded';

/**
 * Returns in the language of the page what the problem document of an error means; undefined where only the server's
 * own text, in English, can say it.
 */
export function problemWords(code: string, detail: string): string | undefined {
  if (code === 'PDF_ENCRYPTED' && detail.startsWith(PASSWORD_SENT)) return t('The password is missing or wrong.');
  return words[code]?.();
}

function unreadableEncryption(): string {
  return t('The PDF is encrypted in a way that this server cannot open.');
}

function withoutText(): string {
  return t('The PDF contains no text that can be read. Are its pages scans?');
}

function tooComplex(): string {
  return t('The file is too large or too complicated to be processed safely.');
}

function unreadable(): string {
  return t('The file cannot be read. It may be damaged.');
}

function unexpected(): string {
  return t('Something went wrong on the server.');
}
