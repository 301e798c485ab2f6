import type { Principal } from '@quire/registry';
import type { SerialisedError } from '@quire/registry/errors';
import type { Needs } from './cluster/index.js';
import type { JobKind } from './job-executor.js';
import type { JobFacts } from './job-facts.js';

/** State of a job. The last three are final. */
export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** One result file, as clients see it (contract: jobs, `ResultFile`). */
export interface ResultFile {
  readonly fileId: string;
  readonly fileName: string;
  readonly contentType: string;
  /** Bytes. */
  readonly fileSize: number;
}

/** The pipeline step at work; `index` is 0-based. */
export interface JobStep {
  readonly index: number;
  readonly path: string;
}

/** What a client reads of a job: the contract's members, and beside them ours (rulings, "Job record"). */
export interface JobMembers {
  readonly jobId: string;
  /** True for success, failure and cancellation alike. */
  readonly complete: boolean;
  readonly error: string | null;
  /** ISO 8601 local date-time without zone, as existing clients expect. */
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly result: unknown;
  readonly notes: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly allResultFiles: readonly ResultFile[];
  readonly status: JobStatus;
  /** 0 to 100. */
  readonly progress: number;
  readonly step: JobStep | null;
  /** 0-based place in the queue; null when it does not wait. */
  readonly queuePosition: number | null;
  readonly attempts: number;
  /** RFC 3339 instant in UTC after which the job is removed; null until complete. */
  readonly expiresAt: string | null;
}

/** A stored upload of a job. */
export interface StoredInput {
  readonly field: string;
  readonly name: string;
  readonly kind: string;
  readonly mediaType?: string;
  readonly blobId: string;
}

/** The whole record as it lies in the store: the client's members and the server's own. */
export interface JobRecord extends JobMembers {
  /** Same as `jobId`. */
  readonly id: string;
  /** User name, '' while login is off. */
  readonly owner: string;
  /** Who started it, for rights and charges; missing in records of earlier versions. */
  readonly caller?: Principal;
  readonly kind: JobKind;
  readonly path: string;
  /** The failure with code and data, for its own status on `/result`; null otherwise. */
  readonly failure: SerialisedError | null;
  /** What the answer reports beside the result; null until the job has succeeded. */
  readonly facts?: JobFacts | null;
  /** The same as header fields, in records of earlier versions; empty in newer ones. */
  readonly headers: Readonly<Record<string, string>>;
  readonly archiveName: string | null;
  /** Kind of each result file, in the order of `allResultFiles`. */
  readonly resultKinds: readonly string[];
  /** Times of the files in a zip, in milliseconds; missing in records of earlier versions. */
  readonly resultTimes?: readonly (number | null)[];
  readonly inputs: readonly StoredInput[];
  /** Params and pipeline, encrypted; null once complete. */
  readonly secret: string | null;
  /** Whom its end is told, encrypted; missing where nobody is, empty once its end has become a delivery. */
  readonly callback?: string;
  /** `armed` until its end has become a delivery, then `handed`; missing without a call-back. */
  readonly callbackState?: 'armed' | 'handed';
  /** Fence: id of the start that may write this record; null while nobody works on it. */
  readonly attempt: string | null;
  /** Times how often it went back to the queue through no fault of its own. */
  readonly returns: number;
  /** What a node must have to run it; missing in records of earlier versions. */
  readonly needs?: Needs;
  /** Since when no living node has that (store time in ms); null while one has. */
  readonly strandedAtMs?: number | null;
  /**
   * Its turn among its owner's jobs, and its turn among all (see job-order.ts); missing in records of earlier versions.
   */
  readonly fairMs?: number;
  readonly rank?: number;
  /** Store time in ms (see steady-clock.ts). */
  readonly createdAtMs: number;
  readonly startedAtMs: number | null;
  readonly heartbeatAtMs: number | null;
  readonly completedAtMs: number | null;
  readonly expiresAtMs: number | null;
  /** True when the expiry was put off once because the server was down when it passed. */
  readonly graced: boolean;
}

/** Where a result file belongs. */
export interface JobFileRecord {
  /** The file id, which is also its blob id. */
  readonly id: string;
  readonly jobId: string;
}

/** A running job that was cancelled at another node than the one it runs on. */
export interface JobCancelRecord {
  /** The job's id. */
  readonly id: string;
  /** Store time in ms. */
  readonly atMs: number;
}

/** The body of `GET job/{jobId}`: while it waits, the contract's wrapper with the members also beside it. */
export type JobWire =
  | JobMembers
  | (JobMembers & {
      readonly jobResult: JobMembers;
      readonly queueInfo: { readonly inQueue: true; readonly position: number };
    });

/** The record as a client reads it. Null members stay in the JSON. */
export function toWire(record: JobRecord): JobWire {
  const members = toMembers(record);
  if (record.status !== 'queued') return members;
  return { jobResult: members, queueInfo: { inQueue: true, position: record.queuePosition ?? -1 }, ...members };
}

function toMembers({
  jobId,
  complete,
  error,
  createdAt,
  completedAt,
  result,
  notes,
  metadata,
  allResultFiles,
  status,
  progress,
  step,
  queuePosition,
  attempts,
  expiresAt,
}: JobRecord): JobMembers {
  return {
    jobId,
    complete,
    error,
    createdAt,
    completedAt,
    result: result ?? null,
    notes,
    metadata,
    allResultFiles,
    status,
    progress,
    step,
    queuePosition,
    attempts,
    expiresAt,
  };
}

/** The time in the server's zone as ISO 8601 without a zone, to the millisecond. */
export function localDateTime(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, -1);
}
