import { OperationalError } from '@quire/registry';
import { firstUserNumber, UserNumbers } from '../../isolation/index.js';
import { Gate, measureProgram } from '../../semaphore/index.js';
import type { RecognitionJob, RecognitionSetup } from './recognition-job.js';
import { RecognitionProcess, type RecognitionStart } from './recognition-process.js';

/** Sizes and times of the pool. */
export interface RecognitionPoolSettings {
  /** Most processes at a time. */
  readonly atOnce: number;
  /** Milliseconds after which an idle process is ended. */
  readonly idleMs: number;
  /** Pages after which a process is not used again: an engine's memory grows and never shrinks. */
  readonly recycleAfterRuns: number;
  readonly start: RecognitionStart;
}

const LONGEST_LINE = 50;

/** Processes with tesseract.js: started on first use, kept running for their languages, ended when idle or old. */
export class RecognitionPool {
  readonly #gate: Gate;
  readonly #idle: RecognitionProcess[] = [];
  readonly #busy = new Set<RecognitionProcess>();
  readonly #users = new UserNumbers(firstUserNumber.recognition);
  readonly #reaper: NodeJS.Timeout;
  #stopped = false;

  constructor(private readonly settings: RecognitionPoolSettings) {
    this.#gate = new Gate(settings.atOnce, LONGEST_LINE);
    this.#reaper = setInterval(() => this.#reap(), Math.max(200, settings.idleMs / 4));
    this.#reaper.unref();
  }

  /** Ids of the running processes. */
  pids(): readonly number[] {
    return [...this.#busy, ...this.#idle].filter(({ dead }) => !dead).map(({ pid }) => pid);
  }

  /**
   * Reads one image in a separate process, after waiting for one. Rejects with QUEUE_FULL, SHUTTING_DOWN, OCR_FAILED,
   * or the signal's reason.
   */
  async run(setup: RecognitionSetup, job: Omit<RecognitionJob, 'id'>, signal: AbortSignal): Promise<void> {
    const leave = await this.#gate.enter(signal);
    try {
      if (this.#stopped) throw new OperationalError('SHUTTING_DOWN');
      const process = this.#take(setup);
      this.#busy.add(process);
      const unmeasure = measureProgram(process.pid);
      try {
        await process.run(job, signal);
      } finally {
        unmeasure();
        this.#busy.delete(process);
        if (process.runs >= this.settings.recycleAfterRuns || this.#stopped) process.kill();
        else if (!process.dead) this.#idle.push(process);
      }
    } finally {
      leave();
    }
  }

  /** Ends all processes and accepts no more work. */
  stop(): void {
    this.#stopped = true;
    clearInterval(this.#reaper);
    for (const process of [...this.#idle.splice(0), ...this.#busy]) process.kill();
  }

  /** Returns an idle process with these languages, otherwise a new one in place of one with others. */
  #take(setup: RecognitionSetup): RecognitionProcess {
    const languages = setup.languages.join('+');
    for (let at = this.#idle.length - 1; at >= 0; at--) if (this.#idle[at]?.dead === true) this.#idle.splice(at, 1);
    const at = this.#idle.findIndex((process) => process.languages === languages);
    const [warm] = at < 0 ? [] : this.#idle.splice(at, 1);
    if (warm !== undefined) return warm;
    if (this.#idle.length + this.#busy.size >= this.settings.atOnce) this.#idle.shift()?.kill();
    return new RecognitionProcess(setup, this.settings.start, this.#users);
  }

  #reap(): void {
    const before = Date.now() - this.settings.idleMs;
    for (let at = this.#idle.length - 1; at >= 0; at--) {
      const process = this.#idle[at];
      if (process === undefined || (!process.dead && process.lastUsed >= before)) continue;
      this.#idle.splice(at, 1);
      if (!process.dead) process.kill();
    }
  }
}
