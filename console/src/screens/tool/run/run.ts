import { signal } from '@preact/signals';
import type { ShownOperation } from '@quire/registry';
import { asProblem, cancelJob, followJob, jobResult, upload, type Job, type Problem } from '../../../api/index.ts';
import { fileNameOf } from '../../../files/index.ts';
import { forgetJob, rememberJob } from './remembered.ts';

/** The result of a call. */
export interface Outcome {
  /** Undefined when the operation dropped the file (204). */
  readonly blob: Blob | undefined;
  readonly name: string;
  readonly header: (name: string) => string | null;
  readonly ms: number;
}

export type ItemState = 'waiting' | 'uploading' | 'working' | 'done' | 'failed' | 'cancelled';

/** Seconds after which the server goes on with the work as a job, which can be followed and found again. */
const WAIT_SECONDS = 2;

/** One call of a run. A tool that takes one file at a time is called once for each file. */
export class RunItem {
  readonly label: string;
  readonly inputBytes: number;
  readonly state = signal<ItemState>('waiting');
  /** Share of the upload, or of the work, between 0 and 1; undefined while it is not known. */
  readonly progress = signal<number | undefined>(undefined);
  readonly job = signal<Job | undefined>(undefined);
  readonly connected = signal(true);
  readonly outcome = signal<Outcome | undefined>(undefined);
  readonly problem = signal<Problem | undefined>(undefined);
  /** The first input, to be shown beside the result. */
  readonly original: File | undefined;
  readonly #operation: ShownOperation;
  readonly #form: (() => FormData) | undefined;
  /** The same for every attempt, so that the server runs a repeated call only once. */
  readonly #key: string = crypto.randomUUID();
  #jobId: string | undefined;
  #stop = new AbortController();
  #cancelled = false;

  constructor(
    operation: ShownOperation,
    what: {
      readonly label: string;
      readonly inputBytes: number;
      readonly original?: File | undefined;
      readonly form?: () => FormData;
      readonly jobId?: string;
    },
  ) {
    this.#operation = operation;
    this.label = what.label;
    this.inputBytes = what.inputBytes;
    this.original = what.original;
    this.#form = what.form;
    this.#jobId = what.jobId;
  }

  get ended(): boolean {
    return ['done', 'failed', 'cancelled'].includes(this.state.value);
  }

  /** The form is still here, so that the call can be repeated. */
  get repeatable(): boolean {
    return this.#form !== undefined;
  }

  async start(): Promise<void> {
    this.#stop = new AbortController();
    this.#cancelled = false;
    this.problem.value = undefined;
    const began = performance.now();
    try {
      const answer = this.#jobId === undefined ? await this.#call(this.#form!) : undefined;
      const outcome = answer ?? (await this.#follow(this.#jobId!));
      this.outcome.value = { ...outcome, ms: performance.now() - began };
      this.state.value = 'done';
    } catch (error) {
      const problem = asProblem(error);
      this.problem.value = problem;
      // A cancelled job may be gone before its end is reported.
      const cancelled = this.#cancelled || problem.isAbort || problem.code === 'CANCELLED';
      this.state.value = cancelled ? 'cancelled' : 'failed';
    }
    if (this.#jobId !== undefined && this.problem.value?.isNetwork !== true) {
      forgetJob(this.#operation.path, this.#jobId);
      if (this.state.value !== 'done') this.#jobId = undefined;
    }
  }

  /** Stops the upload or the work. */
  async cancel(): Promise<void> {
    const jobId = this.#jobId;
    this.#cancelled = true;
    if (this.state.value === 'waiting') this.state.value = 'cancelled';
    else if (jobId === undefined) this.#stop.abort();
    // The job's events report the end.
    else await cancelJob(jobId).catch(() => this.#stop.abort());
  }

  /** Undefined when the server goes on with a job. */
  async #call(form: () => FormData): Promise<Omit<Outcome, 'ms'> | undefined> {
    this.state.value = 'uploading';
    this.progress.value = 0;
    const answer = await upload(this.#operation.path, form, {
      signal: this.#stop.signal,
      headers: {
        Prefer: `wait=${WAIT_SECONDS}`,
        // A mail must not be sent twice because the connection broke.
        ...(this.#operation.effects.includes('needsNetwork') ? { 'Idempotency-Key': this.#key } : {}),
      },
      progress: (sent, total) => {
        this.progress.value = sent < total ? sent / total : undefined;
        this.state.value = sent < total ? 'uploading' : 'working';
      },
    });
    if (answer.status !== 202) return outcomeOf(answer.status, answer.blob, answer.header);
    this.#jobId = (JSON.parse(await answer.blob.text()) as { jobId: string }).jobId;
    rememberJob(this.#operation.path, { jobId: this.#jobId, label: this.label, inputBytes: this.inputBytes });
    return undefined;
  }

  async #follow(jobId: string): Promise<Omit<Outcome, 'ms'>> {
    this.state.value = 'working';
    await followJob(
      jobId,
      this.#stop.signal,
      (job) => {
        this.job.value = job;
        this.progress.value = job.status === 'running' && job.progress > 0 ? job.progress / 100 : undefined;
      },
      (connected) => (this.connected.value = connected),
    );
    const response = await jobResult(jobId, this.#stop.signal);
    return outcomeOf(response.status, await response.blob(), (name) => response.headers.get(name));
  }
}

function outcomeOf(status: number, blob: Blob, header: (name: string) => string | null): Omit<Outcome, 'ms'> {
  const type = (header('content-type') ?? '').split(';')[0] ?? '';
  const name = fileNameOf(header('content-disposition')) ?? (/json/.test(type) ? 'result.json' : 'result');
  return { blob: status === 204 ? undefined : blob, name, header };
}

/** Calls that run at the same time; more would only wait for each other on the server. */
const TOGETHER = 2;

/** All calls of one click on Run. */
export class Run {
  readonly items: readonly RunItem[];

  constructor(items: readonly RunItem[]) {
    this.items = items;
  }

  get ended(): boolean {
    return this.items.every((item) => item.ended);
  }

  /** Every call has ended without a result. */
  get failed(): boolean {
    return this.items.every(({ state }) => state.value === 'failed' || state.value === 'cancelled');
  }

  async start(): Promise<void> {
    const waiting = [...this.items];
    const work = async (): Promise<void> => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
        if (item.state.value === 'waiting') await item.start();
    };
    await Promise.all(Array.from({ length: TOGETHER }, work));
  }

  async cancel(): Promise<void> {
    await Promise.all(this.items.filter((item) => !item.ended).map((item) => item.cancel()));
  }
}
