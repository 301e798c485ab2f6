import { StartupError } from '@quire/registry';
import { shortOrigin, type Settings } from '../settings/index.js';
import type { Provider } from './model.js';

/** Providers with keys of their own (`security.oauth2.client.<id>`). */
export const presets = [
  { id: 'keycloak', name: 'Keycloak' },
  { id: 'google', name: 'Google' },
  { id: 'github', name: 'GitHub' },
  { id: 'entra', name: 'Microsoft' },
  { id: 'authentik', name: 'authentik' },
  { id: 'authelia', name: 'Authelia' },
  { id: 'zitadel', name: 'Zitadel' },
] as const;

/**
 * Returns the providers that are set up: those with an issuer and a client id. Throws SETTINGS_INVALID when two have
 * the same name.
 */
export function providersOf(settings: Settings): readonly Provider[] {
  if (!settings.get('security.oauth2.enabled') || !['all', 'oauth2'].includes(settings.get('security.loginMethod')))
    return [];
  const found = configuredProviders(settings).filter(({ issuer, clientId }) => issuer !== '' && clientId !== '');
  const taken = new Map<string, Provider>();
  for (const provider of found) {
    const other = taken.get(provider.id);
    if (other !== undefined)
      throw new StartupError('SETTINGS_INVALID', {
        where: shortOrigin(settings.origin('security.oauth2.provider')),
        detail:
          `security.oauth2.provider is "${provider.name}", the name of ${other.setting}; give the provider of ` +
          'security.oauth2.issuer another name',
      });
    taken.set(provider.id, provider);
  }
  return found;
}

/** The provider of `security.oauth2.issuer`, which has no preset. */
export const OTHER_PROVIDER = 'other';

/** Returns every provider that the settings have keys for, set or not; the one without a preset is last. */
export function configuredProviders(settings: Settings): readonly Provider[] {
  return [...presets.map((preset) => presetProvider(settings, preset)), genericProvider(settings)];
}

/** Returns the provider of a preset, or of `other`; undefined for an unknown one. */
export function configuredProvider(settings: Settings, preset: string): Provider | undefined {
  if (preset === OTHER_PROVIDER) return genericProvider(settings);
  const known = presets.find(({ id }) => id === preset);
  return known === undefined ? undefined : presetProvider(settings, known);
}

function presetProvider(settings: Settings, { id, name }: (typeof presets)[number]): Provider {
  const base = `security.oauth2.client.${id}` as const;
  return {
    id,
    name,
    protocol: id === 'github' ? 'github' : 'oidc',
    issuer: issuerOf(settings.get(`${base}.issuer`)),
    clientId: settings.get(`${base}.clientId`).trim(),
    clientSecret: settings.get(`${base}.clientSecret`),
    scopes: scopesOf(settings.get(`${base}.scopes`), id !== 'github'),
    usernameClaim: settings.get(`${base}.useAsUsername`).trim(),
    setting: `${base}.issuer`,
  };
}

function genericProvider(settings: Settings): Provider {
  const name = settings.get('security.oauth2.provider').trim() || 'sso';
  return {
    id: name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    name: name.slice(0, 1).toUpperCase() + name.slice(1),
    protocol: 'oidc',
    issuer: issuerOf(settings.get('security.oauth2.issuer')),
    clientId: settings.get('security.oauth2.clientId').trim(),
    clientSecret: settings.get('security.oauth2.clientSecret'),
    scopes: scopesOf(settings.get('security.oauth2.scopes'), true),
    usernameClaim: settings.get('security.oauth2.useAsUsername').trim(),
    setting: 'security.oauth2.issuer',
  };
}

function issuerOf(address: string): string {
  return address.trim().replace(/\/+$/, '');
}

/** Without `openid` there is no ID token (OpenID Connect Core 1.0, 3.1.2.1). */
function scopesOf(list: string, isOidc: boolean): readonly string[] {
  const named = list.split(/[\s,]+/).filter((scope) => scope !== '');
  return [...new Set([...(isOidc ? ['openid'] : []), ...named])];
}
