import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { inner, parseAsn1, rawOf } from '../asn1/read-asn1.js';
import { type SealCipher, sealCiphers, unseal } from './block-ciphers.js';
import { DocumentError } from '../../errors.js';
import { type KeystoreFields, Unreadable, unusableKey, UnusableKey, wrongPassword } from './errors.js';
import { checkedKey } from './identity.js';
import { passwordForms } from './password-forms.js';
import { type PemBlock, readPem } from './pem.js';
import { Rounds } from './rounds.js';
import { unsealPrivateKeyInfo } from './unseal-private-key.js';

/** Ciphers of traditional encrypted PEM by their names in DEK-Info. */
const dekCiphers: Readonly<Record<string, SealCipher>> = {
  'DES-EDE3-CBC': sealCiphers.des3,
  'DES-CBC': sealCiphers.des,
  'AES-128-CBC': sealCiphers.aes128,
  'AES-192-CBC': sealCiphers.aes192,
  'AES-256-CBC': sealCiphers.aes256,
};
type KeyLayout = 'pkcs1' | 'sec1' | 'pkcs8' | 'dsa' | 'encrypted';

/**
 * Reads a private key that can sign, by its content: PEM or DER of PKCS#1, SEC 1, PKCS#8 plain or encrypted, and
 * traditional encrypted PEM. Uses the first private key of a PEM text; ignores a password for an unencrypted key.
 * Rejects with DocumentError: KEY_UNREADABLE, KEYSTORE_PASSWORD, KEY_UNUSABLE.
 */
export async function readPrivateKey(
  bytes: Uint8Array,
  password: string | undefined,
  options: KeystoreFields & { readonly signal?: AbortSignal } = {},
): Promise<KeyObject> {
  const fields = { field: 'privateKeyFile', ...options };
  try {
    const rounds = new Rounds(options.signal);
    const pem = readPem(bytes);
    const block = pem.find(({ label }) => label.endsWith('PRIVATE KEY'));
    if (pem.length > 0 && block === undefined)
      throw new Unreadable(
        `holds no private key, only ${[...new Set(pem.map(({ label }) => label))].slice(0, 3).join(', ')}`,
      );
    const key = block === undefined ? await keyOfDer(bytes, password, rounds) : await keyOfPem(block, password, rounds);
    if (key === 'wrong password')
      throw wrongPassword(
        fields,
        password === undefined || password === ''
          ? 'the private key needs a password'
          : 'the password of the private key is wrong',
      );
    return key;
  } catch (error) {
    if (error instanceof UnusableKey) throw unusableKey(fields, `it ${error.message}`);
    if (error instanceof Unreadable) throw unreadableKey(fields, `it ${error.message}`, error);
    if (error instanceof RangeError || error instanceof TypeError)
      throw unreadableKey(fields, 'it is damaged or of another kind', error);
    throw error;
  }
}

function unreadableKey({ field }: { readonly field: string }, detail: string, cause: unknown): DocumentError {
  return new DocumentError('KEY_UNREADABLE', { field, detail }, [{ pointer: `/${field}`, detail }], { cause });
}

type Opened = KeyObject | 'wrong password';

async function keyOfPem(block: PemBlock, password: string | undefined, rounds: Rounds): Promise<Opened> {
  if (block.label === 'OPENSSH PRIVATE KEY')
    throw new Unreadable('is in the format of OpenSSH; convert it with ssh-keygen -p -m PEM');
  const sealed = /ENCRYPTED/.test(block.headers.get('proc-type') ?? '');
  if (!sealed) return keyOfDer(block.bytes, password, rounds);
  return keyOfTraditional(block, password);
}

async function keyOfDer(der: Uint8Array, password: string | undefined, rounds: Rounds): Promise<Opened> {
  if (der.length === 0) throw new Unreadable('is empty');
  if (der[0] !== 0x30) throw new Unreadable('is not a private key in PEM or DER');
  const block = parseAsn1(der);
  const layout = layoutOf(der);
  if (layout !== 'encrypted') return keyOfLayout(rawOf(block), layout);
  const plain = await unsealPrivateKeyInfo(block, passwordForms(password), rounds);
  return plain === undefined ? 'wrong password' : keyOfLayout(plain, 'pkcs8');
}

function keyOfLayout(der: Uint8Array, layout: Exclude<KeyLayout, 'encrypted'>): KeyObject {
  const bytes = Buffer.from(der);
  if (layout === 'dsa')
    return checkedKey(() =>
      createPrivateKey(`-----BEGIN DSA PRIVATE KEY-----\n${bytes.toString('base64')}\n-----END DSA PRIVATE KEY-----\n`),
    );
  return checkedKey(() => createPrivateKey({ key: bytes, format: 'der', type: layout }));
}

/** Layouts differ in their first elements (RFC 8017, A.1.2; RFC 5915, 3; RFC 5958, 2 and 3). Throws Unreadable. */
function layoutOf(der: Uint8Array): KeyLayout {
  const fields = inner(parseAsn1(der));
  const numbers = fields.map(({ idBlock }) => (idBlock.tagClass === 1 ? idBlock.tagNumber : -1));
  const begins = (...tags: readonly number[]): boolean => tags.every((tag, i) => numbers[i] === tag);
  if (begins(2, 16, 4)) return 'pkcs8';
  if (begins(16, 4) && fields.length === 2) return 'encrypted';
  if (begins(2, 4)) return 'sec1';
  if (begins(2, 2, 2, 2, 2, 2, 2, 2, 2)) return 'pkcs1';
  if (begins(2, 2, 2, 2, 2, 2) && fields.length === 6) return 'dsa';
  throw new Unreadable(
    begins(16, 16, 3) ? 'is a certificate, not a private key' : 'is not a private key of a known format',
  );
}

/** Traditional encrypted PEM (RFC 1421, 4.6; the key is OpenSSL's EVP_BytesToKey with one round of MD5). */
async function keyOfTraditional({ headers, bytes }: PemBlock, password: string | undefined): Promise<Opened> {
  const [name = '', hex = ''] = (headers.get('dek-info') ?? '').split(',').map((part) => part.trim());
  const cipher = dekCiphers[name.toUpperCase()];
  const iv = Buffer.from(hex, 'hex');
  if (cipher === undefined || iv.length !== cipher.ivLength)
    throw new Unreadable(
      `is encrypted with ${cipher === undefined && /^[\w-]{1,30}$/.test(name) ? name : 'an unknown cipher'}, ` +
        'which is not supported',
    );
  for (const secret of passwordForms(password).narrow) {
    let hash = Buffer.alloc(0);
    let key = Buffer.alloc(0);
    while (key.length < cipher.keyLength) {
      hash = createHash('md5').update(hash).update(secret).update(iv.subarray(0, 8)).digest();
      key = Buffer.concat([key, hash]);
    }
    const plain = await unseal(cipher, key.subarray(0, cipher.keyLength), iv, bytes);
    const layout = plain === undefined ? undefined : plainLayout(plain);
    if (plain !== undefined && layout !== undefined) return keyOfLayout(plain, layout);
  }
  return 'wrong password';
}

/** A wrong password leaves noise whose padding may be right by chance. */
function plainLayout(plain: Uint8Array): Exclude<KeyLayout, 'encrypted'> | undefined {
  try {
    const layout = layoutOf(plain);
    return layout === 'encrypted' ? undefined : layout;
  } catch {
    return undefined;
  }
}
