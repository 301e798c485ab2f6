import {
  InputError,
  defineEndpoint,
  type Endpoint,
  type EndpointAnswer,
  type EndpointRequest,
  type JoiRoot,
} from '@quire/registry';
import { LOGOUT_TICKETS } from '../login-providers.js';
import { SignInRefused } from '../model.js';
import { ownSite } from '../own-site.js';
import { onward, type IncomingLogout, type LogoutHint, type SamlProvider } from '../saml/index.js';
import { openTicket } from '../ticket.js';
import { page, pagesRoot, redirect, shared } from './complete-login.js';
import type { IdentityEndpointDeps } from './identity-deps.js';
import { admitMessage, checkId, LONGEST_MESSAGE, samlParams } from './saml-login.endpoint.js';

const PATH = '/logout/saml2/slo/{registrationId}';
const message = (joi: JoiRoot) => joi.string().max(LONGEST_MESSAGE);
const codes = ['NOT_FOUND', 'LOGIN_REQUIRED', 'INPUT_INVALID', 'LOGOUT_MESSAGE_INVALID', 'ADDRESS_UNKNOWN'] as const;
const returns: Endpoint['returns'] = {
  description: 'A page that sends the answer on by itself; empty where the identity provider wants none',
  mediaType: 'text/html',
  also: { 302: { description: 'The address of the identity provider with the answer, or the login page' } },
};

/** Single logout with SAML 2.0, in both directions (SAML profiles, 4.4). */
export function samlLogoutEndpoints(deps: IdentityEndpointDeps, saml: SamlProvider): Endpoint[] {
  return [posted(deps, saml), redirected(deps, saml), begin(deps, saml)];
}

function posted(deps: IdentityEndpointDeps, saml: SamlProvider): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'endSamlSession',
    method: 'POST',
    path: PATH,
    summary: 'End the sessions of a SAML session (POST binding)',
    notes: 'The single logout service to enter at the identity provider.',
    request: {
      params: samlParams,
      payloadType: 'form',
      payload: (joi) =>
        joi
          .object({
            SAMLRequest: message(joi).description('LogoutRequest, signed'),
            SAMLResponse: message(joi).description('LogoutResponse, signed'),
            RelayState: joi.string().allow('').max(2000),
          })
          .xor('SAMLRequest', 'SAMLResponse')
          .unknown(),
    },
    returns,
    errors: [...codes, 'INPUT_MALFORMED', 'INPUT_MEDIA_TYPE', 'INPUT_TOO_LARGE'],
    admit: admitMessage,
    handle: async (request) => {
      const { SAMLRequest, SAMLResponse = '', RelayState } = request.payload as Record<string, string | undefined>;
      return answer(deps, saml, request, {
        binding: 'post',
        field: SAMLRequest === undefined ? 'SAMLResponse' : 'SAMLRequest',
        message: SAMLRequest ?? SAMLResponse,
        relayState: RelayState,
      });
    },
  });
}

function redirected(deps: IdentityEndpointDeps, saml: SamlProvider): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'endSamlSessionByRedirect',
    method: 'GET',
    changes: true,
    path: PATH,
    summary: 'End the sessions of a SAML session (redirect binding)',
    notes: 'The single logout service to enter at the identity provider. A query without a signature is refused.',
    request: {
      params: samlParams,
      query: (joi) =>
        joi
          .object({
            SAMLRequest: message(joi).description('LogoutRequest'),
            SAMLResponse: message(joi).description('LogoutResponse'),
            RelayState: joi.string().allow('').max(2000),
            SigAlg: joi.string().max(200),
            Signature: joi.string().max(4000),
          })
          .unknown(),
    },
    returns,
    errors: [...codes],
    handle: async (request) => answer(deps, saml, request, { binding: 'redirect', search: request.search ?? '' }),
  });
}

function begin(deps: IdentityEndpointDeps, saml: SamlProvider): Endpoint {
  return defineEndpoint({
    ...shared,
    id: 'startSamlLogout',
    method: 'GET',
    path: '/saml2/logout/{registrationId}',
    summary: 'Log out at the identity provider',
    notes: 'For browsers, with the `logoutUrl` of a logout, which names this address where the logout is posted.',
    request: {
      params: samlParams,
      query: (joi) => joi.object({ ticket: joi.string().max(8000).required().description('From the logout') }),
    },
    returns,
    errors: ['NOT_FOUND', 'LOGIN_REQUIRED', 'INPUT_INVALID'],
    handle: async (request) => {
      checkId(saml, request);
      const { id } = saml.provider;
      const ticket = String(request.query['ticket']);
      const hint = openTicket(deps.secret, LOGOUT_TICKETS, id, ticket, deps.clock.now().getTime());
      const site = ownSite(deps.settings, request.site);
      const away = loggedOut(deps);
      if (hint === undefined || site === undefined) return away;
      try {
        const delivery = await (await saml.exchange()).beginLogout(hint as LogoutHint, site);
        return delivery === undefined ? away : onward(delivery);
      } catch (error) {
        if (!(error instanceof SignInRefused)) throw error;
        deps.log.warn({ code: error.code, reason: error.message }, 'a logout does not reach the identity provider');
        return away;
      }
    },
  });
}

async function answer(
  deps: IdentityEndpointDeps,
  saml: SamlProvider,
  request: EndpointRequest,
  incoming: IncomingLogout,
): Promise<EndpointAnswer> {
  checkId(saml, request);
  const site = ownSite(deps.settings, request.site);
  if (site === undefined) throw new InputError('ADDRESS_UNKNOWN');
  const exchange = await saml.exchange();
  try {
    const told = await exchange.readLogout(incoming, site);
    if (told.kind === 'response') {
      if (!told.success)
        deps.log.warn({ provider: saml.provider.name }, 'the identity provider did not log a user out');
      return loggedOut(deps);
    }
    if (!(await deps.usedMessages.isFirst(told.issuer, told.id, told.until)))
      throw new SignInRefused('saml2AuthenticationError', `the logout ${told.id.slice(0, 100)} was used before`);
    await endSessions(deps, told);
    const delivery = await exchange.answerLogout(told, site, incoming.binding);
    return delivery === undefined
      ? { text: '', headers: { 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' } }
      : onward(delivery);
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    const { code, message: reason } = error;
    deps.log.warn(
      { provider: saml.provider.name, code, reason, address: request.address },
      'a message about a logout was refused',
    );
    throw new InputError('LOGOUT_MESSAGE_INVALID', {}, [], { cause: error });
  }
}

async function endSessions(
  { login, identities }: IdentityEndpointDeps,
  { issuer, sessions, subject }: { issuer: string; sessions: readonly string[]; subject: string | undefined },
): Promise<void> {
  for (const sid of sessions) await login.sessions.endOfProvider(issuer, sid);
  if (sessions.length > 0 || subject === undefined) return;
  const userId = await identities.userOf(issuer, subject);
  if (userId !== undefined) await login.sessions.endOfIssuer(userId, issuer);
}

function loggedOut(deps: IdentityEndpointDeps): EndpointAnswer {
  return redirect(`${page(deps, `${pagesRoot(deps.settings)}/login`)}?logout=true`);
}
