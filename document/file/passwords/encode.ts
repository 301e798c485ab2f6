import { createRequire } from 'node:module';
import { encodePdfDoc } from './pdf-doc-encoding.js';

/** From revision 5 on, only this many bytes of a password in UTF-8 count (ISO 32000-2, 7.6.4.3.3). */
export const MODERN_BYTES = 127;
/** Up to revision 4, only this many bytes in PDFDocEncoding count (ISO 32000-1, 7.6.3.3, algorithm 2, step a). */
export const LEGACY_BYTES = 32;
/** Limit for writers that do not truncate passwords: each byte costs thousands of AES rounds. */
const MAX_UNTRUNCATED_BYTES = 1024;
/** Older passwords are truncated to 32 bytes or padded with these (ISO 32000-1, 7.6.3.3, algorithm 2, step a). */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const ASCII = /^[\x20-\x7e]*$/;

const load = createRequire(import.meta.url);

/** Truncates or pads a password to the 32 bytes that revisions 2 to 4 use. */
export function padPassword(password: Uint8Array): Uint8Array {
  const padded = new Uint8Array(LEGACY_BYTES);
  const kept = password.subarray(0, LEGACY_BYTES);
  padded.set(kept);
  padded.set(PADDING.subarray(0, LEGACY_BYTES - kept.length), kept.length);
  return padded;
}

/** Encodes a password for writing revisions 2 to 4: PDFDocEncoding, or UTF-8 where a character is missing from it. */
export function encodeLegacy(password: string): Uint8Array {
  return encodePdfDoc(password) ?? Buffer.from(password, 'utf8');
}

/**
 * Encodes a password for writing revisions 5 and 6: UTF-8 of its SASLprep form (RFC 4013), or of the password itself
 * where SASLprep forbids it.
 */
export function encodeModern(password: string): Uint8Array {
  return cut(prepare(password) ?? password);
}

/** All encodings that writers of revisions 2 to 4 may have used, the standard's first. */
export function legacyCandidates(password: string): Uint8Array[] {
  return distinct([encodeLegacy(password), Buffer.from(password, 'utf8'), Buffer.from(password, 'latin1')]);
}

/**
 * All encodings that writers of revisions 5 and 6 may have used: the standard's, then those of writers that prepare or
 * encode differently, or forget to truncate (qpdf writes such files, and cannot open them).
 */
export function modernCandidates(password: string): Uint8Array[] {
  if (ASCII.test(password) && password.length <= MODERN_BYTES) return [cut(password)];
  const forms = [prepare(password) ?? password, password, password.normalize('NFKC')];
  return distinct([
    ...forms.map(cut),
    ...forms.map((form) => Buffer.from(form, 'utf8').subarray(0, MAX_UNTRUNCATED_BYTES)),
    encodeLegacy(password).subarray(0, MODERN_BYTES),
  ]);
}

/**
 * Returns the SASLprep form of a password (RFC 4013); undefined where it is forbidden: control characters, mixed
 * directions.
 */
export function prepare(password: string): string | undefined {
  if (ASCII.test(password)) return password;
  // Its tables take a while to load, and few passwords need them; unlocking is synchronous, so no dynamic import.
  const saslprep = load('@mongodb-js/saslprep') as (text: string, options: { allowUnassigned: boolean }) => string;
  try {
    return saslprep(password, { allowUnassigned: true });
  } catch {
    return undefined;
  }
}

function cut(text: string): Uint8Array {
  return Buffer.from(text, 'utf8').subarray(0, MODERN_BYTES);
}

function distinct(encodings: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(encodings.map((bytes) => [Buffer.from(bytes).toString('latin1'), bytes])).values()];
}
