import type { Layer } from '../../isolation/index.js';
import type { WorkLimit } from '../../semaphore/index.js';
import type { Dialogue, GroupEnd } from './process-group.js';
import type { ProgramName } from './program-table.js';
import type { RunFolder } from './run-folder.js';

/** How one run of a program is bounded. */
export interface ProgramRun {
  readonly signal: AbortSignal;
  /** Milliseconds that it may work; never more than the settings allow. */
  readonly timeoutMs?: number;
  /** Added to the minimal environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that mean success; default 0. `any`: the caller judges. */
  readonly okCodes?: readonly number[] | 'any';
  /** Bytes of stdout and of stderr that are kept; default 64 KiB. */
  readonly keepBytes?: number;
  /** Files and folders that it may read beside its own folder and those of the system. */
  readonly shown?: readonly string[];
}

/** The arguments of one run; a function gets the run's private folder, in which the program's files are placed. */
export type ProgramArguments = readonly string[] | ((files: RunFolder) => Promise<readonly string[]>);

/** How a program is started that goes on after its caller has what it wanted. */
export interface ProgramStart {
  /** Its private folder, and all that it can change: working folder, HOME and TMPDIR. */
  readonly cwd: string;
  /** A folder in it that it may only read. */
  readonly fixed?: string;
  /** Files and folders that it may read beside its own folder and those of the system. */
  readonly shown?: readonly string[];
  /** CPU time of its whole life; absent where the caller watches it. */
  readonly cpuSeconds?: number;
  /** The file that is run, of a program that was unpacked. */
  readonly file?: string;
  /** Added to the minimal environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** How it is talked to, if it is. */
  readonly talks?: Dialogue;
  /** Awaited after the program has ended for any reason, before the caller gets its result. Must not reject. */
  readonly cleanUp: (end: GroupEnd | undefined) => Promise<void>;
}

/** A place among those that may run a program at once. */
export interface ProgramPlace {
  leave(): void;
  /** What the settings allow for one piece of work. */
  readonly limit: WorkLimit;
}

/** How a program ended. */
export interface ProgramResult {
  readonly code: number;
  /** The first 64 KiB, or as many bytes as were asked for. */
  readonly stdout: string;
  readonly stderr: string;
}

/** A program's state. */
export interface ProgramState {
  readonly name: ProgramName;
  /** Absolute path; undefined when it is missing. */
  readonly path: string | undefined;
  /** Pieces of work that it does now; a program that was started ahead and waits for work does none. */
  readonly running: number;
  readonly waiting: number;
  /** What confines it; undefined until that is known, and for one that is missing. */
  readonly isolation: readonly Layer[] | undefined;
}
