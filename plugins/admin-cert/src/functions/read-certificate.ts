import type { RelativeDistinguishedNames } from 'pkijs';

/** What an administrator sees of a certificate. */
export interface CertificateFacts {
  /** RFC 2253 name. */
  readonly subject: string;
  readonly issuer: string;
  /** ISO 8601, UTC. */
  readonly validFrom: string;
  readonly validTo: string;
}

/** Short names of RFC 2253, 2.3; other types are written as their object identifier. */
const shortNames: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN', '2.5.4.7': 'L', '2.5.4.8': 'ST', '2.5.4.10': 'O', '2.5.4.11': 'OU', '2.5.4.6': 'C', '2.5.4.9': 'STREET',
  '0.9.2342.19200300.100.1.25': 'DC', '0.9.2342.19200300.100.1.1': 'UID',
};

/** Reads subject, issuer and validity of a certificate in DER; throws when it is none. */
export async function readCertificate(der: Uint8Array): Promise<CertificateFacts> {
  const { Certificate } = await import('pkijs');
  const certificate = Certificate.fromBER(new Uint8Array(der));
  return {
    subject: nameText(certificate.subject), issuer: nameText(certificate.issuer),
    validFrom: certificate.notBefore.value.toISOString(), validTo: certificate.notAfter.value.toISOString(),
  };
}

// RFC 2253, 2.1: the last name comes first.
function nameText(name: RelativeDistinguishedNames): string {
  return name.typesAndValues.map(({ type, value }) => {
    const text: unknown = value.valueBlock.value;
    const short = shortNames[type];
    if (short !== undefined && typeof text === 'string') return `${short}=${escapeValue(text)}`;
    return `${type}=#${Buffer.from(value.toBER(false)).toString('hex')}`;
  }).reverse().join(',');
}

// RFC 2253, 2.4.
function escapeValue(text: string): string {
  return text.replace(/[,+"\\<>;]/g, '\\$&').replace(/^[ #]/, '\\$&').replace(/ $/, '\\ ');
}
