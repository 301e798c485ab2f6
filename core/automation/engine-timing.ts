import type { Settings } from '../settings/index.js';
import type { EngineTiming } from './runs/engine-deps.js';

const LEASE_MS = 30_000;

/** The intervals that the operator has set. */
export function engineTiming(settings: Settings): EngineTiming {
  return {
    scheduleSweepMs: settings.get('policies.scheduleSweepSeconds') * 1000,
    reconcileMs: settings.get('policies.watchReconcileSeconds') * 1000,
    watchQuietMs: settings.get('policies.watchQuietPeriodMs'),
    leaseMs: LEASE_MS,
  };
}
