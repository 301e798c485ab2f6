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

/** Most POST calls of an account per day; null: any number. */
export interface CallsPerDay {
  readonly apiCallsPerDay: number | null;
  readonly webCallsPerDay: number | null;
}

/** Counts the POST calls of users whose role has a daily limit; all keys of a user share one count. */
export class DailyLimits {
  #day = '';

  constructor(
    private readonly records: Records<DailyCallsRecord>,
    private readonly clock: Clock,
    /** Returns the limits of the caller's role. */
    private readonly limitsOf: (caller: Principal) => CallsPerDay,
  ) {}

  /**
   * Counts one call. Returns how many are left today, or undefined for a caller without a limit. Throws
   * DAILY_LIMIT_REACHED (429) without counting.
   */
  async count(principal: Principal): Promise<number | undefined> {
    if (principal.via === 'none') return undefined;
    const kind = principal.via === 'session' ? 'web' : 'api';
    const { apiCallsPerDay, webCallsPerDay } = this.limitsOf(principal);
    const most = kind === 'web' ? webCallsPerDay : apiCallsPerDay;
    if (most === null) return undefined;
    const now = this.clock.now();
    const { key: day, end } = periodAt('day', now);
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
