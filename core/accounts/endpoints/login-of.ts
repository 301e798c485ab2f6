import { AccessError } from '@quire/registry';
import type { LoginServices } from '../index.js';

export interface LoginDeps {
  /** Undefined while login is off. */
  readonly login: LoginServices | undefined;
}

/** What exists while login is on. The guard has refused already when it is off; throws LOGIN_REQUIRED all the same. */
export function loginOf({ login }: LoginDeps): LoginServices {
  if (login === undefined) throw new AccessError('LOGIN_REQUIRED');
  return login;
}
