import { AccessError } from '@quire/registry';
import type { Settings } from '../../settings/index.js';
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

/** Returns whether users may log in with their password or passkey (`security.loginMethod`). */
export function isLocalLoginOn(settings: Pick<Settings, 'get'>): boolean {
  return ['all', 'normal'].includes(settings.get('security.loginMethod'));
}
