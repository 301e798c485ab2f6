import type { Principal } from '@quire/registry';
import { normalUrgency } from '../../jobs/index.js';

/**
 * How urgent a job is, of the Priority header (`u=0` first to `u=7` last; RFC 9218, 4.1 and 5). What it does not say,
 * or says wrongly, is normal (RFC 9218, 4: ignored). Before others than one's own goes only an administrator, and
 * everybody while there are no users.
 */
export function urgencyOf(priority: string | undefined, principal: Principal, loginEnabled: boolean): number {
  const [, digit] = /(?:^|,)[ \t]*u=([0-7])[ \t]*(?=[,;]|$)/.exec(priority ?? '') ?? [];
  const wanted = digit === undefined ? normalUrgency : Number(digit);
  return wanted < normalUrgency && loginEnabled && principal.role !== 'admin' ? normalUrgency : wanted;
}
