import { elementsIn, parseXml } from '@quire/document/file/xml/dom';
import type { Element } from '@xmldom/xmldom';
import { ASSERTION, BEARER, nameIdFormats } from './names.js';
import { along, plainText, timeOf } from './open-message.js';
import { SamlFault } from './saml-fault.js';

/** What an assertion must say. */
export interface Expected {
  /** Entity id of the identity provider. */
  readonly issuer: string;
  /** Entity id of this server. */
  readonly audience: string;
  /** The address that it was sent to. */
  readonly recipient: string;
  /** Id of the request; undefined for an unsolicited login. */
  readonly inResponseTo: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly skewMs: number;
}

export interface NameId {
  readonly value: string;
  readonly format: string;
  readonly nameQualifier: string | undefined;
  readonly spNameQualifier: string | undefined;
}

/** An assertion that holds. */
export interface Assertion {
  readonly id: string;
  readonly nameId: NameId | undefined;
  readonly sessionIndex: string | undefined;
  /** AuthnContextClassRef. */
  readonly contexts: readonly string[];
  /** Values by name, and by the friendly name. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  /** When no server accepts it any more, ms since 1970. */
  readonly until: number;
}

const MOST_VALUES = 1000;
const CONDITIONS = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction'];

/**
 * Reads the bytes that a signature holds for, and checks what they say (SAML core, 2; SAML profiles, 4.1.4.2 and
 * 4.1.4.3). Throws SamlFault.
 */
export function readAssertion(signed: string, expected: Expected): Assertion {
  const { root } = parseXml(signed);
  if (root.localName !== 'Assertion' || root.namespaceURI !== ASSERTION || root.getAttribute('Version') !== '2.0')
    throw new SamlFault('what is signed is not an assertion of SAML 2.0');
  const id = root.getAttribute('ID') ?? '';
  if (id === '') throw new SamlFault('the assertion has no ID');
  checkIssuer(only(root, 'Issuer'), expected.issuer);
  const subject = only(root, 'Subject');
  const confirmed = confirmedUntil(subject, expected);
  const valid = checkConditions(only(root, 'Conditions'), expected);
  const statements = along(root, 'AuthnStatement');
  if (statements.length === 0) throw new SamlFault('the assertion does not say that somebody has logged in');
  for (const statement of statements)
    if (isOver(timeOf(statement, 'SessionNotOnOrAfter'), expected))
      throw new SamlFault('the session at the identity provider has ended (SessionNotOnOrAfter)');
  return {
    id,
    nameId: nameIdOf(along(subject, 'NameID')[0]),
    sessionIndex: statements[0]?.getAttribute('SessionIndex') ?? undefined,
    contexts: statements.flatMap((one) => along(one, 'AuthnContext', 'AuthnContextClassRef')).map(plainText),
    attributes: attributesOf(root),
    until: Math.max(confirmed, valid ?? 0) + expected.skewMs,
  };
}

/** Throws SamlFault when a message or an assertion is of somebody else. */
export function checkIssuer(issuer: Element | undefined, expected: string): void {
  const found = issuer === undefined ? '' : plainText(issuer);
  if (found !== expected)
    throw new SamlFault(`the issuer is "${found.slice(0, 200)}", not the identity provider ${expected}`);
}

export function nameIdOf(element: Element | undefined): NameId | undefined {
  if (element === undefined) return undefined;
  const value = plainText(element);
  if (value === '' || value.length > 1024) throw new SamlFault('the NameID is empty, or longer than 1024 letters');
  return {
    value,
    format: element.getAttribute('Format') ?? nameIdFormats.unspecified,
    nameQualifier: element.getAttribute('NameQualifier') ?? undefined,
    spNameQualifier: element.getAttribute('SPNameQualifier') ?? undefined,
  };
}

/** Until when a confirmation for the bearer holds (SAML profiles, 4.1.4.3). */
function confirmedUntil(subject: Element, expected: Expected): number {
  const faults: string[] = [];
  for (const confirmation of along(subject, 'SubjectConfirmation')) {
    if (confirmation.getAttribute('Method') !== BEARER) continue;
    const data = along(confirmation, 'SubjectConfirmationData')[0];
    const fault = data === undefined ? 'it has no data' : confirmationFault(data, expected);
    if (fault === undefined && data !== undefined) return timeOf(data, 'NotOnOrAfter') ?? 0;
    faults.push(fault ?? '');
  }
  throw new SamlFault(
    `the subject is not confirmed for this login: ${faults.join('; ') || 'nothing confirms a bearer'}`,
  );
}

function confirmationFault(data: Element, expected: Expected): string | undefined {
  const recipient = data.getAttribute('Recipient');
  if (recipient !== expected.recipient) return `the recipient is "${recipient ?? ''}", not ${expected.recipient}`;
  if ((data.getAttribute('InResponseTo') ?? undefined) !== expected.inResponseTo)
    return 'it answers another request, or none (InResponseTo)';
  const end = timeOf(data, 'NotOnOrAfter');
  if (end === undefined) return 'it has no end (NotOnOrAfter)';
  if (isOver(end, expected)) return `it has expired (NotOnOrAfter ${new Date(end).toISOString()})`;
  return isEarly(timeOf(data, 'NotBefore'), expected) ? 'it is not valid yet (NotBefore)' : undefined;
}

function checkConditions(conditions: Element, expected: Expected): number | undefined {
  const end = timeOf(conditions, 'NotOnOrAfter');
  if (isOver(end, expected)) throw new SamlFault(`the assertion has expired (NotOnOrAfter ${at(end)})`);
  const begin = timeOf(conditions, 'NotBefore');
  if (isEarly(begin, expected)) throw new SamlFault(`the assertion is not valid yet (NotBefore ${at(begin)})`);
  const others = elementsIn(conditions).filter(
    ({ parentNode, localName }) => parentNode === conditions && !CONDITIONS.includes(localName ?? ''),
  );
  if (others.length > 0) throw new SamlFault(`the condition ${others[0]?.localName ?? ''} is not known`);
  const restrictions = along(conditions, 'AudienceRestriction');
  const isForUs = restrictions.every((one) =>
    along(one, 'Audience').some((audience) => plainText(audience) === expected.audience),
  );
  if (restrictions.length === 0 || !isForUs)
    throw new SamlFault(`the assertion is for another audience, or for none; this server is ${expected.audience}`);
  return end;
}

/** Values by name, and by the friendly name. */
export function attributesOf(assertion: Element): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const attribute of along(assertion, 'AttributeStatement', 'Attribute')) {
    const values = along(attribute, 'AttributeValue')
      .slice(0, MOST_VALUES)
      .filter((value) => elementsIn(value).length === 0)
      .map((value) => (value.textContent ?? '').trim())
      .filter((value) => value !== '');
    for (const name of new Set([attribute.getAttribute('Name'), attribute.getAttribute('FriendlyName')]))
      if (name !== null && name !== '') found.set(name, [...(found.get(name) ?? []), ...values]);
  }
  return found;
}

function only(parent: Element, name: string): Element {
  const [found, ...others] = along(parent, name);
  if (found === undefined || others.length > 0)
    throw new SamlFault(`the assertion has ${others.length > 0 ? 'several' : 'no'} ${name}`);
  return found;
}

function isOver(end: number | undefined, { now, skewMs }: Expected): boolean {
  return end !== undefined && now - skewMs >= end;
}

function isEarly(begin: number | undefined, { now, skewMs }: Expected): boolean {
  return begin !== undefined && now + skewMs < begin;
}

function at(time: number | undefined): string {
  return time === undefined ? '' : new Date(time).toISOString();
}
