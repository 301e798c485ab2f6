import { defineEndpoint, type Endpoint } from '@quire/registry';
import { isLocalLoginOn } from '../../accounts/endpoints/index.js';
import { goesOnByItself, type LoginProvider } from './app-config.js';
import { base, flag, text } from './page-data-shapes.js';
import { accountData, peopleData, type PeoplePageDataDeps } from './people-page-data.js';
import { databaseData, documentsData, statisticsData, type UsagePageDataDeps } from './usage-page-data.js';

export interface PageDataDeps extends PeoplePageDataDeps, UsagePageDataDeps {
  readonly providers: { readonly list: readonly LoginProvider[] };
}

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

function loginData({ settings, login, providers }: PageDataDeps): Endpoint {
  const root = settings.get('system.rootUriPath');
  // Existing clients tell SAML by the address.
  const providerList = Object.fromEntries(
    providers.list.map(({ path, name, protocol }) => [
      `${root}${path}`,
      protocol === 'saml' ? `${name} (SAML 2)` : name,
    ]),
  );
  return defineEndpoint({
    ...base,
    id: 'getLoginData',
    path: 'proprietary/ui-data/login',
    summary: 'Get data of the login page',
    access: { role: 'public' },
    notes:
      '`providerList` has the providers that are set up ' +
      '(`security.oauth2` and `security.saml2`). `firstTimeSetup` is true until a user ' +
      'has logged in. There are no default credentials.',
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
        ssoAutoLogin: goesOnByItself(settings, providers.list),
        providerList,
        passkeys:
          settings.get('security.enableLogin') && settings.get('security.passkeys.enabled') && isLocalLoginOn(settings),
        loginMethod: settings.get('security.loginMethod'),
        altLogin: providers.list.length > 0,
        firstTimeSetup: (await login?.accounts.users.nobodyCame()) ?? false,
        showDefaultCredentials: false,
        languages: settings.get('ui.languages'),
        defaultLocale: settings.get('system.defaultLocale'),
      },
    }),
  });
}
