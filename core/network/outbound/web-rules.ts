import { isIP } from 'node:net';
import type { SettingsReader } from '@quire/registry';
import { isMetadataAddress, isPrivateAddress, networkList } from './addresses.js';
import {
  hostOf,
  isMetadataName,
  listedNames,
  readUrl,
  refusal,
  targetRules,
  type TargetRules,
} from './target-rules.js';

const KEYS = 'system.html.urlSecurity';
const loopback = networkList(['127.0.0.0/8', '::1']);
const linkLocal = networkList(['169.254.0.0/16', 'fe80::/10']);

/** What the operator decided about addresses that are not on the public internet. */
interface Opened {
  readonly privateNetworks: boolean;
  readonly localhost: boolean;
  readonly linkLocal: boolean;
  readonly metadata: boolean;
}

/** Says which web pages may be printed (`system.html.urlSecurity`). */
export interface WebRules extends TargetRules {
  /** True when the operator opened networks that are not public. */
  readonly opened: boolean;
}

/**
 * Rules for web pages and what they show: those of all calls (`outbound.allowed`), and besides what
 * `system.html.urlSecurity` refuses or opens. `blockedDomains` includes subdomains; names that `outbound.allowed` lists
 * may end as `internalTlds` says. An address that several switches block is refused until all of them are off.
 * Switching the check off opens private networks; a cloud's metadata service stays blocked until its own switch is off
 * as well.
 */
export function webRules(settings: SettingsReader): WebRules {
  const level = settings.get<string>(`${KEYS}.level`);
  const off = !settings.get<boolean>(`${KEYS}.enabled`) || level === 'OFF';
  const opens = (name: string): boolean => off || !settings.get<boolean>(`${KEYS}.block${name}`);
  const opened: Opened = {
    privateNetworks: opens('PrivateNetworks'),
    localhost: opens('Localhost'),
    linkLocal: opens('LinkLocal'),
    metadata: !settings.get<boolean>(`${KEYS}.blockCloudMetadata`),
  };
  const allowed = settings.get<readonly string[]>('outbound.allowed');
  const listed = targetRules(allowed);
  const refusesHost = off ? () => false : hostCheck(settings, level, listedNames(allowed));
  const mayConnect = (host: string, address: string): boolean =>
    (opened.metadata || !(isMetadataName(host) || isMetadataAddress(address))) &&
    (listed.mayConnect(host, address) || isOpened(opened, address));
  return {
    opened: opened.privateNetworks,
    mayConnect,
    check: (text, field) => {
      const url = opened.privateNetworks ? readUrl(text, field) : listed.check(text, field);
      const host = hostOf(url);
      const refused = isIP(host) === 0 ? !opened.metadata && isMetadataName(host) : !mayConnect(host, host);
      if (refused || refusesHost(host)) throw refusal(field, `this server does not print pages of ${host}`);
      return url;
    },
  };
}

function isOpened(opened: Opened, address: string): boolean {
  if (!opened.privateNetworks || !isPrivateAddress(address)) return false;
  if (loopback.has(address)) return opened.localhost;
  return linkLocal.has(address) ? opened.linkLocal : true;
}

/** Returns a function that says whether the lists of hosts reject a host. */
function hostCheck(settings: SettingsReader, level: string, listed: ReadonlySet<string>): (host: string) => boolean {
  const list = (name: string): readonly string[] =>
    settings
      .get<readonly string[]>(`${KEYS}.${name}`)
      .map((entry) => entry.trim().toLowerCase().replace(/\.$/, ''))
      .filter((entry) => entry !== '');
  const [only, blocked, endings] = [list('allowedDomains'), list('blockedDomains'), list('internalTlds')];
  if (level === 'MAX') return (host) => !only.includes(host);
  const within = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);
  return (host) =>
    blocked.some((domain) => within(host, domain)) ||
    (!listed.has(host) && endings.some((ending) => host.endsWith(ending.startsWith('.') ? ending : `.${ending}`))) ||
    (only.length > 0 && !only.some((domain) => within(host, domain)));
}
