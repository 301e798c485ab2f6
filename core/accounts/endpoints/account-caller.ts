import { AccessError, InputError, type JoiRoot, type Principal } from '@quire/registry';
import { MAX_NAME, PASSWORD_LENGTH, type AccountServices, type User } from '../index.js';
import { loginOf, type LoginDeps } from './login-of.js';

/** The accounts. Throws LOGIN_REQUIRED while login is off; the guard has answered before. */
export function accountsOf(deps: LoginDeps): AccountServices {
  return loginOf(deps).accounts;
}

/** The caller's account. Throws USER_UNKNOWN, and DEMO_REFUSED for demo users, who may not change accounts. */
export async function callerOf(deps: LoginDeps, principal: Principal): Promise<User> {
  const user = await accountsOf(deps).byId(principal.id);
  if (user === undefined) throw new InputError('USER_UNKNOWN');
  if (user.role === 'ROLE_DEMO_USER') throw new AccessError('DEMO_REFUSED');
  return user;
}

/** Access of account endpoints for every user. */
export const forUsers = { needsLogin: true } as const;
/** Access of account endpoints for administrators. */
export const forAdmins = { role: 'admin', needsLogin: true } as const;

/** Codes that every account endpoint for users may answer. */
export const userCodes = ['KEY_INVALID', 'LOGIN_REQUIRED', 'DEMO_REFUSED', 'USER_UNKNOWN', 'STORE_DOWN'] as const;
/** Codes that every account endpoint for administrators may answer. */
export const adminCodes = ['KEY_INVALID', 'LOGIN_REQUIRED', 'ADMIN_ONLY', 'STORE_DOWN'] as const;

/** A user name as a call gives it; the accounts check it. */
export const nameField = (joi: JoiRoot) => joi.string().max(MAX_NAME).required();
/** A password as a call gives it: never so long that reading it costs. */
export const passwordField = (joi: JoiRoot) => joi.string().max(PASSWORD_LENGTH.max * 2);
/** The number of a user, team or invite. */
export const idField = (joi: JoiRoot) => joi.number().integer().empty('').min(1).max(Number.MAX_SAFE_INTEGER);
/** What is answered when there is nothing to tell but that it was done. */
export const messageAnswer = (joi: JoiRoot) => joi.object({ message: joi.string().required() }).label('Message');
/** What is answered to changed credentials. */
export const credentialsAnswer = (joi: JoiRoot) =>
  joi
    .object({ message: joi.string().valid('credsUpdated').required(), description: joi.string().required() })
    .label('CredentialsUpdated');

/** A numeric id of the wire as the accounts know it. */
export const idText = (value: unknown): string | undefined => (typeof value === 'number' ? String(value) : undefined);
