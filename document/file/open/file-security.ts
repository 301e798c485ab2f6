import { randomBytes } from 'node:crypto';
import { PDFArray, type PDFContext, PDFDict, PDFHexString, PDFName, type PDFObject, PDFRef, PDFString } from 'pdf-lib';
import { createSecurity, type Security, type SecurityOptions } from '../encryption/index.js';
import type { LazyDocument } from '../reader/index.js';

/** Encryption dictionaries are nested two levels deep (crypt filters, ISO 32000-1, table 25). */
const MAX_DEPTH = 4;

const ID_BYTES = 16;

/** The PDF versions that introduced the revisions of the standard security handler; R5 is an extension of 1.7. */
const versions: Readonly<Record<number, Security['pdfVersion']>> = { 2: '1.1', 3: '1.4', 4: '1.5', 5: '1.6', 6: '2.0' };

/**
 * Returns the encryption of an unlocked document, so that output derived from it gets the same passwords and
 * permissions; with a new identifier where it was removed, since older keys depend on it. Undefined for a document that
 * is not encrypted.
 */
export function securityOf({ security, context, trailer }: LazyDocument): Security | undefined {
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
  const kept = { dict: direct(dict, 0) as PDFDict, pdfVersion: versions[security.revision] ?? '1.1' };
  if (context.trailerInfo.ID !== undefined || !trailer.has(PDFName.of('ID')))
    return { ...kept, id: identifierOf(context) ?? new Uint8Array(), cipher: security.cipher };
  const id = randomBytes(ID_BYTES);
  const { cipher, user } = security.reidentified(id);
  if (user !== undefined) kept.dict.set(PDFName.of('U'), PDFHexString.of(Buffer.from(user).toString('hex')));
  return { ...kept, id, cipher };
}

/** The encryption to apply when writing. */
export type Protection = Omit<SecurityOptions, 'context' | 'id'>;

/**
 * Creates a new encryption for a document and keeps the half of its identifier that all its versions share (ISO
 * 32000-1, 14.4). Throws the errors of `createSecurity`.
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
