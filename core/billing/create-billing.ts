import type { Clock, Endpoint, Logger } from '@quire/registry';
import type { LoginServices } from '../accounts/index.js';
import type { Settings, SettingsFile } from '../settings/index.js';
import type { Store } from '../store/index.js';
import type { Allowance } from './allowance.js';
import { createAllowance } from './create-allowance.js';
import { DailyLimits, dailyCallsRecords, type DailyCallsRecord } from './daily-limits.js';
import { licenceEndpoints } from './endpoints/licence.endpoint.js';
import { usageEndpoints } from './endpoints/usage.endpoint.js';

export interface CreateBillingDeps {
  readonly settings: Settings;
  readonly settingsFile: SettingsFile;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly login: LoginServices | undefined;
  /** Returns a random id, created at the first call and kept in the store. Rejects with STORE_DOWN. */
  installationId(): Promise<string>;
}

export interface BillingFeature {
  readonly allowance: Allowance;
  /** Daily limits of roles; undefined while login is off. */
  readonly dailyLimits: DailyLimits | undefined;
  readonly endpoints: readonly Endpoint[];
  /** Refunds jobs of the last run; call it before these jobs run again. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Creates the allowance (`licence.*`, `hosting`), the daily limits of roles and the endpoints of both. */
export function createBilling(deps: CreateBillingDeps): BillingFeature {
  const { settings, store, clock, log, login } = deps;
  const units = (value: number): number | null => (value < 0 ? null : value);
  const allowance = createAllowance({
    store,
    clock,
    log,
    teamOf: async ({ id }) => (await login?.accounts.byId(id))?.teamId ?? undefined,
    limits: {
      hosting: settings.get('hosting'),
      period: settings.get('licence.allowancePeriod'),
      server: units(settings.get('licence.allowance')),
      credits: units(settings.get('licence.credits')),
      spendCap: units(settings.get('licence.spendCap')),
      meter: settings.get('licence.meter'),
    },
  });
  return {
    allowance,
    dailyLimits: login && dailyLimitsOf(deps, login),
    endpoints: [...usageEndpoints({ allowance }), ...licenceEndpoints(deps)],
    start: () =>
      allowance
        .open()
        .catch((error: unknown) =>
          log.warn({ err: error }, 'the allowance could not be opened; the first charge tries again'),
        ),
    stop: () => allowance.close(),
  };
}

function dailyLimitsOf({ store, clock }: CreateBillingDeps, { roles }: LoginServices): DailyLimits {
  const { name, options } = dailyCallsRecords;
  return new DailyLimits(
    store.records<DailyCallsRecord>(name, options),
    clock,
    (caller) => roles.rightsOf(caller).limits,
  );
}
