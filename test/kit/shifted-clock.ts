const TrueDate = Date;

/**
 * Shifts the wall clock of this process by this many milliseconds; the monotonic clock and timers stay correct. 0
 * restores it.
 */
export function shiftClock(ms: number): void {
  if (ms === 0) {
    globalThis.Date = TrueDate;
    return;
  }
  const Shifted = function (...parts: unknown[]): Date | string {
    if (new.target === undefined) return new TrueDate(TrueDate.now() + ms).toString();
    return Reflect.construct(TrueDate, parts.length === 0 ? [TrueDate.now() + ms] : parts) as Date;
  };
  globalThis.Date = Object.assign(Shifted, {
    now: () => TrueDate.now() + ms,
    parse: TrueDate.parse,
    UTC: TrueDate.UTC,
    prototype: TrueDate.prototype,
  }) as unknown as DateConstructor;
}

// For a server in its own process: start it with `--import` of this file and the shift in its environment.
const asked = Number(process.env['TEST_CLOCK_SHIFT_MS'] ?? 0);
if (asked !== 0) shiftClock(asked);
