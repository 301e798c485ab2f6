import { childElements } from '@quire/document/file/xml/dom';
import type { Element } from '@xmldom/xmldom';
import { nameIdFormats, PROTOCOL } from './names.js';
import { along, decodePosted, openMessage } from './open-message.js';
import { attributesOf } from './read-assertion.js';
import { SamlFault } from './saml-fault.js';
import type { SamlSettings } from './saml-settings.js';
import { openEncrypted } from './verify.js';

/** What a response says, whether it can be trusted or not; null where it says nothing. */
export interface ResponseFacts {
  readonly issuer: string | null;
  readonly status: string | null;
  readonly destination: string | null;
  /** As it was written, and seconds from the clock here: above 0 where theirs is ahead. */
  readonly issuedAt: string | null;
  readonly clockSeconds: number | null;
  readonly signed: 'response' | 'assertion' | 'both' | 'nothing';
  readonly encrypted: boolean;
  readonly nameId: string | null;
  readonly nameIdFormat: string | null;
  readonly audiences: readonly string[];
  readonly recipient: string | null;
  readonly notBefore: string | null;
  readonly notOnOrAfter: string | null;
  readonly contexts: readonly string[];
  readonly attributes: readonly { readonly name: string; readonly values: readonly string[] }[];
}

/**
 * Reads what a response says, to explain a login to an administrator. Nothing is verified. Undefined for what is
 * refused before its signature is looked at, or cannot be decrypted.
 */
export async function describeResponse(
  message: string,
  settings: SamlSettings,
  now: number,
): Promise<ResponseFacts | undefined> {
  try {
    const { acceptSha1 } = settings;
    const response = openMessage(decodePosted(message), { name: 'Response', namespace: PROTOCOL, acceptSha1 });
    const encrypted = await openEncrypted(response, settings);
    return factsOf(response, encrypted ?? along(response, 'Assertion')[0], encrypted !== undefined, now);
  } catch (error) {
    if (error instanceof SamlFault) return undefined;
    throw error;
  }
}

function factsOf(response: Element, assertion: Element | undefined, encrypted: boolean, now: number): ResponseFacts {
  const within = (...names: readonly string[]): Element[] =>
    assertion === undefined ? [] : along(assertion, ...names);
  const issued = response.getAttribute('IssueInstant');
  const [nameId] = within('Subject', 'NameID');
  const [conditions] = within('Conditions');
  const [confirmation] = within('Subject', 'SubjectConfirmation', 'SubjectConfirmationData');
  const time = Date.parse(issued ?? '');
  return {
    issuer: textOf(along(response, 'Issuer')[0] ?? within('Issuer')[0]),
    status: along(response, 'Status', 'StatusCode')[0]?.getAttribute('Value') ?? null,
    destination: response.getAttribute('Destination'),
    issuedAt: issued,
    clockSeconds: Number.isNaN(time) ? null : Math.round((time - now) / 1000),
    signed: signedOf(isSigned(response), assertion !== undefined && isSigned(assertion)),
    encrypted,
    nameId: textOf(nameId),
    nameIdFormat: nameId === undefined ? null : (nameId.getAttribute('Format') ?? nameIdFormats.unspecified),
    audiences: within('Conditions', 'AudienceRestriction', 'Audience').map((one) => textOf(one) ?? ''),
    recipient: confirmation?.getAttribute('Recipient') ?? null,
    notBefore: conditions?.getAttribute('NotBefore') ?? null,
    notOnOrAfter: conditions?.getAttribute('NotOnOrAfter') ?? null,
    contexts: within('AuthnStatement', 'AuthnContext', 'AuthnContextClassRef').map((one) => textOf(one) ?? ''),
    attributes: assertion === undefined ? [] : [...attributesOf(assertion)].map(([name, values]) => ({ name, values })),
  };
}

function signedOf(response: boolean, assertion: boolean): ResponseFacts['signed'] {
  if (response && assertion) return 'both';
  return response ? 'response' : assertion ? 'assertion' : 'nothing';
}

function isSigned(element: Element): boolean {
  return childElements(element, 'Signature').length > 0;
}

function textOf(element: Element | undefined): string | null {
  return element?.textContent?.trim() ?? null;
}
