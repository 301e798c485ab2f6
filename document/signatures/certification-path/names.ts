import { createHash } from 'node:crypto';
import { decodeUtf16Le } from '../../file/charsets/index.js';
import { Der } from '../asn1/der-reader.js';
import { tags } from '../asn1/tags.js';
import { toBeSigned } from './certificate-fields.js';

/** Kinds of general names by their implicit tags (RFC 5280, 4.2.1.6). */
export const generalNames = {
  other: 0xa0,
  mail: 0x81,
  dns: 0x82,
  x400: 0xa3,
  directory: 0xa4,
  edi: 0xa5,
  uri: 0x86,
  address: 0x87,
  registered: 0x88,
} as const;

/** A part of a name that compares as RFC 5280, 7.1 says: case and blanks do not count. */
export type NamePart = string;

/** The parts of a Name, in order. Throws RangeError. */
export function namePartsOf(name: Der): NamePart[] {
  return name.inner().map((set) =>
    set
      .inner(tags.set)
      .map((attribute) => {
        const [type, value] = attribute.inner();
        if (type === undefined || value === undefined) throw new RangeError('a part of a name is incomplete');
        return `${type.oid()}=${comparable(value)}`;
      })
      .toSorted()
      .join('+'),
  );
}

/** One text for all spellings of a Name. Empty for the empty name. */
export function nameKey(name: Der): string {
  const parts = namePartsOf(name);
  return parts.length === 0 ? '' : createHash('sha256').update(parts.join('\n')).digest('hex');
}

/** Key of a certificate's subject or issuer, by which anchors are looked up; undefined for an invalid certificate. */
export function nameKeyOf(certificate: Uint8Array, which: 'subject' | 'issuer'): string | undefined {
  try {
    return nameKey(toBeSigned(Der.whole(certificate))[which]);
  } catch {
    return undefined;
  }
}

/**
 * Email addresses in a subject (PKCS#9 emailAddress), to which name constraints apply if there is no alternative name.
 */
export function mailsOf(name: Der): string[] {
  return name
    .inner()
    .flatMap((set) => set.inner(tags.set))
    .flatMap((attribute) => {
      const [type, value] = attribute.inner();
      return type?.oid() === '1.2.840.113549.1.9.1' && value !== undefined
        ? [Buffer.from(value.content).toString('latin1')]
        : [];
    });
}

function comparable(value: Der): string {
  const text = textOf(value);
  return text === undefined
    ? `#${Buffer.from(value.raw).toString('hex')}`
    : text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

function textOf({ tag, content }: Der): string | undefined {
  const bytes = Buffer.from(content);
  // UTF8String; PrintableString, T61String, IA5String, VisibleString; BMPString.
  if (tag === 0x0c) return bytes.toString('utf8');
  if (tag === 0x13 || tag === 0x14 || tag === 0x16 || tag === 0x1a) return bytes.toString('latin1');
  if (tag === 0x1e && bytes.length % 2 === 0) return decodeUtf16Le(bytes.swap16());
  return undefined;
}
