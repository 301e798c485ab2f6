import { sign, type KeyObject } from 'node:crypto';

export interface CertificateRequest {
  /** Organisation; the common name is this and " Server". */
  readonly organisation: string;
  readonly validityDays: number;
  readonly from: Date;
  /** Serial number; positive. */
  readonly serial: bigint;
  /** RSA pair. */
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const SHA256_WITH_RSA = '1.2.840.113549.1.1.11';
const DAY_MS = 86_400_000;

/**
 * Builds a self-signed signing certificate in DER (RFC 5280; subject and extensions as in `docs/interface/signing.yml`,
 * serverCertificate). The signature itself is made by OpenSSL through node:crypto.
 */
export async function buildCertificate(request: CertificateRequest): Promise<Uint8Array> {
  const { default: forge } = await import('node-forge');
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(
    request.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  );
  const hex = request.serial.toString(16);
  // A leading zero byte keeps the number positive (X.690, 8.3).
  certificate.serialNumber = `00${hex.length % 2 === 0 ? hex : `0${hex}`}`;
  certificate.validity.notBefore = request.from;
  certificate.validity.notAfter = new Date(request.from.getTime() + request.validityDays * DAY_MS);
  // Most significant first, so that the name reads CN=..., O=..., C=... by RFC 2253.
  const name = [
    { shortName: 'C', value: 'US' },
    { shortName: 'O', value: request.organisation, valueTagClass: forge.asn1.Type.UTF8 },
    { shortName: 'CN', value: `${request.organisation} Server`, valueTagClass: forge.asn1.Type.UTF8 },
  ] as unknown as Parameters<typeof certificate.setSubject>[0];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, nonRepudiation: true, critical: true },
    { name: 'extKeyUsage', codeSigning: true },
    { name: 'subjectKeyIdentifier' },
    { name: 'authorityKeyIdentifier', keyIdentifier: certificate.generateSubjectKeyIdentifier().getBytes() },
  ]);
  certificate.signatureOid = SHA256_WITH_RSA;
  certificate.siginfo.algorithmOid = SHA256_WITH_RSA;
  // Missing in the published types, public in the library.
  const { getTBSCertificate } = forge.pki as unknown as {
    getTBSCertificate(of: typeof certificate): ReturnType<typeof forge.pki.certificateToAsn1>;
  };
  const toBeSigned = getTBSCertificate(certificate);
  certificate.tbsCertificate = toBeSigned;
  const signature = sign('sha256', Buffer.from(forge.asn1.toDer(toBeSigned).getBytes(), 'latin1'), request.privateKey);
  certificate.signature = signature.toString('latin1');
  return Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes(), 'latin1');
}
