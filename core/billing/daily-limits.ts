import { AccessError, type Clock, type Principal } from '@quire/registry';
import { isDuplicateRecord, type Records } from '../store/index.js';
import { periodAt, secondsUntil } from './period.js';

/** Calls of one user on one day (UTC). */
export interface DailyCallsRecord {
  /** `<user>@<day>`. */
  readonly id: string;
  readonly day: string;
  /** Calls with an API key, and calls in the browser. */
  readonly api: number;
  readonly web: number;
}

/** The record set of the daily calls. */
export const dailyCallsRecords = { name: 'daily_calls', options: { keys: ['day'] } } as const;

/**
 * POST calls per day for each role; roles that are missing have no limit (`docs/interface/auth.yml`, roles and limits).
 */
export const dailyLimits: Readonly<Record<string, { readonly api: number; readonly web: number }>> = {
  ROLE_LIMITED_API_USER: { api: 40, web: 40 },
  ROLE_EXTRA_LIMITED_API_USER: { api: 20, web: 20 },
  ROLE_WEB_ONLY_USER: { api: 0, web: 20 },
  ROLE_DEMO_USER: { api: 100, web: 100 },
};

/** Counts the POST calls of users whose role has a daily limit; all keys of a user share one count. */
export class DailyLimits {
  #day = '';

  constructor(
    private readonly records: Records<DailyCallsRecord>,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts one call. Returns how many are left today, or undefined for a caller without a limit. Throws
   * DAILY_LIMIT_REACHED (429) without counting.
   */
  async count(principal: Principal): Promise<number | undefined> {
    const limit = limitOf(principal);
    if (limit === undefined) return undefined;
    const kind = principal.via === 'session' ? 'web' : 'api';
    const now = this.clock.now();
    const { key: day, end } = periodAt('day', now);
    const most = limit[kind];
    const id = `${principal.id}@${day}`;
    if (day !== this.#day) await this.#forgetBefore(day);
    for (;;) {
      const after = await this.records.update(id, { inc: { [kind]: 1 } }, {}, { atMost: { [kind]: most - 1 } });
      if (after !== undefined) return most - after[kind];
      const known = await this.records.get(id);
      // Another call may have created the record since the update failed; that is not a reason to refuse.
      if (most === 0 || (known !== undefined && known[kind] >= most))
        throw new AccessError('DAILY_LIMIT_REACHED', {
          kind: kind === 'api' ? 'API' : 'web',
          seconds: secondsUntil(end ?? now, now),
        });
      if (known === undefined)
        await this.records.insert({ id, day, api: 0, web: 0 }).catch((error: unknown) => {
          if (!isDuplicateRecord(error)) throw error;
        });
    }
  }

  async #forgetBefore(day: string): Promise<void> {
    this.#day = day;
    await this.records.deleteMany({}, { atMost: { day: periodAt('day', new Date(Date.parse(day) - 86_400_000)).key } });
  }
}

/** Returns the least strict limit of a caller's roles. */
function limitOf(principal: Principal): { readonly api: number; readonly web: number } | undefined {
  if (principal.via === 'none') return undefined;
  const limits = (principal.roles ?? []).map((role) => dailyLimits[role]);
  const [first, ...more] = limits;
  if (first === undefined || more.includes(undefined)) return undefined;
  return more.reduce<{ api: number; web: number }>(
    (best, next) => ({ api: Math.max(best.api, next?.api ?? 0), web: Math.max(best.web, next?.web ?? 0) }),
    first,
  );
}
