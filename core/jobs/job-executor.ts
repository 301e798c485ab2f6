import type { Principal } from '@quire/registry';
import type { JobFacts } from './job-facts.js';

/** What a job runs: one operation, or a pipeline of them. */
export type JobKind = 'operation' | 'pipeline';

/** One uploaded file of a job. `path` is absolute and read only. */
export interface JobInput {
  readonly field: string;
  /** The client's name, already cleaned. */
  readonly name: string;
  /** File kind, as in the registry's `file-kinds`. */
  readonly kind: string;
  /** What the client called its media type, where it said something of use. */
  readonly mediaType?: string;
  readonly path: string;
}

/** A job as the executor receives it. */
export interface JobWork {
  readonly jobId: string;
  /** 1 for the first start, 2 for the start after a crash. */
  readonly attempt: number;
  readonly kind: JobKind;
  /** Operation path (`general/rotate-pdf`), or the pipeline's name. */
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The pipeline definition; undefined for an operation. */
  readonly pipeline: unknown;
  readonly inputs: readonly JobInput[];
  /** Who started it; missing in records of earlier versions. */
  readonly caller: Principal | undefined;
}

/** What the executor may tell while it works. */
export interface JobRunContext {
  /** Aborted on cancel, time limit, shutdown and a lost lock; `reason` is a coded error. */
  readonly signal: AbortSignal;
  /** Progress of the whole job in units of the executor's choice. */
  progress(done: number, total: number): void;
  /** Says which pipeline step runs now; 0-based. */
  step(index: number, path: string): void;
}

/** One file that a job made. */
export interface JobOutput {
  /** Absolute path; the file is copied into the store before `release` is called. */
  readonly path: string;
  readonly name: string;
  readonly mediaType: string;
  readonly kind: string;
  /** Its time in a zip, in milliseconds. */
  readonly modified?: number;
}

/** What came out of a job. */
export interface JobOutcome {
  readonly files: readonly JobOutput[];
  /** The answer of an operation that gives no file. */
  readonly json?: unknown;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly facts?: JobFacts;
  /** Name of the zip when there are several files. */
  readonly archiveName?: string;
  /** Called once the result is kept and the job has succeeded; before `release`. */
  kept?(): Promise<void>;
  /** Called once the files are in the store, or the job is lost: removes the run's private folder. */
  release?(): Promise<void>;
}

/** Does the work of a job. Rejects with a coded error; after an abort it should settle within five seconds. */
export type JobExecutor = (job: JobWork, context: JobRunContext) => Promise<JobOutcome>;
