import type { Principal } from '@quire/registry';
import type { WorkLimit } from '../semaphore/index.js';
import type { JobFacts } from './job-facts.js';

export type JobKind = 'operation' | 'pipeline';

/** An uploaded file of a job. `path` is absolute and read-only. */
export interface JobInput {
  readonly field: string;
  /** The client's file name, already sanitised. */
  readonly name: string;
  /** File type, one of the registry's `file-kinds`. */
  readonly kind: string;
  /** Media type from the client, if it was specific. */
  readonly mediaType?: string;
  readonly path: string;
  /**
   * SHA-256, hexadecimal, of a file that the caller keeps until the job has ended and can send again: it is not
   * brought to the disk, and the job fails with JOB_FILE_LOST if it is another one after the machine has stopped.
   */
  readonly sha256?: string;
}

/** A job as passed to the executor. */
export interface JobWork {
  readonly jobId: string;
  /** Starts so far, this one included: 1 for the first, 2 for the start after a crash. */
  readonly attempts: number;
  readonly kind: JobKind;
  /** Operation path (`general/rotate-pdf`), or the pipeline's name. */
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The pipeline definition; undefined for an operation. */
  readonly pipeline: unknown;
  /** Refuse damaged files. */
  readonly strict: boolean;
  /** Nobody waits for this pipeline, so that its inputs must not depend on each other. */
  readonly unattended: boolean;
  /** The pipeline runs for each input by itself. */
  readonly each: boolean;
  readonly inputs: readonly JobInput[];
  /** Who started the job; missing in records of earlier versions. */
  readonly caller: Principal | undefined;
}

/** Cancellation and progress of a running job. */
export interface JobRunContext {
  /** Aborted on cancel, time limit, shutdown and loss of the lock; `reason` is a coded error. */
  readonly signal: AbortSignal;
  /** How long one run of an operation or pipeline may work. */
  readonly limit: WorkLimit;
  /** Reports progress of the whole job, in units that the executor chooses. */
  progress(done: number, total: number): void;
  /** Reports the pipeline step that runs now; 0-based. */
  step(index: number, path: string): void;
  /** Names what returns the facts so far: they are stored with the progress and with a failure. */
  facts(read: (failure?: unknown) => JobFacts): void;
}

/** An output file of a job. */
export interface JobOutput {
  /** Absolute path; the file is copied into the store before `release` is called. */
  readonly path: string;
  readonly name: string;
  readonly mediaType: string;
  readonly kind: string;
  /** Its modification time in a zip, in milliseconds. */
  readonly modified?: number;
}

/** The output of a job. */
export interface JobOutcome {
  readonly files: readonly JobOutput[];
  /** The value of an operation that returns no file. */
  readonly json?: unknown;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly facts?: JobFacts;
  /** Name of the zip file, if there are several files. */
  readonly archiveName?: string;
  /** Called after the result is saved and the job has succeeded; before `release`. */
  kept?(): Promise<void>;
  /** Called when the files are in the store, or the job is lost: removes the run's temporary folder. */
  release?(): Promise<void>;
}

/** Does the work of a job. Rejects with a coded error; after an abort it should settle within five seconds. */
export type JobExecutor = (job: JobWork, context: JobRunContext) => Promise<JobOutcome>;
