import type { FileResult } from './file-result.js';
import type { CallOptions, Transport } from './transport.js';

export interface ResultFile {
  readonly fileId: string;
  readonly fileName: string;
  readonly contentType: string;
  /** Bytes. */
  readonly fileSize: number;
}

/** The state of a job at one moment. */
export interface JobStatus {
  readonly jobId: string;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  /** True once it has succeeded, failed or been cancelled. */
  readonly complete: boolean;
  /** Percent, 0 to 100. */
  readonly progress: number;
  /** Step of a pipeline that is running. */
  readonly step?: { readonly index: number; readonly path: string } | null;
  readonly queuePosition?: number | null;
  readonly error: string | null;
  /** Code of the error that `result()` throws; null unless the job failed. */
  readonly failureCode: string | null;
  /** HTTP status that the call without a job would have had; null unless the job failed. */
  readonly failureStatus: number | null;
  readonly notes: readonly string[];
  readonly allResultFiles: readonly ResultFile[];
  readonly expiresAt?: string | null;
}

/** A job of the list. Times are UTC (RFC 3339). */
export interface ListedJob {
  readonly jobId: string;
  readonly kind: 'operation' | 'pipeline';
  /** Path of the operation, or name of the pipeline. */
  readonly path: string;
  readonly status: JobStatus['status'];
  readonly progress: number;
  readonly error: string | null;
  /** Code of the error that `result()` throws; null unless the job failed. */
  readonly failureCode: string | null;
  /** HTTP status that the call without a job would have had; null unless the job failed. */
  readonly failureStatus: number | null;
  readonly inputs: readonly string[];
  readonly files: readonly ResultFile[];
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly expiresAt: string | null;
}

/** How a job's answer is read. */
export type ReadAnswer<T> = (response: Response) => Promise<T>;

/** The longest that the server waits for a change (its `jobs.maxWaitSeconds` may be shorter). */
const WAIT = { prefer: 'wait=20' };

/** Work on the server. Iterate over it to follow its progress; `result()` waits for its end. */
export class Job<T = FileResult> implements AsyncIterable<JobStatus> {
  readonly #path: string;

  constructor(
    readonly id: string,
    private readonly transport: Transport,
    private readonly read: ReadAnswer<T>,
  ) {
    this.#path = `/api/v1/general/job/${encodeURIComponent(id)}`;
  }

  async status(call: CallOptions = {}): Promise<JobStatus> {
    return (await (await this.transport.send(this.#path, call)).json()) as JobStatus;
  }

  /** Yields the state now and after each change, until the job is complete. */
  async *[Symbol.asyncIterator](): AsyncGenerator<JobStatus, void, undefined> {
    yield* this.follow();
  }

  async *follow(call: CallOptions = {}): AsyncGenerator<JobStatus, void, undefined> {
    let last = await this.status(call);
    yield last;
    while (!last.complete) {
      const response = await this.transport.send(this.#path, { ...call, headers: WAIT });
      const next = (await response.json()) as JobStatus;
      if (JSON.stringify(next) !== JSON.stringify(last)) yield next;
      last = next;
    }
  }

  /**
   * Waits for the end of the job and returns the same as the call without a job.
   *
   * @throws ServerError (`InputError`, …) of a job that failed: the same as of the call without a job; with the code
   *   `CANCELLED` of a cancelled one
   */
  async result(call: CallOptions = {}): Promise<T> {
    for await (const { complete } of this.follow(call)) if (complete) break;
    return this.read(await this.transport.send(`${this.#path}/result`, call));
  }

  /** The files of the result; of several, `result()` returns a zip. */
  async files(call: CallOptions = {}): Promise<readonly ResultFile[]> {
    const response = await this.transport.send(`${this.#path}/result/files`, call);
    return ((await response.json()) as { files: ResultFile[] }).files;
  }

  /** Stops the job; a finished one is deleted with its files. */
  async cancel(call: CallOptions = {}): Promise<void> {
    await this.transport.send(this.#path, { ...call, method: 'DELETE' });
  }
}

/** The jobs of the caller. */
export class Jobs {
  constructor(
    private readonly transport: Transport,
    private readonly readFile: ReadAnswer<FileResult>,
  ) {}

  /** A job by its id. Sends nothing. */
  get(id: string): Job {
    return new Job(id, this.transport, this.readFile);
  }

  /** The newest jobs first, at most 200. */
  async list(
    query: { readonly status?: JobStatus['status']; readonly limit?: number } = {},
    call: CallOptions = {},
  ): Promise<readonly ListedJob[]> {
    const response = await this.transport.send('/api/v1/general/jobs', { ...call, query });
    return ((await response.json()) as { jobs: ListedJob[] }).jobs;
  }

  /** One file of a result. */
  async file(fileId: string, call: CallOptions = {}): Promise<FileResult> {
    return this.readFile(await this.transport.send(`/api/v1/general/files/${encodeURIComponent(fileId)}`, call));
  }
}
