import { X509Certificate } from 'node:crypto';
import { childElements, elementsIn, parseXml, XmlFault } from '@quire/document/file/xml/dom';
import type { Element } from '@xmldom/xmldom';
import { bindings, DSIG, METADATA, PROTOCOL, type Binding } from './names.js';
import { plainText, timeOf } from './open-message.js';
import { SamlFault } from './saml-fault.js';

/** An address for messages, by binding. */
export interface Service {
  readonly binding: Binding;
  readonly url: string;
  /** Where answers go; where requests go, if nothing else is said (SAML metadata, 2.2.2). */
  readonly responseUrl: string;
}

/** An identity provider. */
export interface Idp {
  readonly entityId: string;
  readonly login: readonly Service[];
  readonly logout: readonly Service[];
  /** PEM; any of them may have signed a message. */
  readonly certificates: readonly string[];
}

/** An identity provider by its metadata. */
export interface IdpMetadata extends Idp {
  /** Milliseconds that the metadata may be kept (cacheDuration); undefined where nothing is said. */
  readonly keepMs: number | undefined;
  /** Milliseconds since 1970 (validUntil). */
  readonly validUntil: number | undefined;
}

const DEEPEST = 64;
/** Days, hours, minutes and seconds of xs:duration; years and months have no length. */
const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Reads metadata (SAML metadata, 2). `entityId`: which, where there are several. Throws SamlFault. */
export function parseIdpMetadata(xml: string, entityId: string | undefined): IdpMetadata {
  const entity = entityOf(rootOf(xml), entityId);
  const [role] = rolesOf(entity);
  if (role === undefined) throw new SamlFault('it describes no identity provider of SAML 2.0');
  const parents: Element[] = [];
  for (let at: Element | null = role; at !== null; at = at.parentNode as Element | null)
    if (at.nodeType === 1) parents.push(at);
  const ends = parents.map((one) => timeOf(one, 'validUntil')).filter((time) => time !== undefined);
  const durations = parents.map((one) => durationOf(one)).filter((time) => time !== undefined);
  const found: IdpMetadata = {
    entityId: entity.getAttribute('entityID') ?? '',
    login: servicesOf(role, 'SingleSignOnService'),
    logout: servicesOf(role, 'SingleLogoutService'),
    certificates: signingCertificates(role),
    keepMs: durations.length === 0 ? undefined : Math.min(...durations),
    validUntil: ends.length === 0 ? undefined : Math.min(...ends),
  };
  if (found.certificates.length === 0) throw new SamlFault('it has no certificate for signatures');
  if (found.login.length === 0) throw new SamlFault('it has no login by redirect or POST (SingleSignOnService)');
  return found;
}

function rootOf(xml: string): Element {
  try {
    return parseXml(xml, { maxDepth: DEEPEST }).root;
  } catch (error) {
    throw error instanceof XmlFault ? new SamlFault(`it is not well-formed XML: ${error.message}`) : error;
  }
}

function entityOf(root: Element, entityId: string | undefined): Element {
  const entities = [root, ...elementsIn(root, 'EntityDescriptor')].filter(
    (one) => one.localName === 'EntityDescriptor' && one.namespaceURI === METADATA && rolesOf(one).length > 0,
  );
  const names = entities.map((one) => one.getAttribute('entityID') ?? '');
  const wanted = entityId === undefined ? entities : entities.filter((_, index) => names[index] === entityId);
  const [entity] = wanted;
  if (entity === undefined)
    throw new SamlFault(
      names.length === 0
        ? 'it describes no identity provider of SAML 2.0'
        : `it describes ${names.slice(0, 5).join(', ')}, not ${String(entityId)} (security.saml2.idpIssuer)`,
    );
  if (wanted.length > 1)
    throw new SamlFault(`it describes ${wanted.length} identity providers; name one in security.saml2.idpIssuer`);
  return entity;
}

function rolesOf(entity: Element): Element[] {
  return childElements(entity, 'IDPSSODescriptor').filter((role) =>
    (role.getAttribute('protocolSupportEnumeration') ?? '').split(/\s+/).includes(PROTOCOL),
  );
}

function servicesOf(role: Element, name: string): Service[] {
  return childElements(role, name).flatMap((service) => {
    const url = service.getAttribute('Location') ?? '';
    const answers = service.getAttribute('ResponseLocation') ?? url;
    const binding = (Object.keys(bindings) as Binding[]).find(
      (one) => bindings[one] === service.getAttribute('Binding'),
    );
    if (binding === undefined || !isWeb(url) || !isWeb(answers)) return [];
    return [{ binding, url, responseUrl: answers }];
  });
}

/** Certificates contain keys, no more: neither their names nor their times count (SAML metadata IOP 1.0, 2.6.1). */
function signingCertificates(role: Element): string[] {
  return childElements(role, 'KeyDescriptor')
    .filter((key) => ['signing', '', null].includes(key.getAttribute('use')))
    .flatMap((key) => elementsIn(key, 'X509Certificate'))
    .filter(({ namespaceURI }) => namespaceURI === DSIG)
    .flatMap((element) => {
      try {
        return [new X509Certificate(Buffer.from(plainText(element).replace(/\s+/g, ''), 'base64')).toString()];
      } catch {
        return [];
      }
    });
}

function isWeb(url: string): boolean {
  return URL.canParse(url) && ['https:', 'http:'].includes(new URL(url).protocol);
}

function durationOf(element: Element): number | undefined {
  const [whole, days = 0, hours = 0, minutes = 0, seconds = 0] =
    DURATION.exec(element.getAttribute('cacheDuration') ?? '') ?? [];
  if (whole === undefined) return undefined;
  return (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}
