import type { Clock, Logger, Principal } from '@quire/registry';
import { DailyLimits, dailyCallsRecords, type DailyCallsRecord } from './daily-limits.js';
import { createAllowance } from './create-allowance.js';
import { type Allowance } from './allowance.js';
import type { Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';

/** The allowance as the settings `licence.*` and `hosting` have it. */
export function allowanceOf(parts: {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  teamOf?(principal: Principal): Promise<string | undefined>;
}): Allowance {
  const { settings, ...rest } = parts;
  const units = (value: number): number | null => (value < 0 ? null : value);
  return createAllowance({
    ...rest,
    limits: {
      hosting: settings.get('hosting'),
      period: settings.get('licence.allowancePeriod'),
      server: units(settings.get('licence.allowance')),
      credits: units(settings.get('licence.credits')),
      spendCap: units(settings.get('licence.spendCap')),
      meter: settings.get('licence.meter'),
    },
  });
}

/** The daily limits of roles; undefined while the setting `rateLimit` is off. */
export function dailyLimitsOf({
  settings,
  store,
  clock,
}: {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
}): DailyLimits | undefined {
  return settings.get('rateLimit')
    ? new DailyLimits(store.records<DailyCallsRecord>(dailyCallsRecords.name, dailyCallsRecords.options), clock)
    : undefined;
}
