import { SignInRefused, type ExternalIdentity } from '../model.js';
import { text, webAddress } from '../oidc/read-claims.js';
import { nameIdFormats } from './names.js';
import type { Assertion } from './read-assertion.js';
import { SamlFault } from './saml-fault.js';
import { subjectOfAttribute, type SamlSettings } from './saml-settings.js';

/** Attributes with the user name, best first (`docs/interface/identity.yml`, assertion consumer service). */
const USERNAMES = ['username', 'emailaddress', 'name', 'upn', 'uid'];
const MAILS = ['emailaddress', 'email', 'mail', 'urn:oid:0.9.2342.19200300.100.1.3'];
const NAMES = ['displayname', 'urn:oid:2.16.840.1.113730.3.1.241', 'cn'];
const PICTURES = ['picture', 'photo', 'avatar', 'photourl'];
/** inetOrgPerson, base64 (RFC 2798, 2.6). */
const PHOTOS = ['jpegphoto', 'urn:oid:0.9.2342.19200300.100.1.60', 'thumbnailphoto'];
/** Entra ID says here how users have logged in; its context is always a password. */
const METHODS = 'authnmethodsreferences';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** Reads who has logged in. Throws SamlFault, or SignInRefused. */
export function identityOf(
  { nameId, attributes, contexts }: Assertion,
  { id, name, protocol, nameIdFormat, attributes: wanted, secondFactorContexts }: SamlSettings,
  issuer: string,
): ExternalIdentity {
  const values = byName(attributes);
  const first = (...names: readonly string[]): string | undefined =>
    text(names.map((one) => values(one)[0]).find((one) => one !== undefined));
  const username = wanted.username === '' ? (first(...USERNAMES) ?? text(nameId?.value)) : first(wanted.username);
  return {
    provider: { id, name, protocol, issuer },
    subject:
      wanted.subject === ''
        ? subjectOf(nameId, nameIdFormat)
        : subjectAttribute(values(wanted.subject), wanted.subject),
    username,
    // The organisation names its users; nothing says who has checked an address.
    unverified: false,
    email: first(...MAILS),
    displayName: first(...NAMES),
    picture: webAddress(first(...PICTURES)),
    photo: photoOf(PHOTOS.flatMap(values)[0]),
    groups: wanted.groups === '' ? [] : values(wanted.groups),
    secondFactor: [...contexts, ...values(METHODS)].some((one) => secondFactorContexts.has(one)),
  };
}

function photoOf(value: string | undefined): Uint8Array | undefined {
  const base64 = value?.replace(/\s+/g, '') ?? '';
  return /^[A-Za-z0-9+/]{16,}={0,2}$/.test(base64) ? Buffer.from(base64, 'base64') : undefined;
}

function subjectOf(nameId: Assertion['nameId'], format: SamlSettings['nameIdFormat']): string {
  if (nameId === undefined) throw new SamlFault('the assertion has no NameID (an encrypted one is not read)');
  if (nameId.format === nameIdFormats[format]) return nameId.value;
  throw new SignInRefused(
    'saml2AuthenticationError',
    `the NameID has the format ${nameId.format.slice(0, 100)}, not ${nameIdFormats[format]}` +
      (nameId.format === TRANSIENT
        ? ', and is another one at each login: name a stable attribute in security.saml2.subjectAttribute'
        : ': change it at the identity provider, or security.saml2.nameIdFormat, or name a stable attribute in ' +
          'security.saml2.subjectAttribute'),
  );
}

function subjectAttribute(values: readonly string[], name: string): string {
  const [value, ...others] = values;
  if (value === undefined || others.length > 0 || value.length > 1024)
    throw new SamlFault(`the attribute ${name} (security.saml2.subjectAttribute) has ${values.length} values, not one`);
  return subjectOfAttribute(name, value);
}

/** Attributes by their whole name or its last part, whatever the case: names may be URIs. */
function byName(attributes: Assertion['attributes']): (name: string) => readonly string[] {
  const found = new Map<string, readonly string[]>();
  for (const [name, values] of attributes)
    for (const key of new Set([name.toLowerCase(), name.toLowerCase().replace(/^.*\//, '')]))
      if (!found.has(key)) found.set(key, values);
  return (name) => attributes.get(name) ?? found.get(name.toLowerCase()) ?? [];
}
