import type { EndpointRequest, JoiRoot } from '@quire/registry';
import type { LoginProvider, Provider } from '../model.js';
import { siteUrl, type IdentityEndpointDeps } from './identity-deps.js';

/** What has to be entered at a provider so that it knows this server. */
export interface ProviderAddresses {
  readonly redirectUri: string;
  readonly postLogoutUri: string;
  /** Null for providers that cannot end sessions of other servers. */
  readonly backChannelUri: string | null;
  readonly frontChannelUri: string | null;
  /** Of SAML: its redirect URI is the assertion consumer service. */
  readonly entityId?: string;
  readonly singleLogoutUri?: string;
}

export const addressesShape = (joi: JoiRoot) =>
  joi
    .object({
      redirectUri: joi.string().required().description('Of SAML the assertion consumer service'),
      postLogoutUri: joi.string().required().description('Where the browser comes back to after a logout'),
      backChannelUri: joi.string().allow(null).required().description('Where the provider ends sessions'),
      frontChannelUri: joi.string().allow(null).required().description('The same, in the browser'),
      entityId: joi.string().description('Of SAML: entity id and address of the metadata'),
      singleLogoutUri: joi.string().description('Of SAML: single logout, by redirect and POST'),
    })
    .label('LoginProviderAddresses');

/** Returns the addresses to register at a provider. */
export function addressesOf(
  deps: Pick<IdentityEndpointDeps, 'settings'>,
  site: EndpointRequest['site'],
  { id, protocol }: Pick<Provider, 'id' | 'protocol'>,
): ProviderAddresses {
  const own = siteUrl(deps, site);
  const pages = deps.settings.get('system.frontendUrl').replace(/\/+$/, '') || own;
  const channel = (kind: string): string | null =>
    protocol === 'oidc' ? `${own}/logout/connect/${kind}-channel/${id}` : null;
  return {
    redirectUri: `${own}/login/oauth2/code/${id}`,
    postLogoutUri: `${pages}/login?logout=true`,
    backChannelUri: channel('back'),
    frontChannelUri: channel('front'),
  };
}

/** Returns the addresses to register at an identity provider of SAML. */
export function samlAddresses(
  deps: Pick<IdentityEndpointDeps, 'settings'>,
  site: EndpointRequest['site'],
  { id }: Pick<LoginProvider, 'id'>,
): ProviderAddresses {
  const own = siteUrl(deps, site);
  const { postLogoutUri } = addressesOf(deps, site, { id, protocol: 'oidc' });
  return {
    redirectUri: `${own}/login/saml2/sso/${id}`,
    postLogoutUri,
    backChannelUri: null,
    frontChannelUri: null,
    entityId: `${own}/saml2/service-provider-metadata/${id}`,
    singleLogoutUri: `${own}/logout/saml2/slo/${id}`,
  };
}
