import { defineEndpoint, type Endpoint } from '@quire/registry';
import { isLocalLoginOn } from '../../accounts/endpoints/index.js';
import { base, flag, text } from './page-data-shapes.js';
import { accountData, peopleData, type PeoplePageDataDeps } from './people-page-data.js';
import { databaseData, documentsData, statisticsData, type UsagePageDataDeps } from './usage-page-data.js';

export interface PageDataDeps extends PeoplePageDataDeps, UsagePageDataDeps {}

/**
 * Data for single pages of existing clients (`docs/interface/platform.yml`, proprietary UI data). The schema documents
 * members that the contract does not define.
 */
export function pageDataEndpoints(deps: PageDataDeps): Endpoint[] {
  return [
    loginData(deps),
    accountData(deps),
    ...peopleData(deps),
    databaseData(deps),
    documentsData(deps),
    statisticsData(deps),
  ];
}

function loginData({ settings, login }: PageDataDeps): Endpoint {
  return defineEndpoint({
    ...base,
    id: 'getLoginData',
    path: 'proprietary/ui-data/login',
    summary: 'Get data of the login page',
    access: { role: 'public' },
    notes:
      '`providerList` is empty and `altLogin` is false: users log in with a password; other providers are not ' +
      'supported. `firstTimeSetup` is true until a user has logged in. There are no default credentials.',
    returns: {
      description: 'Data of the page',
      json: (joi) =>
        joi
          .object({
            enableLogin: flag(joi),
            ssoAutoLogin: flag(joi),
            providerList: joi
              .object()
              .pattern(joi.string(), joi.string())
              .required()
              .description('Login paths with the provider names'),
            passkeys: flag(joi).description('Users can log in with a passkey'),
            loginMethod: joi.string().valid('all', 'normal', 'oauth2', 'saml2').required(),
            altLogin: flag(joi),
            firstTimeSetup: flag(joi),
            showDefaultCredentials: flag(joi),
            languages: joi.array().items(joi.string()).required(),
            defaultLocale: text(joi).allow(''),
          })
          .label('LoginData'),
    },
    errors: ['STORE_DOWN'],
    handle: async () => ({
      json: {
        enableLogin: settings.get('security.enableLogin'),
        ssoAutoLogin: false,
        providerList: {},
        passkeys:
          settings.get('security.enableLogin') && settings.get('security.passkeys.enabled') && isLocalLoginOn(settings),
        loginMethod: settings.get('security.loginMethod'),
        altLogin: false,
        firstTimeSetup: (await login?.accounts.users.nobodyCame()) ?? false,
        showDefaultCredentials: false,
        languages: settings.get('ui.languages'),
        defaultLocale: settings.get('system.defaultLocale'),
      },
    }),
  });
}
