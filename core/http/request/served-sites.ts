import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Request } from '@hapi/hapi';
import { AccessError, InputError, StartupError } from '@quire/registry';
import { shortOrigin, type Settings } from '../../settings/index.js';
import { hostParts } from './call-site.js';
import { plainAddress } from '../../settings/index.js';
import { header } from './credentials.js';

/** Facts of a request that decide whether it is served without a login. */
export interface SiteFacts {
  /** In lower case. */
  readonly method: string;
  /** The Host header. */
  readonly host: string | undefined;
  /** The Origin header. */
  readonly origin: string | undefined;
  /** The Sec-Fetch-Site header. */
  readonly fetchSite: string | undefined;
  /** Our end of the connection. */
  readonly localAddress: string | undefined;
}

/** A name of a server, or `*.` and a domain for all names below it. */
const NAME = /^(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;
/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(['get', 'head', 'options']);
/** Values of Sec-Fetch-Site for requests that another site's page started (W3C Fetch Metadata, 2.4). */
const OTHER_SITES: ReadonlySet<string> = new Set(['cross-site', 'same-site']);
const LONGEST_SHOWN = 100;

/**
 * Throws HOST_INVALID for more than one Host header (RFC 9112, 3.2): Node keeps the first, a proxy in front may have
 * used the last. Requests that the server injects into itself have no raw headers.
 */
export function refuseSeveralHosts({ rawHeaders = [] }: { readonly rawHeaders?: readonly string[] }): void {
  const count = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  if (count > 1) throw new InputError('HOST_INVALID', { count });
}

/** Returns the facts of a request; undefined for one that the server injects into itself. */
export function siteFacts(request: Request): SiteFacts | undefined {
  const raw: { readonly rawHeaders?: readonly string[] } = request.raw.req;
  if (raw.rawHeaders === undefined) return undefined;
  return {
    method: request.method,
    host: header(request, 'host'),
    origin: header(request, 'origin'),
    fetchSite: header(request, 'sec-fetch-site'),
    localAddress: request.raw.req.socket.localAddress,
  };
}

/**
 * Returns the check of every request while login is off, when whoever reaches the server is its administrator. A page
 * of another site must not get there through a browser on this machine: neither with a name of its own that it points
 * to our address (DNS rebinding; HOST_REFUSED, 421), nor by sending a form from its own site (CROSS_SITE_REFUSED, 403).
 * With login on a browser has no credential to add by itself, so nothing is checked. Throws SETTINGS_INVALID for an
 * invalid entry of `server.allowedHosts`.
 */
export function createSiteCheck(settings: Pick<Settings, 'get' | 'origin'>): (facts: SiteFacts) => void {
  if (settings.get('security.enableLogin')) return () => undefined;
  const isListed = listedHosts(settings);
  const otherSite = createOriginCheck(settings);
  const siteHosts = new Set([...ownUrls(settings), ...corsOrigins(settings)].flatMap(({ host }) => nameOf(host) ?? []));
  return ({ method, host, origin, fetchSite, localAddress }) => {
    // Only HTTP/1.0 can leave the header out, and no browser speaks it; health checks of proxies do.
    if (
      host !== undefined &&
      !isOwnAddress(host, localAddress) &&
      !isListed(host) &&
      !siteHosts.has(nameOf(host) ?? '')
    )
      throw new AccessError('HOST_REFUSED', { host: shown(host) });
    if (SAFE_METHODS.has(method)) return;
    const site = otherSite({ host, origin, fetchSite });
    if (site !== undefined) throw new AccessError('CROSS_SITE_REFUSED', { site });
  };
}

/**
 * Returns the check of requests with a login that browsers add by themselves: which other site's page has started the
 * request; undefined for our own pages, allowed ones (`system.corsAllowedOrigins`) and clients that are no browsers,
 * which send neither header. Throws SETTINGS_INVALID for an invalid entry of `server.allowedHosts`.
 */
export function createOriginCheck(
  settings: Pick<Settings, 'get' | 'origin'>,
): (facts: Pick<SiteFacts, 'host' | 'origin' | 'fetchSite'>) => string | undefined {
  const isListed = listedHosts(settings);
  const isAllowedOrigin = allowedOrigins(settings);
  return ({ host, origin, fetchSite }) => {
    if (origin !== undefined)
      return isSameOrigin(origin, host) || isAllowedOrigin(origin) || isListedOrigin(origin, isListed)
        ? undefined
        : shown(origin);
    return fetchSite !== undefined && OTHER_SITES.has(fetchSite.toLowerCase()) ? 'another site' : undefined;
  };
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** True for localhost, a loopback address, and the address that the connection arrived at. */
function isOwnAddress(host: string, localAddress: string | undefined): boolean {
  const name = nameOf(host);
  if (name === undefined) return false;
  const version = isIP(name);
  if (version === 0) return name === 'localhost';
  if (loopback.check(name, version === 6 ? 'ipv6' : 'ipv4')) return true;
  return localAddress !== undefined && canonical(name) === canonical(plainAddress(localAddress.split('%')[0] ?? ''));
}

/**
 * Returns the host of a Host header in lower case without port, brackets and final dot, and an IPv6 address in its
 * usual form; undefined if it is invalid.
 */
function nameOf(host: string): string | undefined {
  const parts = hostParts(host);
  return parts === undefined ? undefined : canonical(parts.name.toLowerCase().replace(/(?<=.)\.$/, ''));
}

function canonical(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

/** Returns whether a Host header names a host of `server.allowedHosts` or `server.host`, on any port. */
function listedHosts(settings: Pick<Settings, 'get' | 'origin'>): (host: string) => boolean {
  const listed = settings.get('server.allowedHosts').map((entry) => listedHost(entry, settings));
  const own = settings.get('server.host').toLowerCase();
  const names = new Set([...listed, ...(isIP(own) === 0 ? [own] : [])]);
  const domains = listed.filter((entry) => entry.startsWith('*')).map((entry) => entry.slice(1));
  return (host) => {
    const name = nameOf(host);
    return name !== undefined && (names.has(name) || domains.some((domain) => name.endsWith(domain)));
  };
}

function listedHost(entry: string, settings: Pick<Settings, 'origin'>): string {
  const name = entry
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '');
  if (isIP(name) !== 0) return canonical(name);
  if (NAME.test(name)) return name.replace(/\.$/, '');
  throw new StartupError('SETTINGS_INVALID', {
    where: shortOrigin(settings.origin('server.allowedHosts')),
    detail:
      `server.allowedHosts contains "${entry}", which is not a host; write a name such as pdf.example.org, ` +
      '*.example.org for all names of a domain, or an address, each without scheme and port',
  });
}

/** Addresses of this server that the operator set. */
function ownUrls(settings: Pick<Settings, 'get'>): URL[] {
  return webUrls([settings.get('system.frontendUrl'), settings.get('system.backendUrl')]);
}

function corsOrigins(settings: Pick<Settings, 'get'>): URL[] {
  return webUrls(settings.get('system.corsAllowedOrigins').filter((origin) => !origin.includes('*')));
}

function webUrls(texts: readonly string[]): URL[] {
  return texts.filter((text) => /^https?:\/\//i.test(text) && URL.canParse(text)).map((text) => new URL(text));
}

/** True if the page comes from the site that the request was sent to (RFC 6454, 5; the scheme may end at a proxy). */
function isSameOrigin(origin: string, host: string | undefined): boolean {
  const [url] = webUrls([origin]);
  if (url === undefined || host === undefined || hostParts(host) === undefined) return false;
  return webUrls([`${url.protocol}//${host}`])[0]?.host === url.host;
}

/** Behind a proxy that changes the Host header, pages come from the configured name and its usual port. */
function isListedOrigin(origin: string, isListed: (host: string) => boolean): boolean {
  const [url] = webUrls([origin]);
  return url !== undefined && url.port === '' && isListed(url.hostname);
}

/** Origins of `system.corsAllowedOrigins`, where `*` stands for any characters as in Hapi, and our own addresses. */
function allowedOrigins(settings: Pick<Settings, 'get'>): (origin: string) => boolean {
  const own = ownUrls(settings).map((url) => url.origin);
  const patterns = settings
    .get('system.corsAllowedOrigins')
    .map((origin) => origin.trim().replace(/\/$/, ''))
    .filter((origin) => origin !== '')
    .map((origin) => new RegExp(`^${origin.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll('\\*', '.*')}$`));
  return (origin) => own.includes(origin) || patterns.some((pattern) => pattern.test(origin));
}

function shown(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]/g, '?');
  return plain.length > LONGEST_SHOWN ? `${plain.slice(0, LONGEST_SHOWN)}…` : plain;
}
