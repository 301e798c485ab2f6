import {
  encodePermissions,
  type Permission,
  permissionNames,
  type SecurityScheme,
} from '@quire/document/file/encryption';
import { asName, catalogOf, entry, resolve, setEntry } from '@quire/document/file/objects';
import { editFile, type OpenedPdf } from '@quire/document/file/open';
import { readXmp, withdrawClaims, writeXmp } from '@quire/document/structure/metadata';
import { PDFStream } from 'pdf-lib';

/** Passwords, permissions and key of an encrypted document. */
export interface Lock {
  /** Required to open the document; empty if anyone may open it. */
  readonly userPassword: string;
  /** Gives all permissions; if empty, the user password does. */
  readonly ownerPassword: string;
  readonly keyBits: 40 | 128 | 256;
  /** Permissions that only the owner has. */
  readonly withheld: readonly Permission[];
  /** If false, anyone can read the document's XMP metadata. */
  readonly encryptMetadata: boolean;
}

const schemes: Readonly<Record<Lock['keyBits'], SecurityScheme>> = { 40: 'RC4-40', 128: 'AES-128', 256: 'AES-256' };
/** Standards that forbid encryption (ISO 19005-2, 6.1.3; ISO 15930-7, 6.1). */
const PLAIN_ONLY = ['PDF/A', 'PDF/X', 'PDF/VT'] as const;

/**
 * Writes an encrypted copy of a file to `target`, whatever encryption it had before. Declarations of standards that
 * forbid encryption are removed and listed in `withdrawn`. Throws the errors of `editFile`; INPUT_INVALID for plain
 * metadata with 40 bits.
 */
export async function lockFile(
  source: string,
  target: string,
  lock: Lock,
): Promise<{ readonly withdrawn: readonly string[] }> {
  const { userPassword, ownerPassword, encryptMetadata } = lock;
  const permissions = encodePermissions(
    Object.fromEntries(permissionNames.map((name) => [name, !lock.withheld.includes(name)])),
  );
  const protection = { scheme: schemes[lock.keyBits], userPassword, ownerPassword, permissions, encryptMetadata };
  return editFile(source, target, { mode: 'rewrite', protection }, (opened) => {
    // PDF/UA (ISO 14289-1, 7.16) requires that screen readers may extract the content.
    const bound = lock.withheld.includes('accessibility') ? [...PLAIN_ONLY, 'PDF/UA' as const] : PLAIN_ONLY;
    const withdrawn = withdrawClaims(opened.document.context, bound);
    if (!encryptMetadata) makeXmpReadable(opened);
    return { withdrawn };
  });
}

/**
 * Makes the document's XMP metadata readable for programs that search encrypted files for it: a stream with Type and
 * Subtype, not compressed (ISO 32000-1, 14.3.2).
 */
function makeXmpReadable({ document: { context } }: OpenedPdf): void {
  const catalog = catalogOf(context);
  const stream = catalog === undefined ? undefined : resolve(context, entry(catalog, 'Metadata'));
  if (catalog === undefined || !(stream instanceof PDFStream)) return;
  const isBare =
    asName(context, entry(stream.dict, 'Type')) === 'Metadata' && entry(stream.dict, 'Filter') === undefined;
  const xmp = isBare ? undefined : readXmp(context);
  if (xmp !== undefined) setEntry(catalog, 'Metadata', writeXmp(context, xmp));
}
