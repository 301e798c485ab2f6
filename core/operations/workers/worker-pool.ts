import { AsyncLocalStorage } from 'node:async_hooks';
import { readdir, readFile, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { OperationalError, type Logger } from '@quire/registry';
import { currentOwner, FairQueue, waitForTurn } from '../../semaphore/index.js';
import type { Layer, WorkerIsolation } from '../../isolation/index.js';
import { isBackground } from './background.js';
import type { RunOutcome, WorkerTask } from './protocol.js';
import { BRIEF_MS } from './durations.js';
import { WorkPlaces, type Work } from './work-places.js';
import { abortError, NotStarted, WorkerProcess, type TaskOptions } from './worker-process.js';

/** Sizes and limits of the pool. */
export interface PoolLimits {
  readonly size: number;
  /** Resident size in MB above which a worker is killed. */
  readonly memoryMb: number;
  readonly recycleAfterRuns: number;
  readonly idleMs: number;
  /** Workers that wait for a call, from the server's start on; at most `size`, default 0. */
  readonly ready?: number;
  /** How long after the start one worker waits for the first call, even without `ready`; default 0, ms. */
  readonly readyAfterStartMs?: number;
  /** Maximum number of waiting tasks; further tasks are rejected with QUEUE_FULL. */
  readonly queueLength: number;
  /**
   * Workers that background work (jobs) leaves free for direct calls, except for brief work while no call waits;
   * default 0. At least one worker is always available to background work.
   */
  readonly reserved?: number;
  /** Workers that long work leaves free for short work; default 0. */
  readonly keptForShort?: number;
  /** Time limit of direct calls that declare no longer one, in ms. */
  readonly usualTimeoutMs?: number;
  /** How many times its time limit a task may take in total, time of waiting included. */
  readonly totalTimes: number;
}

export interface PoolSettings extends PoolLimits {
  /** Folder of the marker files that identify leftover workers of a killed server. */
  readonly markerFolder: string;
  /** Files below it live no longer than a call. */
  readonly temporary: string;
  readonly isolation: WorkerIsolation;
  /** Files that workers may read beside system and code. */
  readonly shown?: readonly string[];
}

interface Waiting extends Work {
  readonly queuedAt: number;
  /** Settles the task, or queues it again. Returns whether it succeeded; never rejects. */
  start(worker: WorkerProcess): Promise<boolean>;
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
  /** What confines the workers. */
  readonly isolation: readonly Layer[];
}

/** Share of the memory limit above which a worker is not used again. */
const TIRED = 0.5;

/**
 * The worker processes: started on first use, or before if some are to be ready; kept warm; ended when they are idle,
 * large or old.
 */
export class WorkerPool {
  readonly #workers = new Set<WorkerProcess>();
  readonly #queue = new FairQueue<Waiting>();
  readonly #places: WorkPlaces;
  /** Numbers of the workers that live. */
  readonly #slots = new Set<number>();
  #restarts = 0;
  #started = false;
  #closed = false;
  /** The worker that waits for the first call since the start. */
  #first: WorkerProcess | undefined;
  readonly #reaper: NodeJS.Timeout;
  #reclaiming: NodeJS.Timeout | undefined;

  constructor(
    private readonly settings: PoolSettings,
    private readonly log: Logger,
  ) {
    const { size, reserved = 0, keptForShort = 0 } = settings;
    this.#places = new WorkPlaces({ size, reserved, keptForShort });
    this.#reaper = setInterval(() => this.#reap(), Math.max(1000, settings.idleMs / 4));
    this.#reaper.unref();
  }

  /**
   * Runs a task on a free worker, waiting for one in a queue in which owners take turns (`onBehalfOf`). The time limit
   * starts when the work does, and waiting does not count for the work that the task is a part of. Rejects with
   * QUEUE_FULL, also later if a full queue needs the place for another owner.
   */
  run(task: WorkerTask, options: TaskOptions): Promise<RunOutcome> {
    if (this.#closed) return Promise.reject(new OperationalError('SHUTTING_DOWN'));
    const { usualTimeoutMs = Infinity } = this.settings;
    const work: Work = {
      owner: currentOwner(),
      kind: kindOf(task),
      background: isBackground(),
      declaredLong: task.type === 'run' && options.timeoutMs > usualTimeoutMs,
    };
    if (!this.#makePlace(work))
      return Promise.reject(new OperationalError('QUEUE_FULL', { seconds: this.#secondsToWait() }));
    return new Promise((resolve, reject) => {
      const { signal } = options;
      let chances = 2;
      // A worker that becomes free starts the task within work of somebody else.
      const inContext = AsyncLocalStorage.snapshot();
      let haveTurn = (): void => undefined;
      const onAbort = (): void => {
        if (!this.#queue.remove(waiting)) return;
        haveTurn();
        reject(abortError(signal));
      };
      const queue = (add: () => void): void => {
        signal.addEventListener('abort', onAbort, { once: true });
        haveTurn = inContext(waitForTurn);
        add();
        if (signal.aborted) onAbort();
      };
      const waiting: Waiting = {
        ...work,
        queuedAt: Date.now(),
        refuse: (error) => {
          signal.removeEventListener('abort', onAbort);
          haveTurn();
          reject(error);
        },
        start: async (worker) => {
          signal.removeEventListener('abort', onAbort);
          haveTurn();
          try {
            resolve(await inContext(() => worker.run(task, options)));
            return true;
          } catch (error) {
            if (!(error instanceof NotStarted)) reject(error);
            else if (this.#closed) reject(new OperationalError('SHUTTING_DOWN'));
            else if (chances-- > 0) queue(() => this.#queue.addFirst(work.owner, waiting));
            else reject(new OperationalError('WORKER_LOST', {}, { cause: error }));
            return false;
          }
        },
      };
      queue(() => this.#queue.add(work.owner, waiting));
      this.#pump();
    });
  }

  /** Does what the first call would wait for. The server listens already. */
  start(): void {
    this.#started = true;
    this.#ahead(() => this.settings.isolation.prepare());
    this.#keepReady();
    this.#ahead(() => this.#awaitFirstCall());
  }

  /**
   * Lets a worker load the plugin of a call that is still being received, or will probably come. One is started if none
   * is free; like each worker it ends when nothing comes.
   */
  prepare(entryUrl?: string): void {
    if (this.#closed) return;
    this.#first = undefined;
    const free = this.#free() ?? (this.#workers.size < this.settings.size ? this.#spawn() : undefined);
    free?.prepare(entryUrl);
  }

  get limits(): PoolLimits {
    return this.settings;
  }

  /** Maximum number of waiting runs in each queue. */
  get queueLength(): number {
    return this.settings.queueLength;
  }

  /**
   * True if there is place for another waiting task, or there is one now because the owner with the most waiting tasks
   * has lost the newest. Direct calls and jobs each have their own limit.
   */
  #makePlace({ owner, background }: Work): boolean {
    const alike = (waiting: Waiting): boolean => waiting.background === background;
    if (this.#queue.items().filter(alike).length < this.settings.queueLength) return true;
    const out = this.#queue.pushOut(owner, alike);
    out?.refuse(new OperationalError('QUEUE_FULL', { seconds: this.#secondsToWait() }));
    return out !== undefined;
  }

  stats(): PoolStats {
    const workers = [...this.#workers];
    return {
      size: this.settings.size,
      workers: workers.length,
      busy: workers.filter(({ busy }) => busy).length,
      queued: this.#queue.size,
      restarts: this.#restarts,
      oldestQueuedMs: Math.max(0, ...this.#queue.items().map(({ queuedAt }) => Date.now() - queuedAt)),
      pids: workers.map(({ pid }) => pid),
      isolation: this.settings.isolation.layers,
    };
  }

  /** Ends every worker; waiting tasks are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#reaper);
    clearTimeout(this.#reclaiming);
    for (let next = this.#queue.take(); next !== undefined; next = this.#queue.take())
      next.refuse(new OperationalError('SHUTTING_DOWN'));
    for (const worker of this.#workers) worker.kill();
    while (this.#workers.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** `overdue`: a direct call has waited for a lent worker, so it gets one more. */
  #pump(overdue = false): void {
    for (;;) {
      const free = this.#free();
      const isFull = free === undefined && this.#workers.size >= this.settings.size;
      const directWaits = this.#queue.items().some(({ background }) => !background);
      if (isFull && directWaits && this.#places.lent > 0) this.#reclaimLater();
      if (isFull && !(overdue && this.#workers.size < this.settings.size + this.#places.lent)) return;
      const next = this.#queue.take(
        (waiting) => this.#places.admits(waiting, directWaits) && !(isFull && waiting.background),
      );
      if (next === undefined) return;
      const endTurn = this.#queue.begin(next.owner);
      const leavePlace = this.#places.begin(next);
      const worker = free ?? this.#spawn();
      void next.start(worker).then((succeeded) => {
        endTurn();
        leavePlace(succeeded);
        this.#after(worker);
      });
    }
  }

  #free(): WorkerProcess | undefined {
    return [...this.#workers].find((worker) => !worker.busy && !worker.dead);
  }

  /** Background work that was expected to be brief is not: the direct call that waits must not notice. */
  #reclaimLater(): void {
    this.#reclaiming ??= setTimeout(() => {
      this.#reclaiming = undefined;
      if (!this.#closed) this.#pump(true);
    }, BRIEF_MS).unref();
  }

  #spawn(): WorkerProcess {
    let slot = 0;
    while (this.#slots.has(slot)) slot++;
    const worker = new WorkerProcess({
      memoryMb: this.settings.memoryMb,
      totalTimes: this.settings.totalTimes,
      log: this.log,
      markerFolder: this.settings.markerFolder,
      temporary: this.settings.temporary,
      isolation: this.settings.isolation,
      shown: this.settings.shown ?? [],
      slot,
      onExit: (gone) => {
        this.#slots.delete(slot);
        this.#workers.delete(gone);
        this.#restarts++;
        this.#pump();
      },
    });
    this.#slots.add(slot);
    this.#workers.add(worker);
    return worker;
  }

  #after(worker: WorkerProcess): void {
    const tired = worker.residentBytes() > this.settings.memoryMb * 1024 * 1024 * TIRED;
    const isExtra = this.#workers.size > this.settings.size;
    if (!worker.dead && (worker.runs >= this.settings.recycleAfterRuns || tired || isExtra)) {
      // Removed from the pool at once, so that no task is given to a dying process.
      this.#workers.delete(worker);
      worker.kill();
    }
    this.#pump();
  }

  /**
   * Ends idle workers. One that is to be ready stays if it has done nothing yet; otherwise a new one takes its place,
   * which has the memory and the documents of nobody.
   */
  #reap(): void {
    const now = Date.now();
    let fresh = 0;
    for (const worker of this.#workers) {
      if (worker.busy || now - worker.lastUsed <= this.settings.idleMs) continue;
      if (this.#started && worker.runs === 0 && ++fresh <= this.#ready) continue;
      this.#workers.delete(worker);
      worker.kill();
    }
    this.#keepReady();
  }

  /** Whoever starts a server often calls it at once. Without a call, the worker ends early and frees its memory. */
  #awaitFirstCall(): void {
    const { readyAfterStartMs = 0 } = this.settings;
    if (readyAfterStartMs === 0 || this.#workers.size > 0) return;
    const first = this.#spawn();
    this.#first = first;
    first.prepare();
    setTimeout(() => {
      if (this.#first !== first || first.busy || first.runs > 0) return;
      this.#workers.delete(first);
      first.kill();
    }, readyAfterStartMs).unref();
  }

  get #ready(): number {
    return Math.min(this.settings.ready ?? 0, this.settings.size);
  }

  /**
   * Starts the workers that are to be ready. Not where one has ended but at intervals, so that workers that cannot
   * start are not started without end.
   */
  #keepReady(): void {
    if (this.#closed || !this.#started) return;
    this.#ahead(() => {
      while (this.#workers.size < this.#ready) this.#spawn().prepare();
    });
  }

  /** Nobody waits for it: the next call meets the same fault, a full disk for example, and reports it. */
  #ahead(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.log.warn({ err: error }, 'no worker could be made ready');
    }
  }

  #secondsToWait(): number {
    return Math.max(1, Math.ceil(this.#queue.size / Math.max(1, this.settings.size)));
  }
}

/** What a task does, as far as its duration depends on it. */
function kindOf(task: WorkerTask): string {
  switch (task.type) {
    case 'run':
      return task.operation;
    case 'documents':
      return `documents ${task.method}`;
    case 'task':
      return `${task.entryUrl} ${task.name}`;
    default:
      return task.type;
  }
}

/** Kills workers that outlived a server ended by SIGKILL. Called once at start; no other server uses this folder. */
export async function killLeftoverWorkers(markerFolder: string): Promise<void> {
  const names = await readdir(markerFolder).catch(() => []);
  for (const name of names.filter((candidate) => candidate.startsWith('own-')))
    await rm(join(markerFolder, name), { recursive: true, force: true });
  for (const name of names.filter((candidate) => /^worker-\d+\.pid$/.test(candidate))) {
    const pid = Number(name.slice(7, -4));
    // The process id may have been reused: only a process that runs our entry file is killed.
    const command = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
    if (command.includes('worker-entry.js')) process.kill(pid, 'SIGKILL');
    await unlink(join(markerFolder, name)).catch(() => undefined);
  }
}
