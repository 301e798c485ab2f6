import { availableParallelism } from 'node:os';
import { isQuireError, OperationalError } from '@quire/registry/errors';
import { WorkClock } from '../../semaphore/index.js';
import type { Settings } from '../../settings/index.js';
import type { ProgramSupervisor } from './supervisor.js';
import { VeraPdfProcess } from './verapdf-process.js';

const PROGRAM = 'verapdf';
/** Processor time for the start, beside that for a document. */
const START_SECONDS = 60;

/**
 * Keeps one veraPDF ready for the next document while documents are checked, and for some time afterwards. It is
 * started while a processor is idle: beside a check, or after the last one, and not while others wait for their turn.
 */
export class WaitingVeraPdf {
  readonly #tmp: string;
  readonly #idleMs: number;
  #next: { readonly process: Promise<VeraPdfProcess>; readonly timer: NodeJS.Timeout } | undefined;
  /** True when veraPDF ended instead of waiting, as old versions do. */
  #useless = false;

  constructor(
    private readonly programs: ProgramSupervisor,
    settings: Pick<Settings, 'get' | 'paths'>,
  ) {
    this.#tmp = settings.paths.tmp;
    this.#idleMs = settings.get('limits.validatorIdleSeconds') * 1000;
  }

  /**
   * Returns the report over a document; undefined where no process waits, or the one that did failed: a new one must
   * check the document. Rejects with PROGRAM_MISSING, TIMEOUT, QUEUE_FULL, CANCELLED or SHUTTING_DOWN; nothing works on
   * the document any more when it settles: the process is killed, and without a report gone too. The end of one that
   * has reported takes as long as giving back 200 MB, which the caller need not wait for.
   */
  async check(input: string, signal: AbortSignal): Promise<string | undefined> {
    if (this.#next === undefined) return undefined;
    const { leave, limit } = await this.programs.enter(PROGRAM, signal);
    const clock = new WorkClock(limit);
    const until = AbortSignal.any([signal, clock.signal]);
    let process: VeraPdfProcess | undefined;
    let unmeasure: (() => void) | undefined;
    let report: string | undefined;
    try {
      process = await this.#take();
      if (process === undefined) return undefined;
      unmeasure = clock.measureProgram(process.pid);
      this.prepare();
      report = await process.check(input, until);
      if (this.programs.stopped) throw new OperationalError('SHUTTING_DOWN');
      return report;
    } catch (error) {
      if (!until.aborted) throw error;
      throw isQuireError(until.reason) ? until.reason : new OperationalError('CANCELLED', {}, { cause: error });
    } finally {
      clock.stop();
      unmeasure?.();
      const end = async (): Promise<void> => {
        await process?.stop();
        leave();
      };
      // Its place is taken until it has ended; then another may start.
      if (report === undefined) await end();
      else void end().then(() => this.prepare());
    }
  }

  /** Starts the next one unless there is one. `more`: checks that begin now. */
  prepare(more = 0): void {
    const running = this.programs.list().find(({ name }) => name === PROGRAM)?.running ?? 0;
    const isBusy = running + more >= availableParallelism() || this.programs.waiting(PROGRAM) > 0;
    if (this.#next !== undefined || this.#useless || this.#idleMs === 0 || isBusy || this.programs.stopped) return;
    const process = VeraPdfProcess.start(this.programs, this.#tmp, this.#cpuSeconds());
    const timer = setTimeout(() => void this.#drop(), this.#idleMs).unref();
    const next = { process, timer };
    this.#next = next;
    void process
      .then((started) => started.ready())
      .catch(() => false)
      .then((ready) => {
        if (ready || this.#next !== next) return;
        this.#useless = !this.programs.stopped;
        return this.#drop();
      });
  }

  #cpuSeconds(): number {
    return START_SECONDS + Math.ceil(this.programs.limitOf(PROGRAM).limitMs / 1000);
  }

  async #take(): Promise<VeraPdfProcess | undefined> {
    const next = this.#next;
    this.#next = undefined;
    clearTimeout(next?.timer);
    return next?.process.catch(() => undefined);
  }

  async #drop(): Promise<void> {
    await (await this.#take())?.stop();
  }
}
