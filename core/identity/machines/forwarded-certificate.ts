import { X509Certificate } from 'node:crypto';

/** Elements and pairs of X-Forwarded-Client-Cert: signs inside quotes do not separate. */
const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const ENVOY_CERT = /(?:^|;)\s*Cert="([^"]*)"/i;

/**
 * Reads the certificate of a header, in the form that it has: RFC 9440 (`:base64:`), URL-encoded PEM (nginx), or
 * Envoy's (`Cert="…"`). Throws an Error that says what is wrong.
 */
export function certificateIn(header: string): X509Certificate {
  const der = /^:([A-Za-z0-9+/=]+):$/.exec(header)?.[1];
  const source = der === undefined ? pemIn(header) : Buffer.from(der, 'base64');
  try {
    return new X509Certificate(source);
  } catch {
    throw new Error('it cannot be read');
  }
}

function pemIn(header: string): string {
  if (/^(-----BEGIN|%2D%2D%2D%2D%2DBEGIN)/i.test(header)) return decoded(header);
  if (header.replace(QUOTED, '').includes(','))
    throw new Error('there is more than one; let the proxy replace the header (Envoy: SANITIZE_SET)');
  const cert = ENVOY_CERT.exec(header)?.[1];
  if (cert === undefined)
    throw new Error('the header has no certificate (Envoy: set_current_client_cert_details with cert: true)');
  return decoded(cert);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('it is not URL-encoded as expected');
  }
}
