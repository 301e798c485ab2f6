import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BasePaths, Logger } from '@quire/registry';
import { isQuireError, OperationalError } from '@quire/registry/errors';
import { programTable, unprocessable, type ProgramSupervisor } from '../programs/index.js';
import { WorkClock } from '../../semaphore/index.js';
import type { Settings } from '../../settings/index.js';
import { BrowserGone, BrowserNotStarted, BrowserProcess } from './browser-process.js';
import type { BrowserTab } from './browser-tab.js';
import { fontsForPages } from '../fonts/index.js';
import { unpackEngine } from './engine-files.js';

export interface WarmBrowserDeps {
  readonly programs: ProgramSupervisor;
  readonly settings: Pick<Settings, 'get'>;
  readonly paths: Pick<BasePaths, 'tmp'>;
  readonly log: Logger;
}

interface Engine {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly shown: readonly string[];
  readonly sandbox: boolean;
}

/** Number of browsers that a document may bring down: in the second one, the document itself is at fault. */
const ATTEMPTS = 2;
const PROBE_MS = 10_000;

/**
 * The browser of the server: started by the first document, kept running, and replaced after a number of documents, by
 * another that is started meanwhile; restarted after a long idle time, and when it ended by itself. Nothing of it is
 * loaded or unpacked before.
 */
export class WarmBrowser {
  readonly #root: string;
  #current: Promise<BrowserProcess> | undefined;
  /** The start of the browser that will take the place of the current one. */
  #coming: Promise<void> | undefined;
  #engine: Promise<Engine> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #swept = false;

  constructor(private readonly deps: WarmBrowserDeps) {
    this.#root = join(deps.paths.tmp, 'browser');
  }

  /**
   * Runs `work` in a separate page when its turn has come. Rejects with PROGRAM_MISSING, PROGRAM_NOT_STARTED,
   * DOCUMENT_UNPROCESSABLE, QUEUE_FULL, TIMEOUT or CANCELLED, and with errors of `work`; then nothing of it runs any
   * more. `work` is called once more when the browser ends meanwhile.
   */
  async withPage<T>(signal: AbortSignal, work: (tab: BrowserTab, signal: AbortSignal) => Promise<T>): Promise<T> {
    const place = await this.deps.programs.enter('chromium', signal);
    const clock = new WorkClock(place.limit);
    const until = AbortSignal.any([signal, clock.signal]);
    try {
      for (let attempt = 1; ; attempt++) {
        const browser = await this.#take(until);
        try {
          return await clock.run(() => browser.withPage(until, (tab) => work(tab, until)));
        } catch (error) {
          if (!(error instanceof BrowserGone) || this.deps.programs.stopped) throw error;
          this.deps.log.warn({ attempt, prints: browser.prints }, 'the browser ended while it printed');
          if (attempt === ATTEMPTS) throw unprocessable('chromium', error.ending, error);
        }
      }
    } catch (error) {
      if (signal.aborted)
        throw isQuireError(signal.reason)
          ? signal.reason
          : new OperationalError('CANCELLED', {}, { cause: signal.reason });
      clock.signal.throwIfAborted();
      if (this.deps.programs.stopped) throw new OperationalError('SHUTTING_DOWN');
      throw error;
    } finally {
      clock.stop();
      place.leave();
    }
  }

  /**
   * Returns the browser that accepts work, and starts one if there is none. The start continues for others when this
   * caller gives up.
   */
  async #take(signal: AbortSignal): Promise<BrowserProcess> {
    clearTimeout(this.#idle);
    const seen = this.#current;
    const known = await seen?.catch(() => undefined);
    // Started by the first caller that needed it.
    if (this.#current === seen && (known === undefined || known.gone)) {
      this.#current = this.#start();
      this.#current.catch(() => undefined);
    } else if (known !== undefined && this.#hasPrintedEnough(known)) this.#replace(known);
    const next = this.#current ?? this.#start();
    let onAbort: (() => void) | undefined;
    const aborted = new Promise<never>((_resolve, reject) => {
      onAbort = () => reject(signal.reason as Error);
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([next, aborted]);
    } finally {
      if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
    }
  }

  #hasPrintedEnough(browser: BrowserProcess): boolean {
    return browser.prints >= this.deps.settings.get('browser.printsBeforeRestart');
  }

  /** Starts the successor of a browser that has printed enough, which goes on printing until that one is ready. */
  #replace(old: BrowserProcess): void {
    if (this.#coming !== undefined) return;
    this.#coming = this.#start()
      .then(
        async (next) => {
          // Another has been started already when the old one ended by itself.
          if ((await this.#current?.catch(() => undefined)) !== old) return next.stop();
          this.#current = Promise.resolve(next);
          // It finishes its pages and ends.
          this.#rest(old);
        },
        (error: unknown) => this.deps.log.warn({ err: error }, 'the successor of the browser did not start'),
      )
      .finally(() => {
        this.#coming = undefined;
      });
  }

  #rest(browser: BrowserProcess): void {
    if (browser.busy > 0) return;
    if (!browser.gone && this.#hasPrintedEnough(browser)) void this.#endReplaced(browser);
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#endIdle(), this.deps.settings.get('browser.idleMinutes') * 60_000).unref();
  }

  async #endReplaced(browser: BrowserProcess): Promise<void> {
    const current = await this.#current?.catch(() => undefined);
    if (current !== browser && browser.busy === 0) await browser.stop();
  }

  async #endIdle(): Promise<void> {
    const browser = await this.#current?.catch(() => undefined);
    if (browser !== undefined && browser.busy === 0) await browser.stop();
  }

  async #start(): Promise<BrowserProcess> {
    const { programs, settings, log } = this.deps;
    // Files from before the first start are of a server that was killed.
    if (!this.#swept) await rm(this.#root, { recursive: true, force: true });
    this.#swept = true;
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    const engine = await (this.#engine ??= this.#findEngine().catch((error: unknown) => {
      // The next document tries again: the disk may have been full.
      this.#engine = undefined;
      throw error;
    }));
    const start = async (sandbox: boolean): Promise<BrowserProcess> => {
      const once = (): Promise<BrowserProcess> =>
        BrowserProcess.start({
          programs,
          file: engine.file,
          env: engine.env,
          shown: engine.shown,
          sandbox,
          root: this.#root,
          memoryMb: programTable.chromium.memoryMb,
          totalTimes: settings.get('limits.totalTimeFactor'),
          onClosed: (browser) => this.#rest(browser),
        });
      return once().catch((error: unknown) => {
        // Without its sandbox it may start at once.
        if (programs.stopped || !(error instanceof BrowserNotStarted) || (sandbox && !error.killed)) throw error;
        log.warn({ err: error }, 'the browser did not start and is started again');
        return once();
      });
    };
    const began = Date.now();
    const browser = await start(engine.sandbox).catch(async (error: unknown) => {
      const killed = error instanceof BrowserNotStarted && error.killed;
      if (!engine.sandbox || killed || programs.stopped) throw error;
      // Machines without user namespaces cannot have a sandbox.
      const without = await start(false);
      this.#engine = Promise.resolve({ ...engine, sandbox: false });
      log.info(
        { program: 'chromium' },
        'the sandbox of the browser does not work on this machine; the browser runs without it',
      );
      return without;
    });
    log.debug({ program: 'chromium', ms: Date.now() - began }, 'the browser is ready');
    return browser;
  }

  /**
   * Returns the browser of the npm package if it runs, otherwise the installed one. The browser's own sandbox separates
   * the pages of one document from the rest of the browser, which the confinement around both does not; the browser
   * refuses to set it up as root.
   */
  async #findEngine(): Promise<Engine> {
    const { programs, settings, paths, log } = this.deps;
    const layers = (await programs.isolation())['chromium'] ?? [];
    const sandbox = process.getuid?.() !== 0 || layers.includes('user');
    const { package: packed, installed } = programs.whereabouts('chromium');
    const folder = settings.get('browser.folder') || join(paths.tmp, 'engines');
    const [fonts, unpacked] = await Promise.all([
      // Without the bundled fonts, pages are printed with the fonts of the system.
      fontsForPages(folder).then(
        ({ file, folders }) => ({ env: { FONTCONFIG_FILE: file }, folders }),
        (error: unknown) => {
          log.warn({ err: error }, 'the bundled fonts cannot be unpacked');
          return { env: {}, folders: [] };
        },
      ),
      packed === undefined
        ? undefined
        : unpackEngine(packed, folder).catch(
            (error: unknown) => void log.warn({ err: error }, 'the Chromium of the npm package cannot be unpacked'),
          ),
    ]);
    if (unpacked !== undefined) {
      const shown = [dirname(unpacked.file), ...fonts.folders];
      for (const env of [fonts.env, { ...fonts.env, LD_LIBRARY_PATH: unpacked.libraries }])
        if (await this.#runs(unpacked.file, env)) return { file: unpacked.file, env, shown, sandbox };
      log.warn({ file: unpacked.file }, 'the Chromium of the npm package does not start on this machine');
    }
    if (installed === undefined)
      throw new OperationalError('PROGRAM_NOT_STARTED', {
        program: 'chromium',
        detail: 'the one of the npm package does not start on this machine, and no other is installed',
      });
    return { file: installed, env: fonts.env, shown: fonts.folders, sandbox };
  }

  /** True when the program finds its libraries. */
  async #runs(file: string, env: Readonly<Record<string, string>>): Promise<boolean> {
    const cwd = await mkdtemp(join(this.#root, 'probe-'));
    const group = await this.deps.programs.start('chromium', ['--version'], {
      cwd,
      file,
      env,
      cpuSeconds: 20,
      cleanUp: () => rm(cwd, { recursive: true, force: true }),
    });
    const clock = new WorkClock({
      limitMs: PROBE_MS,
      totalTimes: this.deps.settings.get('limits.totalTimeFactor'),
    });
    clock.signal.addEventListener('abort', () => group.stop(), { once: true });
    const unmeasure = clock.measureProgram(group.pid);
    return group.ended
      .then(
        ({ code }) => code === 0,
        () => false,
      )
      .finally(() => {
        clock.stop();
        unmeasure();
      });
  }
}
