import { AccessError, type Principal } from '@quire/registry';
import type { Records } from '../store/index.js';

/** What is left of a metered server's allowance. */
export interface Allowance {
  /** Takes `cost` from the caller's allowance; throws the 402 of the hosting. Gives the way back for a call that the server failed. */
  charge(principal: Principal, cost: number, origin: 'route' | 'pipeline' | 'job'): Promise<{ refund(): Promise<void> }>;
}

/** One counter record. */
export interface AllowanceRecord {
  readonly id: string;
  readonly used: number;
}

const nothing = { refund: () => Promise.resolve() };

/** The shipped default: nothing is metered. */
export const unlimitedAllowance: Allowance = { charge: () => Promise.resolve(nothing) };

/** Counts calls with an API key and pipeline steps against one limit of the server (spec part 8). */
export function limitedAllowance(records: Records<AllowanceRecord>, limit: number, hosting: 'selfHosted' | 'cloud'): Allowance {
  const id = 'server';
  return {
    async charge(principal, cost, origin) {
      if (cost === 0 || (principal.via !== 'key' && principal.via !== 'globalKey' && origin !== 'pipeline')) return nothing;
      if ((await records.get(id)) === undefined) await records.insert({ id, used: 0 }).catch(() => undefined);
      const after = await records.update(id, { inc: { used: cost } });
      if (after !== undefined && after.used > limit) {
        await records.update(id, { inc: { used: -cost } });
        throw new AccessError(hosting === 'cloud' ? 'PAYG_LIMIT_REACHED' : 'ACCOUNT_LINK_REQUIRED', { reason: 'OVER_LIMIT' });
      }
      return { refund: async () => void (await records.update(id, { inc: { used: -cost } })) };
    },
  };
}
