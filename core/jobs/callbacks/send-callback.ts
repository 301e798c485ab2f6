import { isQuireError, type Clock, type Outbound } from '@quire/registry';
import type { JobCallback } from '../index.js';
import type { CallbackAttempt, CallbackRecord } from './callback-record.js';
import type { CallbackSettings } from './callback-settings.js';
import { webhookHeaders, webhookKey } from './webhook-signature.js';

export interface Sending {
  readonly delivery: CallbackRecord;
  /** The body; undefined when it no longer exists. */
  readonly text: string | undefined;
  /** Decrypts address and key; throws when they were encrypted with another key. */
  open(sealed: string): JobCallback | undefined;
  readonly settings: CallbackSettings;
  readonly outbound: Pick<Outbound, 'call'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** How an attempt ended, and in how many ms the next one is due; undefined when it was the last. */
export interface Sent {
  readonly attempt: CallbackAttempt;
  readonly next?: number;
}

/** Longest delay that a receiver may ask for with Retry-After, ms. */
const LONGEST_WAIT_MS = 86_400_000;

/** Sends a delivery once. Returns `interrupted` when the server is stopping; the attempt does not count then. */
export async function sendCallback({
  delivery,
  text,
  open,
  settings,
  outbound,
  clock,
  signal,
}: Sending): Promise<Sent | 'interrupted'> {
  const at = clock.now();
  const began = performance.now();
  const number = delivery.attempts.length + 1;
  const ended = (status: number | null, error: string | null, wait: number | undefined): Sent => {
    const planned = settings.retryMs[delivery.attempts.length];
    return {
      attempt: { number, at: at.toISOString(), durationMs: Math.round(performance.now() - began), status, error },
      ...(wait === undefined || planned === undefined ? {} : { next: Math.max(1, planned, wait) }),
    };
  };
  let target: JobCallback | undefined;
  try {
    target = delivery.sealed === null ? undefined : open(delivery.sealed);
  } catch {
    // The store's secret key has changed since.
  }
  if (target === undefined || text === undefined) return ended(null, 'The address can no longer be read.', undefined);
  try {
    const { status, headers } = await outbound.call(
      {
        url: target.url,
        field: 'callbackUrl',
        method: 'POST',
        body: text,
        wants: 'head',
        headers: {
          'content-type': 'application/json',
          ...webhookHeaders(
            delivery.webhookId,
            Math.floor(at.getTime() / 1000),
            text,
            webhookKey(target.secret ?? settings.secret),
          ),
        },
        limits: { timeoutMs: settings.timeoutMs, redirects: 0 },
      },
      signal,
    );
    if (status >= 200 && status < 300) return ended(status, null, undefined);
    // 410 Gone: the receiver asks for no more calls (Standard Webhooks).
    if (status === 410)
      return ended(status, 'The receiver answered 410 (Gone), so no more attempts are made.', undefined);
    const redirect = status >= 300 && status < 400 ? '; redirects are not followed' : '';
    return ended(
      status,
      `The receiver answered ${status}${redirect}.`,
      retryAfterMs(headers['retry-after'], clock.now()),
    );
  } catch (error) {
    if (signal.aborted) return 'interrupted';
    return ended(null, isQuireError(error) ? error.message : 'The call failed.', 0);
  }
}

/**
 * Returns the delay that a Retry-After header asks for in ms: from seconds or a date (RFC 9110, 10.2.3), at most a day;
 * 0 without the header.
 */
export function retryAfterMs(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  const ms = /^\s*\d{1,9}\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isFinite(ms) ? Math.min(LONGEST_WAIT_MS, Math.max(0, ms)) : 0;
}
