import { InputError, type Outbound } from '@quire/registry';
import type { JobCallback } from '../index.js';
import { webhookKey } from './webhook-signature.js';

/** What a call's call-back is checked against. */
export interface CallbackRules {
  /** True when this call becomes a job; only jobs call back. */
  readonly job: boolean;
  /** `jobs.callbacks.enabled`. */
  readonly enabled: boolean;
  readonly outbound: Pick<Outbound, 'check'>;
}

const LONGEST = 2000;

/**
 * Reads `callbackUrl` and `callbackSecret` of a call; undefined when neither is sent. Throws INPUT_INVALID that names
 * the field, and ADDRESS_REFUSED for an address that may not be called.
 */
export function readCallback(
  values: Readonly<Record<string, unknown>>,
  { job, enabled, outbound }: CallbackRules,
): JobCallback | undefined {
  const url = oneText(values, 'callbackUrl');
  const secret = oneText(values, 'callbackSecret');
  if (url === undefined) {
    if (secret !== undefined) throw invalid('callbackSecret', 'signs call-backs, and there is no callbackUrl');
    return undefined;
  }
  if (!job)
    throw invalid(
      'callbackUrl',
      'is called when a job ends, and this call is answered at once; send async=true, or the header Prefer: ' +
        'respond-async or Prefer: wait=n, where the operation can run as a job',
    );
  if (!enabled)
    throw invalid(
      'callbackUrl',
      'is not called by this server: its operator has switched call-backs off (jobs.callbacks.enabled)',
    );
  if (url.length > LONGEST) throw invalid('callbackUrl', `has ${url.length} characters; allowed are ${LONGEST}`);
  outbound.check(url, 'callbackUrl');
  if (secret !== undefined && webhookKey(secret) === undefined)
    throw invalid('callbackSecret', 'is not whsec_ and 24 to 64 bytes in base64');
  return { url, ...(secret === undefined ? {} : { secret }) };
}

function oneText(values: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = values[field];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw invalid(field, 'was sent several times; one is taken');
  return value;
}

function invalid(field: string, problem: string): InputError {
  return new InputError('INPUT_INVALID', { detail: `${field} ${problem}` }, [
    { pointer: `/${field}`, detail: problem },
  ]);
}
