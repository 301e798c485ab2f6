import { mkdir } from 'node:fs/promises';
import type { Logger } from '@quire/registry';
import { DefectError, isQuireError, OperationalError } from '@quire/registry/errors';
import { Gate } from '../limits/index.js';
import type { Settings } from '../settings/index.js';
import { Confinement } from './confinement.js';
import { besideProgram, findProgram } from './find-program.js';
import { startGroup, type ProcessGroup } from './process-group.js';
import { programInfo, programNames, programTable, type ProgramName } from './program-table.js';

/** How one run of a program is bounded. */
export interface ProgramRun {
  /** The run's private folder: working folder, HOME and TMPDIR of the program. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Milliseconds from its start; never more than the settings allow. */
  readonly timeoutMs?: number;
  /** Added to the minimal environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that mean success; default 0. `any`: the caller judges. */
  readonly okCodes?: readonly number[] | 'any';
  /** Bytes of stdout and of stderr that are kept; default 64 KiB. */
  readonly keepBytes?: number;
  /** True lets it reach the network, where the server can. */
  readonly network?: boolean;
}

/** How a program ended. */
export interface ProgramResult {
  readonly code: number;
  /** The first 64 KiB, or as many bytes as were asked for. */
  readonly stdout: string;
  readonly stderr: string;
}

/** What the server knows of a program. */
export interface ProgramState {
  readonly name: ProgramName;
  /** Absolute path; undefined when it is missing. */
  readonly path: string | undefined;
  readonly running: number;
  readonly waiting: number;
}

const KEEP_BYTES = 64 * 1024;
const GRACE_MS = 800;
const LONGEST_LINE = 50;
const LARGEST_FILE_MB = 4096;

/** Runs external programs: bounded in number, time and resources, each in a process group of its own, never through a shell. */
export class ProgramSupervisor {
  readonly #found = new Map<ProgramName, string>();
  readonly #gates = new Map<ProgramName, Gate>();
  readonly #versions = new Map<ProgramName, Promise<string | undefined>>();
  readonly #running = new Map<ProcessGroup, ProgramName>();
  readonly #confinement: Confinement;
  #stopped = false;

  /** Looks for the programs on PATH (or at the places set); runs none of them. */
  constructor(private readonly settings: Pick<Settings, 'get'>, private readonly log: Logger, private readonly searchPath: string = process.env['PATH'] ?? '') {
    this.#confinement = new Confinement(searchPath);
    const removed: readonly string[] = settings.get('endpoints.groupsToRemove');
    for (const name of programNames) {
      const info = programInfo(name);
      const named = info.pathKey === undefined ? '' : settings.get(info.pathKey);
      const path = named === '' ? info.commands.map((command) => findProgram(command, searchPath)).find((file) => file !== undefined) : findProgram(named, searchPath);
      if (path !== undefined && !removed.includes(info.toolGroup ?? '')) this.#found.set(name, info.besides === undefined ? path : besideProgram(path, info.besides));
      this.#gates.set(name, new Gate((info.limitKey === undefined ? 0 : settings.get(info.limitKey)) || info.atOnce, LONGEST_LINE));
    }
  }

  /** True when the program was found. Unknown names are missing ones. */
  has(name: string): boolean {
    return this.#found.has(name as ProgramName);
  }

  /** Every program of the table. */
  list(): readonly ProgramState[] {
    const running = [...this.#running.values()];
    return programNames.map((name) => ({
      name, path: this.#found.get(name), running: running.filter((other) => other === name).length, waiting: this.#gates.get(name)?.waiting ?? 0,
    }));
  }

  /** The first line of what the program says of its version; asked once, on first use. `cwd` is any existing folder. */
  version(name: ProgramName, cwd: string): Promise<string | undefined> {
    let version = this.#versions.get(name);
    if (version === undefined) {
      version = this.run(name, programTable[name].versionArguments, { cwd, signal: AbortSignal.timeout(10_000), okCodes: 'any' })
        .then(({ stdout, stderr }) => (stdout.trim() || stderr.trim()).split('\n')[0], () => undefined);
      this.#versions.set(name, version);
    }
    return version;
  }

  /**
   * Runs a program to its end. Rejects with PROGRAM_MISSING, PROGRAM_FAILED (exit code), TIMEOUT, QUEUE_FULL or CANCELLED;
   * when it rejects, nothing of the program is left running.
   */
  async run(name: ProgramName, args: readonly string[], run: ProgramRun): Promise<ProgramResult> {
    const file = this.#found.get(name);
    if (file === undefined) throw new OperationalError('PROGRAM_MISSING', { program: name });
    // A line break could begin a new instruction for programs that read arguments line by line.
    if (args.some((argument) => /[\0\n\r]/.test(argument))) throw new DefectError('INTERNAL', { detail: `an argument for ${name} holds a line break or NUL` });
    const leave = await this.#gates.get(name)?.enter(run.signal).catch((error: unknown) => { throw cancelled(error); });
    try {
      if (this.#stopped) throw new OperationalError('SHUTTING_DOWN');
      return await this.#runNow(name, file, args, run);
    } finally {
      leave?.();
    }
  }

  /** Ends every running program; those that still wait are refused. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const groups = [...this.#running.keys()];
    for (const group of groups) group.stop();
    await Promise.allSettled(groups.map(({ ended }) => ended));
  }

  async #runNow(name: ProgramName, file: string, args: readonly string[], run: ProgramRun): Promise<ProgramResult> {
    const info = programInfo(name);
    const allowedMs = ((info.timeoutKey === undefined ? 0 : this.settings.get(info.timeoutKey)) || info.minutes) * 60_000;
    const timeoutMs = Math.min(run.timeoutMs ?? allowedMs, allowedMs);
    const temporary = `${run.cwd}/.tmp`;
    await mkdir(temporary, { recursive: true });
    const limits = { memoryMb: info.memoryMb, cpuSeconds: Math.ceil(timeoutMs / 1000) + 1, fileMb: LARGEST_FILE_MB };
    const [command, ...rest] = await this.#confinement.wrap(file, args, limits, run.network ?? false);
    if ((await this.#confinement.networkless()) === undefined && run.network !== true) this.log.debug({ program: name }, 'no network namespace here; the program runs without one');
    if (run.signal.aborted) throw cancelled(run.signal.reason);
    if (this.#stopped) throw new OperationalError('SHUTTING_DOWN');

    const group = startGroup(command, rest, {
      cwd: run.cwd, keepBytes: run.keepBytes ?? KEEP_BYTES, graceMs: GRACE_MS,
      env: { PATH: this.searchPath, HOME: run.cwd, TMPDIR: temporary, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', ...info.environment, ...run.env },
    });
    this.#running.set(group, name);
    let verdict: Error | undefined;
    const end = (reason: Error): void => {
      verdict ??= reason;
      group.stop();
    };
    const onAbort = (): void => end(cancelled(run.signal.reason));
    const timer = setTimeout(() => end(new OperationalError('TIMEOUT', { seconds: Math.ceil(timeoutMs / 1000) })), timeoutMs);
    run.signal.addEventListener('abort', onAbort, { once: true });
    const started = Date.now();
    try {
      const { code, stdout, stderr } = await group.ended.catch((error: unknown) => {
        throw new OperationalError('PROGRAM_FAILED', { program: name, detail: 'it could not be started' }, { cause: error });
      });
      // Output may quote the document, so it stays out of info and out of answers.
      this.log.debug({ program: name, code, ms: Date.now() - started, stderr: stderr.slice(0, 2000) }, 'program ended');
      if (verdict !== undefined) throw verdict;
      if (this.#stopped) throw new OperationalError('SHUTTING_DOWN');
      if (run.okCodes !== 'any' && !(run.okCodes ?? [0]).includes(code)) throw new OperationalError('PROGRAM_FAILED', { program: name, detail: `it ended with code ${code}` });
      return { code, stdout, stderr };
    } finally {
      clearTimeout(timer);
      run.signal.removeEventListener('abort', onAbort);
      this.#running.delete(group);
    }
  }
}

function cancelled(reason: unknown): Error {
  return isQuireError(reason) ? reason : new OperationalError('CANCELLED', {}, { cause: reason });
}
