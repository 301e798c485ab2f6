import { AccessError, InputError, type JoiRoot, type Principal } from '@quire/registry';
import { MAX_NAME, PASSWORD_LENGTH, type AccountServices, type User } from '../index.js';
import { loginOf, type LoginDeps } from './login-of.js';

/** Returns the accounts. Throws LOGIN_REQUIRED while login is off; normally the guard has refused the call before. */
export function accountsOf(deps: LoginDeps): AccountServices {
  return loginOf(deps).accounts;
}

/** Returns the caller's account. Throws USER_UNKNOWN, and DEMO_REFUSED for demo users, who may not change accounts. */
export async function callerOf(deps: LoginDeps, principal: Principal): Promise<User> {
  const user = await accountsOf(deps).byId(principal.id);
  if (user === undefined) throw new InputError('USER_UNKNOWN');
  if (user.role === 'ROLE_DEMO_USER') throw new AccessError('DEMO_REFUSED');
  return user;
}

/**
 * Call after a change that ended the sessions of an account: keeps the one that asked for the change, if it belongs to
 * the account. `changed` is the account after the change; undefined when nothing was changed.
 */
export async function keepAskingSession(
  deps: LoginDeps,
  { id, sessionId }: Principal,
  changed: User | undefined,
): Promise<void> {
  if (changed !== undefined) await loginOf(deps).sessions.keepOnly(changed, changed.id === id ? sessionId : undefined);
}

/** Access of account endpoints for all people. */
export const forUsers = { needsLogin: true, personal: true } as const;
/** Access of account endpoints for administrators. */
export const forAdmins = { role: 'admin', needsLogin: true } as const;
/** Access of endpoints for those who administer users. */
export const forUserAdmins = { ...forAdmins, area: 'users' } as const;

/** Error codes of all account endpoints for users. */
export const userCodes = ['KEY_INVALID', 'LOGIN_REQUIRED', 'DEMO_REFUSED', 'USER_UNKNOWN', 'STORE_DOWN'] as const;
/** Error codes of endpoints that act upon accounts: nobody takes over an account with more rights than their own. */
export const userAdminCodes = ['KEY_INVALID', 'LOGIN_REQUIRED', 'ADMIN_ONLY', 'STORE_DOWN', 'RIGHTS_EXCEEDED'] as const;
/** Error codes of all account endpoints for administrators. */
export const adminCodes = ['KEY_INVALID', 'LOGIN_REQUIRED', 'ADMIN_ONLY', 'STORE_DOWN'] as const;

/** A user name in a request; the accounts validate it. */
export const nameField = (joi: JoiRoot) => joi.string().max(MAX_NAME).required();
/** A password in a request; limited in length, because hashing a long one costs time. */
export const passwordField = (joi: JoiRoot) => joi.string().max(PASSWORD_LENGTH.max * 2);
/** The caller's own password, for changes that need it when the login was a while ago. */
export const confirmField = (joi: JoiRoot) =>
  passwordField(joi).description(
    'Your password; needed unless you logged in within the last minutes (security.recentLoginMinutes)',
  );
/** What a new password may revoke with it. */
export const revokeFields = (joi: JoiRoot) => {
  const flag = (text: string) => joi.boolean().empty('').default(false).description(text);
  return {
    revokeKeys: flag('Also revoke all your API keys'),
    revokePasskeys: flag('Also remove all your passkeys'),
  };
};
/** The name of a user in a path. */
export const userParams = (joi: JoiRoot) => joi.object({ username: nameField(joi).description('Name of the user') });
/** The number of a user, team or invite. */
export const idField = (joi: JoiRoot) => joi.number().integer().empty('').min(1).max(Number.MAX_SAFE_INTEGER);
/** A response that contains only a message. */
export const messageAnswer = (joi: JoiRoot) => joi.object({ message: joi.string().required() }).label('Message');
/** The response to changed credentials. */
export const credentialsAnswer = (joi: JoiRoot) =>
  joi
    .object({ message: joi.string().valid('credsUpdated').required(), description: joi.string().required() })
    .label('CredentialsUpdated');

/** Converts a numeric id of a request to the text that accounts use. */
export const idText = (value: unknown): string | undefined => (typeof value === 'number' ? String(value) : undefined);
