import { AccessError, defineEndpoint, type Endpoint, type EndpointRequest } from '@quire/registry';
import { MAX_NAME } from '../index.js';
import { CHALLENGE_MINUTES, type AuthenticationResponseJSON } from '../passkeys/index.js';
import { isLocalLoginOn, loginOf } from './login-of.js';
import { LARGEST_ANSWER, requestOptions, usedPasskey } from './passkey-bodies.js';
import type { PasskeyDeps } from './passkeys.endpoint.js';
import { refusals, sessionBody, sessionFor } from './session-answer.js';

const base = {
  since: '1.0.0',
  tag: 'auth',
  access: { role: 'public', needsLogin: true, needsSettings: ['security.passkeys.enabled'] },
} as const;
const codes = ['INPUT_INVALID', 'INPUT_MALFORMED', 'INPUT_MEDIA_TYPE', 'LOGIN_METHOD_OFF', 'LOGIN_REQUIRED'] as const;

/** Login with a passkey, with or without a user name. */
export function passkeyLoginEndpoints(deps: PasskeyDeps): Endpoint[] {
  return [
    defineEndpoint({
      ...base,
      id: 'beginPasskeyLogin',
      method: 'POST',
      path: 'auth/passkeys/login/begin',
      summary: 'Begin a login with a passkey',
      notes:
        `Valid for ${CHALLENGE_MINUTES} minutes, once. The answer is the same for every user name, also for one that ` +
        'does not exist; with a name, only a passkey of this user is accepted.',
      request: {
        payload: (joi) =>
          joi.object({
            username: joi
              .string()
              .trim()
              .empty('')
              .max(MAX_NAME)
              .description('Default: whoever the chosen passkey belongs to')
              .example('admin'),
          }),
      },
      returns: {
        description: 'Options for navigator.credentials.get, and the attempt to finish the login with',
        json: (joi) =>
          joi.object({ attempt: joi.string().required(), publicKey: requestOptions(joi) }).label('PasskeyLogin'),
      },
      errors: [...codes, 'PASSKEYS_UNUSABLE', 'TOO_MANY_ATTEMPTS', 'STORE_DOWN'],
      handle: async ({ payload, address, site }) => {
        refuseOtherMethods(deps);
        const { passkeyLogin } = loginOf(deps).accounts;
        const rp = deps.relyingParty(site);
        return { json: await passkeyLogin.begin(payload['username'] as string | undefined, address, rp) };
      },
    }),
    defineEndpoint({
      ...base,
      id: 'finishPasskeyLogin',
      method: 'POST',
      path: 'auth/passkeys/login/finish',
      summary: 'Log in with a passkey',
      notes:
        'Returns a session token, as auth/login does. No code of a second factor is asked: the device has verified ' +
        'its user. Wrong answers are limited as wrong passwords are.',
      request: {
        maxBytes: LARGEST_ANSWER,
        payload: (joi) =>
          joi.object({
            attempt: joi.string().max(100).required().description('From the begun login'),
            credential: usedPasskey(joi).required(),
          }),
      },
      returns: { description: 'The user and the session', json: sessionBody },
      errors: [
        ...codes,
        'PASSKEY_CHALLENGE_INVALID',
        'PASSKEY_SITE_INVALID',
        'PASSKEY_INVALID',
        'PASSKEY_UNKNOWN',
        'PASSKEY_FAILED',
        'PASSKEY_COPIED',
        'LOGIN_LOCKED',
        'LOGIN_DISABLED',
        'TOO_MANY_ATTEMPTS',
        'STORE_DOWN',
      ],
      handle: async (request) => ({ json: await logIn(deps, request) }),
    }),
  ];
}

async function logIn(deps: PasskeyDeps, request: EndpointRequest): Promise<object> {
  refuseOtherMethods(deps);
  const { payload, address, about } = request;
  const { accounts, throttle } = loginOf(deps);
  const { attempt, credential } = payload as { attempt: string; credential: AuthenticationResponseJSON };
  const owner = await accounts.passkeyLogin.ownerOf(credential.id);
  if (owner !== undefined) about?.(owner.username);
  const counted = `passkey ${credential.id}`;
  const isKnown = async (): Promise<boolean> => owner !== undefined && accounts.isKnown(owner.username, address);
  await throttle.admitPassword(address, counted, isKnown, true);
  const outcome = await accounts.passkeyLogin.authenticate({ attempt, answer: credential, address });
  if ('refused' in outcome) {
    if (outcome.refused === 'disabled') await throttle.passwordOpen(address, counted);
    throw new AccessError(refusals[outcome.refused], outcome.seconds === undefined ? {} : { seconds: outcome.seconds });
  }
  await throttle.passwordRight(address, counted);
  return sessionFor(deps, outcome.user, request, 'passkey');
}

function refuseOtherMethods({ settings }: PasskeyDeps): void {
  if (!isLocalLoginOn(settings)) throw new AccessError('LOGIN_METHOD_OFF', { passkey: true });
}
