import { AsyncLocalStorage } from 'node:async_hooks';
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, mkdirSync } from 'node:fs';
import { rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError, OperationalError, reviveError, type Logger } from '@quire/registry';
import { processTree, WorkClock } from '../../semaphore/index.js';
import {
  firstUserNumber,
  innermost,
  killInnermost,
  SpareFolders,
  TaskFiles,
  type WorkerIsolation,
} from '../../isolation/index.js';
import { placeTask, takeOutcomeHome } from './place-task.js';
import type { FromWorker, RunOutcome, ToWorker, WorkerTask } from './protocol.js';
import { ResidentBytes, residentBytesOf } from './resident-bytes.js';
import { RunningCalls, type ServiceEndpoint } from './service-endpoint.js';
import { workerEnvironment, workerFlags } from './worker-start.js';

/** A worker does one task after another, and the folder of one is emptied while the next begins. */
const SPARE_FOLDERS = 2;
const MEMORY_POLL_MS = 100;
/** Time that a task may work on after it was asked to stop. */
const GRACE_MS = 1000;
/** Time after which a task's use of the processor is measured: most tasks have ended by then. */
const MEASURE_AFTER_MS = 1000;

export interface TaskOptions {
  /** Time that it may work. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /**
   * Returns what performs the task's service calls in the server, for the task as it is placed in the worker's folder;
   * undefined for tasks that may not call services.
   */
  readonly door?: (placed: WorkerTask) => ServiceEndpoint;
}

/**
 * How V8 ends a process that gets no more memory: by `abort()`, or by an instruction that traps, which is an illegal
 * one on some processors. As signals, and as exit codes of a shell between.
 */
const ENGINE_ENDS: ReadonlySet<string | number> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 134, 133, 132]);

/** The worker died before it started the task, so the task can be given to another worker without running twice. */
export class NotStarted extends Error {}

interface Pending {
  readonly id: number;
  started: boolean;
  readonly options: TaskOptions;
  /** Its files in the worker's folder; undefined until they are placed. */
  files(): TaskFiles | undefined;
  calls: RunningCalls;
  /** Runs something as a part of the task. */
  within<R>(work: () => R): R;
  resolve(outcome: RunOutcome): void;
  reject(error: unknown): void;
}

/** The program that runs in a worker. */
export const workerEntry = fileURLToPath(import.meta.resolve('#worker-entry'));

function endProgram(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** The caller's own reason if it is an error of the product, CANCELLED otherwise. */
export function abortError({ reason }: AbortSignal): Error {
  return reason instanceof Error && 'code' in reason ? reason : new OperationalError('CANCELLED');
}

/**
 * A child process that does document work, supervised by the server: an endless loop, a leak or a crash costs only one
 * call.
 */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #marker: string;
  /** Only the worker and the server use this folder. */
  readonly #folder: string;
  readonly #spares: SpareFolders;
  readonly #uid: number | undefined;
  /** The worker itself, if programs that confine it are its parents. */
  #innermost: number | undefined;
  #resident: ResidentBytes;
  #pending: Pending | undefined;
  /** Plugins that it was told to load. */
  readonly #loaded = new Set<string>();
  #nextId = 1;
  #verdict: unknown;
  runs = 0;
  dead = false;
  lastUsed = Date.now();

  constructor(
    readonly settings: {
      memoryMb: number;
      /** How many times its time limit a task may take in total. */
      totalTimes: number;
      log: Logger;
      markerFolder: string;
      /** Files below it live no longer than a call. */
      temporary: string;
      isolation: WorkerIsolation;
      /** Files that it may read beside system and code. */
      shown: readonly string[];
      /** Number of this worker, from 0; no two have the same at one time. */
      slot: number;
      onExit: (worker: WorkerProcess) => void;
    },
  ) {
    this.#folder = join(settings.markerFolder, `own-${randomUUID()}`);
    mkdirSync(this.#folder, { mode: 0o700 });
    this.#spares = new SpareFolders(this.#folder, 'task', SPARE_FOLDERS);
    const start = settings.isolation.start({
      folder: this.#folder,
      user: firstUserNumber.workers + settings.slot,
      flags: workerFlags(settings.memoryMb),
      shown: settings.shown,
    });
    this.#uid = start.uid;
    if (start.uid !== undefined) chownSync(this.#folder, start.uid, start.uid);
    this.#child = fork(workerEntry, [], {
      execPath: start.execPath,
      execArgv: [...start.execArgv],
      env: workerEnvironment(this.#folder),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#resident = new ResidentBytes(this.pid);
    this.#marker = join(settings.markerFolder, `worker-${this.#child.pid ?? 0}.pid`);
    void writeFile(this.#marker, String(this.#child.pid ?? 0)).catch(() => undefined);
    this.#child.stderr?.on('data', (chunk: Buffer) =>
      settings.log.debug({ worker: this.pid, text: chunk.toString('utf8', 0, 2000) }, 'worker wrote to stderr'),
    );
    this.#child.on('message', (message: FromWorker) => this.#receive(message));
    this.#child.on('error', (error) => this.#gone(error));
    this.#child.on('exit', (code, signal) => this.#gone({ code, signal }));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }
  get busy(): boolean {
    return this.#pending !== undefined;
  }

  /** Resident size in bytes; 0 if the system does not report it. */
  residentBytes(): number {
    return this.dead ? 0 : this.#resident.read();
  }

  /** Its programs, where it may start any: Node's permission model forbids it. */
  #programs(): number[] {
    if (this.#innermost === undefined || this.settings.isolation.layers.includes('permissions')) return [];
    return processTree(this.#innermost).slice(1);
  }

  /** Lets it load a plugin, and what reads documents, before it gets a task; once for each plugin. */
  prepare(entryUrl = ''): void {
    if (this.#loaded.has(entryUrl)) return;
    this.#loaded.add(entryUrl);
    this.#send({ kind: 'prepare', ...(entryUrl === '' ? {} : { entryUrl }) });
  }

  /**
   * Runs one task. Rejects with TIMEOUT, CANCELLED, INPUT_TOO_COMPLEX, WORKER_LOST or the task's error; settles only
   * when the work has really stopped.
   */
  run(task: WorkerTask, options: TaskOptions): Promise<RunOutcome> {
    const id = this.#nextId++;
    this.runs++;
    return new Promise<RunOutcome>((resolve, reject) => {
      const timers: NodeJS.Timeout[] = [];
      let files: TaskFiles | undefined;
      let settled = false;
      let unmeasure: (() => void) | undefined;
      let grace: WorkClock | undefined;
      const settle = (conclude: (files?: TaskFiles) => Promise<() => void>): void => {
        if (settled) return;
        settled = true;
        timers.forEach(clearTimeout);
        clock.stop();
        grace?.stop();
        unmeasure?.();
        options.signal.removeEventListener('abort', onAbort);
        // Running service calls still write into the run's folder, which the caller may remove after this.
        void pending.calls
          .endAll()
          .then(() => placing)
          .then(() => conclude(files))
          .catch((error: unknown) => () => reject(error))
          .then((act) => {
            this.#pending = undefined;
            this.lastUsed = Date.now();
            act();
          });
      };
      const stop = (verdict: unknown): void => {
        this.#verdict ??= verdict;
        this.#send({ kind: 'cancel', id });
        void pending.calls.endAll();
        grace ??= this.#grace(() => settled || this.kill());
      };
      const onAbort = (): void => stop(abortError(options.signal));
      const clock = new WorkClock({ limitMs: options.timeoutMs, totalTimes: this.settings.totalTimes });
      clock.signal.addEventListener('abort', () => stop(clock.signal.reason), { once: true });
      const pending: Pending = {
        id,
        within: clock.run(() => AsyncLocalStorage.snapshot()),
        started: false,
        options,
        files: () => files,
        calls: new RunningCalls(undefined, this.settings.log),
        resolve: (outcome) =>
          settle(async (placed) => {
            const result = await takeOutcomeHome(task, outcome, placed);
            return () => resolve(result);
          }),
        reject: (error) =>
          settle(async (placed) => {
            await placed?.takeBack();
            return () => reject(error);
          }),
      };
      this.#pending = pending;
      const place = async (): Promise<void> => {
        files = this.#createTaskFiles(id);
        const placed = await placeTask(task, files);
        files.admit();
        pending.calls = new RunningCalls(options.door?.(placed), this.settings.log);
        if (!settled && this.#verdict === undefined) this.#send({ kind: 'task', id, task: placed });
        else if (!settled) pending.reject(this.#takeVerdict());
      };
      const placing: Promise<void> = Promise.resolve()
        .then(place)
        .catch((error: unknown) => pending.reject(error));
      timers.push(
        setTimeout(() => (unmeasure = this.#measure(clock)), Math.min(MEASURE_AFTER_MS, options.timeoutMs / 10)),
        setInterval(() => this.#enforceMemoryLimit(), MEMORY_POLL_MS),
      );
      options.signal.addEventListener('abort', onAbort, { once: true });
      if (options.signal.aborted) onAbort();
    });
  }

  /** Creates the folder of a task in the worker's own. */
  #createTaskFiles(id: number): TaskFiles {
    return TaskFiles.create({
      root: join(this.#folder, String(id)),
      temporary: this.settings.temporary,
      uid: this.#uid,
      spares: this.#spares,
    });
  }

  /** Lets a clock stand still while the worker waits for a processor; returns what ends that. */
  #measure(clock: WorkClock): () => void {
    return clock.measureProcesses(() => [this.#innermost ?? this.pid]);
  }

  /** Kills the worker if it and its programs together use more memory than they may. */
  #enforceMemoryLimit(): void {
    const used = this.#programs().reduce((sum, pid) => sum + residentBytesOf(pid), this.residentBytes());
    if (used <= this.settings.memoryMb * 1024 * 1024) return;
    this.#verdict ??= this.#memoryExceeded();
    this.kill();
  }

  #memoryExceeded(): InputError {
    return new InputError('INPUT_TOO_COMPLEX', { resource: 'memory', limit: `${this.settings.memoryMb} MB` });
  }

  /** Starts the time in which a task has to stop: like the time limit, it stands still while no processor is free. */
  #grace(end: () => void): WorkClock {
    const clock = new WorkClock({ limitMs: GRACE_MS, totalTimes: this.settings.totalTimes });
    this.#measure(clock);
    // An answer that has come while this process got no processor is read before.
    clock.signal.addEventListener('abort', () => setImmediate(end), { once: true });
    return clock;
  }

  /** Ends the worker and its programs at once. */
  kill(): void {
    const programs = this.#programs();
    killInnermost(this.#child, this.#innermost);
    for (const pid of programs) endProgram(pid);
  }

  #send(message: ToWorker): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'log') {
      this.settings.log[message.level]({ worker: this.pid, ...message.data }, message.message);
      return;
    }
    const pending = this.#pending;
    if (message.kind === 'ready') this.#isReady();
    if (message.kind === 'ready' || pending === undefined || message.id !== pending.id) return;
    if (message.kind === 'started') pending.started = true;
    else if (message.kind === 'progress') pending.options.onProgress?.(message.done, message.total);
    else if (message.kind === 'call')
      pending.within(() =>
        pending.calls.begin(message.call, message.what, (outcome) => {
          // The service may have written files for the worker.
          pending.files()?.admitNew();
          this.#send({ kind: 'answer', id: message.id, call: message.call, ...outcome });
        }),
      );
    else if (message.kind === 'callEnd') pending.calls.end(message.call);
    else if (this.#verdict !== undefined) pending.reject(this.#takeVerdict());
    else if (message.kind === 'done') pending.resolve(message.outcome);
    else {
      const error = reviveError(message.error);
      if (message.stack !== undefined) error.stack = message.stack;
      pending.reject(error);
    }
  }

  #isReady(): void {
    this.#innermost = innermost(this.pid);
    this.#resident.close();
    this.#resident = new ResidentBytes(this.#innermost ?? this.pid);
  }

  #takeVerdict(): unknown {
    const verdict = this.#verdict;
    this.#verdict = undefined;
    return verdict;
  }

  #gone(how: unknown): void {
    if (this.dead) return;
    this.dead = true;
    this.#resident.close();
    void unlink(this.#marker).catch(() => undefined);
    const pending = this.#pending;
    if (pending !== undefined)
      pending.reject(
        this.#verdict ??
          (pending.started ? this.#lost(how) : new NotStarted('the worker ended before the task reached it')),
      );
    void this.#removeFolder(pending);
    this.settings.onExit(this);
  }

  async #removeFolder(pending: Pending | undefined): Promise<void> {
    // The files of the last task are taken back first.
    while (pending !== undefined && this.#pending === pending) await new Promise((resolve) => setTimeout(resolve, 5));
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }

  /**
   * An abort inside the engine (out of memory, wasm trap) is reported as a fault of the document, a kill from outside
   * as WORKER_LOST.
   */
  #lost(how: unknown): Error {
    const { code, signal } = (how ?? {}) as { code?: number | null; signal?: string | null };
    this.settings.log.warn({ worker: this.pid, code, signal }, 'the worker process exited during a task');
    if (ENGINE_ENDS.has(signal ?? code ?? 0)) return this.#memoryExceeded();
    return new OperationalError('WORKER_LOST');
  }
}
