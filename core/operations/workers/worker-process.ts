import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError, OperationalError, reviveError, type Logger } from '@quire/registry';
import type { FromWorker, RunOutcome, ToWorker, WorkerTask } from './protocol.js';
import { RunningCalls, type ServiceEndpoint } from './service-endpoint.js';

const PAGE_BYTES = 4096;
const MEMORY_POLL_MS = 100;
const GRACE_MS = 1000;

export interface TaskOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** Performs the task's service calls in the server; undefined for tasks that may not call services. */
  readonly door?: ServiceEndpoint;
}

/** The worker died before it started the task, so the task can be given to another worker without running twice. */
export class NotStarted extends Error {}

interface Pending {
  readonly id: number;
  started: boolean;
  readonly options: TaskOptions;
  readonly calls: RunningCalls;
  resolve(outcome: RunOutcome): void;
  reject(error: unknown): void;
}

/**
 * Returns V8's flags for a worker with this memory limit. Small space for new objects: most objects of an operation
 * live until it ends, so a larger one saves no time and costs every worker ten megabytes. One thread for V8's own work,
 * because there is a worker for each core.
 */
export function workerFlags(memoryMb: number): string[] {
  return [
    `--max-old-space-size=${Math.max(256, Math.floor(memoryMb * 0.75))}`,
    '--max-semi-space-size=2',
    '--v8-pool-size=1',
  ];
}

/**
 * A child process that does document work, supervised by the server: an endless loop, a leak or a crash costs only one
 * call.
 */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #marker: string;
  #pending: Pending | undefined;
  #nextId = 1;
  #verdict: unknown;
  runs = 0;
  dead = false;
  lastUsed = Date.now();

  constructor(
    readonly settings: { memoryMb: number; log: Logger; markerFolder: string; onExit: (worker: WorkerProcess) => void },
  ) {
    this.#child = fork(fileURLToPath(new URL('./worker-entry.js', import.meta.url)), [], {
      execArgv: workerFlags(settings.memoryMb),
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_ENV: 'production',
        LANG: 'C.UTF-8',
        // Without it, the worker would not use the same time zone as this process.
        ...(process.env['TZ'] === undefined ? {} : { TZ: process.env['TZ'] }),
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
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
    try {
      return Number(readFileSync(`/proc/${this.pid}/statm`, 'latin1').split(' ')[1] ?? 0) * PAGE_BYTES;
    } catch {
      return 0;
    }
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
      const calls = new RunningCalls(options.door, this.settings.log);
      let settled = false;
      const settle = (act: () => void): void => {
        if (settled) return;
        settled = true;
        timers.forEach(clearTimeout);
        options.signal.removeEventListener('abort', onAbort);
        // Running service calls still write into the run's folder, which the caller may remove after this.
        void calls.endAll().finally(() => {
          this.#pending = undefined;
          this.lastUsed = Date.now();
          act();
        });
      };
      const stop = (verdict: unknown): void => {
        this.#verdict ??= verdict;
        this.#send({ kind: 'cancel', id });
        void calls.endAll();
        timers.push(setTimeout(() => this.kill(), GRACE_MS));
      };
      const onAbort = (): void =>
        stop(
          options.signal.reason instanceof Error && 'code' in options.signal.reason
            ? options.signal.reason
            : new OperationalError('CANCELLED'),
        );
      this.#pending = {
        id,
        started: false,
        options,
        calls,
        resolve: (outcome) => settle(() => resolve(outcome)),
        reject: (error) => settle(() => reject(error)),
      };
      timers.push(
        setTimeout(
          () => stop(new OperationalError('TIMEOUT', { seconds: Math.round(options.timeoutMs / 1000) })),
          options.timeoutMs,
        ),
      );
      const limit = this.settings.memoryMb * 1024 * 1024;
      timers.push(
        setInterval(() => {
          if (this.residentBytes() <= limit) return;
          this.#verdict ??= new InputError('INPUT_TOO_COMPLEX', {
            resource: 'memory',
            limit: `${this.settings.memoryMb} MB`,
          });
          this.kill();
        }, MEMORY_POLL_MS),
      );
      options.signal.addEventListener('abort', onAbort, { once: true });
      if (options.signal.aborted) onAbort();
      else this.#send({ kind: 'task', id, task });
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
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
    if (message.kind === 'ready' || pending === undefined || message.id !== pending.id) return;
    if (message.kind === 'started') pending.started = true;
    else if (message.kind === 'progress') pending.options.onProgress?.(message.done, message.total);
    else if (message.kind === 'call')
      pending.calls.begin(message.call, message.what, (outcome) =>
        this.#send({ kind: 'answer', id: message.id, call: message.call, ...outcome }),
      );
    else if (message.kind === 'callEnd') pending.calls.end(message.call);
    else if (this.#verdict !== undefined) {
      const verdict = this.#verdict;
      this.#verdict = undefined;
      pending.reject(verdict);
    } else if (message.kind === 'done') pending.resolve(message.outcome);
    else {
      const error = reviveError(message.error);
      if (message.stack !== undefined) error.stack = message.stack;
      pending.reject(error);
    }
  }

  #gone(how: unknown): void {
    if (this.dead) return;
    this.dead = true;
    void unlink(this.#marker).catch(() => undefined);
    const pending = this.#pending;
    if (pending !== undefined)
      pending.reject(
        this.#verdict ??
          (pending.started ? this.#lost(how) : new NotStarted('the worker ended before the task reached it')),
      );
    this.settings.onExit(this);
  }

  /**
   * An abort inside the engine (out of memory, wasm trap) is reported as a fault of the document, a kill from outside
   * as WORKER_LOST.
   */
  #lost(how: unknown): Error {
    const { code, signal } = (how ?? {}) as { code?: number | null; signal?: string | null };
    this.settings.log.warn({ worker: this.pid, code, signal }, 'the worker process exited during a task');
    if (signal === 'SIGABRT' || code === 134)
      return new InputError('INPUT_TOO_COMPLEX', { resource: 'memory', limit: `${this.settings.memoryMb} MB` });
    return new OperationalError('WORKER_LOST');
  }
}
