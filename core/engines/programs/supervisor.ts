import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@quire/registry';
import { DefectError, isQuireError, OperationalError } from '@quire/registry/errors';
import { giveTo, programIsolation, type Layer, type ProgramIsolation } from '../../isolation/index.js';
import { Gate, WorkClock, type WorkLimit } from '../../semaphore/index.js';
import type { Settings } from '../../settings/index.js';
import { findPrograms, librariesOf, type FoundProgram } from './found-programs.js';
import { failureOf, notStarted } from './program-failure.js';
import { startGroup, type ProcessGroup } from './process-group.js';
import { programInfo, programNames, programTable, type ProgramName } from './program-table.js';
import type {
  ProgramArguments,
  ProgramPlace,
  ProgramResult,
  ProgramRun,
  ProgramStart,
  ProgramState,
} from './program-run.js';
import { RunFolder } from './run-folder.js';

type Spawn = Pick<ProgramStart, 'cwd' | 'env' | 'cpuSeconds' | 'file' | 'fixed' | 'shown' | 'talks'> & {
  readonly signal?: AbortSignal;
  readonly keepBytes: number;
  readonly graceMs: number;
  readonly background?: boolean;
  /** Gives the program's own files to its user number. */
  admit(user: number | undefined): void | Promise<void>;
};

const KEEP_BYTES = 64 * 1024;
const GRACE_MS = 800;
const TIDY_MS = 2000;
const LONGEST_LINE = 50;
const LARGEST_FILE_MB = 4096;

/**
 * Runs external programs: bounded in number, time and resources, each in its own process group, never through a
 * shell.
 */
export class ProgramSupervisor {
  readonly #found: ReadonlyMap<ProgramName, FoundProgram>;
  readonly #gates = new Map<ProgramName, Gate>();
  readonly #versions = new Map<ProgramName, Promise<string | undefined>>();
  readonly #working = new Map<ProgramName, number>();
  readonly #restful: (() => void)[] = [];
  readonly #groups = new Set<Pick<ProcessGroup, 'stop' | 'ended'>>();
  readonly #layers = new Map<ProgramName, readonly Layer[]>();
  #stopped = false;

  /** Looks for the programs on PATH (or at the places set); runs none of them. */
  constructor(
    private readonly settings: Pick<Settings, 'get' | 'paths'>,
    private readonly log: Logger,
    private readonly searchPath: string = process.env['PATH'] ?? '',
    private readonly confinement: ProgramIsolation = programIsolation(settings, searchPath),
  ) {
    this.#found = findPrograms(settings, searchPath);
    for (const name of programNames) {
      const info = programInfo(name);
      const atOnce = (info.limitKey === undefined ? 0 : settings.get(info.limitKey)) || info.atOnce;
      this.#gates.set(name, new Gate(atOnce, LONGEST_LINE));
    }
  }

  /** True when the program was found. Unknown names are missing ones. */
  has(name: string): boolean {
    return this.#found.has(name as ProgramName);
  }

  /** Every program of the table. */
  list(): readonly ProgramState[] {
    return programNames.map((name) => ({
      name,
      path: this.#found.get(name)?.path,
      isolation: this.#layers.get(name),
      running: this.#working.get(name) ?? 0,
      waiting: this.#gates.get(name)?.waiting ?? 0,
    }));
  }

  /** Finds out what confines each program that was found. */
  async isolation(): Promise<Readonly<Record<string, readonly Layer[]>>> {
    for (const [name, { path }] of this.#found) {
      const { needsProc = false, uses = [] } = programInfo(name);
      this.#layers.set(name, await this.confinement.layers({ file: path, needsProc, uses }));
    }
    return Object.fromEntries(this.#layers);
  }

  /** How many callers wait for a place. */
  waiting(name: ProgramName): number {
    return this.#gates.get(name)?.waiting ?? 0;
  }

  /** What the settings allow for one piece of work. */
  limitOf(name: ProgramName): WorkLimit {
    const info = programInfo(name);
    return {
      limitMs: ((info.timeoutKey === undefined ? 0 : this.settings.get(info.timeoutKey)) || info.minutes) * 60_000,
      totalTimes: this.settings.get('limits.totalTimeFactor'),
    };
  }

  /** Lets one more run at once than the settings say, until the result is called. */
  widen(name: ProgramName): () => void {
    return this.#gates.get(name)?.widen() ?? (() => undefined);
  }

  /** The first line of what the program says of its version; asked once, on first use. */
  version(name: ProgramName): Promise<string | undefined> {
    let version = this.#versions.get(name);
    const packed = this.#found.get(name)?.package;
    if (version === undefined && packed !== undefined) {
      version = readFile(join(packed, 'package.json'), 'utf8').then(
        (text) => `${name} ${(JSON.parse(text) as { version: string }).version} (npm)`,
        () => undefined,
      );
      this.#versions.set(name, version);
    } else if (version === undefined) {
      version = this.run(name, programTable[name].versionArguments, {
        signal: AbortSignal.timeout(10_000),
        okCodes: 'any',
      }).then(
        ({ stdout, stderr }) => (stdout.trim() || stderr.trim()).split('\n')[0],
        () => undefined,
      );
      this.#versions.set(name, version);
    }
    return version;
  }

  /**
   * Runs a program to its end in a private folder, from which its results are then moved. Rejects with PROGRAM_MISSING,
   * PROGRAM_NOT_STARTED, PROGRAM_FAILED (it was ended from outside), DOCUMENT_UNPROCESSABLE (exit code or signal),
   * STORAGE_FULL, TIMEOUT, QUEUE_FULL or CANCELLED; when it rejects, nothing of the program is left running.
   */
  async run(name: ProgramName, args: ProgramArguments, run: ProgramRun): Promise<ProgramResult> {
    const { leave, limit } = await this.enter(name, run.signal);
    const { tmp } = this.settings.paths;
    let files: RunFolder | undefined;
    try {
      files = await RunFolder.create(runsFolder(tmp), tmp);
      const line = typeof args === 'function' ? await args(files) : args;
      const result = await this.#runNow(name, line, files, run, limit);
      await files.takeOut();
      return result;
    } finally {
      await files?.remove();
      leave();
    }
  }

  /**
   * Waits for a place to work with a program that was started ahead. Rejects with PROGRAM_MISSING, QUEUE_FULL,
   * CANCELLED or SHUTTING_DOWN.
   */
  async enter(name: ProgramName, signal: AbortSignal): Promise<ProgramPlace> {
    this.#fileOf(name);
    const leave = await this.#gates
      .get(name)
      ?.enter(signal)
      .catch((error: unknown) => {
        throw cancelled(error);
      });
    const count = (more: number): void => void this.#working.set(name, (this.#working.get(name) ?? 0) + more);
    count(1);
    let left = false;
    const place: ProgramPlace = {
      limit: this.limitOf(name),
      leave: () => {
        if (left) return;
        left = true;
        count(-1);
        leave?.();
        if ([...this.#working.values()].every((some) => some === 0)) for (const tell of this.#restful.splice(0)) tell();
      },
    };
    if (!this.#stopped) return place;
    place.leave();
    throw new OperationalError('SHUTTING_DOWN');
  }

  /**
   * Starts a program that lives on, bounded and ended with the server as every other; how many there are is up to the
   * caller, who holds a place for each that works. Rejects with PROGRAM_MISSING or SHUTTING_DOWN.
   */
  async start(name: ProgramName, args: readonly string[], { cleanUp, ...start }: ProgramStart): Promise<ProcessGroup> {
    const group = await this.#spawn(name, args, {
      ...start,
      keepBytes: 4096,
      graceMs: 0,
      background: true,
      admit: (user) => (user === undefined ? undefined : giveTo(start.cwd, user, start.fixed)),
    });
    const ended = group.ended.then(
      async (end) => {
        await cleanUp(end);
        return end;
      },
      async (error: unknown) => {
        await cleanUp(undefined);
        throw notStarted(name, error);
      },
    );
    const started: ProcessGroup = { ...group, ended, stop: () => group.stop() };
    this.#groups.add(started);
    void ended.catch(() => undefined).finally(() => this.#groups.delete(started));
    return started;
  }

  /** True once the server ends. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /**
   * Where a program lies: the folder of the npm package that brings it, if one does, and the file that is installed, if
   * one is. Throws PROGRAM_MISSING.
   */
  whereabouts(name: ProgramName): { readonly package: string | undefined; readonly installed: string | undefined } {
    this.#fileOf(name);
    const found = this.#found.get(name);
    return { package: found?.package, installed: found?.installed };
  }

  /** Ends every running program; those that still wait are refused. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const groups = [...this.#groups];
    for (const group of groups) group.stop();
    await Promise.allSettled(groups.map(({ ended }) => ended));
    // Who holds a place still has to tidy up after what was ended under it.
    if ([...this.#working.values()].some((some) => some > 0))
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, TIDY_MS);
        this.#restful.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
  }

  #fileOf(name: ProgramName): string {
    const file = this.#found.get(name)?.path;
    if (file === undefined) throw new OperationalError('PROGRAM_MISSING', { program: name });
    return file;
  }

  /**
   * Starts a program in its own process group under its limits. Nothing may come between the last
   * check whether the server ends and the start.
   */
  async #spawn(name: ProgramName, args: readonly string[], spawn: Spawn): Promise<ProcessGroup> {
    const [found, info] = [this.#fileOf(name), programInfo(name)];
    // A line break could begin a new instruction for programs that read arguments line by line.
    if (args.some((argument) => /[\0\n\r]/.test(argument)))
      throw new DefectError('INTERNAL', { detail: `an argument for ${name} holds a line break or NUL` });
    const temporary = temporaryFolder(spawn.cwd);
    await mkdir(temporary, { recursive: true });
    const file = spawn.file ?? found;
    const { line, user, depth, proc, ended } = await this.confinement.confine({
      command: [file, ...args],
      uses: info.uses ?? [],
      needsProc: info.needsProc === true,
      limits: {
        fileMb: LARGEST_FILE_MB,
        ...(info.watched === true ? {} : { addressMb: info.memoryMb }),
        ...(spawn.cpuSeconds === undefined ? {} : { cpuSeconds: spawn.cpuSeconds }),
      },
      reach: {
        folder: spawn.cwd,
        temporary,
        ...(spawn.fixed === undefined ? {} : { fixed: spawn.fixed }),
        shown: spawn.shown ?? [],
      },
    });
    try {
      await spawn.admit(user);
      if (spawn.signal?.aborted === true) throw cancelled(spawn.signal.reason);
      if (this.#stopped) throw new OperationalError('SHUTTING_DOWN');
      const [command, ...rest] = line;
      const group = startGroup(command, rest, {
        cwd: spawn.cwd,
        keepBytes: spawn.keepBytes,
        graceMs: spawn.graceMs,
        background: spawn.background ?? false,
        talks: spawn.talks,
        depth,
        user,
        env: {
          PATH: this.searchPath,
          HOME: spawn.cwd,
          TMPDIR: temporary,
          LANG: 'C.UTF-8',
          LC_ALL: 'C.UTF-8',
          ...(proc ? {} : librariesOf(info, file, this.searchPath)),
          ...info.environment,
          ...spawn.env,
        },
      });
      void group.ended.catch(() => undefined).finally(ended);
      return group;
    } catch (error) {
      ended();
      throw error;
    }
  }

  async #runNow(
    name: ProgramName,
    args: readonly string[],
    files: RunFolder,
    run: ProgramRun,
    { limitMs, totalTimes }: WorkLimit,
  ): Promise<ProgramResult> {
    const timeoutMs = Math.min(run.timeoutMs ?? limitMs, limitMs);
    const group = await this.#spawn(name, args, {
      ...run,
      cwd: files.path,
      fixed: files.inputs,
      admit: (user) => files.admit(user),
      cpuSeconds: Math.ceil(timeoutMs / 1000) + 1,
      keepBytes: run.keepBytes ?? KEEP_BYTES,
      graceMs: GRACE_MS,
    });
    this.#groups.add(group);
    let verdict: Error | undefined;
    const end = (reason: Error): void => {
      verdict ??= reason;
      group.stop();
    };
    const onAbort = (): void => end(cancelled(run.signal.reason));
    const clock = new WorkClock({ limitMs: timeoutMs, totalTimes });
    clock.signal.addEventListener('abort', () => end(clock.signal.reason as Error), { once: true });
    const unmeasure = clock.measureProgram(group.pid);
    run.signal.addEventListener('abort', onAbort, { once: true });
    const started = Date.now();
    try {
      const { code, stdout, stderr } = await group.ended.catch((error: unknown) => {
        throw notStarted(name, error);
      });
      // Output may quote the document, so it stays out of info and out of answers.
      this.log.debug({ program: name, code, ms: Date.now() - started, stderr: stderr.slice(0, 2000) }, 'program ended');
      if (verdict !== undefined) throw verdict;
      if (this.#stopped) throw new OperationalError('SHUTTING_DOWN');
      if (run.okCodes !== 'any' && !(run.okCodes ?? [0]).includes(code)) throw failureOf(name, code, stderr);
      return { code, stdout, stderr };
    } finally {
      clock.stop();
      unmeasure();
      run.signal.removeEventListener('abort', onAbort);
      this.#groups.delete(group);
    }
  }
}

/** TMPDIR of a program with this private folder. */
export function temporaryFolder(cwd: string): string {
  return join(cwd, '.tmp');
}

/** Parent of the private folders of runs. */
export function runsFolder(tmp: string): string {
  return join(tmp, 'programs');
}

function cancelled(reason: unknown): Error {
  return isQuireError(reason) ? reason : new OperationalError('CANCELLED', {}, { cause: reason });
}
