/** The context of a running task. */
export interface TaskContext {
  /** Aborted on timeout, when the caller has disconnected, or when the server stops. */
  readonly signal: AbortSignal;
}

/**
 * Document work of a plugin's endpoints and services: documents are read in worker processes only, and work that is not
 * an operation runs there as a task. A task has no URL and is not a pipeline step. Inputs and results are plain JSON;
 * files are passed by absolute path in members of these names, at any depth: `path` and `paths` are read, `target` is a
 * new file, `folder` an existing folder for new files. A worker reaches no other file; the paths that the task sees are
 * those of the worker's own folder.
 */
export interface WorkerTask<I = never, O = unknown> {
  /** Unique within the plugin. */
  readonly name: string;
  /** Maximum run time in milliseconds; default one minute. */
  readonly timeoutMs?: number;
  readonly run: (input: Readonly<I>, ctx: TaskContext) => Promise<O>;
}

/** A task whose types are not known here. */
export type AnyWorkerTask = WorkerTask<never, unknown>;

/** Declares a task. */
export function defineTask<I, O>(task: WorkerTask<I, O>): WorkerTask<I, O> {
  return Object.freeze(task);
}

/** Runs a plugin's own tasks. Available in the server only. */
export interface WorkerTasks {
  /** Rejects with the code of the error that the task throws, or with TIMEOUT, QUEUE_FULL, WORKER_LOST or CANCELLED. */
  run<I, O>(task: WorkerTask<I, O>, input: I, signal: AbortSignal): Promise<O>;
}
