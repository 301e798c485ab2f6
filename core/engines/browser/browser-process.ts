import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DefectError, isQuireError, OperationalError } from '@quire/registry/errors';
import { endingOf, type ProcessGroup, unprocessable, type ProgramSupervisor, wasKilled } from '../programs/index.js';
import { measureProgram, SharedProgram, WorkClock } from '../../semaphore/index.js';
import { browserSwitches } from './browser-switches.js';
import { memoryOfTree } from './memory-use.js';
import { BrowserConnection } from './protocol.js';
import { BrowserTab, TabCrashed } from './browser-tab.js';

export interface BrowserStart {
  readonly programs: ProgramSupervisor;
  readonly file: string;
  /** False where the browser's own sandbox cannot work. */
  readonly sandbox: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** Files and folders that it may read beside those of the system: its own and fonts. */
  readonly shown: readonly string[];
  /** Holds the private folder of each browser. */
  readonly root: string;
  /** MB that it may use with all its pages. */
  readonly memoryMb: number;
  /** How many times the limit of its start that may take in total, on a busy machine. */
  readonly totalTimes: number;
  /** Called when a page has been closed. */
  onClosed?(browser: BrowserProcess): void;
}

/** The browser did not start. */
export class BrowserNotStarted extends OperationalError {
  /** `killed`: it was ended, and did not end by itself. */
  constructor(
    detail: string,
    readonly killed: boolean,
    cause: unknown,
  ) {
    super('PROGRAM_NOT_STARTED', { program: 'chromium', detail }, { cause });
  }
}

const START_MS = 20_000;
const WATCH_MS = 500;
/** Time for a page to close by itself; one that does not is closed with its browser. */
const CLOSE_MS = 600;
/** Longest time between the last message of a browser and its end. */
const GOING_MS = 500;

/** Opens the first page. Rejects when the browser ends before it answers. */
async function connect({ talk, ended }: ProcessGroup): Promise<{ connection: BrowserConnection; first: BrowserTab }> {
  if (talk === undefined) throw new DefectError('INTERNAL', { detail: 'the browser was started without pipes' });
  const over = ended.then(({ code }) => {
    throw new Error(endingOf(code));
  });
  over.catch(() => undefined);
  // No time limit here: work is bounded by its signals, and a browser that ends closes the pipe.
  const connection = new BrowserConnection(talk.to, talk.from);
  return { connection, first: await Promise.race([BrowserTab.open(connection), over]) };
}

/** One running browser with its own folder, which is removed with it. */
export class BrowserProcess {
  /** Pages in use or being closed. */
  busy = 0;
  /** Documents begun so far. */
  prints = 0;
  /** True when it has ended or is about to. */
  gone = false;
  readonly #times: SharedProgram;
  #watch: NodeJS.Timeout | undefined;
  /** The empty page of the next document: opening one takes a third of the time of a short print. */
  #next: Promise<BrowserTab> | undefined;
  #ending = 'it could not be started';

  private constructor(
    private readonly connection: BrowserConnection,
    first: BrowserTab,
    private readonly group: Pick<ProcessGroup, 'pid' | 'programPid' | 'ended' | 'stop'>,
    private readonly memoryMb: number,
    private readonly onClosed: BrowserStart['onClosed'],
  ) {
    const over = (): void => {
      this.gone = true;
      clearInterval(this.#watch);
    };
    this.#times = new SharedProgram(group.pid);
    this.#next = Promise.resolve(first);
    group.ended.then(({ code }) => {
      this.#ending = endingOf(code);
      over();
    }, over);
  }

  /**
   * Starts a browser and waits until it answers. Rejects with `BrowserNotStarted`, and with what was said on its error
   * output as the cause.
   */
  static async start(start: BrowserStart): Promise<BrowserProcess> {
    const { programs, file, sandbox, env, shown, root, memoryMb, totalTimes, onClosed } = start;
    const folder = await mkdtemp(join(root, 'browser-'));
    const group = await programs
      .start('chromium', browserSwitches({ dataFolder: join(folder, 'data'), sandbox }), {
        cwd: folder,
        file,
        env,
        shown,
        talks: 'pipes',
        cleanUp: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined),
      })
      .catch(async (error: unknown) => {
        await rm(folder, { recursive: true, force: true });
        throw error;
      });
    const clock = new WorkClock({ limitMs: START_MS, totalTimes });
    clock.signal.addEventListener('abort', () => group.stop(), { once: true });
    const unmeasure = clock.measureProgram(group.pid);
    try {
      const { connection, first } = await connect(group);
      return new BrowserProcess(connection, first, group, memoryMb, onClosed);
    } catch (error) {
      group.stop();
      const end = await group.ended.catch(() => undefined);
      if (clock.signal.aborted)
        throw new BrowserNotStarted(`it did not answer within ${START_MS / 1000} seconds`, true, error);
      const { code = 0, stderr = '' } = end ?? {};
      throw new BrowserNotStarted(endingOf(code), wasKilled(code), new Error(stderr.slice(0, 2000)));
    } finally {
      clock.stop();
      unmeasure();
    }
  }

  /**
   * Opens a separate page for `work` and closes it. Rejects with the signal's reason as soon as it is aborted, with
   * DOCUMENT_UNPROCESSABLE when the page crashed, and with `BrowserGone` when the browser ended meanwhile; then nothing
   * of the page runs any more. A page whose work is done is closed while the caller goes on.
   */
  async withPage<T>(signal: AbortSignal, work: (tab: BrowserTab) => Promise<T>): Promise<T> {
    this.busy++;
    this.prints++;
    this.#watch ??= setInterval(() => void this.#checkMemory(), WATCH_MS).unref();
    const unmeasure = measureProgram(this.#times);
    let stopListening: (() => void) | undefined;
    const ended = new Promise<never>((_resolve, reject) => {
      const onAbort = (): void => reject(signal.reason as Error);
      stopListening = () => signal.removeEventListener('abort', onAbort);
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      const over = (): void => reject(new BrowserGone(this.#ending));
      void this.group.ended.then(over, over);
    });
    ended.catch(() => undefined);
    let done = false;
    const opening = this.#take();
    opening.catch(() => undefined);
    try {
      const run = async (): Promise<T> => {
        const tab = await opening;
        return Promise.race([work(tab), tab.over]);
      };
      const running = run();
      running.catch(() => undefined);
      const result = await Promise.race([running, ended]);
      done = true;
      return result;
    } catch (error) {
      if (
        signal.aborted ||
        isQuireError(error) ||
        error instanceof BrowserGone ||
        (error as NodeJS.ErrnoException).syscall !== undefined
      )
        throw error;
      if (error instanceof TabCrashed)
        throw unprocessable('chromium', 'the page crashed or needed more memory than allowed', error);
      // A page fails with other errors a moment before its browser is known to be gone.
      await Promise.race([this.group.ended.catch(() => undefined), delay(GOING_MS, undefined, { ref: false })]);
      throw this.gone
        ? new BrowserGone(this.#ending, { cause: error })
        : unprocessable('chromium', 'the page could not be printed', error);
    } finally {
      stopListening?.();
      unmeasure();
      this.#prepare();
      const closing = this.#close(opening);
      if (!done) await closing;
    }
  }

  /** Returns the page that was opened ahead, or a new one. */
  async #take(): Promise<BrowserTab> {
    const next = this.#next;
    this.#next = undefined;
    const tab = await next?.catch(() => undefined);
    return tab === undefined || tab.gone ? BrowserTab.open(this.connection) : tab;
  }

  /** Opens the page of the next document. */
  #prepare(): void {
    if (this.gone || this.#next !== undefined) return;
    this.#next = BrowserTab.open(this.connection);
    this.#next.catch(() => undefined);
  }

  /** Ends the browser with everything that runs in it. */
  async stop(): Promise<void> {
    this.gone = true;
    this.group.stop();
    await this.group.ended.catch(() => undefined);
  }

  async #close(opening: Promise<BrowserTab>): Promise<void> {
    await this.#closeTab(opening);
    this.busy--;
    if (this.busy === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    }
    this.onClosed?.(this);
  }

  async #closeTab(opening: Promise<BrowserTab>): Promise<void> {
    if (this.gone) return;
    let late: NodeJS.Timeout | undefined;
    const patience = new Promise<boolean>((resolve) => {
      late = setTimeout(() => resolve(false), CLOSE_MS);
    });
    const closed = opening
      .then((tab) => tab.close())
      .then(
        () => true,
        () => false,
      );
    if (!(await Promise.race([closed, patience]))) await this.stop();
    clearTimeout(late);
  }

  /**
   * Closes the page that uses most memory when all together use too much; ends the browser itself when that uses most.
   */
  async #checkMemory(): Promise<void> {
    const pid = this.group.programPid();
    const uses = await memoryOfTree(pid);
    if (this.gone || uses.reduce((sum, { mb }) => sum + mb, 0) <= this.memoryMb) return;
    const most = uses.reduce((one, other) => (other.mb > one.mb ? other : one));
    if (most.pid === pid) return this.group.stop();
    try {
      process.kill(most.pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** The browser ended during the work, which may be repeated in another one. */
export class BrowserGone extends Error {
  override readonly name = 'BrowserGone';
  /** `ending`: how it ended, `it crashed (signal 11, SIGSEGV)`. */
  constructor(
    readonly ending: string,
    options?: ErrorOptions,
  ) {
    super('the browser has ended', options);
  }
}
