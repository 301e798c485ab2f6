import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { childElements, elementsIn, parseXml, XmlFault } from '@quire/document/file/xml/dom';
import type { Element } from '@xmldom/xmldom';
import { ASSERTION, DSIG, PROTOCOL } from './names.js';
import { SamlFault } from './saml-fault.js';

/** Largest message, bytes: a response with a thousand groups has about 100 KB. */
const LARGEST_MESSAGE = 256 * 1024;
const DEEPEST = 64;
const SHA1 = ['http://www.w3.org/2000/09/xmldsig#rsa-sha1', 'http://www.w3.org/2000/09/xmldsig#sha1'];
const SIGNATURES: readonly string[] = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
];
const DIGESTS: readonly string[] = [
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
];

/** Decodes a message of the POST binding (SAML bindings, 3.5.4). Throws SamlFault. */
export function decodePosted(message: string): string {
  const base64 = message.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new SamlFault('the message is not base64');
  return textOf(Buffer.from(base64, 'base64'));
}

/** Decodes a message of the redirect binding (SAML bindings, 3.4.4.1). Throws SamlFault. */
export async function decodeRedirected(message: string): Promise<string> {
  try {
    return textOf(await promisify(inflateRaw)(Buffer.from(message, 'base64'), { maxOutputLength: LARGEST_MESSAGE }));
  } catch (error) {
    throw error instanceof SamlFault ? error : new SamlFault('the message is not deflated base64, or is too large');
  }
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length > LARGEST_MESSAGE) throw new SamlFault(`the message has more than ${LARGEST_MESSAGE} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SamlFault('the message is not UTF-8');
  }
}

/**
 * Parses a message before its signature is verified, and refuses everything by which parsers and verifiers could see
 * different documents: document types, comments, CDATA and processing instructions, ids that are not unique, assertions
 * and signatures in other places than those that are read, other algorithms. Throws SamlFault.
 */
export function openMessage(
  xml: string,
  { name, namespace, acceptSha1 }: { name: string; namespace: string; acceptSha1: boolean },
): Element {
  // Well-formed XML has no other `<!` or `<?`.
  if (xml.includes('<!')) throw new SamlFault('the message has a document type, a comment or CDATA');
  if (xml.replace(/^\uFEFF?\s*<\?xml\s[^>]*\?>/, '').includes('<?'))
    throw new SamlFault('the message has a processing instruction');
  const root = parsed(xml);
  if (root.localName !== name || root.namespaceURI !== namespace)
    throw new SamlFault(`the message is a ${String(root.localName)}, not a ${name}`);
  if (root.getAttribute('Version') !== '2.0') throw new SamlFault('the message is not of SAML 2.0');
  refuseTwins(root);
  refuseHidden(root);
  refuseSignatures(root, acceptSha1);
  return root;
}

function parsed(xml: string): Element {
  try {
    return parseXml(xml, { maxDepth: DEEPEST }).root;
  } catch (error) {
    throw error instanceof XmlFault ? new SamlFault(`the message is not well-formed XML: ${error.message}`) : error;
  }
}

function refuseTwins(root: Element): void {
  const seen = new Set<string>();
  for (const element of [root, ...elementsIn(root)])
    for (const { localName, value } of element.attributes) {
      if (localName?.toLowerCase() !== 'id') continue;
      if (seen.has(value)) throw new SamlFault(`the id "${value.slice(0, 100)}" occurs twice`);
      seen.add(value);
    }
}

/** Whatever the namespace: a library may look at the local name only. */
function refuseHidden(root: Element): void {
  const assertions: string[] = ['Assertion', 'EncryptedAssertion'];
  let count = 0;
  for (const element of elementsIn(root)) {
    const name = element.localName ?? '';
    const isTop = element.parentNode === root && root.localName === 'Response';
    if (name === 'Response' || (assertions.includes(name) && !isTop))
      throw new SamlFault(`there is a ${name} inside of the message`);
    if (assertions.includes(name) && ++count > 1) throw new SamlFault('there are several assertions');
    if (assertions.includes(name) && element.namespaceURI !== ASSERTION)
      throw new SamlFault(`the ${name} is not of SAML`);
  }
}

function refuseSignatures(root: Element, acceptSha1: boolean): void {
  const signed = [root, ...childElements(root, 'Assertion')];
  for (const signature of elementsIn(root, 'Signature')) {
    if (!signed.some((parent) => parent === signature.parentNode))
      throw new SamlFault('there is a signature where none belongs');
    if (signature.namespaceURI !== DSIG) throw new SamlFault('a signature is not one of XML');
    if (childElements(signature, 'Object').length > 0) throw new SamlFault('a signature has objects');
    refuseAlgorithms(signature, acceptSha1);
  }
  for (const parent of signed)
    if (childElements(parent, 'Signature').length > 1) throw new SamlFault('an element has several signatures');
}

function refuseAlgorithms(signature: Element, acceptSha1: boolean): void {
  for (const [name, allowed] of [
    ['SignatureMethod', SIGNATURES],
    ['DigestMethod', DIGESTS],
  ] as const)
    for (const element of elementsIn(signature, name)) {
      const algorithm = element.getAttribute('Algorithm') ?? '';
      if (allowed.includes(algorithm) || (acceptSha1 && SHA1.includes(algorithm))) continue;
      throw new SamlFault(
        SHA1.includes(algorithm)
          ? 'the signature is made with SHA-1 (security.saml2.acceptSha1 is off)'
          : `the algorithm ${algorithm.slice(0, 100)} is not accepted`,
      );
    }
}

/** The child elements of SAML with a name, level by level. */
export function along(parent: Element, ...names: readonly string[]): Element[] {
  return names.reduce<Element[]>(
    (found, name) =>
      found.flatMap((element) =>
        childElements(element, name).filter(
          ({ namespaceURI }) => namespaceURI === ASSERTION || namespaceURI === PROTOCOL,
        ),
      ),
    [parent],
  );
}

/** The text of an element. Throws SamlFault when it has elements: their texts would be a part of it. */
export function plainText(element: Element): string {
  if (elementsIn(element).length > 0) throw new SamlFault(`${element.localName ?? 'an element'} has elements inside`);
  return (element.textContent ?? '').trim();
}

/** Milliseconds since 1970 of an attribute; undefined where it is missing. Throws SamlFault. */
export function timeOf(element: Element, name: string): number | undefined {
  const written = element.getAttribute(name);
  if (written === null || written === '') return undefined;
  // SAML core, 1.3.3: UTC without a time zone.
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(written) ? Date.parse(written) : NaN;
  if (Number.isNaN(time)) throw new SamlFault(`${name} "${written.slice(0, 60)}" is not a time`);
  return time;
}
