import type { OutboundCall, SettingsReader } from '@quire/registry';
import type { AuthorPolicy } from './connection-access.js';

/** Settings about creating API connections; read at start. */
export function authorPolicy(settings: SettingsReader): AuthorPolicy {
  return {
    customApi:
      settings.get<boolean>('policies.allowCustomApiIntegrations') && settings.get<string>('hosting') !== 'cloud',
  };
}

/** How far calls of API connections reach (`policies.allowPrivateApiEndpoints`). */
export function apiReach(settings: SettingsReader): NonNullable<OutboundCall['reach']> {
  return settings.get<boolean>('policies.allowPrivateApiEndpoints') ? 'private' : 'public';
}
