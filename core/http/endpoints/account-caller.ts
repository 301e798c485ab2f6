import { AccessError, InputError, type JoiRoot, type Principal } from '@quire/registry';
import { MAX_NAME, PASSWORD_LENGTH, type AccountRooms, type User } from '../../access/index.js';
import { loginOf } from './login-of.js';
import type { EndpointParts } from './parts.js';

/** The accounts. Throws LOGIN_REQUIRED while login is off; the guard has answered before. */
export function accountsOf(parts: EndpointParts): AccountRooms {
  return loginOf(parts).accounts;
}

/** The caller's account. Throws USER_UNKNOWN, and DEMO_REFUSED for demo users, who may not change accounts. */
export async function callerOf(parts: EndpointParts, principal: Principal): Promise<User> {
  const user = await accountsOf(parts).byId(principal.id);
  if (user === undefined) throw new InputError('USER_UNKNOWN');
  if (user.role === 'ROLE_DEMO_USER') throw new AccessError('DEMO_REFUSED');
  return user;
}

/** Access of endpoints for every user, and for administrators. */
export const forUsers = { needsLogin: true } as const;
export const forAdmins = { role: 'admin', needsLogin: true } as const;

/** Codes that every endpoint of the two kinds may answer. */
export const userCodes = ['KEY_INVALID', 'LOGIN_REQUIRED', 'DEMO_REFUSED', 'USER_UNKNOWN', 'STORE_DOWN'] as const;
export const adminCodes = ['KEY_INVALID', 'LOGIN_REQUIRED', 'ADMIN_ONLY', 'STORE_DOWN'] as const;

/** Schemas that account endpoints share. */
export const nameField = (joi: JoiRoot) => joi.string().max(MAX_NAME).required();
export const passwordField = (joi: JoiRoot) => joi.string().max(PASSWORD_LENGTH.max * 2);
export const idField = (joi: JoiRoot) => joi.number().integer().min(1).max(Number.MAX_SAFE_INTEGER);
export const messageAnswer = (joi: JoiRoot) => joi.object({ message: joi.string().required() }).label('Message');
export const credentialsAnswer = (joi: JoiRoot) => joi.object({ message: joi.string().valid('credsUpdated').required(), description: joi.string().required() }).label('CredentialsUpdated');

/** A numeric id of the wire as the accounts know it. */
export const idText = (value: unknown): string | undefined => (typeof value === 'number' ? String(value) : undefined);
