/** The interval after which an allowance starts again (`licence.allowancePeriod`). */
export type PeriodLength = 'none' | 'day' | 'month';

/** An interval in UTC to which an allowance applies. */
export interface Period {
  /** `2026-11` for a month, `2026-11-21` for a day, `all` for an unlimited period. */
  readonly key: string;
  /** First instant of the period, and first instant after it; null for an unlimited period. */
  readonly start: Date | null;
  readonly end: Date | null;
}

/** Returns the period that contains a moment, in UTC. */
export function periodAt(length: PeriodLength, now: Date): Period {
  if (length === 'none') return { key: 'all', start: null, end: null };
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  if (length === 'day')
    return {
      key: now.toISOString().slice(0, 10),
      start: new Date(Date.UTC(year, month, day)),
      end: new Date(Date.UTC(year, month, day + 1)),
    };
  return {
    key: now.toISOString().slice(0, 7),
    start: new Date(Date.UTC(year, month)),
    end: new Date(Date.UTC(year, month + 1)),
  };
}

/** Returns the whole seconds until a moment, at least 1. */
export function secondsUntil(end: Date, now: Date): number {
  return Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000));
}
