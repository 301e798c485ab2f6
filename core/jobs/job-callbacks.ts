import type { JobContext } from './job-options.js';
import type { JobRecord } from './job-record.js';
import { openJson, sealJson } from '../secrets/index.js';

/** Whom a job's end is told. */
export interface JobCallback {
  /** An http or https address that was checked. */
  readonly url: string;
  /** The caller's own signing key as `whsec_…`; the server's is used when missing. */
  readonly secret?: string;
}

/**
 * Jobs whose end is to be told. The mark lies in the job's own record and is there as soon as the job is complete, so
 * that no end is missed whatever dies when: `ended` finds it until `handed` has taken it away.
 */
export interface JobCallbacks {
  /** Complete jobs whose end nobody has taken over yet. */
  ended(limit: number): Promise<readonly JobRecord[]>;
  /** One job, when it is such a one. */
  endedJob(jobId: string): Promise<JobRecord | undefined>;
  /** Says that the end was taken over; the job forgets address and key. */
  handed(jobId: string): Promise<void>;
  /** Jobs of an owner whose end is still to be told. */
  armed(owner: string): Promise<number>;
  /** Tells one listener of ends in this process, soon and not always. */
  onEnded(listener: (jobId: string) => void): void;
  /** Opens what a record keeps of its call-back; throws when it was sealed with another key. */
  open(jobId: string, sealed: string): JobCallback;
}

const contextOf = (jobId: string): string => `callback ${jobId}`;

/** The fields of a job whose end is told. */
export function sealCallback(
  key: Buffer,
  jobId: string,
  callback: JobCallback,
): Pick<JobRecord, 'callback' | 'callbackState'> {
  return { callback: sealJson(key, contextOf(jobId), callback), callbackState: 'armed' };
}

/** The jobs of a room whose end is told. */
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
