import { defineEndpoint, type Endpoint, type EndpointRequest } from '@quire/registry';
import { adminCodes, forAdmins } from '../../accounts/endpoints/index.js';
import { OTHER_PROVIDER, configuredProviders, presets } from '../presets.js';
import type { IdentityEndpointDeps } from './identity-deps.js';
import { addressesOf, addressesShape, samlAddresses } from './provider-addresses.js';
import { SAML } from './saml-trial.js';
import type { Settings } from '../../settings/index.js';

/** The login providers, for the administrator who sets them up. */
export function loginProvidersEndpoint(deps: IdentityEndpointDeps): Endpoint {
  return defineEndpoint({
    id: 'listLoginProviders',
    method: 'GET',
    path: 'admin/login-providers',
    since: '1.7.0',
    tag: 'admin',
    summary: 'List login providers with the addresses to register there',
    notes:
      'Every provider that has settings of its own, and those that are in use. ' +
      '`settings` is the beginning of the keys ' +
      'of a provider, whose values `describeSettings` returns; null where they are elsewhere.',
    access: { ...forAdmins, area: 'settings' },
    returns: {
      description: 'Providers; those without a preset, and SAML once it is set up, are last',
      json: (joi) =>
        joi
          .object({
            isOn: joi.boolean().required().description('security.oauth2.enabled, and security.loginMethod allows it'),
            providers: joi
              .array()
              .items(
                joi
                  .object({
                    preset: joi.string().allow(null).required().description('Argument of `tryLoginProvider`'),
                    id: joi.string().required().description('In the addresses'),
                    name: joi.string().required(),
                    protocol: joi.string().required().example('oidc'),
                    settings: joi.string().allow(null).required(),
                    inUse: joi.boolean().required().description('Users can log in there now'),
                    isSaved: joi.boolean().required().description('They can after the next start'),
                    addresses: addressesShape(joi).allow(null).required(),
                  })
                  .label('SetUpProvider'),
              )
              .required(),
          })
          .label('SetUpProviders'),
    },
    errors: [...adminCodes, 'SETTINGS_FILE_BROKEN'],
    handle: async ({ site }) => {
      const saved = deps.settingsFile.preview(new Map(), () => '');
      const inUse = new Set(deps.providers.list.map(({ id }) => id));
      const own = configuredProviders(saved).map((provider, index) => ({
        preset: presets[index]?.id ?? OTHER_PROVIDER,
        id: provider.id,
        name: provider.name,
        protocol: provider.protocol as string,
        settings: provider.setting.slice(0, -'.issuer'.length),
        inUse: inUse.has(provider.id),
        isSaved: provider.issuer !== '' && provider.clientId !== '',
        addresses: addressesOf(deps, site, provider),
      }));
      const all = [...own, ...samlOf(deps, saved, site)];
      const others = deps.providers.list
        .filter(({ id }) => !all.some((one) => one.id === id))
        .map(({ id, name, protocol }) => ({
          preset: null,
          id,
          name,
          protocol: protocol as string,
          settings: null,
          inUse: true,
          isSaved: true,
          addresses: null,
        }));
      const isOn =
        deps.settings.get('security.oauth2.enabled') &&
        ['all', 'oauth2'].includes(deps.settings.get('security.loginMethod'));
      return { json: { isOn, providers: [...all, ...others] } };
    },
  });
}

/** The identity provider of SAML, once it is set up: its keys are files, which the operator puts there. */
function samlOf(deps: IdentityEndpointDeps, saved: Settings, site: EndpointRequest['site']) {
  const inUse = deps.providers.saml !== undefined;
  if (!inUse && !saved.get('security.saml2.enabled')) return [];
  const id = saved.get('security.saml2.registrationId').trim();
  return [
    {
      preset: SAML,
      id,
      name: saved.get('security.saml2.provider').trim() || 'SSO',
      protocol: 'saml',
      settings: 'security.saml2',
      inUse,
      isSaved: saved.get('security.saml2.enabled'),
      addresses: samlAddresses(deps, site, { id }),
    },
  ];
}
