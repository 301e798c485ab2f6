import type { Outbound } from '@quire/registry';
import { readCallback } from '../../jobs/callbacks/index.js';
import type { JobCallback } from '../../jobs/index.js';
import type { Settings } from '../../settings/index.js';
import { preferences } from './prefer.js';

/** How a call wants to be answered, beside its parameters. */
export interface CallOptions {
  /** It becomes a job. */
  readonly job: boolean;
  /** 202 instead of 200 for a job that goes on (`Prefer`, RFC 7240). */
  readonly accepted: boolean;
  /** How long the caller waits for the job's own answer, ms; 0: not at all. */
  readonly waitMs: number;
  /** Prefer asked for the job itself: `respond-async`. */
  readonly respondAsync: boolean;
  /** What Preference-Applied says of the wait: `wait=10`; empty without one. */
  readonly waitApplied: string;
  /** Unknown fields are faults (`Prefer: handling=strict`). */
  readonly strict: boolean;
  /** Whom the job's end is told. */
  readonly callback?: JobCallback;
}

/** What call options are read and checked by. */
export interface CallOptionRules {
  readonly settings: Settings;
  readonly outbound: Pick<Outbound, 'check'>;
  /** False where the work can never run as a job. */
  readonly canBeJob: boolean;
}

/**
 * Reads `async` (query or field, any case), the Prefer header, `callbackUrl` and `callbackSecret`. `async=true` answers
 * at once as existing clients expect, whatever Prefer says. Throws INPUT_INVALID or ADDRESS_REFUSED for a call-back.
 */
export function callOptions(
  prefer: string | undefined,
  values: Readonly<Record<string, unknown>>,
  { settings, outbound, canBeJob }: CallOptionRules,
): CallOptions {
  const { respondAsync, strict, wait } = preferences(prefer);
  const asked = String(values['async'] ?? '').toLowerCase() === 'true';
  const job = canBeJob && (asked || respondAsync || wait !== undefined);
  const seconds = asked || !job || wait === undefined ? undefined : Math.min(wait, settings.get('jobs.maxWaitSeconds'));
  const callback = readCallback(values, { job, enabled: settings.get('jobs.callbacks.enabled'), outbound });
  return {
    job,
    accepted: job && !asked,
    respondAsync: job && respondAsync,
    waitMs: (seconds ?? 0) * 1000,
    waitApplied: seconds === undefined ? '' : `wait=${seconds}`,
    strict,
    ...(callback === undefined ? {} : { callback }),
  };
}
