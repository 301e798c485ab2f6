import {
  InputError,
  StartupError,
  defineEndpoint,
  type Endpoint,
  type EndpointRequest,
  type JoiRoot,
} from '@quire/registry';
import { adminCodes, forAdmins } from '../../accounts/endpoints/index.js';
import type { Settings } from '../../settings/index.js';
import { SignInRefused, type Provider } from '../model.js';
import { MetadataRefused, faultOf, providerFaults } from '../oidc/provider-fault.js';
import type { ClaimedLogin, ProviderClient } from '../oidc/provider-client.js';
import { OTHER_PROVIDER, configuredProvider, presets } from '../presets.js';
import type { SignInRules } from '../sign-in.js';
import { oauth2RulesOf } from '../sign-in-rules.js';
import { auditWords, failedReport, finishedReport, type TrialReport } from '../trial/trial-report.js';
import type { OauthTrialSetup } from '../trial/trial-setup.js';
import { CALLBACK, pagesRoot } from './complete-login.js';
import type { IdentityEndpointDeps } from './identity-deps.js';
import { beginSamlTrial, responseShape, SAML } from './saml-trial.js';
import { addressesOf, addressesShape } from './provider-addresses.js';

const shared = {
  since: '1.7.0',
  tag: 'admin',
  access: { ...forAdmins, area: 'settings', needsSession: true },
} as const;
const presetIds = [...presets.map(({ id }) => id), OTHER_PROVIDER, SAML];
const SETTINGS = /^security\.(?:oauth2|saml2)\.[A-Za-z0-9.]+$/;
const fault = (joi: JoiRoot) => joi.string().valid(...providerFaults);
const notes = ['insecureIssuer', 'scopesUnknown', 'logoutUnknown'] as const;

type TrialOrder = { readonly provider: string; readonly settings: Readonly<Record<string, unknown>> };

/**
 * Trial logins: an administrator logs in at a provider with the settings that are saved, or with values that are not
 * saved yet, and reads what the provider said. Nobody is logged in, and no account is created or changed.
 */
export function providerTrialEndpoints(deps: IdentityEndpointDeps): Endpoint[] {
  return [begin(deps), read(deps)];
}

function begin(deps: IdentityEndpointDeps): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'tryLoginProvider',
    method: 'POST',
    path: 'admin/login-providers/trials',
    summary: 'Try the login with a provider',
    notes:
      'Reads the metadata of the provider, asks it for the page of its login, ' +
      'and says what is wrong. Then open `url` ' +
      'in the browser that has sent this call, which has the cookie of the answer, log in, and read the report with ' +
      '`getLoginTrial`. Nobody is logged in, and no account is created or changed. A client secret that is saved is ' +
      'not sent to another address than the saved one.',
    request: {
      payload: (joi) =>
        joi.object({
          provider: joi
            .string()
            .valid(...presetIds)
            .required()
            .example('keycloak')
            .description(`\`${OTHER_PROVIDER}\`: the provider of security.oauth2.issuer; \`${SAML}\`: security.saml2`),
          settings: joi
            .object()
            .pattern(joi.string().pattern(SETTINGS), joi.any())
            .default({})
            .example({ 'security.oauth2.client.keycloak.issuer': 'https://login.example.org/realms/company' })
            .description(
              'Values instead of those that are saved, by dotted key; only `security.oauth2`, or `security.saml2`',
            ),
        }),
    },
    returns: {
      description: 'What was found, and where the browser logs in',
      json: (joi) =>
        joi
          .object({
            id: joi.string().allow(null).required().description('Id of the trial; null when there is no use in one'),
            url: joi.string().allow(null).required().description('Where the browser logs in'),
            addresses: addressesShape(joi).required(),
            fault: fault(joi).description('What is wrong; with a `url` the login may work nevertheless'),
            detail: joi.string().description('The fault in the words of the log'),
            issuer: joi.string().description('The issuer that the metadata describes, where it is another'),
            notes: joi
              .array()
              .items(joi.string().valid(...notes))
              .required()
              .description('What works, but should be looked at'),
          })
          .label('LoginTrial'),
      links: [{ to: 'getLoginTrial', parameters: { id: '$response.body#/id' } }],
    },
    errors: [
      ...adminCodes,
      'SESSION_REQUIRED',
      'INPUT_INVALID',
      'INPUT_MALFORMED',
      'INPUT_MEDIA_TYPE',
      'SETTINGS_REJECTED',
      'SETTINGS_FILE_BROKEN',
      'SETTINGS_NOT_WRITABLE',
    ],
    handle: async (request) => {
      const { provider: preset, settings: values } = request.payload as TrialOrder;
      refuseForeign(preset, values);
      if (preset === SAML) return beginSamlTrial(deps, request, values);
      const setup = setupOf(deps, request);
      const addresses = addressesOf(deps, request.site, setup.provider);
      const client = deps.trialClient(setup.provider, setup.groupsClaim);
      deps.recordTrial(
        request,
        setup.by,
        `${setup.provider.name}: a trial login was begun with ${setup.provider.issuer}`,
      );
      try {
        const found = await checked(client, addresses.redirectUri);
        const id = await deps.trials.begin(request.principal.sessionId ?? '', setup);
        const { url, pending } = await client.begin(addresses.redirectUri);
        const state = {
          ...pending,
          provider: setup.provider.id,
          redirectUri: addresses.redirectUri,
          back: `${pagesRoot(deps.settings)}${CALLBACK}`,
          desktop: false,
          nonceOfClient: undefined,
          linkTo: undefined,
          trial: id,
        };
        const cookie = deps.states.cookie(state, addresses.redirectUri.startsWith('https:'));
        return {
          json: { id, url, addresses, ...found },
          headers: { 'set-cookie': cookie, 'cache-control': 'no-store' },
        };
      } catch (error) {
        if (!(error instanceof SignInRefused)) throw error;
        const issuer = error instanceof MetadataRefused ? error.issuer : undefined;
        return {
          json: {
            id: null,
            url: null,
            addresses,
            fault: faultOf(error),
            detail: error.message.slice(0, 700),
            ...(issuer === undefined ? {} : { issuer }),
            notes: [],
          },
        };
      }
    },
  });
}

function read(deps: IdentityEndpointDeps): Endpoint {
  const text = (joi: JoiRoot) => joi.string().allow('').required();
  return defineEndpoint({
    ...shared,
    id: 'getLoginTrial',
    method: 'GET',
    path: 'admin/login-providers/trials/{id}',
    summary: 'Get the report of a trial login',
    notes:
      'Only for the session that began the trial, within 15 minutes, and only once: the report has personal data. It ' +
      'has no tokens.',
    request: {
      params: (joi) => joi.object({ id: joi.string().max(100).required().description('Id of the trial') }),
    },
    returns: {
      description: 'The report, once the provider has sent the browser back',
      json: (joi) =>
        joi
          .object({
            state: joi.string().valid('waiting', 'finished').required(),
            fault: fault(joi).description('Why the login failed'),
            detail: joi.string().description('The fault in the words of the log'),
            claims: joi
              .array()
              .items(
                joi
                  .object({
                    name: text(joi),
                    value: text(joi).description('JSON'),
                    from: joi.string().valid('idToken', 'userinfo', 'both', 'assertion').required(),
                  })
                  .label('LoginTrialClaim'),
              )
              .description('What the provider said'),
            identity: joi
              .object({
                subject: text(joi),
                usernameClaim: text(joi),
                username: text(joi).allow(null),
                email: text(joi).allow(null),
                emailVerified: joi.boolean().allow(null).required().description('Null: the provider does not say'),
                displayName: text(joi).allow(null),
                groupsClaim: text(joi).description('Empty where groups are not read'),
                groups: joi.array().items(joi.string()).required(),
                methods: joi.array().items(joi.string()).required().description('Claim amr (RFC 8176)'),
                secondFactor: joi.boolean().required(),
              })
              .label('LoginTrialIdentity')
              .description('How it was read'),
            account: joi
              .object({
                outcome: joi.string().valid('opens', 'binds', 'creates', 'refused').required(),
                username: joi.string(),
                role: joi.string(),
                missingRole: joi.string().description('The groups give this role, which the server does not have'),
                team: joi.string().allow(null).description('Null: the default team; missing: it stays as it is'),
                keepsRights: joi.boolean().description('The account has a password: groups change nothing'),
                reason: joi.string().description('Why the login would be refused'),
                detail: joi.string(),
              })
              .label('LoginTrialAccount')
              .description('What a login would have done'),
            response: responseShape(joi),
          })
          .label('LoginTrialReport'),
    },
    errors: [...adminCodes, 'SESSION_REQUIRED', 'NOT_FOUND'],
    handle: async ({ principal, params: { id = '' } }) => {
      const report = await deps.trials.take(id, principal.sessionId ?? '');
      if (report === undefined) throw new InputError('NOT_FOUND');
      return {
        json: report === 'waiting' ? { state: 'waiting' } : { state: 'finished', ...report },
        headers: { 'cache-control': 'no-store' },
      };
    },
  });
}

/** Ends a trial login with what the provider answers; false when it is over. */
export async function finishTrial(
  deps: IdentityEndpointDeps,
  request: EndpointRequest,
  id: string,
  finish: (client: ProviderClient) => Promise<ClaimedLogin>,
): Promise<boolean> {
  const setup = await deps.trials.setup(id);
  if (setup === undefined || !('provider' in setup)) return false;
  const report = await reportOf(deps, setup, request.address, finish);
  await deps.trials.finish(id, report);
  deps.recordTrial(request, setup.by, `${setup.provider.name}: ${auditWords(report)}`);
  return true;
}

async function reportOf(
  deps: IdentityEndpointDeps,
  setup: OauthTrialSetup,
  address: string,
  finish: (client: ProviderClient) => Promise<ClaimedLogin>,
): Promise<TrialReport> {
  try {
    const finished = await finish(deps.trialClient(setup.provider, setup.groupsClaim));
    return await finishedReport(setup, finished, deps.trialSignIn(setup.rules), (role) =>
      deps.login.secondFactorPolicy.isRequired({ role }, address),
    );
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    return failedReport(error);
  }
}

/** What a call asks to be tried. Throws INPUT_INVALID, SETTINGS_REJECTED. */
function setupOf(deps: IdentityEndpointDeps, { payload, principal }: EndpointRequest): OauthTrialSetup {
  const { provider: preset, settings: given } = payload as TrialOrder;
  const settings = deps.settingsFile.preview(new Map(Object.entries(given)), (path) => `/settings/${path}`);
  const provider = configuredProvider(settings, preset);
  if (provider === undefined) throw new InputError('NOT_FOUND');
  requireValues(provider);
  return {
    provider,
    groupsClaim: settings.get('security.oauth2.groupsClaim').trim(),
    rules: rulesOf(settings),
    by: principal.name,
  };
}

/** Rules of providers that are not in use yet may be wrong. */
function rulesOf(settings: Settings): SignInRules {
  try {
    return oauth2RulesOf(settings);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    const detail = String(error.data['detail']);
    const key = detail.startsWith('security.oauth2.groupTeams') ? 'groupTeams' : 'groupRoles';
    throw new InputError('SETTINGS_REJECTED', { detail }, [{ pointer: `/settings/security.oauth2.${key}`, detail }]);
  }
}

/** A trial of one protocol does not read the settings of another. Throws INPUT_INVALID. */
function refuseForeign(preset: string, values: TrialOrder['settings']): void {
  const base = preset === SAML ? 'security.saml2.' : 'security.oauth2.';
  const foreign = Object.keys(values).filter((key) => !key.startsWith(base));
  if (foreign.length === 0) return;
  const detail = `a trial of "${preset}" takes settings of ${base.slice(0, -1)} only`;
  throw new InputError(
    'INPUT_INVALID',
    { detail },
    foreign.map((key) => ({ pointer: `/settings/${key}`, detail })),
  );
}

function requireValues({ issuer, clientId, setting }: Provider): void {
  const base = setting.slice(0, -'issuer'.length);
  const missing = [...(issuer === '' ? [setting] : []), ...(clientId === '' ? [`${base}clientId`] : [])];
  if (missing.length === 0) return;
  throw new InputError(
    'INPUT_INVALID',
    { detail: `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} empty` },
    missing.map((key) => ({ pointer: `/settings/${key}`, detail: `${key} is empty` })),
  );
}

/** What can be found out before somebody logs in. Throws SignInRefused. */
async function checked(client: ProviderClient, redirectUri: string): Promise<object> {
  const { scopes_supported: known, end_session_endpoint: logout } = await client.metadata();
  const refusal = await client.refusalToBegin(redirectUri);
  const { issuer, scopes, protocol } = client.provider;
  const found: readonly (readonly [(typeof notes)[number], boolean])[] = [
    ['insecureIssuer', issuer.startsWith('http:') && !/^http:\/\/(?:127\.|localhost\b|\[::1\])/.test(issuer)],
    ['scopesUnknown', known !== undefined && !scopes.every((scope) => known.includes(scope))],
    ['logoutUnknown', protocol === 'oidc' && logout === undefined],
  ];
  return {
    notes: found.filter(([, holds]) => holds).map(([note]) => note),
    ...(refusal === undefined ? {} : { fault: refusal }),
  };
}
