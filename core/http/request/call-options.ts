import { InputError, type Outbound } from '@quire/registry';
import { readCallback } from '../../jobs/callbacks/index.js';
import type { JobCallback } from '../../jobs/index.js';
import type { Settings } from '../../settings/index.js';
import { preferences } from './prefer.js';

/** How the caller wants to be answered, apart from the operation's parameters. */
export interface CallOptions {
  /** Run the call as a job. */
  readonly job: boolean;
  /** Answer 202 instead of 200 for a job that is still running (`Prefer`, RFC 7240). */
  readonly accepted: boolean;
  /** How long the caller waits for the job's result, in ms; 0: not at all. */
  readonly waitMs: number;
  /** The Prefer header contains `respond-async`. */
  readonly respondAsync: boolean;
  /** The wait as reported in Preference-Applied, for example `wait=10`; empty without one. */
  readonly waitApplied: string;
  /** Reject unknown fields and values (`Prefer: handling=strict`). */
  readonly strict: boolean;
  /** Options with another value than expected: `async=false`. */
  readonly replaced: readonly string[];
  /** Called when the job ends. */
  readonly callback?: JobCallback;
}

export interface CallOptionRules {
  readonly settings: Settings;
  readonly outbound: Pick<Outbound, 'check'>;
  /** False for calls that can never run as a job. */
  readonly canBeJob: boolean;
}

/**
 * Reads `async` (query or field, any case), the Prefer header, `callbackUrl` and `callbackSecret`. `async=true` always
 * answers at once, as existing clients expect, whatever Prefer says. Throws INPUT_INVALID or ADDRESS_REFUSED for a
 * wrong call-back, INPUT_INVALID for another value of `async` than true or false if the caller wants that strictly.
 */
export function callOptions(
  prefer: string | undefined,
  values: Readonly<Record<string, unknown>>,
  { settings, outbound, canBeJob }: CallOptionRules,
): CallOptions {
  const { respondAsync, strict, wait } = preferences(prefer);
  const asynchronous = String(values['async'] ?? '')
    .trim()
    .toLowerCase();
  const asked = asynchronous === 'true';
  const odd = canBeJob && !['', 'true', 'false'].includes(asynchronous);
  if (odd && strict) throw asyncFault(values['async']);
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
    replaced: odd ? ['async=false'] : [],
    ...(callback === undefined ? {} : { callback }),
  };
}

function asyncFault(found: unknown): InputError {
  const detail = `async must be true or false; found ${JSON.stringify(found).slice(0, 80)}`;
  return new InputError('INPUT_INVALID', { detail }, [{ pointer: '/async', detail }]);
}
