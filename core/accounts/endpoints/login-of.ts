import { AccessError } from '@quire/registry';
import type { LoginServices } from '../index.js';

export interface LoginDeps {
  /** Undefined while login is off. */
  readonly login: LoginServices | undefined;
}

/**
 * Returns the login services. Throws LOGIN_REQUIRED while login is off, although the guard has refused the call by
 * then.
 */
export function loginOf({ login }: LoginDeps): LoginServices {
  if (login === undefined) throw new AccessError('LOGIN_REQUIRED');
  return login;
}
