import type { EndpointRequest } from '@quire/registry';
import type { Settings } from '../settings/index.js';

/**
 * Scheme, host and sub-path under which an identity provider of SAML knows this server; undefined when the call is not
 * known to have come there. Assertions are for this address: with one that callers make up, whoever
 * runs another site at the same identity provider could use here what was made for theirs.
 */
export function ownSite(settings: Settings, site: EndpointRequest['site']): string | undefined {
  const set = settings.get('system.backendUrl').replace(/\/+$/, '');
  if (set !== '') return set;
  return site?.believed === true ? site.url : undefined;
}
