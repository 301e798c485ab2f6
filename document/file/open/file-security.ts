import { PDFArray, type PDFContext, PDFDict, PDFHexString, type PDFObject, PDFRef, PDFString } from 'pdf-lib';
import { createSecurity, type Security, type SecurityOptions } from '../encryption/index.js';
import type { LazyDocument } from '../reader/index.js';

/** Encryption dictionaries hold dictionaries two deep (crypt filters, ISO 32000-1, table 25). */
const MAX_DEPTH = 4;

/** The versions that brought the revisions of the standard security handler; R5 is an extension of 1.7. */
const versions: Readonly<Record<number, Security['pdfVersion']>> = { 2: '1.1', 3: '1.4', 4: '1.5', 5: '1.6', 6: '2.0' };

/**
 * Gives the encryption of a document that was unlocked, so that what is made of it is protected alike: the same
 * passwords open it, the same permissions hold. Undefined for a document without.
 */
export function securityOf({ security, context }: LazyDocument): Security | undefined {
  const resolve = (value: PDFObject | undefined): PDFObject | undefined =>
    value instanceof PDFRef ? context.lookup(value) : value;
  const dict = resolve(context.trailerInfo.Encrypt ?? undefined);
  if (security === undefined || !(dict instanceof PDFDict)) return undefined;
  const direct = (value: PDFObject, depth: number): PDFObject => {
    const object = resolve(value) ?? value;
    if (!(object instanceof PDFDict) || depth > MAX_DEPTH) return object;
    const copy = PDFDict.withContext(context);
    for (const [key, inner] of object.entries()) copy.set(key, direct(inner, depth + 1));
    return copy;
  };
  return {
    dict: direct(dict, 0) as PDFDict,
    id: identifierOf(context) ?? new Uint8Array(),
    cipher: security.cipher,
    pdfVersion: versions[security.revision] ?? '1.1',
  };
}

/** What a document is encrypted with from now on. */
export type Protection = Omit<SecurityOptions, 'context' | 'id'>;

/**
 * Makes a new encryption for a document, which keeps the half of its identifier that all its versions share (ISO
 * 32000-1, 14.4). Errors: those of `createSecurity`.
 */
export function newSecurity(context: PDFContext, protection: Protection): Security {
  const id = identifierOf(context);
  return createSecurity({ ...protection, context, ...(id === undefined || id.length === 0 ? {} : { id }) });
}

function identifierOf(context: PDFContext): Uint8Array | undefined {
  const resolve = (value: PDFObject | undefined): PDFObject | undefined =>
    value instanceof PDFRef ? context.lookup(value) : value;
  const pair = resolve(context.trailerInfo.ID);
  const first = pair instanceof PDFArray ? resolve(pair.asArray()[0]) : undefined;
  return first instanceof PDFString || first instanceof PDFHexString ? first.asBytes() : undefined;
}
