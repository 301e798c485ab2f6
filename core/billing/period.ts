/** After which time an allowance starts again (`licence.allowancePeriod`). */
export type PeriodLength = 'none' | 'day' | 'month';

/** A stretch of time in UTC for which an allowance holds. */
export interface Period {
  /** `2026-11` for a month, `2026-11-21` for a day, `all` for time without end. */
  readonly key: string;
  /** First instant, and first instant after it; null for time without end. */
  readonly start: Date | null;
  readonly end: Date | null;
}

/** The period in which a moment lies, in UTC. */
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

/** Whole seconds until a moment, at least 1. */
export function secondsUntil(end: Date, now: Date): number {
  return Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000));
}
