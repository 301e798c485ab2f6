import type { KeyObject } from 'node:crypto';
import { childElements, elementsIn } from '@quire/document/file/xml/dom';
import type { Element } from '@xmldom/xmldom';
import type { SAML } from '@node-saml/node-saml';
import type { Idp } from './idp-metadata.js';
import type { OwnAddresses } from './messages.js';
import { ASSERTION } from './names.js';
import { openMessage } from './open-message.js';
import { SamlFault } from './saml-fault.js';
import type { SamlSettings } from './saml-settings.js';

/**
 * What the library decrypts, without RSA 1.5, which tells who asks often enough what is encrypted, and Triple DES,
 * which is withdrawn.
 */
const ENCRYPTION: readonly string[] = [
  'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
];
/** Of RSA-OAEP, whose safety does not rest on it. */
const OAEP_DIGESTS: readonly string[] = ['http://www.w3.org/2000/09/xmldsig#sha1'];

/** Requests are remembered in a sealed cookie, not in the memory of a node. */
const noCache = {
  saveAsync: () => Promise.resolve(null),
  getAsync: () => Promise.resolve(null),
  removeAsync: () => Promise.resolve(null),
};

/** What a signature is verified with. */
export interface Verifier {
  readonly settings: SamlSettings;
  readonly idp: Idp;
  readonly own: OwnAddresses;
}

/**
 * Verifies the signature of a response, or of its assertion, and returns the bytes of the assertion that it holds for.
 * The response has been opened (`openMessage`). Throws SamlFault.
 */
export async function verifiedAssertion(xml: string, verifier: Verifier): Promise<string> {
  const { profile } = await held(verifier, (saml) => saml.validatePostResponseAsync({ SAMLResponse: posted(xml) }));
  const signed = profile?.getAssertionXml?.();
  if (signed === undefined) throw new SamlFault('the response has no assertion');
  return signed;
}

/** Verifies the signature of a message about a logout that was posted. Throws SamlFault. */
export async function verifyLogout(
  xml: string,
  field: 'SAMLRequest' | 'SAMLResponse',
  verifier: Verifier,
): Promise<void> {
  await held(verifier, (saml) =>
    field === 'SAMLRequest'
      ? saml.validatePostRequestAsync({ SAMLRequest: posted(xml) })
      : saml.validatePostResponseAsync({ SAMLResponse: posted(xml) }),
  );
}

/**
 * Decrypts the assertion of a response, if it is encrypted, and refuses inside of it what is refused outside. The
 * library decrypts it again. Returns the assertion, which is not verified.
 */
export async function openEncrypted(
  response: Element,
  { key, acceptSha1 }: SamlSettings,
): Promise<Element | undefined> {
  const [encrypted] = childElements(response, 'EncryptedAssertion');
  if (encrypted === undefined) return undefined;
  for (const [name, accepted] of [
    ['EncryptionMethod', ENCRYPTION],
    ['DigestMethod', OAEP_DIGESTS],
  ] as const)
    for (const method of elementsIn(encrypted, name)) {
      const algorithm = method.getAttribute('Algorithm') ?? '';
      if (!accepted.includes(algorithm))
        throw new SamlFault(
          `the encryption ${algorithm.slice(0, 100)} is not accepted; let the identity provider take AES with GCM or ` +
            'CBC, and rsa-oaep-mgf1p with SHA-1 for the key',
        );
    }
  const xml = await decrypted(encrypted.toString(), key);
  return openMessage(xml, { name: 'Assertion', namespace: ASSERTION, acceptSha1 });
}

async function decrypted(xml: string, key: KeyObject): Promise<string> {
  const { decrypt } = await import('xml-encryption');
  return new Promise((resolve, reject) => {
    const options = { key: pem(key), disallowDecryptionWithInsecureAlgorithm: true };
    decrypt(xml, options, (error, result) => {
      // One text for every reason: who sends many learns nothing from it.
      if (error !== null && error !== undefined)
        reject(new SamlFault('the assertion cannot be decrypted', { cause: error }));
      else resolve(String(result));
    });
  });
}

async function held<R>({ settings, idp, own }: Verifier, verify: (saml: SAML) => Promise<R>): Promise<R> {
  // Loaded at the first login.
  const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml');
  try {
    return await verify(
      new SAML({
        callbackUrl: own.acs,
        issuer: own.entityId,
        audience: own.entityId,
        idpIssuer: idp.entityId,
        idpCert: [...idp.certificates],
        decryptionPvk: pem(settings.key),
        wantAssertionsSigned: settings.wantAssertionsSigned,
        // One of both signatures is always needed.
        wantAuthnResponseSigned: false,
        acceptedClockSkewMs: settings.skewMs,
        validateInResponseTo: ValidateInResponseTo.never,
        cacheProvider: noCache,
      }),
    );
  } catch (error) {
    // The library reads members of elements that are missing.
    const isIncomplete = !(error instanceof Error) || error instanceof TypeError;
    throw new SamlFault(isIncomplete ? 'the message is not complete' : error.message, { cause: error });
  }
}

function posted(xml: string): string {
  return Buffer.from(xml).toString('base64');
}

function pem(key: KeyObject): string {
  return String(key.export({ type: 'pkcs8', format: 'pem' }));
}
