import { StartupError } from '@quire/registry';
import { shortOrigin, type Settings } from '../../settings/index.js';
import type { Provider } from '../model.js';
import type { Issuer } from '../tokens/index.js';
import type { ScopeRules } from './token-scopes.js';

/** The settings `security.accessTokens`, as they are used. */
export interface TokenSettings {
  /** By the issuer without a slash at its end. */
  readonly issuers: ReadonlyMap<string, Issuer>;
  readonly audiences: readonly string[];
  /** Empty: every client. */
  readonly clients: ReadonlySet<string>;
  /** User names by `serviceId`. */
  readonly services: ReadonlyMap<string, string>;
  readonly scopes: ScopeRules;
  readonly requireType: boolean;
}

type ListKey = `security.accessTokens.${'issuers' | 'jwksUris' | 'services' | 'scopes'}`;

/** Returns undefined while no audience is set. Throws SETTINGS_INVALID for an entry that cannot be used. */
export function tokenSettings(settings: Settings, providers: readonly Provider[]): TokenSettings | undefined {
  const audiences = settings.get('security.accessTokens.audiences').filter((audience) => audience.trim() !== '');
  if (audiences.length === 0) return undefined;
  const issuers = issuersOf(settings, providers);
  if (issuers.size === 0)
    throw new StartupError('SETTINGS_INVALID', {
      where: shortOrigin(settings.origin('security.accessTokens.audiences')),
      detail:
        'security.accessTokens.audiences is set, but there is no issuer; set security.accessTokens.issuers, or a ' +
        'login provider with OpenID Connect (security.oauth2)',
    });
  return {
    issuers,
    audiences,
    clients: new Set(settings.get('security.accessTokens.clients')),
    services: servicesOf(settings, [...issuers.keys()]),
    scopes: {
      named: pairs(settings, 'security.accessTokens.scopes', 'scope=category'),
      otherwise: settings.get('security.accessTokens.withoutScopes'),
    },
    requireType: settings.get('security.accessTokens.requireType'),
  };
}

/** The subject belongs to its issuer: another one may use the same text for somebody else. */
export function serviceId(issuer: string, subject: string): string {
  return `${issuer}\n${subject}`;
}

function issuersOf(settings: Settings, providers: readonly Provider[]): ReadonlyMap<string, Issuer> {
  const own = settings.get('security.accessTokens.loginProviders')
    ? providers.filter(({ protocol }) => protocol === 'oidc').map(({ issuer, setting }) => ({ issuer, setting }))
    : [];
  const further = settings.get('security.accessTokens.issuers').map((issuer) => {
    const key = 'security.accessTokens.issuers';
    return { issuer: webAddress(settings, key, issuer), setting: key };
  });
  const keysSetting = 'security.accessTokens.jwksUris';
  const addresses = keyAddresses(settings);
  const found = new Map(
    [...own, ...further].map(({ issuer, setting }) => [
      issuer,
      { issuer, jwksUri: addresses.get(issuer) ?? '', setting, keysSetting },
    ]),
  );
  for (const issuer of addresses.keys())
    if (!found.has(issuer)) throw invalid(settings, keysSetting, `${issuer} is not one of the issuers`);
  return found;
}

function keyAddresses(settings: Settings): ReadonlyMap<string, string> {
  const key = 'security.accessTokens.jwksUris';
  return new Map(
    settings.get(key).map((entry) => {
      const [issuer = '', address = '', ...more] = entry.trim().split(/\s+/);
      if (address === '' || more.length > 0)
        throw invalid(settings, key, `"${entry}" is not an issuer and an address with a space between`);
      return [webAddress(settings, key, issuer), webAddress(settings, key, address)];
    }),
  );
}

function servicesOf(settings: Settings, issuers: readonly string[]): ReadonlyMap<string, string> {
  const key = 'security.accessTokens.services';
  return new Map(
    pairs(settings, key, 'subject=username').map(([who, username]) => {
      const [first = '', subject] = who.split(/\s+(?=\S+$)/);
      const issuer = subject === undefined ? issuers[0] : first.replace(/\/+$/, '');
      if (subject === undefined && issuers.length > 1)
        throw invalid(
          settings,
          key,
          `"${who}" names no issuer, and there are several; write "issuer subject=username"`,
        );
      if (issuer === undefined || !issuers.includes(issuer))
        throw invalid(settings, key, `${first} is not one of the issuers: ${issuers.join(', ')}`);
      return [serviceId(issuer, subject ?? first), username];
    }),
  );
}

/** The first part may contain the sign: the last one separates. */
function pairs(settings: Settings, key: ListKey, form: string): readonly (readonly [string, string])[] {
  return settings.get(key).map((entry) => {
    const at = entry.lastIndexOf('=');
    const [first, second] = [entry.slice(0, Math.max(at, 0)).trim(), entry.slice(at + 1).trim()];
    if (first === '' || second === '') throw invalid(settings, key, `"${entry}" cannot be used; write ${form}`);
    return [first, second];
  });
}

function webAddress(settings: Settings, key: ListKey, text: string): string {
  const address = text.trim().replace(/\/+$/, '');
  if (/^https?:\/\//.test(address) && URL.canParse(address)) return address;
  throw invalid(settings, key, `"${text}" is not an address that begins with https:// or http://`);
}

function invalid(settings: Settings, key: ListKey, detail: string): StartupError {
  return new StartupError('SETTINGS_INVALID', {
    where: shortOrigin(settings.origin(key)),
    detail: `${key}: ${detail}`,
  });
}
