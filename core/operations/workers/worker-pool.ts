import { readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { OperationalError, type Logger } from '@quire/registry';
import { isBackground } from './background.js';
import type { RunOutcome, WorkerTask } from './protocol.js';
import { NotStarted, WorkerProcess, type TaskOptions } from './worker-process.js';

/** Sizes and limits of the pool. */
export interface PoolSettings {
  readonly size: number;
  /** Resident size in MB above which a worker is killed. */
  readonly memoryMb: number;
  readonly recycleAfterRuns: number;
  readonly idleMs: number;
  /** Maximum number of waiting tasks; further tasks are rejected with QUEUE_FULL. */
  readonly queueLength: number;
  /**
   * Workers that background work (jobs) leaves free for direct calls; default 0. At least one worker is always
   * available to background work.
   */
  readonly reserved?: number;
  /** Folder of the marker files that identify leftover workers of a killed server. */
  readonly markerFolder: string;
}

interface Waiting {
  readonly task: WorkerTask;
  readonly options: TaskOptions;
  readonly queuedAt: number;
  readonly background: boolean;
  start(worker: WorkerProcess): void;
  refuse(error: unknown): void;
}

/** Numbers for health and metrics. */
export interface PoolStats {
  readonly size: number;
  readonly workers: number;
  readonly busy: number;
  readonly queued: number;
  readonly restarts: number;
  readonly oldestQueuedMs: number;
  readonly pids: readonly number[];
}

/** Share of the memory limit above which a worker is not used again. */
const TIRED = 0.5;

/** The worker processes: started on first use, kept warm, ended when they are idle, large or old. */
export class WorkerPool {
  readonly #workers = new Set<WorkerProcess>();
  readonly #queue: Waiting[] = [];
  #restarts = 0;
  #closed = false;
  #inBackground = 0;
  readonly #reaper: NodeJS.Timeout;

  constructor(
    private readonly settings: PoolSettings,
    private readonly log: Logger,
  ) {
    this.#reaper = setInterval(() => this.#reap(), Math.max(1000, settings.idleMs / 4));
    this.#reaper.unref();
  }

  /** Runs a task on a free worker, waiting in a queue for one. The time limit starts when the work does. */
  run(task: WorkerTask, options: TaskOptions): Promise<RunOutcome> {
    if (this.#closed) return Promise.reject(new OperationalError('SHUTTING_DOWN'));
    const background = isBackground();
    // Direct calls and jobs share one order of arrival, but each has its own limit of waiting tasks.
    if (this.#queue.filter((waiting) => waiting.background === background).length >= this.settings.queueLength)
      return Promise.reject(new OperationalError('QUEUE_FULL', { seconds: this.#secondsToWait() }));
    return new Promise((resolve, reject) => {
      let chances = 2;
      const onAbort = (): void => {
        const at = this.#queue.indexOf(waiting);
        if (at < 0) return;
        this.#queue.splice(at, 1);
        reject(
          options.signal.reason instanceof Error && 'code' in options.signal.reason
            ? options.signal.reason
            : new OperationalError('CANCELLED'),
        );
      };
      const waiting: Waiting = {
        task,
        options,
        background,
        queuedAt: Date.now(),
        refuse: reject,
        start: (worker) => {
          options.signal.removeEventListener('abort', onAbort);
          if (background) this.#inBackground++;
          worker
            .run(task, options)
            .then(resolve, (error: unknown) => {
              if (error instanceof NotStarted && chances-- > 0) this.#enqueueFirst(waiting, onAbort);
              else
                reject(error instanceof NotStarted ? new OperationalError('WORKER_LOST', {}, { cause: error }) : error);
            })
            .finally(() => {
              if (background) this.#inBackground--;
              this.#after(worker);
            });
        },
      };
      options.signal.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(waiting);
      if (options.signal.aborted) onAbort();
      this.#pump();
    });
  }

  /** Maximum number of waiting runs in each queue. */
  get queueLength(): number {
    return this.settings.queueLength;
  }

  get #backgroundPlaces(): number {
    return Math.max(1, this.settings.size - (this.settings.reserved ?? 0));
  }

  /** Puts a task that no worker had started back at the front of the queue. */
  #enqueueFirst(waiting: Waiting, onAbort: () => void): void {
    const { signal } = waiting.options;
    signal.addEventListener('abort', onAbort, { once: true });
    this.#queue.unshift(waiting);
    if (signal.aborted) onAbort();
    if (this.#closed)
      this.#queue
        .splice(this.#queue.indexOf(waiting), 1)
        .forEach(({ refuse }) => refuse(new OperationalError('SHUTTING_DOWN')));
  }

  stats(): PoolStats {
    const workers = [...this.#workers];
    return {
      size: this.settings.size,
      workers: workers.length,
      busy: workers.filter(({ busy }) => busy).length,
      queued: this.#queue.length,
      restarts: this.#restarts,
      oldestQueuedMs: this.#queue[0] === undefined ? 0 : Date.now() - this.#queue[0].queuedAt,
      pids: workers.map(({ pid }) => pid),
    };
  }

  /** Ends every worker; waiting tasks are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#reaper);
    for (const waiting of this.#queue.splice(0)) waiting.refuse(new OperationalError('SHUTTING_DOWN'));
    for (const worker of this.#workers) worker.kill();
    while (this.#workers.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  #pump(): void {
    for (;;) {
      const next = this.#queue.findIndex(
        ({ background }) => !background || this.#inBackground < this.#backgroundPlaces,
      );
      if (next < 0) return;
      const free =
        [...this.#workers].find((worker) => !worker.busy && !worker.dead) ??
        (this.#workers.size < this.settings.size ? this.#spawn() : undefined);
      if (free === undefined) return;
      this.#queue.splice(next, 1)[0]?.start(free);
    }
  }

  #spawn(): WorkerProcess {
    const worker = new WorkerProcess({
      memoryMb: this.settings.memoryMb,
      log: this.log,
      markerFolder: this.settings.markerFolder,
      onExit: (gone) => {
        this.#workers.delete(gone);
        this.#restarts++;
        this.#pump();
      },
    });
    this.#workers.add(worker);
    return worker;
  }

  #after(worker: WorkerProcess): void {
    const tired = worker.residentBytes() > this.settings.memoryMb * 1024 * 1024 * TIRED;
    if (!worker.dead && (worker.runs >= this.settings.recycleAfterRuns || tired)) {
      // Removed from the pool at once, so that no task is given to a dying process.
      this.#workers.delete(worker);
      worker.kill();
    }
    this.#pump();
  }

  #reap(): void {
    const now = Date.now();
    for (const worker of this.#workers) {
      if (!worker.busy && now - worker.lastUsed > this.settings.idleMs) {
        this.#workers.delete(worker);
        worker.kill();
      }
    }
  }

  #secondsToWait(): number {
    return Math.max(1, Math.ceil(this.#queue.length / Math.max(1, this.settings.size)));
  }
}

/** Kills workers that outlived a server ended by SIGKILL. Called once at start; no other server uses this folder. */
export async function killLeftoverWorkers(markerFolder: string): Promise<void> {
  const names = await readdir(markerFolder).catch(() => []);
  for (const name of names.filter((candidate) => /^worker-\d+\.pid$/.test(candidate))) {
    const pid = Number(name.slice(7, -4));
    // The process id may have been reused: only a process that runs our entry file is killed.
    const command = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
    if (command.includes('worker-entry.js')) process.kill(pid, 'SIGKILL');
    await unlink(join(markerFolder, name)).catch(() => undefined);
  }
}
