import type { PathCertificate } from './path-certificate.js';

/**
 * True when the issuer's name is the one that the certificate gives and its key made the signature (OpenSSL). Whether
 * it was allowed to is not asked.
 */
export function isIssuedBy(certificate: PathCertificate, issuer: PathCertificate): boolean {
  if (issuer.subjectKey !== certificate.issuerKey) return false;
  try {
    return certificate.x509.verify(issuer.x509.publicKey);
  } catch {
    return false;
  }
}
