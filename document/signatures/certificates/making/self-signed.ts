import { createHash, sign, type KeyObject } from 'node:crypto';
import { tags } from '../../asn1/tags.js';
import { element, integer, nothing, octets, oid, sequence, setOf, tagged } from '../../asn1/write-der.js';

export interface SelfSignedOptions {
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

const DAY_MS = 86_400_000;
const id = {
  sha256WithRsa: '1.2.840.113549.1.1.11',
  country: '2.5.4.6',
  organisation: '2.5.4.10',
  commonName: '2.5.4.3',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  codeSigning: '1.3.6.1.5.5.7.3.3',
  subjectKey: '2.5.29.14',
  authorityKey: '2.5.29.35',
} as const;
const tag = { utf8: 0x0c, printable: 0x13, true: Uint8Array.of(0xff), keyIdentifier: 0x80 } as const;
/** digitalSignature and nonRepudiation, after the number of unused bits (RFC 5280, 4.2.1.3). */
const USAGES = Uint8Array.of(6, 0xc0);
/** The first year that UTCTime cannot express (RFC 5280, 4.1.2.5). */
const GENERALIZED_FROM = 2050;

/**
 * Makes a self-signed certificate for signing, in DER (RFC 5280; subject and extensions as in
 * `docs/interface/signing.yml`, serverCertificate).
 */
export function selfSigned(options: SelfSignedOptions): Uint8Array {
  const { organisation, validityDays, from, serial, publicKey, privateKey } = options;
  const algorithm = sequence(oid(id.sha256WithRsa), nothing());
  // Most significant first, so that the name reads CN=..., O=..., C=... by RFC 2253.
  const name = sequence(
    part(id.country, tag.printable, 'US'),
    part(id.organisation, tag.utf8, organisation),
    part(id.commonName, tag.utf8, `${organisation} Server`),
  );
  const hex = serial.toString(16);
  const toBeSigned = sequence(
    tagged(0, integer(2)),
    integer(Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')),
    algorithm,
    name,
    sequence(time(from), time(new Date(from.getTime() + validityDays * DAY_MS))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, extensions(publicKey)),
  );
  return sequence(toBeSigned, algorithm, bits(0, sign('sha256', toBeSigned, privateKey)));
}

function extensions(publicKey: KeyObject): Uint8Array {
  const key = createHash('sha1')
    .update(publicKey.export({ type: 'pkcs1', format: 'der' }))
    .digest();
  return sequence(
    extension(id.basicConstraints, sequence(), { critical: true }),
    extension(id.keyUsage, element(tags.bits, USAGES), { critical: true }),
    extension(id.extendedKeyUsage, sequence(oid(id.codeSigning))),
    extension(id.subjectKey, octets(key)),
    extension(id.authorityKey, sequence(element(tag.keyIdentifier, key))),
  );
}

function extension(type: string, value: Uint8Array, { critical = false } = {}): Uint8Array {
  return sequence(oid(type), ...(critical ? [element(tags.boolean, tag.true)] : []), octets(value));
}

function part(type: string, kind: number, value: string): Uint8Array {
  return setOf(sequence(oid(type), element(kind, Buffer.from(value, 'utf8'))));
}

function bits(unused: number, bytes: Uint8Array): Uint8Array {
  return element(tags.bits, Uint8Array.of(unused), bytes);
}

function time(date: Date): Uint8Array {
  const digits = `${date.toISOString().replace(/[-:T]|\..*/g, '')}Z`;
  return date.getUTCFullYear() < GENERALIZED_FROM
    ? element(tags.utcTime, Buffer.from(digits.slice(2)))
    : element(tags.generalizedTime, Buffer.from(digits));
}
