import { bindings, ASSERTION, DSIG, METADATA, nameIdFormats, PROTOCOL, SUCCESS } from './names.js';
import type { NameId } from './read-assertion.js';

/** What every message has. */
export interface MessageHead {
  /** Not an NCName without the first letter: it begins with `_`. */
  readonly id: string;
  readonly now: Date;
  readonly destination: string;
  /** Entity id of this server. */
  readonly issuer: string;
}

/** The addresses of this server. */
export interface OwnAddresses {
  readonly entityId: string;
  readonly acs: string;
  readonly logout: string;
}

/** AuthnRequest (SAML core, 3.4.1). `format`: of the NameID; undefined for any. */
export function authnRequest(
  head: MessageHead,
  { acs, format, contexts }: { acs: string; format: string | undefined; contexts: readonly string[] },
): string {
  const asked = contexts
    .map((one) => `<saml:AuthnContextClassRef>${xmlText(one)}</saml:AuthnContextClassRef>`)
    .join('');
  return (
    opening('AuthnRequest', head, {
      ProtocolBinding: bindings.post,
      AssertionConsumerServiceURL: acs,
    }) +
    `<samlp:NameIDPolicy${attributes({ Format: format, AllowCreate: 'true' })}/>` +
    (asked === '' ? '' : `<samlp:RequestedAuthnContext Comparison="exact">${asked}</samlp:RequestedAuthnContext>`) +
    '</samlp:AuthnRequest>'
  );
}

/** LogoutRequest (SAML core, 3.7.1). */
export function logoutRequest(
  head: MessageHead,
  { nameId, sessionIndex }: { nameId: NameId; sessionIndex: string | undefined },
): string {
  const { value, format, nameQualifier, spNameQualifier } = nameId;
  const named = attributes({ Format: format, NameQualifier: nameQualifier, SPNameQualifier: spNameQualifier });
  return (
    `${opening('LogoutRequest', head, {})}<saml:NameID${named}>${xmlText(value)}</saml:NameID>` +
    (sessionIndex === undefined ? '' : `<samlp:SessionIndex>${xmlText(sessionIndex)}</samlp:SessionIndex>`) +
    '</samlp:LogoutRequest>'
  );
}

/** LogoutResponse (SAML core, 3.7.2). */
export function logoutResponse(head: MessageHead, inResponseTo: string): string {
  return (
    opening('LogoutResponse', head, { InResponseTo: inResponseTo }) +
    `<samlp:Status><samlp:StatusCode Value="${SUCCESS}"/></samlp:Status></samlp:LogoutResponse>`
  );
}

/** The metadata of this server (SAML metadata, 2.4.4). */
export function ownMetadata(
  { entityId, acs, logout }: OwnAddresses,
  {
    certificate,
    format,
    wantAssertionsSigned,
  }: { certificate: string; format: string | undefined; wantAssertionsSigned: boolean },
): string {
  const der = certificate.replace(/-----[A-Z ]+-----|\s+/g, '');
  const key = (use: string, methods = ''): string =>
    `    <md:KeyDescriptor use="${use}">\n      <ds:KeyInfo xmlns:ds="${DSIG}"><ds:X509Data><ds:X509Certificate>${der}` +
    `</ds:X509Certificate></ds:X509Data></ds:KeyInfo>\n${methods}    </md:KeyDescriptor>\n`;
  const methods = [
    'http://www.w3.org/2009/xmlenc11#aes256-gcm',
    'http://www.w3.org/2009/xmlenc11#aes128-gcm',
    'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  ];
  const logouts = Object.values(bindings).map(
    (binding) => `    <md:SingleLogoutService Binding="${binding}" Location="${xmlText(logout)}"/>\n`,
  );
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<md:EntityDescriptor xmlns:md="${METADATA}" entityID="${xmlText(entityId)}">\n` +
    `  <md:SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="${wantAssertionsSigned}" ` +
    `protocolSupportEnumeration="${PROTOCOL}">\n` +
    key('signing') +
    key('encryption', methods.map((one) => `      <md:EncryptionMethod Algorithm="${one}"/>\n`).join('')) +
    logouts.join('') +
    (format === undefined ? '' : `    <md:NameIDFormat>${format}</md:NameIDFormat>\n`) +
    `    <md:AssertionConsumerService Binding="${bindings.post}" Location="${xmlText(acs)}" index="0" isDefault="true"/>\n` +
    '  </md:SPSSODescriptor>\n</md:EntityDescriptor>\n'
  );
}

/** The NameID format to ask for; undefined for any. */
export function askedFormat(format: keyof typeof nameIdFormats): string | undefined {
  return format === 'unspecified' ? undefined : nameIdFormats[format];
}

/** Text of an element or of an attribute in quotation marks, in XML and HTML. */
export function xmlText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function opening(name: string, { id, now, destination, issuer }: MessageHead, more: Record<string, string>): string {
  const head = { ID: id, Version: '2.0', IssueInstant: now.toISOString(), Destination: destination, ...more };
  return (
    `<samlp:${name} xmlns:samlp="${PROTOCOL}" xmlns:saml="${ASSERTION}"${attributes(head)}>` +
    `<saml:Issuer>${xmlText(issuer)}</saml:Issuer>`
  );
}

function attributes(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${xmlText(value)}"`))
    .join('');
}
