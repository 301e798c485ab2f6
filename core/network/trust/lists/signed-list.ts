import { createHash, createVerify, X509Certificate } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import { type HashAlgorithm, type SignatureAlgorithm, SignedXml } from 'xml-crypto';
import { ListFault } from './list-fault.js';
import { childElements, elementsIn } from '@quire/document/file/xml/dom';
import { certificatesOf, parseList } from './xml.js';

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const MAX_CERTIFICATES = 100;

/** A list whose signature holds: what was signed, and by whom. */
export interface SignedList {
  /** Root of what was signed, parsed from the signed bytes: nothing outside of them is looked at. */
  readonly root: Element;
  /** DER in base64. */
  readonly signer: string;
}

/**
 * Checks the enveloped signature of a list (XMLDSig, also as XAdES: ETSI TS 119 612, 5.7) with the certificates that
 * may have signed it, or with the one that it brings where `signers` is undefined. Throws ListFault.
 */
export function checkSignedList(bytes: Uint8Array, signers: readonly string[] | undefined): SignedList {
  const { text, root } = parseList(bytes);
  const signatures = childElements(root, 'Signature').filter(({ namespaceURI }) => namespaceURI === DSIG);
  const [signature] = signatures;
  if (signature === undefined || signatures.length > 1)
    throw new ListFault(signature === undefined ? 'the list is not signed' : 'the list has several signatures');
  const brought = certificatesOf(
    childElements(signature, 'KeyInfo').flatMap((info) => elementsIn(info, 'X509Certificate')),
  );
  // The certificate that the list names is tried first; one that may not sign is not tried at all.
  const allowed =
    signers === undefined
      ? brought.slice(0, 1)
      : [...brought.filter((der) => signers.includes(der)), ...signers].slice(0, MAX_CERTIFICATES);
  if (signers !== undefined && brought.length > 0 && !brought.some((der) => signers.includes(der)))
    throw new ListFault('the list is signed with a certificate that is not allowed to');
  for (const signer of new Set(allowed)) {
    const signed = signedContent(text, signature, signer);
    if (signed !== undefined) return { root: parseList(Buffer.from(signed)).root, signer };
  }
  throw new ListFault('the signature of the list does not hold');
}

/** The bytes of the document that a signature holds for; undefined when it does not, or not for the document. */
function signedContent(text: string, signature: Element, signer: string): string | undefined {
  try {
    const certificate = new X509Certificate(Buffer.from(signer, 'base64'));
    // A certificate inside the list is not trusted by itself: it must be the expected one.
    const check = new SignedXml({
      publicCert: certificate.publicKey.export({ type: 'spki', format: 'pem' }),
      getCertFromKeyInfo: () => null,
    });
    Object.assign(check.SignatureAlgorithms, signatureAlgorithms);
    Object.assign(check.HashAlgorithms, { 'http://www.w3.org/2001/04/xmldsig-more#sha384': Sha384 });
    // Canonical XML 1.1 differs only for parts of documents (xml:id, xml:base).
    Object.assign(check.CanonicalizationAlgorithms, {
      'http://www.w3.org/2006/12/xml-c14n11':
        check.CanonicalizationAlgorithms['http://www.w3.org/TR/2001/REC-xml-c14n-20010315'],
    });
    delete (check.HashAlgorithms as Partial<typeof check.HashAlgorithms>)['http://www.w3.org/2000/09/xmldsig#sha1'];
    delete (check.SignatureAlgorithms as Partial<typeof check.SignatureAlgorithms>)[
      'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
    ];
    // The same DOM, typed by the browser's there.
    check.loadSignature(signature as unknown as Parameters<SignedXml['loadSignature']>[0]);
    if (!check.checkSignature(text)) return undefined;
    return check
      .getSignedReferences()
      .find((reference) => /^\s*(?:<\?xml[^>]*>\s*)?<(?:[\w.-]+:)?TrustServiceStatusList[\s>]/.test(reference));
  } catch {
    return undefined;
  }
}

class Sha384 implements HashAlgorithm {
  getAlgorithmName = (): 'http://www.w3.org/2001/04/xmldsig-more#sha384' =>
    'http://www.w3.org/2001/04/xmldsig-more#sha384';
  getHash = (xml: string): string => createHash('sha384').update(xml, 'utf8').digest('base64');
}

/**
 * Signatures that the library lacks and lists are made with (RFC 9231): ECDSA, which XML writes as r and s, RSA with
 * SHA-384.
 */
const signatureAlgorithms = Object.fromEntries([
  ...(['sha256', 'sha384', 'sha512'] as const).map(
    (digest) =>
      [
        `http://www.w3.org/2001/04/xmldsig-more#ecdsa-${digest}`,
        verifierOf(`http://www.w3.org/2001/04/xmldsig-more#ecdsa-${digest}`, digest, true),
      ] as const,
  ),
  [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384',
    verifierOf('http://www.w3.org/2001/04/xmldsig-more#rsa-sha384', 'sha384', false),
  ] as const,
]);

function verifierOf(name: string, digest: string, isEc: boolean): new () => SignatureAlgorithm {
  return class implements SignatureAlgorithm {
    getAlgorithmName = (): string => name;
    getSignature = (): never => {
      throw new Error('lists are not signed here');
    };
    verifySignature = (
      material: string,
      key: Parameters<SignatureAlgorithm['verifySignature']>[1],
      value: string,
    ): boolean =>
      createVerify(digest)
        .update(material)
        .verify(isEc ? { key: key as string, dsaEncoding: 'ieee-p1363' } : { key: key as string }, value, 'base64');
  };
}
