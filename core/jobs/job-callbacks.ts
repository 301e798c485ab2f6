import type { JobContext } from './job-options.js';
import type { JobRecord } from './job-record.js';
import { openJson, sealJson } from '../secrets/index.js';

/** The receiver of a job's end. */
export interface JobCallback {
  /** An http or https address that has been checked. */
  readonly url: string;
  /** The caller's signing key as `whsec_…`; without it the server's key is used. */
  readonly secret?: string;
}

/**
 * Jobs whose end must be reported to a callback. The mark is in the job's own record and is there as soon as the job is
 * complete, so that no end is missed even after a crash: `ended` finds the job until `handed` was called for it.
 */
export interface JobCallbacks {
  /** Finds complete jobs whose end has not become a delivery yet. */
  ended(limit: number): Promise<readonly JobRecord[]>;
  /** Returns the job if `ended` would find it; undefined otherwise. */
  endedJob(jobId: string): Promise<JobRecord | undefined>;
  /** Marks the end as handed over; address and key are removed from the job. */
  handed(jobId: string): Promise<void>;
  /** Counts the jobs of an owner whose end is not handed over yet. */
  armed(owner: string): Promise<number>;
  /** Registers one listener for ends in this process. Some may be missed: `ended` finds them all. */
  onEnded(listener: (jobId: string) => void): void;
  /** Decrypts a callback; throws when it was encrypted with another key. */
  open(jobId: string, sealed: string): JobCallback;
}

const contextOf = (jobId: string): string => `callback ${jobId}`;

/** Returns the record fields of a job with a callback. */
export function sealCallback(
  key: Buffer,
  jobId: string,
  callback: JobCallback,
): Pick<JobRecord, 'callback' | 'callbackState'> {
  return { callback: sealJson(key, contextOf(jobId), callback), callbackState: 'armed' };
}

/** Creates access to the jobs that have a callback. */
export function jobCallbacks({ jobs, changes }: JobContext, key: Buffer): JobCallbacks {
  return {
    ended: (limit) => jobs.find({ complete: true, callbackState: 'armed' }, { limit }),
    endedJob: async (jobId) => {
      const record = await jobs.get(jobId);
      return record?.complete === true && record.callbackState === 'armed' ? record : undefined;
    },
    handed: async (jobId) =>
      void (await jobs.update(jobId, { set: { callbackState: 'handed', callback: '' } }, { complete: true })),
    armed: (owner) => jobs.count({ owner, callbackState: 'armed' }),
    onEnded: (listener) => changes.onEnded(listener),
    open: (jobId, sealed) => openJson(key, contextOf(jobId), sealed) as JobCallback,
  };
}
