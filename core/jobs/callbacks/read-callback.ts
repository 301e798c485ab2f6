import { InputError, type Outbound } from '@quire/registry';
import type { JobCallback } from '../index.js';
import { webhookKey } from './webhook-signature.js';

export interface CallbackRules {
  /** True when this call becomes a job; only jobs have callbacks. */
  readonly job: boolean;
  /** `jobs.callbacks.enabled`. */
  readonly enabled: boolean;
  readonly outbound: Pick<Outbound, 'check'>;
}

const LONGEST = 2000;

/**
 * Reads `callbackUrl` and `callbackSecret` of a call; returns undefined when neither is sent. Throws INPUT_INVALID that
 * names the field, and ADDRESS_REFUSED for an address that may not be called.
 */
export function readCallback(
  values: Readonly<Record<string, unknown>>,
  { job, enabled, outbound }: CallbackRules,
): JobCallback | undefined {
  const url = oneText(values, 'callbackUrl');
  const secret = oneText(values, 'callbackSecret');
  if (url === undefined) {
    if (secret !== undefined) throw invalid('callbackSecret', 'signs callbacks, but callbackUrl is missing');
    return undefined;
  }
  if (!job)
    throw invalid(
      'callbackUrl',
      'is called when a job ends, but this call is answered at once; send async=true, or the header Prefer: ' +
        'respond-async or Prefer: wait=n, if the operation can run as a job',
    );
  if (!enabled)
    throw invalid('callbackUrl', 'is not called by this server: callbacks are switched off (jobs.callbacks.enabled)');
  if (url.length > LONGEST)
    throw invalid('callbackUrl', `has ${url.length} characters; at most ${LONGEST} are allowed`);
  outbound.check(url, 'callbackUrl');
  if (secret !== undefined && webhookKey(secret) === undefined)
    throw invalid('callbackSecret', 'must be whsec_ followed by 24 to 64 bytes in base64');
  return { url, ...(secret === undefined ? {} : { secret }) };
}

function oneText(values: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const value = values[field];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw invalid(field, 'was sent several times; send it once');
  return value;
}

function invalid(field: string, problem: string): InputError {
  return new InputError('INPUT_INVALID', { detail: `${field} ${problem}` }, [
    { pointer: `/${field}`, detail: problem },
  ]);
}
