import { toWire, type JobRecord } from '../index.js';

/** What a delivery tells; one for each way a job ends. */
export type CallbackType = 'job.succeeded' | 'job.failed' | 'job.cancelled';

/** One try to deliver, as its owner sees it. */
export interface CallbackAttempt {
  /** 1 for the first. */
  readonly number: number;
  /** RFC 3339 instant. */
  readonly at: string;
  readonly durationMs: number;
  /** Status that was answered; null when none was. */
  readonly status: number | null;
  /** Why it did not count as delivered; null when it did. */
  readonly error: string | null;
}

/** A delivery in the store. */
export interface CallbackRecord {
  /** The job's id: each job ends once. */
  readonly id: string;
  /** The job's owner, '' while login is off. */
  readonly owner: string;
  /** `webhook-id`: the same for every attempt, so that a receiver knows a repeated one. */
  readonly webhookId: string;
  readonly type: CallbackType;
  /** Scheme, host and port; the rest of the address may be a secret. */
  readonly to: string;
  /** Address and key, encrypted by the job service; null when there is nothing more to send. */
  readonly sealed: string | null;
  /** True while an attempt is to come. */
  readonly open: boolean;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly attempts: readonly CallbackAttempt[];
  /** Store time in ms of the next attempt; null when there is none. */
  readonly nextAtMs: number | null;
  /** The work that sends it now, '' for none, and until when nobody else may. */
  readonly holder: string;
  readonly untilMs: number;
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
}

/** What is sent, apart from the delivery, which is read much oftener. */
export interface CallbackBodyRecord {
  readonly id: string;
  readonly text: string;
  readonly createdAtMs: number;
}

const MOST_BYTES = 256 * 1024;

/**
 * The JSON text that tells a job's end (Standard Webhooks: `type`, `timestamp`, `data`): the record as polled, and
 * where its result lies. A result or list of files that makes it longer than 256 KiB is left out, and `omitted` names
 * it.
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

/** What a client reads of a delivery. */
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
