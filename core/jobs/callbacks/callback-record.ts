import { toWire, type JobRecord } from '../index.js';

/** Event types of callbacks, one for each final state of a job. */
export type CallbackType = 'job.succeeded' | 'job.failed' | 'job.cancelled';

/** One attempt to deliver, as shown to the job's owner. */
export interface CallbackAttempt {
  /** 1 for the first. */
  readonly number: number;
  /** RFC 3339 instant. */
  readonly at: string;
  readonly durationMs: number;
  /** HTTP status of the receiver's response; null when there was no response. */
  readonly status: number | null;
  /** Why it did not count as delivered; null when it did. */
  readonly error: string | null;
}

/** A delivery as stored. */
export interface CallbackRecord {
  /** The job's id: a job ends only once. */
  readonly id: string;
  /** The job's owner, '' while login is off. */
  readonly owner: string;
  /** The `webhook-id` header: the same for every attempt, so that receivers can recognise duplicates. */
  readonly webhookId: string;
  readonly type: CallbackType;
  /** Scheme, host and port only: the rest of the address may contain a secret. */
  readonly to: string;
  /** Address and key, encrypted by the job service; null when nothing more will be sent. */
  readonly sealed: string | null;
  /** True while another attempt is due. */
  readonly open: boolean;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: readonly CallbackAttempt[];
  /** Store time in ms of the next attempt; null when there is none. */
  readonly nextAtMs: number | null;
  /** Random id of the process that is sending it, '' for none. Until `untilMs` no other process may send it. */
  readonly holder: string;
  readonly untilMs: number;
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
}

/** The request body, kept apart from the delivery because the delivery is read much more often. */
export interface CallbackBodyRecord {
  readonly id: string;
  readonly text: string;
  readonly createdAtMs: number;
}

const MOST_BYTES = 256 * 1024;

/**
 * Returns the JSON text that reports a job's end (Standard Webhooks: `type`, `timestamp`, `data`): the record as
 * polled, and the address of its result. If the text exceeds 256 KiB, the result and then the list of files are left
 * out, and `omitted` names them.
 */
export function callbackBody(record: JobRecord, type: CallbackType, resultUrl: string | null, now: Date): string {
  const data = { ...toWire(record), resultUrl };
  const textOf = (more: object): string =>
    JSON.stringify({ type, timestamp: now.toISOString(), data: { ...data, ...more } });
  const fits = (text: string): boolean => Buffer.byteLength(text) <= MOST_BYTES;
  const whole = textOf({});
  if (fits(whole)) return whole;
  const short = textOf({ result: null, omitted: ['result'] });
  return fits(short)
    ? short
    : textOf({ result: null, allResultFiles: [], metadata: {}, omitted: ['result', 'allResultFiles', 'metadata'] });
}

/** Returns the delivery as clients see it. */
export function callbackWire({ webhookId, type, to, status, attempts, nextAtMs }: CallbackRecord): object {
  return {
    webhookId,
    type,
    to,
    status,
    attempts,
    nextAttemptAt: nextAtMs === null ? null : new Date(nextAtMs).toISOString(),
  };
}
