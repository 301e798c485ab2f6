import { isIP } from 'node:net';
import type { Der } from '../asn1/der-reader.js';
import { generalNames, mailsOf, namePartsOf } from './names.js';
import { extension, extensionOids, type PathCertificate } from './path-certificate.js';

/** Subtrees that subordinate names must be in, or must not be in (RFC 5280, 4.2.1.10). */
export interface NameConstraints {
  /** One set for each authority that constrains: a name must suit every set. */
  readonly permitted: readonly (readonly Der[])[];
  readonly excluded: readonly Der[];
}

/** Those above every path: none. */
export const noConstraints: NameConstraints = { permitted: [], excluded: [] };

/** Limit of comparisons; hostile certificates need more. */
const MAX_COMPARISONS = 200_000;

/** Adds the constraints that a certificate lays on those below it. Throws RangeError. */
export function constrained(before: NameConstraints, certificate: PathCertificate): NameConstraints {
  const parts = extension(certificate, extensionOids.nameConstraints)?.inner() ?? [];
  const of = (tag: number): Der[] =>
    (parts.find((part) => part.tag === tag)?.inner(tag) ?? []).map((subtree) => {
      const [base, ...bounds] = subtree.inner();
      // minimum and maximum are not used in this profile: 0 and absent.
      if (
        base === undefined ||
        bounds.some(({ tag: bound, content }) => bound !== 0x80 || content.some((byte) => byte !== 0))
      )
        throw new RangeError('a name constraint has bounds');
      return base;
    });
  const permitted = of(0xa0);
  return {
    permitted: permitted.length === 0 ? before.permitted : [...before.permitted, permitted],
    excluded: [...before.excluded, ...of(0xa1)],
  };
}

/**
 * True when all names of the certificate suit the constraints (RFC 5280, 6.1.3 b and c). Throws RangeError for names
 * that are malformed or too many.
 */
export function namesSuit({ permitted, excluded }: NameConstraints, certificate: PathCertificate): boolean {
  if (permitted.length === 0 && excluded.length === 0) return true;
  const alternatives = extension(certificate, extensionOids.subjectAltName)?.inner() ?? [];
  const subject = namePartsOf(certificate.subject);
  const names: Name[] = [
    ...(subject.length === 0
      ? []
      : [{ tag: generalNames.directory, parts: subject, text: '', bytes: new Uint8Array() }]),
    ...alternatives.map(nameOf),
    ...(alternatives.some(({ tag }) => tag === generalNames.mail)
      ? []
      : mailsOf(certificate.subject).map((text) => ({
          tag: generalNames.mail,
          parts: [],
          text,
          bytes: new Uint8Array(),
        }))),
  ];
  const count = permitted.reduce((sum, set) => sum + set.length, excluded.length);
  if (count * names.length > MAX_COMPARISONS) throw new RangeError('there are too many names and constraints');
  return names.every(
    (name) =>
      !excluded.some((base) => base.tag === name.tag && lies(name, base, true)) &&
      permitted.every((set) => {
        const same = set.filter(({ tag }) => tag === name.tag);
        return same.length === 0 || same.some((base) => lies(name, base, false));
      }),
  );
}

interface Name {
  readonly tag: number;
  readonly parts: readonly string[];
  readonly text: string;
  readonly bytes: Uint8Array;
}

function nameOf(name: Der): Name {
  const { tag, content } = name;
  const [inside] = tag === generalNames.directory ? name.inner(tag) : [];
  return {
    tag,
    parts: inside === undefined ? [] : namePartsOf(inside),
    text: Buffer.from(content).toString('latin1'),
    bytes: content,
  };
}

/**
 * Whether a name is in a subtree; `unknown` for unsupported name types, which makes the certificate fail either way.
 */
function lies(name: Name, base: Der, unknown: boolean): boolean {
  const limit = nameOf(base);
  const text = name.text.toLowerCase();
  const wanted = limit.text.toLowerCase();
  switch (name.tag) {
    case generalNames.directory:
      return limit.parts.every((part, i) => part === name.parts[i]);
    case generalNames.dns:
      return wanted === '' || text === wanted || text.endsWith(`.${wanted.replace(/^\./, '')}`);
    case generalNames.mail:
      return liesMail(name.text, limit.text);
    case generalNames.uri: {
      const host = URL.canParse(name.text) ? new URL(name.text).hostname.toLowerCase() : '';
      if (host === '' || isIP(host) !== 0 || host.startsWith('[')) return unknown;
      return wanted.startsWith('.') ? host.endsWith(wanted) && host.length > wanted.length : host === wanted;
    }
    case generalNames.address: {
      const size = name.bytes.length;
      return (
        limit.bytes.length === 2 * size &&
        name.bytes.every(
          (byte, i) => (byte & (limit.bytes[size + i] ?? 0)) === ((limit.bytes[i] ?? 0) & (limit.bytes[size + i] ?? 0)),
        )
      );
    }
    default:
      return unknown;
  }
}

/** A mailbox, all of a host, or all below a domain; the part before the @ keeps its case (RFC 5280, 7.5). */
function liesMail(mail: string, limit: string): boolean {
  const at = mail.lastIndexOf('@');
  const host = mail.slice(at + 1).toLowerCase();
  if (limit.includes('@')) {
    const split = limit.lastIndexOf('@');
    return mail.slice(0, at) === limit.slice(0, split) && host === limit.slice(split + 1).toLowerCase();
  }
  const wanted = limit.toLowerCase();
  return (
    wanted === '' || (wanted.startsWith('.') ? host.endsWith(wanted) && host.length > wanted.length : host === wanted)
  );
}
