import { createHash, createSign, createVerify, type KeyObject } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { EndpointAnswer } from '@quire/registry';
import { PROTOCOL } from './names.js';
import { xmlText } from './messages.js';
import { SamlFault } from './saml-fault.js';

/** A message on its way through the browser. */
export type Delivery = { readonly url: string } | { readonly page: string };

/** A message, and where it goes. */
export interface Outgoing {
  readonly xml: string;
  /** `SAMLRequest` or `SAMLResponse`. */
  readonly field: 'SAMLRequest' | 'SAMLResponse';
  readonly url: string;
  readonly relayState: string | undefined;
}

/** Keys that sign; PEM. */
export interface SigningKey {
  readonly key: KeyObject;
  readonly certificate: string;
}

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SUBMIT = 'document.forms[0].submit();';

/** Signatures of the redirect binding that are accepted, and their digests (SAML bindings, 3.4.4.1). */
const digests: Readonly<Record<string, string>> = {
  [RSA_SHA256]: 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': 'sha384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'sha512',
};
const SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';

/** Signs a message for the redirect binding (SAML bindings, 3.4.4.1). */
export function byRedirect({ xml, field, url, relayState }: Outgoing, { key }: SigningKey): Delivery {
  const parts = [
    [field, deflateRawSync(xml).toString('base64')],
    ...(relayState === undefined ? [] : [['RelayState', relayState]]),
    ['SigAlg', RSA_SHA256],
  ].map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`);
  const signed = parts.join('&');
  const signature = createSign('sha256').update(signed).sign(key, 'base64');
  return { url: `${url}${url.includes('?') ? '&' : '?'}${signed}&Signature=${encodeURIComponent(signature)}` };
}

/** Signs a message for the POST binding: a page that sends itself on (SAML bindings, 3.5.4). */
export async function byPost({ xml, field, url, relayState }: Outgoing, key: SigningKey): Promise<Delivery> {
  const message = Buffer.from(await signedXml(xml, key)).toString('base64');
  const fields = [[field, message], ...(relayState === undefined ? [] : [['RelayState', relayState]])];
  const inputs = fields.map(
    ([name = '', value = '']) => `<input type="hidden" name="${name}" value="${xmlText(value)}">`,
  );
  return {
    page:
      '<!doctype html><html lang="en"><meta charset="utf-8"><title>…</title>' +
      `<form method="post" action="${xmlText(url)}">${inputs.join('')}<noscript><button>→</button></noscript></form>` +
      `<script>${SUBMIT}</script></html>`,
  };
}

/** The answer that sends the browser on. */
export function onward(delivery: Delivery, cookie?: string): EndpointAnswer {
  const shared = {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
  };
  if ('url' in delivery) return { status: 302, headers: { location: delivery.url, ...shared } };
  const hash = createHash('sha256').update(SUBMIT).digest('base64');
  return {
    text: delivery.page,
    headers: {
      ...shared,
      'content-type': 'text/html; charset=utf-8',
      // No form-action: identity providers send forms on to other hosts.
      'content-security-policy': `default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'`,
    },
  };
}

/**
 * Verifies the signature of the redirect binding over the query as it was sent, and returns the message and its relay
 * state. Throws SamlFault. The library accepts queries without a signature, so it is not asked.
 */
export function verifiedQuery(
  search: string,
  { certificates, acceptSha1 }: { certificates: readonly string[]; acceptSha1: boolean },
): { readonly field: Outgoing['field']; readonly message: string; readonly relayState: string | undefined } {
  const parts = new Map<string, string>();
  for (const part of search.split('&')) {
    const name = part.slice(0, Math.max(part.indexOf('='), 0));
    if (parts.has(name)) throw new SamlFault(`the parameter ${name.slice(0, 50)} occurs twice`);
    parts.set(name, part);
  }
  const value = (name: string): string | undefined => decoded(parts.get(name)?.slice(name.length + 1));
  const field = parts.has('SAMLRequest') ? 'SAMLRequest' : 'SAMLResponse';
  const [message, signature, algorithm = ''] = [value(field), value('Signature'), value('SigAlg')];
  if (message === undefined || (field === 'SAMLRequest' && parts.has('SAMLResponse')))
    throw new SamlFault('there is no message, or there are two');
  if (signature === undefined) throw new SamlFault('the message is not signed');
  const digest = digests[algorithm] ?? (acceptSha1 && algorithm === SHA1 ? 'sha1' : undefined);
  if (digest === undefined) throw new SamlFault(`the algorithm ${algorithm.slice(0, 100)} is not accepted`);
  const signed = [field, 'RelayState', 'SigAlg'].flatMap((name) => parts.get(name) ?? []).join('&');
  const holds = certificates.some((certificate) =>
    createVerify(digest).update(signed).verify(certificate, signature, 'base64'),
  );
  if (!holds) throw new SamlFault('the signature does not hold');
  return { field, message, relayState: value('RelayState') };
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new SamlFault('the query is not URL-encoded');
  }
}

async function signedXml(xml: string, { key, certificate }: SigningKey): Promise<string> {
  const { SignedXml } = await import('xml-crypto');
  const signer = new SignedXml({
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }),
    publicCert: certificate,
    signatureAlgorithm: RSA_SHA256,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  });
  signer.addReference({
    xpath: `/*[namespace-uri()='${PROTOCOL}']`,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
  });
  // The schema wants the signature after the issuer.
  signer.computeSignature(xml, { location: { reference: "/*/*[local-name()='Issuer']", action: 'after' } });
  return signer.getSignedXml();
}
