import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@quire/registry';
import { InputError, isQuireError, OperationalError } from '@quire/registry/errors';
import { WorkClock, type WorkLimit } from '../../semaphore/index.js';
import type { Settings } from '../../settings/index.js';
import { fontsForOffice, type PreparedFonts } from '../fonts/index.js';
import { failureOf, unprocessable } from '../programs/program-failure.js';
import type { ProgramSupervisor } from '../programs/supervisor.js';
import type { DocumentFolder } from './document-folder.js';
import { socketPaths } from './ipc.js';
import { OfficeListener } from './listener.js';
import { SlowDocuments } from './slow-documents.js';

const PROGRAM = 'libreoffice';
const FOLDER = 'listener-';

/** One document that a running LibreOffice converts. `root`: folder of the server's temporary files. */
export interface OfficeWork {
  /** Places the document, and returns the command line for it. */
  place(folder: DocumentFolder, root: string): Promise<readonly string[]>;
  /** Moves the result to its place; false if there is none. */
  takeOut(folder: DocumentFolder, root: string): Promise<boolean>;
}

interface IdleListener {
  readonly listener: OfficeListener;
  readonly timer: NodeJS.Timeout;
}

/** Returns the folder of the listeners' folders. */
export function officeFolder(settings: Settings): string {
  return settings.get('system.tempFileManagement.libreofficeDir') || join(settings.paths.tmp, 'libreoffice');
}

/** Removes files that listeners of a killed server have left. Call it while no server runs on this base folder. */
export async function sweepOffice(root: string): Promise<void> {
  const left = (await readdir(root).catch(() => []))
    .filter((name) => name.startsWith(FOLDER))
    .map((name) => join(root, name));
  await Promise.all(
    left.flatMap((folder) => [
      rm(folder, { recursive: true, force: true }),
      ...socketPaths(join(folder, 'profile')).map((path) => rm(path, { force: true })),
    ]),
  );
}

/**
 * Running LibreOffices, at most as many as may run at once: started at first use, and ended after a number of
 * documents, after an idle time, when their memory has grown, and after each document that could not be converted.
 */
export class OfficePool {
  readonly #idle: IdleListener[] = [];
  readonly #slow: SlowDocuments;
  readonly #root: string;
  readonly #temporary: string;
  readonly #engines: string;
  #fonts: Promise<PreparedFonts | undefined> | undefined;
  readonly #most: { readonly jobs: number; readonly idleMs: number; readonly memoryMb: number };

  constructor(
    private readonly programs: ProgramSupervisor,
    settings: Settings,
    private readonly log: Logger,
  ) {
    this.#root = officeFolder(settings);
    this.#temporary = settings.paths.tmp;
    this.#engines = settings.get('browser.folder') || join(settings.paths.tmp, 'engines');
    this.#most = {
      jobs: settings.get('processExecutor.autoUnoServer') ? settings.get('limits.officeJobsBeforeRecycle') : 1,
      idleMs: settings.get('limits.officeIdleSeconds') * 1000,
      memoryMb: settings.get('limits.officeMemoryMb'),
    };
    this.#slow = new SlowDocuments(programs, log, {
      slowMs: settings.get('limits.officeSlowSeconds') * 1000,
      yieldMs: settings.get('limits.officeYieldSeconds') * 1000,
      // One process, and as much again for its document.
      memoryBytes: 2 * this.#most.memoryMb * 1024 * 1024,
    });
  }

  /**
   * Asks one of them to convert a document. Each process converts one at a time. Rejects with OFFICE_UNREADABLE when
   * there is no result, with DOCUMENT_UNPROCESSABLE when the program crashed on the document or got stuck, with
   * PROGRAM_MISSING, PROGRAM_FAILED, TIMEOUT, QUEUE_FULL or CANCELLED; nothing works on it any more when it settles.
   */
  async run(work: OfficeWork, signal: AbortSignal): Promise<void> {
    const { leave, limit } = await this.programs.enter(PROGRAM, signal);
    const clock = new WorkClock(limit);
    const yielded = new AbortController();
    const started = performance.now();
    const unwatch = this.#slow.watch(() => {
      const seconds = Math.max(1, Math.round((performance.now() - started) / 1000));
      yielded.abort(new OperationalError('TIMEOUT', { seconds, others: true }));
    });
    const until = AbortSignal.any([signal, clock.signal, yielded.signal]);
    let unmeasure: (() => void) | undefined;
    let listener: OfficeListener | undefined;
    let good = false;
    try {
      // A process that had other documents before may have been damaged by them: a document on which it crashes is
      // tried again in a new process.
      for (;;) {
        listener = this.#take() ?? (await this.#start(limit, until));
        unmeasure?.();
        unmeasure = clock.measureProgram(listener.pid);
        const converted = await this.#convert(listener, work, until);
        if (converted !== undefined) {
          good = converted;
          break;
        }
        until.throwIfAborted();
        this.log.warn(
          { code: listener.gone?.code, jobs: listener.jobs },
          'the office program ended while it converted a document',
        );
        if (listener.jobs === 1) throw crashed(listener);
      }
      if (!good) throw unreadable('it is damaged, needs a password, or is of a type that the program does not know');
    } catch (error) {
      throw until.aborted && !isQuireError(error) ? cancelled(until.reason) : error;
    } finally {
      clock.stop();
      unmeasure?.();
      const { widened } = this.#slow;
      unwatch();
      const kept = await this.#keep(listener, good);
      // Neither the next document nor this caller needs to wait for the start of another process, but its place is free
      // only then.
      if (kept || widened || this.#most.jobs === 1 || this.programs.stopped) leave();
      else
        void this.#start(limit, AbortSignal.timeout(limit.limitMs))
          .then(
            (next) => this.#rest(next),
            (error: unknown) => {
              if (!this.programs.stopped)
                this.log.warn({ err: error }, 'the office program could not be started in advance');
            },
          )
          .finally(leave);
    }
  }

  /** Returns whether there is a result; undefined if the process ended, or was stopped, before it answered. */
  async #convert(listener: OfficeListener, work: OfficeWork, signal: AbortSignal): Promise<boolean | undefined> {
    let folder: DocumentFolder | undefined;
    try {
      folder = await listener.open();
      const args = await work.place(folder, this.#temporary);
      return (await listener.ask(args, signal)) ? await work.takeOut(folder, this.#temporary) : undefined;
    } catch (error) {
      // Its folder is removed when it ends, which may be at any time, file by file.
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isMissing && (await listener.hasFolder())) throw error;
      await listener.stop();
      return undefined;
    } finally {
      await folder?.close();
    }
  }

  #take(): OfficeListener | undefined {
    for (let next = this.#idle.pop(); next !== undefined; next = this.#idle.pop()) {
      clearTimeout(next.timer);
      if (next.listener.gone === undefined) return next.listener;
    }
    return undefined;
  }

  async #start({ limitMs, totalTimes }: WorkLimit, signal: AbortSignal): Promise<OfficeListener> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    const started = Date.now();
    // CPU time is the sum over all documents and all threads.
    const listener = await OfficeListener.start(
      this.programs,
      this.#root,
      { cpuSeconds: Math.ceil(limitMs / 1000 + 1) * this.#most.jobs, totalTimes, fonts: await this.#prepareFonts() },
      signal,
    );
    this.log.debug({ ms: Date.now() - started }, 'the office program is ready');
    return listener;
  }

  /** Without the bundled fonts, documents are printed with the fonts of the system. */
  #prepareFonts(): Promise<PreparedFonts | undefined> {
    this.#fonts ??= fontsForOffice(this.#engines).catch((error: unknown) => {
      this.log.warn({ err: error }, 'the bundled fonts cannot be unpacked for the office program');
      // The next start tries again: the disk may have been full.
      this.#fonts = undefined;
      return undefined;
    });
    return this.#fonts;
  }

  /** Keeps it for the next document, or ends it; true when it was kept. */
  async #keep(listener: OfficeListener | undefined, good: boolean): Promise<boolean> {
    if (listener === undefined) return false;
    const memoryMb = (await listener.memoryMb()) ?? 0;
    if (good && listener.gone === undefined && listener.jobs < this.#most.jobs && memoryMb <= this.#most.memoryMb) {
      this.#rest(listener);
      return true;
    }
    await listener.stop();
    this.log.debug({ jobs: listener.jobs, memoryMb: Math.round(memoryMb), good }, 'the office program was ended');
    return false;
  }

  #rest(listener: OfficeListener): void {
    const timer = setTimeout(() => {
      this.#idle.splice(
        this.#idle.findIndex((other) => other.listener === listener),
        1,
      );
      void listener.stop();
    }, this.#most.idleMs).unref();
    this.#idle.push({ listener, timer });
  }
}

/** Returns OFFICE_UNREADABLE with the reason. */
export function unreadable(detail: string): InputError {
  return new InputError('OFFICE_UNREADABLE', { field: 'fileInput', detail });
}

function crashed({ gone, stuck }: OfficeListener): Error {
  if (stuck) return unprocessable(PROGRAM, 'it got stuck on it and was stopped');
  if (gone === undefined) return unprocessable(PROGRAM, 'it stopped answering');
  return failureOf(PROGRAM, gone.code, gone.stderr);
}

function cancelled(reason: unknown): Error {
  return isQuireError(reason) ? reason : new OperationalError('CANCELLED', {}, { cause: reason });
}
