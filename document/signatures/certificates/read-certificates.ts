import { X509Certificate } from 'node:crypto';
import { hasTag, inner, oidOf, parseAsn1, rawOf } from '../asn1/read-asn1.js';
import { DocumentError } from '../../errors.js';
import { certificateFacts } from './facts.js';
import { MAX_CERTIFICATES } from './identity.js';
import { readPem } from './pem.js';

const SIGNED_DATA = '1.2.840.113549.1.7.2';

/**
 * Reads the certificates of a file, in its order, each in DER: PEM with one or several, DER, or a PKCS#7 bundle (.p7b)
 * as PEM or DER. At least one. Throws DocumentError: CERTIFICATE_UNREADABLE.
 */
export function readCertificates(bytes: Uint8Array, field = 'certFile'): readonly Uint8Array[] {
  const pem = readPem(bytes);
  const holders = pem.filter(({ label }) => /(?:^|^X509 |^TRUSTED )CERTIFICATE$|^PKCS7$|^CMS$/.test(label));
  if (pem.length > 0 && holders.length === 0) throw unreadable(field, 'it holds no certificate');
  if (pem.length === 0 && bytes.length === 0) throw unreadable(field, 'it is empty');
  try {
    const found = (pem.length === 0 ? [bytes] : holders.map((block) => block.bytes)).flatMap(certificatesOf);
    if (found.length === 0) throw unreadable(field, 'it holds no certificate');
    if (found.length > MAX_CERTIFICATES)
      throw unreadable(field, `it holds ${found.length} certificates; at most ${MAX_CERTIFICATES} are read`);
    // OpenSSL must read each, and its facts must be readable, or nothing later could.
    return found.map((der) => {
      certificateFacts(der);
      return new Uint8Array(new X509Certificate(der).raw);
    });
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw unreadable(field, 'it is not an X.509 certificate in PEM, DER or as a PKCS#7 bundle', error);
  }
}

function unreadable(field: string, detail: string, cause?: unknown): DocumentError {
  return new DocumentError('CERTIFICATE_UNREADABLE', { field, detail }, [{ pointer: `/${field}`, detail }], { cause });
}

/**
 * A certificate alone, without what OpenSSL's trusted certificates have behind it, or those of a signed-data bundle
 * (RFC 5652, 5.1).
 */
function certificatesOf(der: Uint8Array): readonly Uint8Array[] {
  const block = parseAsn1(der);
  const [type, wrapped] = inner(block);
  if (type?.idBlock.tagNumber !== 6) return [rawOf(block)];
  if (oidOf(type) !== SIGNED_DATA || wrapped === undefined) throw new RangeError('not a bundle of certificates');
  const [signedData] = inner(wrapped);
  const set = signedData === undefined ? undefined : inner(signedData).find((part) => hasTag(part, 0));
  return set === undefined
    ? []
    : inner(set)
        .filter(({ idBlock }) => idBlock.tagClass === 1)
        .map(rawOf);
}
