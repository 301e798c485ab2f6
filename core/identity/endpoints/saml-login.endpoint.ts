import { InputError, defineEndpoint, type Endpoint, type EndpointRequest, type JoiRoot } from '@quire/registry';
import type { LoginState } from '../login-state.js';
import { SignInRefused } from '../model.js';
import { ownSite } from '../own-site.js';
import { onward, type SamlProvider } from '../saml/index.js';
import { begunOf, beginQuery, completeLogin, isSecure, pagesRoot, refused, shared } from './complete-login.js';
import { endSamlTrial } from './saml-trial.js';
import { readLinkTicket, type IdentityEndpointDeps } from './identity-deps.js';

export const samlParams = (joi: JoiRoot) =>
  joi.object({
    registrationId: joi.string().max(100).required().example('quire').description('security.saml2.registrationId'),
  });
/** Largest form, bytes: a message of 256 KiB in base64, URL-encoded, and the relay state. */
const LARGEST_FORM = 512 * 1024;
export const LONGEST_MESSAGE = 400_000;

/** Refuses large forms before they are read. */
export const admitMessage: NonNullable<Endpoint['admit']> = () => Promise.resolve(LARGEST_FORM);

/** Throws NOT_FOUND for another id than that of the settings. */
export function checkId({ provider }: SamlProvider, { params: { registrationId } }: EndpointRequest): void {
  if (registrationId !== provider.id) throw new InputError('NOT_FOUND');
}

/** Login with SAML 2.0 (`docs/interface/identity.yml`). */
export function samlLoginEndpoints(deps: IdentityEndpointDeps, saml: SamlProvider): Endpoint[] {
  return [begin(deps, saml), metadata(deps, saml)];
}

function begin(deps: IdentityEndpointDeps, saml: SamlProvider): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'startSamlLogin',
    method: 'GET',
    path: '/saml2/authenticate/{registrationId}',
    summary: 'Log in with SAML',
    notes:
      'For browsers. Sends them to the identity provider with a signed AuthnRequest; afterwards as in ' +
      '`startProviderLogin`, but refusals are at /login (`?errorOAuth=…`).',
    request: { params: samlParams, query: beginQuery },
    returns: {
      description: 'A page that sends the request on by itself (`security.saml2.requestBinding`)',
      mediaType: 'text/html',
      also: { 302: { description: 'The address of the identity provider, with the request' } },
    },
    errors: ['NOT_FOUND', 'LOGIN_REQUIRED'],
    handle: async (request) => {
      checkId(saml, request);
      const { provider } = saml;
      const begun = begunOf(deps, request);
      try {
        const linkTo = readLinkTicket(deps, provider.id, request);
        const site = siteOf(deps, request);
        const { delivery, pending } = await (await saml.exchange()).begin(site);
        const state = { ...pending, ...begun, provider: provider.id, redirectUri: site, linkTo };
        return onward(delivery, deps.states.cookie(state, isSecure(site), 'by form'));
      } catch (error) {
        return refused(deps, request, { error, provider, back: refusalPath(deps, begun) });
      }
    },
  });
}

/** The way back, also of trials while SAML is not set up. */
export function finishSamlLogin(deps: IdentityEndpointDeps, saml: SamlProvider | undefined): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'finishSamlLogin',
    method: 'POST',
    path: '/login/saml2/sso/{registrationId}',
    summary: 'Come back from SAML',
    notes: 'The assertion consumer service (POST binding) to enter at the identity provider.',
    request: {
      params: samlParams,
      payloadType: 'form',
      payload: (joi) =>
        joi
          .object({
            SAMLResponse: joi.string().max(LONGEST_MESSAGE).required().description('Signed by the identity provider'),
            RelayState: joi.string().allow('').max(2000).description('As the login sent it'),
          })
          .unknown(),
    },
    returns: { description: 'The page that the login began at', status: 302 },
    errors: ['NOT_FOUND', 'LOGIN_REQUIRED', 'INPUT_INVALID', 'INPUT_MALFORMED', 'INPUT_MEDIA_TYPE', 'INPUT_TOO_LARGE'],
    admit: admitMessage,
    handle: async (request) => {
      const { SAMLResponse: message, RelayState: given = '' } = request.payload as Record<string, string>;
      const state = deps.states.read(request.headers['cookie'], request.params['registrationId'] ?? '', given);
      if (state?.trial !== undefined) return endSamlTrial(deps, request, state, message ?? '');
      if (saml === undefined) throw new InputError('NOT_FOUND');
      checkId(saml, request);
      const { provider } = saml;
      const begun = state ?? { ...begunOf(deps, { ...request, query: {} }), linkTo: undefined };
      try {
        await checkSolicited(state, saml, message ?? '');
        const site = state?.redirectUri ?? siteOf(deps, request);
        const { once, ...login } = await (await saml.exchange()).finish(message ?? '', site, state?.nonce);
        if (!(await deps.usedMessages.isFirst(once.issuer, once.id, once.until)))
          throw new SignInRefused('login_expired', `the assertion ${once.id.slice(0, 100)} was used before`);
        const cookie = state === undefined ? undefined : deps.states.forget(given, isSecure(site));
        return await completeLogin(deps, request, { provider, begun, login, cookie });
      } catch (error) {
        return refused(deps, request, { error, provider, back: refusalPath(deps, begun) });
      }
    },
  });
}

function metadata(deps: IdentityEndpointDeps, saml: SamlProvider): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'getSamlMetadata',
    method: 'GET',
    path: '/saml2/service-provider-metadata/{registrationId}',
    summary: 'Get the SAML metadata of this server',
    notes: 'For the identity provider. The address is the entity id.',
    request: { params: samlParams },
    returns: { description: 'Addresses and keys', mediaType: 'application/samlmetadata+xml' },
    errors: ['NOT_FOUND', 'LOGIN_REQUIRED', 'ADDRESS_UNKNOWN'],
    handle: async (request) => {
      checkId(saml, request);
      const site = ownSite(deps.settings, request.site);
      if (site === undefined) throw new InputError('ADDRESS_UNKNOWN');
      const text = (await saml.exchange()).metadata(site);
      return { text, headers: { 'content-type': 'application/samlmetadata+xml; charset=utf-8' } };
    },
  });
}

/** Without a state the login was begun elsewhere, in another browser, or too long ago. */
async function checkSolicited(state: LoginState | undefined, saml: SamlProvider, message: string): Promise<void> {
  if (state !== undefined) return;
  if (!(await saml.exchange()).isUnsolicited(message))
    throw new SignInRefused('login_expired', 'this browser has begun no such login, or it took too long');
  if (!saml.provider.acceptUnsolicited)
    throw new SignInRefused(
      'login_not_requested',
      'the login began at the identity provider (security.saml2.acceptUnsolicited is off)',
    );
}

function siteOf({ settings }: IdentityEndpointDeps, { site }: EndpointRequest): string {
  const own = ownSite(settings, site);
  if (own !== undefined) return own;
  throw new SignInRefused(
    'saml2AuthenticationError',
    `this server does not know that ${String(site?.url)} is its address; set system.backendUrl`,
  );
}

/** Existing clients expect refusals of SAML there, and desktop clients wait at theirs. */
function refusalPath(deps: IdentityEndpointDeps, { desktop, back }: { desktop: boolean; back: string }): string {
  return desktop ? back : `${pagesRoot(deps.settings)}/login`;
}
