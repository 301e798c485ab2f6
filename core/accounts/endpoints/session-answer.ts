import type { CodeOf, EndpointRequest, JoiRoot } from '@quire/registry';
import { isDesktop, type SessionWire } from '../sessions/index.js';
import type { LoginMethod, LoginRefusal, ProviderSession, User, UserWire } from '../index.js';
import { profileFields } from './profile-fields.js';
import { loginOf, type LoginDeps } from './login-of.js';

/** The user object of the contract (`docs/interface/auth.yml`). */
export const userBody = (joi: JoiRoot) =>
  joi
    .object({
      id: joi.number().integer().required(),
      email: joi.string().required().description('Same as the user name'),
      username: joi.string().required(),
      ...profileFields(joi),
      role: joi.string().required().example('ROLE_USER'),
      enabled: joi.boolean().required(),
      portalAccess: joi.boolean().required(),
      teamLead: joi.boolean().required(),
      team: joi
        .object({ id: joi.number().integer().required(), name: joi.string().required() })
        .description('Missing if the user has no team'),
      authenticationType: joi.string().valid('web', 'oauth2', 'saml2').required(),
      app_metadata: joi.object({ provider: joi.string().required() }).required(),
      user_metadata: joi.object({ firstLogin: joi.boolean().required() }).required(),
    })
    .label('User');

/** The answer to a login (`docs/interface/auth.yml`). */
export const sessionBody = (joi: JoiRoot) =>
  joi
    .object({
      user: userBody(joi).required(),
      session: joi
        .object({
          access_token: joi.string().required().description('Send it in the header Authorization: Bearer <token>'),
          expires_in: joi.number().integer().required().description('Seconds'),
        })
        .required()
        .label('Session'),
    })
    .label('SessionAnswer');

/** Error codes of refused logins. */
export const refusals: Readonly<Record<LoginRefusal, CodeOf<'access'>>> = {
  wrong: 'LOGIN_FAILED',
  locked: 'LOGIN_LOCKED',
  disabled: 'LOGIN_DISABLED',
  mfaRequired: 'MFA_CODE_REQUIRED',
  mfaInvalid: 'MFA_CODE_INVALID',
  mfaReused: 'MFA_CODE_INVALID',
  passkeyWrong: 'PASSKEY_FAILED',
  passkeyCopied: 'PASSKEY_COPIED',
};

/** Begins a session for a user who has logged in with this request. */
export async function sessionFor(
  deps: LoginDeps,
  user: User,
  { headers, address }: Pick<EndpointRequest, 'headers' | 'address'>,
  method: LoginMethod,
  provider?: { readonly session: ProviderSession; readonly secondFactor: boolean },
): Promise<{ user: UserWire; session: SessionWire }> {
  const { accounts, sessions } = loginOf(deps);
  const client = headers['user-agent'];
  return {
    user: await accounts.toWire(user),
    session: await sessions.issue(user, {
      desktop: isDesktop(client),
      address,
      client: client ?? '',
      method,
      ...(provider === undefined ? {} : { provider: provider.session, secondFactor: provider.secondFactor }),
    }),
  };
}
