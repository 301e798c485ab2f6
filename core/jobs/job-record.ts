import type { Principal } from '@quire/registry';
import { reviveError, type SerialisedError } from '@quire/registry/errors';
import type { Needs } from './cluster/index.js';
import type { JobKind } from './job-executor.js';
import type { JobFacts } from './job-facts.js';

/** The last three are final. */
export type JobStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

/** A result file as clients see it (contract: jobs, `ResultFile`). */
export interface ResultFile {
  readonly fileId: string;
  readonly fileName: string;
  readonly contentType: string;
  /** Bytes. */
  readonly fileSize: number;
}

/** The pipeline step that runs now; `index` is 0-based. */
export interface JobStep {
  readonly index: number;
  readonly path: string;
}

/** The job as clients see it: the members of the contract, and additional ones of Quire. */
export interface JobMembers {
  readonly jobId: string;
  /** True for succeeded, failed and cancelled jobs. */
  readonly complete: boolean;
  readonly error: string | null;
  /** `code` of the problem that the call without a job would have answered with; null unless the job failed. */
  readonly failureCode: string | null;
  /** HTTP status of that problem; null unless the job failed. */
  readonly failureStatus: number | null;
  /** Local time with its offset (`localDateTime`). */
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
  /** 0-based position in the queue; null when it does not wait. */
  readonly queuePosition: number | null;
  /** Starts that count; a start that failed with "not now" does not. */
  readonly attempts: number;
  /** RFC 3339 instant in UTC until which the job is kept; the next clean-up removes it. Null until complete. */
  readonly expiresAt: string | null;
}

/** Why a job failed, for programs; both null for a job that did not fail. */
export type FailureMembers = Pick<JobMembers, 'failureCode' | 'failureStatus'>;

/** A stored upload of a job. */
export interface StoredInput {
  readonly field: string;
  readonly name: string;
  readonly kind: string;
  readonly mediaType?: string;
  readonly blobId: string;
  /** Of a file that was not brought to the disk (`JobInput`). */
  readonly sha256?: string;
  /** The file is with the record and not in a blob; missing otherwise. */
  readonly attached?: true;
}

/** The whole record as stored: the client's members and the server's own. */
export interface JobRecord extends Omit<JobMembers, keyof FailureMembers> {
  /** Same as `jobId`. */
  readonly id: string;
  /** User id, '' while login is off. */
  readonly owner: string;
  /** Who started it, for permissions and charges; missing in records of earlier versions. */
  readonly caller?: Principal;
  readonly kind: JobKind;
  readonly path: string;
  /** Nobody waits for this pipeline; missing otherwise. */
  readonly unattended?: true;
  /** The pipeline runs for each input by itself; missing otherwise. */
  readonly each?: true;
  /** The failure with code and data, so that `/result` responds with its own status; null otherwise. */
  readonly failure: SerialisedError | null;
  /** Facts that are reported with the result; of a pipeline that runs or has failed, those that are known. */
  readonly facts?: JobFacts | null;
  /** The same facts as header fields, in records of earlier versions; empty in newer ones. */
  readonly headers: Readonly<Record<string, string>>;
  readonly archiveName: string | null;
  /** File type of each result file, in the order of `allResultFiles`. */
  readonly resultKinds: readonly string[];
  /** Modification times of the files in a zip, in milliseconds; missing in records of earlier versions. */
  readonly resultTimes?: readonly (number | null)[];
  /** Uploads; empty once complete. */
  readonly inputs: readonly StoredInput[];
  /** Names of the uploads; missing in records of earlier versions. */
  readonly inputNames?: readonly string[];
  /** Parameters and pipeline, encrypted; null once complete. */
  readonly secret: string | null;
  /** Callback address and key, encrypted; missing without a callback, empty once a delivery was created. */
  readonly callback?: string;
  /** `armed` until a delivery was created for its end, then `handed`; missing without a callback. */
  readonly callbackState?: 'armed' | 'handed';
  /**
   * Id of the run that may write this record (a fencing token); null while the job does not run. Missing in records of
   * earlier versions, which the store reads as null.
   */
  readonly claimId: string | null;
  /**
   * One of the places that the role of its caller allows, while it runs: no two jobs have the same. Null or missing
   * otherwise.
   */
  readonly place?: string | null;
  /** The claim's id in records of earlier versions: null stops a run of such a version from writing. */
  readonly attempt?: null;
  /** How often it went back to the queue through no fault of its own. */
  readonly returns: number;
  /** The operations that a node must have to run it; missing in records of earlier versions. */
  readonly needs?: Needs;
  /** Since when no running node meets its needs (store time in ms); null while one does. */
  readonly strandedAtMs?: number | null;
  /**
   * `fairMs` is its turn among the owner's jobs, `rank` its turn among all (see job-order.ts); missing in records of
   * earlier versions.
   */
  readonly fairMs?: number;
  readonly rank?: number;
  /** Store time in ms (see steady-clock.ts). */
  readonly createdAtMs: number;
  readonly startedAtMs: number | null;
  readonly heartbeatAtMs: number | null;
  readonly completedAtMs: number | null;
  readonly expiresAtMs: number | null;
  /** Begins the ids of its result files, which find it by this; missing without files, and in earlier versions. */
  readonly resultKey?: string;
  /** Its result files are with the record and not in blobs; missing otherwise. */
  readonly resultsAttached?: true;
  /** For how long somebody has asked to keep its results; missing when nobody has. */
  readonly keptMs?: number;
  /** True if the expiry was postponed once because the server was down at that time. */
  readonly graced: boolean;
}

/** Links a result file to its job; only results of earlier versions have one (see `resultKey`). */
export interface JobFileRecord {
  /** The file id, which is also the blob id. */
  readonly id: string;
  readonly jobId: string;
}

/** Cancellation of a job that runs on another node. */
export interface JobCancelRecord {
  /** The job's id. */
  readonly id: string;
  /** Store time in ms. */
  readonly atMs: number;
}

/**
 * The body of `GET job/{jobId}`. While the job waits, this is the contract's wrapper with the job's members repeated
 * next to it.
 */
export type JobWire =
  | JobMembers
  | (JobMembers & {
      readonly jobResult: JobMembers;
      readonly queueInfo: { readonly inQueue: true; readonly position: number };
    });

/** Returns the record as clients see it. Null members stay in the JSON. */
export function toWire(record: JobRecord): JobWire {
  const members = toMembers(record);
  if (record.status !== 'queued') return members;
  return { jobResult: members, queueInfo: { inQueue: true, position: record.queuePosition ?? -1 }, ...members };
}

/** Returns code and status of a failure; `error` has its text. */
export function failureMembers({ status, failure }: Pick<JobRecord, 'status' | 'failure'>): FailureMembers {
  if (status !== 'failed' || failure === null) return { failureCode: null, failureStatus: null };
  const { code, row } = reviveError(failure);
  return { failureCode: code, failureStatus: row.status };
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
  failure,
}: JobRecord): JobMembers {
  return {
    jobId,
    complete,
    error,
    ...failureMembers({ status, failure }),
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

/**
 * Formats a time in the server's time zone as RFC 3339, to the millisecond: `2026-06-15T14:00:00.000+02:00` (ADR 0070).
 */
export function localDateTime(date: Date): string {
  const ahead = -date.getTimezoneOffset();
  const local = new Date(date.getTime() + ahead * 60_000).toISOString().slice(0, -1);
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${local}${ahead < 0 ? '-' : '+'}${hours}:${minutes}`;
}
