import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BaseBlock } from 'asn1js';
import { bmpTextOf, hasTag, inner, numberOf, octetsOf, oidOf, parseAsn1, rawOf } from '../asn1/read-asn1.js';
import { Unreadable } from './errors.js';
import type { KeystoreEntry, OpenedKeystore } from './keystore-entry.js';
import { decryptWithPassword, derivePbkdf2By, hmacDigestOf } from './password-encryption.js';
import type { PasswordForms } from './password-forms.js';
import { derivedFor, derivePkcs12 } from './pkcs12-derivation.js';
import type { Rounds } from './rounds.js';
import { unsealPrivateKeyInfo } from './unseal-private-key.js';

const id = {
  data: '1.2.840.113549.1.7.1',
  encryptedData: '1.2.840.113549.1.7.6',
  keyBag: '1.2.840.113549.1.12.10.1.1',
  shroudedKeyBag: '1.2.840.113549.1.12.10.1.2',
  certBag: '1.2.840.113549.1.12.10.1.3',
  contentsBag: '1.2.840.113549.1.12.10.1.6',
  x509: '1.2.840.113549.1.9.22.1',
  friendlyName: '1.2.840.113549.1.9.20',
  localKeyId: '1.2.840.113549.1.9.21',
  pbmac1: '1.2.840.113549.1.5.14',
  pbkdf2: '1.2.840.113549.1.5.12',
} as const;
const macDigests: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.5': 'sha512-224',
  '2.16.840.1.101.3.4.2.6': 'sha512-256',
};
/** SafeContents within SafeContents (RFC 7292, 4.2.6): nobody writes more than one. */
const MAX_NESTING = 4;

interface Bag {
  readonly type: string;
  readonly value: BaseBlock;
  readonly name: string | undefined;
  readonly localKeyId: string | undefined;
}

/**
 * Opens a PKCS#12 keystore (RFC 7292, RFC 9879), BER or DER, with the password's encodings. 'wrong password' if its MAC
 * or its ciphers say so; a keystore without a MAC is accepted if it decrypts. Keys stay encrypted until they are
 * needed. Throws Unreadable for other files.
 */
export async function openPkcs12(
  bytes: Uint8Array,
  forms: PasswordForms,
  rounds: Rounds,
): Promise<OpenedKeystore | 'wrong password'> {
  const [version, authSafe, macData] = inner(parseAsn1(bytes));
  if (numberOf(version) !== 3) throw new Unreadable('is not version 3 of PKCS#12');
  const { type, content } = contentInfo(authSafe);
  if (type !== id.data) throw new Unreadable('is protected with a public key and not with a password');
  const contents = octetsOf(content);
  if (macData !== undefined && !(await isIntact(macData, contents, forms, rounds))) return 'wrong password';
  const bags: Bag[] = [];
  for (const info of inner(parseAsn1(contents))) {
    const plain = await safeContents(info, forms, rounds);
    if (plain === undefined) return 'wrong password';
    bags.push(...bagsOf(parseAsn1(plain), 0));
  }
  const certificates = bags
    .filter((bag) => bag.type === id.certBag)
    .flatMap((bag) => {
      const der = certificateOf(bag.value);
      return der === undefined ? [] : [{ der, localKeyId: bag.localKeyId }];
    });
  const keys = bags.filter(({ type }) => type === id.keyBag || type === id.shroudedKeyBag);
  return {
    // Whose key it is says the certificate's key in the end; the marks say which of several certificates of a key is
    // meant.
    entries: keys.map((bag, index): KeystoreEntry => ({
      alias: bag.name ?? String(index + 1),
      certificates: certificates
        .toSorted(
          (a, b) =>
            Number(b.localKeyId !== undefined && b.localKeyId === bag.localKeyId) -
            Number(a.localKeyId !== undefined && a.localKeyId === bag.localKeyId),
        )
        .map(({ der }) => der),
      unseal: async () => (bag.type === id.keyBag ? rawOf(bag.value) : unsealPrivateKeyInfo(bag.value, forms, rounds)),
    })),
    certificates: certificates.map(({ der }) => der),
  };
}

function contentInfo(block: BaseBlock | undefined): { readonly type: string; readonly content: BaseBlock | undefined } {
  const [type, wrapped] = block === undefined ? [] : inner(block);
  return { type: oidOf(type), content: hasTag(wrapped, 0) ? inner(wrapped)[0] : undefined };
}

async function safeContents(info: BaseBlock, forms: PasswordForms, rounds: Rounds): Promise<Uint8Array | undefined> {
  const { type, content } = contentInfo(info);
  if (type === id.data) return octetsOf(content);
  if (type !== id.encryptedData) throw new Unreadable('is encrypted with a public key and not with a password');
  // EncryptedData (RFC 5652, 8) and its EncryptedContentInfo (6.1).
  const [, encrypted] = content === undefined ? [] : inner(content);
  const [, algorithm, data] = encrypted === undefined ? [] : inner(encrypted);
  return decryptWithPassword(algorithm, octetsOf(data), forms, rounds, isSequence);
}

function isSequence(plain: Uint8Array): boolean {
  try {
    return plain[0] === 0x30 && inner(parseAsn1(plain)).every((bag) => inner(bag).length >= 2);
  } catch {
    return false;
  }
}

function bagsOf(contents: BaseBlock, depth: number): Bag[] {
  if (depth > MAX_NESTING) throw new Unreadable('is nested too deeply');
  return inner(contents).flatMap((bag) => {
    const [type, wrapped, attributes] = inner(bag);
    const [value] = wrapped === undefined ? [] : inner(wrapped);
    if (value === undefined) return [];
    if (oidOf(type) === id.contentsBag) return bagsOf(value, depth + 1);
    const marks = new Map(
      (attributes === undefined ? [] : inner(attributes)).map((attribute) => {
        const [name, values] = inner(attribute);
        return [oidOf(name), values === undefined ? undefined : inner(values)[0]] as const;
      }),
    );
    const localKeyId = marks.get(id.localKeyId);
    return [
      {
        type: oidOf(type),
        value,
        name: bmpTextOf(marks.get(id.friendlyName)),
        localKeyId: localKeyId === undefined ? undefined : Buffer.from(octetsOf(localKeyId)).toString('hex'),
      },
    ];
  });
}

function certificateOf(bag: BaseBlock): Uint8Array | undefined {
  const [type, wrapped] = inner(bag);
  return oidOf(type) === id.x509 && wrapped !== undefined ? octetsOf(inner(wrapped)[0]) : undefined;
}

/** MacData (RFC 7292, 4): a MAC over the contents; with PBMAC1, as RFC 9879 has it. */
async function isIntact(
  macData: BaseBlock,
  contents: Uint8Array,
  forms: PasswordForms,
  rounds: Rounds,
): Promise<boolean> {
  const [mac, salt, count] = inner(macData);
  const [algorithm, digest] = mac === undefined ? [] : inner(mac);
  const [name, parameters] = algorithm === undefined ? [] : inner(algorithm);
  const expected = octetsOf(digest);
  const matches = (hash: string, key: Uint8Array): boolean => {
    const found = createHmac(hash, key).update(contents).digest();
    return found.length === expected.length && timingSafeEqual(found, expected);
  };
  if (oidOf(name) === id.pbmac1) {
    const [derivation, scheme] = parameters === undefined ? [] : inner(parameters);
    const [by, derivationParameters] = derivation === undefined ? [] : inner(derivation);
    if (oidOf(by) !== id.pbkdf2 || scheme === undefined) throw new Unreadable('checks its password in an unknown way');
    const hash = hmacDigestOf(scheme);
    for (const password of forms.narrow)
      if (matches(hash, await derivePbkdf2By(derivationParameters, password, undefined, rounds))) return true;
    return false;
  }
  const hash = macDigests[oidOf(name)];
  if (hash === undefined) throw new Unreadable(`checks its password with the unknown digest ${oidOf(name)}`);
  for (const password of forms.wide) {
    const key = await derivePkcs12(
      hash,
      password,
      octetsOf(salt),
      count === undefined ? 1 : numberOf(count),
      derivedFor.mac,
      expected.length,
      rounds,
    );
    if (matches(hash, key)) return true;
  }
  return false;
}
