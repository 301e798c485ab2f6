import { AccessError, type Principal } from '@quire/registry';
import type { Settings } from '../../settings/index.js';
import { accountsOf } from './account-caller.js';
import { loginOf, type LoginDeps } from './login-of.js';

export interface ConfirmDeps extends LoginDeps {
  readonly settings: Settings;
}

/** Errors of `confirmCaller`. */
export const confirmCodes = ['PASSWORD_REQUIRED', 'PASSWORD_WRONG', 'ATTEMPTS_USED_UP'] as const;

/**
 * Makes sure that the owner of the account is calling, and not somebody with a stolen session: the request contains the
 * password, or the session began a few minutes ago (`security.recentLoginMinutes`; existing clients send no password).
 * `password`: as sent; null for a call without a body, which cannot contain one. Throws PASSWORD_REQUIRED,
 * PASSWORD_WRONG or ATTEMPTS_USED_UP.
 */
export async function confirmCaller(
  deps: ConfirmDeps,
  { id, sessionId }: Principal,
  password: string | undefined | null,
): Promise<void> {
  if (typeof password === 'string') return accountsOf(deps).own.confirm(id, password);
  const minutes = deps.settings.get('security.recentLoginMinutes');
  if (sessionId !== undefined && (await loginOf(deps).sessions.isRecent(sessionId, minutes))) return;
  throw new AccessError('PASSWORD_REQUIRED', { minutes, bodyless: password === null });
}
