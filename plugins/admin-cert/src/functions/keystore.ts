import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import type forgeModule from 'node-forge';

/** A key and its certificate, as they lie in a keystore. */
export interface KeystoreContents {
  readonly privateKey: KeyObject;
  /** DER of the certificate that belongs to the key. */
  readonly certificate: Uint8Array;
  /** DER of the other certificates. */
  readonly chain: readonly Uint8Array[];
}

type Forge = typeof forgeModule;

/** Seals a key and its certificate into a PKCS#12 keystore (RFC 7292), the key under AES-256. */
export async function sealKeystore(contents: KeystoreContents, password: string, friendlyName: string): Promise<Uint8Array> {
  const { default: forge } = await import('node-forge');
  const key = forge.pki.privateKeyFromPem(contents.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString());
  const certificates = [contents.certificate, ...contents.chain].map((der) => forge.pki.certificateFromAsn1(fromDer(forge, der)));
  const sealed = forge.pkcs12.toPkcs12Asn1(key, certificates, password, { algorithm: 'aes256', friendlyName });
  return Buffer.from(forge.asn1.toDer(sealed).getBytes(), 'latin1');
}

/** Opens a PKCS#12 keystore; undefined when the password is wrong, the bytes are no keystore, or it holds no key with its certificate. */
export async function openKeystore(bytes: Uint8Array, password: string): Promise<KeystoreContents | undefined> {
  const { default: forge } = await import('node-forge');
  let keystore: forgeModule.pkcs12.Pkcs12Pfx;
  try {
    keystore = forge.pkcs12.pkcs12FromAsn1(fromDer(forge, bytes), false, password);
  } catch {
    return undefined;
  }
  const bags = (type: string): readonly forgeModule.pkcs12.Bag[] => keystore.getBags({ bagType: type })[type] ?? [];
  const { oids } = forge.pki;
  const keyBag = [...bags(oids['pkcs8ShroudedKeyBag'] ?? ''), ...bags(oids['keyBag'] ?? '')][0];
  if (keyBag === undefined) return undefined;
  // The library reads RSA alone; keys and certificates of other kinds stay as ASN.1 and are read by OpenSSL.
  const keyAsn1 = isThere(keyBag.key) ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(keyBag.key)) : keyBag.asn1;
  const privateKey = createPrivateKey({ key: toDer(forge, keyAsn1), format: 'der', type: 'pkcs8' });
  const certificates = bags(oids['certBag'] ?? '').map((bag) => toDer(forge, isThere(bag.cert) ? forge.pki.certificateToAsn1(bag.cert) : bag.asn1));
  const own = certificates.findIndex((der) => new X509Certificate(der).checkPrivateKey(privateKey));
  const certificate = certificates[own];
  return certificate === undefined ? undefined : { privateKey, certificate, chain: certificates.filter((_, index) => index !== own) };
}

// The library leaves null where its types say undefined.
function isThere<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

function fromDer(forge: Forge, bytes: Uint8Array): forgeModule.asn1.Asn1 {
  return forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(bytes).toString('latin1')));
}

function toDer(forge: Forge, value: forgeModule.asn1.Asn1): Buffer {
  return Buffer.from(forge.asn1.toDer(value).getBytes(), 'latin1');
}
