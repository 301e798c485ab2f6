import { InputError, StartupError, type EndpointAnswer, type EndpointRequest, type JoiRoot } from '@quire/registry';
import type { LoginState } from '../login-state.js';
import { SignInRefused, type Protocol } from '../model.js';
import { ownSite } from '../own-site.js';
import { providersOf } from '../presets.js';
import type { ProviderFault } from '../oidc/provider-fault.js';
import { writtenSamlSettings, type SamlExchange } from '../saml/index.js';
import { saml2RulesOf } from '../sign-in-rules.js';
import { metadataFault, samlReport, type SamlTrial } from '../trial/saml-trial.js';
import { auditWords } from '../trial/trial-report.js';
import { CALLBACK, isSecure, page, pagesRoot, redirect } from './complete-login.js';
import type { IdentityEndpointDeps } from './identity-deps.js';
import { samlAddresses } from './provider-addresses.js';

/** The provider of security.saml2, among the presets. */
export const SAML = 'saml';

const nullable = (joi: JoiRoot) => joi.string().allow(null, '').required();

/** What an identity provider of SAML sent. */
export const responseShape = (joi: JoiRoot) =>
  joi
    .object({
      issuer: nullable(joi),
      status: nullable(joi),
      destination: nullable(joi),
      issuedAt: nullable(joi),
      clockSeconds: joi
        .number()
        .integer()
        .allow(null)
        .required()
        .description('Seconds by which the clock of the identity provider is ahead, with the time of the way here'),
      signed: joi.string().valid('response', 'assertion', 'both', 'nothing').required().description('Not verified'),
      encrypted: joi.boolean().required(),
      nameId: nullable(joi),
      nameIdFormat: nullable(joi),
      audiences: joi.array().items(joi.string().allow('')).required(),
      recipient: nullable(joi),
      notBefore: nullable(joi),
      notOnOrAfter: nullable(joi),
      contexts: joi.array().items(joi.string().allow('')).required().description('AuthnContextClassRef'),
      expected: joi
        .object({
          issuer: nullable(joi),
          audience: joi.string().required(),
          recipient: joi.string().required(),
          nameIdFormat: nullable(joi).description('Null where an attribute is the subject'),
        })
        .required()
        .label('SamlExpectation')
        .description('What this server expects'),
    })
    .label('SamlTrialResponse')
    .description('Of SAML: what the identity provider sent, verified or not');

/** Begins a trial login with SAML, with values that need not be saved. Throws SETTINGS_REJECTED. */
export async function beginSamlTrial(
  deps: IdentityEndpointDeps,
  request: EndpointRequest,
  values: Readonly<Record<string, unknown>>,
): Promise<EndpointAnswer> {
  const trial = trialOf(deps, values);
  const { settings } = trial;
  const by = request.principal.name;
  deps.recordTrial(request, by, `${settings.name}: a trial login with SAML was begun`);
  const site = ownSite(deps.settings, request.site);
  const addresses = samlAddresses(deps, request.site, settings);
  const failed = (fault: ProviderFault, detail: string): EndpointAnswer => ({
    json: { id: null, url: null, addresses, fault, detail: detail.slice(0, 700), notes: [] },
  });
  if (site === undefined)
    return failed('samlAddress', 'the address of this server is not known: set system.backendUrl');
  try {
    const exchange = await exchangeOf(deps, trial);
    const { delivery, pending } = await exchange.begin(site);
    if (!('url' in delivery))
      return failed('samlPostOnly', 'the identity provider takes requests by POST only (HTTP-Redirect is missing)');
    const id = await deps.trials.begin(request.principal.sessionId ?? '', { values, by });
    const back = `${pagesRoot(deps.settings)}${CALLBACK}`;
    const begun = { back, desktop: false, nonceOfClient: undefined, linkTo: undefined, trial: id };
    const state = { ...pending, ...begun, provider: settings.id, redirectUri: site };
    return {
      json: { id, url: delivery.url, addresses, notes: await notesOf(exchange, trial) },
      headers: { 'set-cookie': deps.states.cookie(state, isSecure(site), 'by form'), 'cache-control': 'no-store' },
    };
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    return failed(metadataFault(error), error.message);
  }
}

/** An administrator is back from a trial login, which logs nobody in and uses up no assertion. */
export async function endSamlTrial(
  deps: IdentityEndpointDeps,
  request: EndpointRequest,
  state: LoginState,
  message: string,
): Promise<EndpointAnswer> {
  const { trial: id = '', redirectUri: site, nonce: requestId } = state;
  const setup = await deps.trials.setup(id);
  const cookie = deps.states.forget(state.state, isSecure(site));
  const back = (outcome: string): EndpointAnswer => redirect(`${page(deps, state.back)}?${outcome}`, cookie);
  if (setup === undefined || 'provider' in setup) return back('errorOAuth=login_expired');
  const trial = trialOf(deps, setup.values);
  const report = await samlReport(
    await exchangeOf(deps, trial),
    trial,
    { message, site, requestId },
    deps.trialSignIn(trial.rules),
    (role) => deps.login.secondFactorPolicy.isRequired({ role }, request.address),
  );
  await deps.trials.finish(id, report);
  deps.recordTrial(request, setup.by, `${trial.settings.name}: ${auditWords(report)}`);
  return back('trial=done');
}

/** The link that begins a trial goes by redirect, whatever logins use. */
function exchangeOf(deps: IdentityEndpointDeps, { settings }: SamlTrial): Promise<SamlExchange> {
  const canChoose = settings.loginUrl === undefined;
  return deps.trialSaml(canChoose ? { ...settings, binding: 'redirect' } : settings).exchange();
}

async function notesOf(exchange: SamlExchange, { settings: { metadata } }: SamlTrial): Promise<readonly string[]> {
  const isInsecure =
    metadata !== undefined &&
    'url' in metadata &&
    /^http:/i.test(metadata.url) &&
    !/^http:\/\/(?:127\.|localhost\b|\[::1\])/i.test(metadata.url);
  return [...(isInsecure ? ['insecureIssuer'] : []), ...((await exchange.hasLogout()) ? [] : ['logoutUnknown'])];
}

/** Throws SETTINGS_REJECTED. */
function trialOf(deps: IdentityEndpointDeps, values: Readonly<Record<string, unknown>>): SamlTrial {
  const saved = deps.settingsFile.preview(new Map(Object.entries(values)), (path) => `/settings/${path}`);
  try {
    const used = new Set<Protocol>(['saml', ...providersOf(saved).map(({ protocol }) => protocol)]);
    return { settings: writtenSamlSettings(saved), rules: saml2RulesOf(saved, used) };
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    const detail = String(error.data['detail']);
    const key = /^security\.saml2\.\w+/.exec(detail)?.[0] ?? 'security.saml2.enabled';
    throw new InputError('SETTINGS_REJECTED', { detail }, [{ pointer: `/settings/${key}`, detail }]);
  }
}
