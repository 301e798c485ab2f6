import { isIP } from 'node:net';
import { InputError, StartupError, type CallSite } from '@quire/registry';
import { shortOrigin, type Settings } from '../../settings/index.js';
import type { RelyingParty } from './model.js';

type SiteSettings = Pick<Settings, 'get' | 'origin'>;

const RP_ID = 'security.passkeys.rpId';
const LABEL = '[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?';
const DOMAIN = new RegExp(String.raw`^(?=.{1,253}$)${LABEL}(\.${LABEL})*$`);

/**
 * Returns the site that passkeys are for, from the settings; without any, the address that the call came to, if it is
 * trusted. Browsers offer passkeys on https and on localhost only (W3C Secure Contexts, 3.1). The returned function
 * throws PASSKEYS_UNUSABLE. Throws SETTINGS_INVALID for an invalid `security.passkeys.rpId`, and for one that does not
 * contain the host of `system.frontendUrl`.
 */
export function relyingParties(settings: SiteSettings): (site: CallSite | undefined) => RelyingParty {
  const chosen = chosenDomain(settings);
  const allowed = [
    settings.get('system.frontendUrl'),
    settings.get('system.backendUrl'),
    ...settings.get('system.corsAllowedOrigins').filter((origin) => !origin.includes('*')),
  ].flatMap((text) => pageOf(text) ?? []);
  return (site) => {
    const id = chosen ?? configuredDomain(settings) ?? domainOfCall(site);
    const reached = site?.believed === true ? pageOf(site.url) : undefined;
    const pages = [...allowed, ...(reached === undefined ? [] : [reached])].filter(
      (page) => isSecure(page) && isWithin(page.hostname, id),
    );
    const usual = id === 'localhost' || id.endsWith('.localhost') ? [] : [`https://${id}`];
    return { id, origins: [...new Set([...pages.map(({ origin }) => origin), ...usual])] };
  };
}

/** Returns `security.passkeys.rpId`; undefined while it is empty. */
function chosenDomain(settings: SiteSettings): string | undefined {
  const written = settings.get(RP_ID).trim();
  if (written === '') return undefined;
  const id = written.toLowerCase();
  if (isIP(id) !== 0 || !DOMAIN.test(id))
    throw refused(settings, `"${written}" is not a domain; write a name such as pdf.example.org, without scheme`);
  const frontend = pageOf(settings.get('system.frontendUrl'));
  if (frontend !== undefined && !isWithin(frontend.hostname, id))
    throw refused(
      settings,
      `browsers refuse it for pages of ${frontend.hostname} (system.frontendUrl); use this host or a domain above it`,
    );
  return id;
}

function refused(settings: SiteSettings, detail: string): StartupError {
  return new StartupError('SETTINGS_INVALID', {
    where: shortOrigin(settings.origin(RP_ID)),
    detail: `${RP_ID}: ${detail}`,
  });
}

/** Returns the host of the first public address in the settings; undefined without one. */
function configuredDomain(settings: SiteSettings): string | undefined {
  for (const key of ['system.frontendUrl', 'system.backendUrl'] as const) {
    const page = pageOf(settings.get(key));
    if (page !== undefined) return usableDomain(page, `the address in the setting ${key}`);
  }
  return undefined;
}

function domainOfCall(site: CallSite | undefined): string {
  const page = site === undefined ? undefined : pageOf(site.url);
  if (page === undefined || site?.believed !== true)
    throw unusable(
      'the server does not know the address under which people open it; an administrator must set system.frontendUrl ' +
        'to it, with https (or security.passkeys.rpId)',
    );
  return usableDomain(page, 'the address of this request');
}

/** Throws PASSKEYS_UNUSABLE for an address at which browsers offer no passkeys. */
function usableDomain(page: URL, what: string): string {
  if (!DOMAIN.test(page.hostname) || isIP(page.hostname) !== 0)
    throw unusable(`${what} is ${page.origin}, which has no name; open the server by a name, for example localhost`);
  if (!isSecure(page))
    throw unusable(`${what} is ${page.origin}; browsers need https, or http on localhost, so put TLS in front of it`);
  return page.hostname;
}

function unusable(detail: string): InputError {
  return new InputError('PASSKEYS_UNUSABLE', { detail });
}

function pageOf(text: string): URL | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || isWithin(hostname, 'localhost');
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
