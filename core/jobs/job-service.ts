import type { Readable } from 'node:stream';
import type { Principal } from '@quire/registry';
import type { BlobRange } from '../store/index.js';
import type { Needs } from './cluster/index.js';
import type { JobCallback, JobCallbacks } from './job-callbacks.js';
import type { CleanupReport } from './job-cleanup.js';
import type { JobInput, JobKind } from './job-executor.js';
import type { JobList, JobListQuery } from './job-list.js';
import type { JobRecord, JobWire, ResultFile } from './job-record.js';
import type { JobStates, JobStatistics, QueueStatistics } from './job-statistics.js';

/** A job to start. */
export interface JobRequest {
  readonly kind: JobKind;
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly pipeline?: unknown;
  /** Refuse damaged files (`Prefer: handling=strict`). */
  readonly strict?: boolean;
  /** Nobody waits for this pipeline: see `runUnattended` in core/operations/pipelines. */
  readonly unattended?: boolean;
  /** The pipeline runs for each input by itself, and `facts.each` says what became of each: see `runEach` there. */
  readonly each?: boolean;
  /** Uploads; each is in the store when `start` resolves, and the file at `path` may then be deleted. */
  readonly inputs: readonly JobInput[];
  /** The user's id, or '' while login is off. */
  readonly owner: string;
  /** Who starts it: the work runs with this user's permissions and is charged to them. */
  readonly caller?: Principal;
  /** The operations that a node must have to run it; default: none. */
  readonly needs?: Needs;
  /** 0 (first) to 7 (last), as in RFC 9218, 4.1; default 3. */
  readonly urgency?: number;
  /** The address that is called when it has ended. */
  readonly callback?: JobCallback;
  /**
   * The random part of its id, so that a caller can find the job again after a crash; if a job with this id exists,
   * `start` returns that one.
   */
  readonly uuid?: string;
}

/** An open result file. */
export interface OpenResultFile {
  readonly meta: ResultFile & { readonly jobId: string; readonly owner: string; readonly kind: string };
  readonly stream: Readable;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Absolute path if the store is a folder; read-only. */
  readonly path?: string;
}

/** Runs work in the background and keeps its results. */
export interface JobService {
  /**
   * Accepts a job. Rejects with QUEUE_FULL (Retry-After in `data.seconds`), SHUTTING_DOWN, STORE_DOWN or STORAGE_FULL.
   */
  start(request: JobRequest): Promise<{ jobId: string }>;
  /**
   * Returns the record with its position in the queue; undefined when unknown or removed after its expiry.
   * `withFiles`: its result files are opened next, and may be read with it.
   */
  get(jobId: string, withFiles?: boolean): Promise<JobRecord | undefined>;
  /** Cancels a job. Rejects with JOB_UNKNOWN or JOB_COMPLETE. */
  cancel(jobId: string): Promise<{ wasQueued: boolean; queuePosition: number | 'n/a' }>;
  /** Cancels every job of an owner that is not complete; returns their number. Rejects with STORE_DOWN. */
  cancelAllOf(owner: string): Promise<number>;
  /** Returns the result files. Rejects with JOB_UNKNOWN, JOB_NOT_FINISHED or JOB_FAILED. */
  files(jobId: string): Promise<readonly ResultFile[]>;
  /** Opens a result file; undefined when no existing job has it. Throws RangeError for a range beyond the end. */
  openFile(fileId: string, range?: BlobRange): Promise<OpenResultFile | undefined>;
  /** Returns what a result file is, without opening it; undefined when no existing job has it. */
  describeFile(fileId: string): Promise<OpenResultFile['meta'] | undefined>;
  /** Opens a result file of a record that was just read. */
  openResult(record: JobRecord, fileId: string, range?: BlobRange): Promise<OpenResultFile | undefined>;
  /**
   * Returns a result file of a record that was just read as a file on this disk: that of the store if it is a folder
   * (read only), else one written at `place()`, where none may be yet. Undefined when the job was removed.
   */
  resultOnDisk(record: JobRecord, fileId: string, place: () => string | Promise<string>): Promise<string | undefined>;
  /**
   * Yields the record now and after every change, until it is complete, the signal is aborted or the service closes.
   */
  events(jobId: string, signal?: AbortSignal): AsyncIterable<JobWire>;
  /**
   * Waits for the end of a job and returns its record. Undefined when it is unknown or was removed; a record that is
   * not complete after the signal was aborted or the service closed.
   */
  finished(jobId: string, signal: AbortSignal): Promise<JobRecord | undefined>;
  /** Lists jobs, newest first. */
  list(query: JobListQuery): Promise<JobList>;
  /** Yields the list now and after changes of any job, at most every half second, until the signal is aborted. */
  listEvents(query: JobListQuery, signal: AbortSignal): AsyncIterable<JobList>;
  /** Jobs with a callback. */
  readonly callbacks: JobCallbacks;
  /** Keeps a complete job with its results for this long from now; returns false when it is gone or not complete. */
  keep(jobId: string, ms: number): Promise<boolean>;
  /** Removes a complete job with its files, as if it had expired; returns false when it was gone already. */
  forget(jobId: string): Promise<boolean>;
  /** Counts all jobs, reading each of the finished ones. */
  stats(): Promise<JobStatistics>;
  queueStats(): Promise<QueueStatistics>;
  /** Counts jobs by state, cheaply. */
  states(): Promise<JobStates>;
  /** Removes what has expired at `now` (default: the store's time), and orphaned files. */
  cleanup(now?: Date): Promise<CleanupReport>;
  /**
   * Loads Agenda, recovers the jobs of the last run and starts working. Call once, after the server listens. If MongoDB
   * is unreachable it resolves and keeps trying.
   */
  recover(): Promise<void>;
  /** Accepts no more jobs, waits for running ones, and leaves the rest in the queue for the next start. */
  drain(timeoutMs: number): Promise<void>;
  /** Stops timers, events and the queue; running jobs are put back in the queue at once. The store stays open. */
  close(): Promise<void>;
}
