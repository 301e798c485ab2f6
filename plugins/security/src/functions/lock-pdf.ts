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

/** How a document is locked. */
export interface Lock {
  /** Asked of whoever opens it; empty for nobody. */
  readonly userPassword: string;
  /** Gives all rights; empty for the user's. */
  readonly ownerPassword: string;
  readonly keyBits: 40 | 128 | 256;
  /** Rights that only the owner has. */
  readonly withheld: readonly Permission[];
  /** False leaves the document's XMP readable for everybody. */
  readonly encryptMetadata: boolean;
}

const schemes: Readonly<Record<Lock['keyBits'], SecurityScheme>> = { 40: 'RC4-40', 128: 'AES-128', 256: 'AES-256' };
/** Standards that forbid encryption (ISO 19005-2, 6.1.3; ISO 15930-7, 6.1). */
const PLAIN_ONLY = ['PDF/A', 'PDF/X', 'PDF/VT'] as const;

/**
 * Writes a file encrypted into a new one at `target`, whatever it was encrypted with before. A standard that forbids
 * this, and that the document claims to follow, is claimed no longer: `withdrawn` names it. Errors: those of
 * `editFile`; INPUT_INVALID for plain metadata with 40 bits.
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
    // Who cannot see can only listen: PDF/UA (ISO 14289-1, 7.16) asks that this right stays.
    const bound = lock.withheld.includes('accessibility') ? [...PLAIN_ONLY, 'PDF/UA' as const] : PLAIN_ONLY;
    const withdrawn = withdrawClaims(opened.document.context, bound);
    if (!encryptMetadata) bareMetadata(opened);
    return { withdrawn };
  });
}

/**
 * Makes the document's XMP what those who look for it in encrypted files can read: a stream that says what it is, and
 * is not packed (ISO 32000-1, 14.3.2).
 */
function bareMetadata({ document: { context } }: OpenedPdf): void {
  const catalog = catalogOf(context);
  const stream = catalog === undefined ? undefined : resolve(context, entry(catalog, 'Metadata'));
  if (catalog === undefined || !(stream instanceof PDFStream)) return;
  const isBare =
    asName(context, entry(stream.dict, 'Type')) === 'Metadata' && entry(stream.dict, 'Filter') === undefined;
  const xmp = isBare ? undefined : readXmp(context);
  if (xmp !== undefined) setEntry(catalog, 'Metadata', writeXmp(context, xmp));
}
