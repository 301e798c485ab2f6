/** What a task may reach while it runs. */
export interface TaskContext {
  /** Aborted on time-out, when the caller has gone, or when the server stops. */
  readonly signal: AbortSignal;
}

/**
 * Document work of a plugin's endpoints and services: documents are read in worker processes only, and what is no
 * operation reaches them by a task. It is no address and no pipeline step. What goes in and comes out is plain JSON;
 * files go by absolute paths.
 */
export interface WorkerTask<I = never, O = unknown> {
  /** Unique within the plugin. */
  readonly name: string;
  /** Longest time it may run; default a minute. */
  readonly timeoutMs?: number;
  readonly run: (input: Readonly<I>, ctx: TaskContext) => Promise<O>;
}

/** A task whose types are not known here. */
export type AnyWorkerTask = WorkerTask<never, unknown>;

/** Declares a task. */
export function defineTask<I, O>(task: WorkerTask<I, O>): WorkerTask<I, O> {
  return Object.freeze(task);
}

/** Runs a plugin's own tasks. Of the server alone: it does not reach workers. */
export interface WorkerTasks {
  /** Rejects with what the task throws by its code, TIMEOUT, QUEUE_FULL, WORKER_LOST or CANCELLED. */
  run<I, O>(task: WorkerTask<I, O>, input: I, signal: AbortSignal): Promise<O>;
}
