import type { Principal } from '@quire/registry';
import { normalUrgency } from '../../jobs/index.js';

/**
 * Returns the urgency of a job from the Priority header (`u=0` first to `u=7` last; RFC 9218, 4.1 and 5). Missing or
 * invalid values are normal (RFC 9218, 4). Only administrators may raise it, or everybody while login is off.
 */
export function urgencyOf(priority: string | undefined, principal: Principal, loginEnabled: boolean): number {
  const [, digit] = /(?:^|,)[ \t]*u=([0-7])[ \t]*(?=[,;]|$)/.exec(priority ?? '') ?? [];
  const wanted = digit === undefined ? normalUrgency : Number(digit);
  return wanted < normalUrgency && loginEnabled && principal.role !== 'admin' ? normalUrgency : wanted;
}
