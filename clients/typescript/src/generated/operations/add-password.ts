// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface AddPasswordOptions {
  /** Password that gives all permissions; if empty, the user password does. */
  readonly ownerPassword?: string;
  /** User password, needed to open the document; if empty, anyone can open it. */
  readonly password?: string;
  /** Key length in bits: 256 (AES), 128 (AES) or 40 (RC4, weak). Whole number. Default: 256. */
  readonly keyLength?: 40 | 128 | 256;
  /** Forbid inserting, removing and rotating pages, and creating bookmarks. Default: false. */
  readonly preventAssembly?: boolean;
  /** Forbid copying text and images. Default: false. */
  readonly preventExtractContent?: boolean;
  /** Forbid extracting text for accessibility, such as screen readers. Default: false. */
  readonly preventExtractForAccessibility?: boolean;
  /** Forbid filling in form fields. Default: false. */
  readonly preventFillInForm?: boolean;
  /** Forbid changing the content. Default: false. */
  readonly preventModify?: boolean;
  /** Forbid adding and changing annotations. Default: false. */
  readonly preventModifyAnnotations?: boolean;
  /** Forbid printing. Default: false. */
  readonly preventPrinting?: boolean;
  /** Forbid printing in high quality. Default: false. */
  readonly preventPrintingFaithful?: boolean;
  /**
   * If false, the XMP metadata can be read without the password, for example by search engines; not possible with 40
   * bits. Default: true.
   */
  readonly encryptMetadata?: boolean;
}

export interface AddPassword {
  /**
   * Protect a PDF with a password and permissions.
   *
   * With `keyLength` 256 the document is encrypted with AES-256 (revision 6 of the standard security handler), with
   * 128 with AES-128, and with 40 with RC4, which is easy to break and only meant for viewers older than 2001.
   * Without `ownerPassword`, the user password is also the owner password. Without either password the document is
   * still encrypted and anyone can open it, with the restrictions. Viewers enforce restrictions voluntarily: whoever
   * can open a document can also get its content.
   *
   * Each `prevent` field denies one permission (ISO 32000-1, table 22). With 40 bits, unless a permission is denied
   * that such a key cannot express, viewers treat assembling as modifying, and filling in form fields as annotating.
   * PDF 2.0 viewers always allow extraction for accessibility. Passwords are used exactly as sent, spaces included:
   * up to 127 bytes of UTF-8 with 256 bits, otherwise up to 32 Latin-1 characters. Characters that viewers encode
   * differently (ligatures, joiners) are refused.
   *
   * A document that opens with the empty password is encrypted again; a locked one must go through remove-password
   * first. PDF/A and PDF/X forbid encryption: a document that declares them loses that declaration (`withdrawn` in
   * `X-Tool-Report`).
   *
   * POST /api/v1/security/add-password
   */
  addPassword(file: Input, options?: AddPasswordOptions, call?: CallOptions): Promise<FileResult>;
}
