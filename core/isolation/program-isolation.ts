import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Reach } from './bubble.js';
import { findProgram } from './find-program.js';
import { layerNames, type Layer } from './layers.js';
import { firstUserNumber, UserNumbers } from './user-numbers.js';
import { limitLine, nothing, succeeds, thatWork, wrappings, type ResourceLimits, type Wrapping } from './wrappings.js';

export interface ProgramRules {
  /** The layers to try. */
  readonly use: readonly Layer[];
  readonly searchPath: string;
  /** Parent of a folder in which the layers are tried. */
  readonly folder: string;
  /** Folders of the server's own data; hidden even if they are inside a folder that programs may read. */
  readonly hidden: readonly string[];
  /** Folders that programs may read beside those of the system. */
  readonly readable: readonly string[];
}

/** A program that is to be started. */
export interface ProgramLine {
  readonly command: readonly [string, ...string[]];
  /** Programs that it starts itself, by their names on the search path. */
  readonly uses?: readonly string[];
  /** True if it does not work without /proc. */
  readonly needsProc: boolean;
  readonly limits: Omit<ResourceLimits, 'threads'>;
  readonly reach: Pick<Reach, 'folder' | 'fixed' | 'temporary' | 'shown'>;
}

/** How a program is started. */
export interface ProgramStartLine {
  readonly line: readonly [string, ...string[]];
  /** User number that its own folder must belong to; undefined: the server's own. */
  readonly user: number | undefined;
  /** Number of processes from the one that is started down to the program. */
  readonly depth: number;
  /** True if the program has a /proc. */
  readonly proc: boolean;
  /** Call it when the program has ended. */
  ended(): void;
}

/** What programs need of a system: programs, libraries, fonts, and the configuration and data of some. */
const programSystem: readonly string[] = [
  '/usr /bin /sbin /lib /lib32 /lib64 /libx32 /nix/store /gnu/store',
  '/etc/alternatives /etc/ld.so.cache /etc/localtime /etc/fonts /etc/mime.types /etc/papersize',
  '/etc/ghostscript /etc/libreoffice /etc/chromium /etc/chromium.d',
  '/var/cache/fontconfig /var/lib/ghostscript /var/lib/libreoffice /var/spool/libreoffice',
].flatMap((line) => line.split(' '));
const JAVA_CONFIGURATION = /^java/;
/** Most threads and processes of one program with a user number of its own. A browser with 16 pages has 500. */
const MOST_THREADS = 2048;
/** Folders of which a program does not get all because its file lies there. */
const TOO_MUCH = /^\/(?:[^/]*|(?:home|Users|srv|mnt|media|opt|data)\/[^/]*)$/;

/** What of a machine works for programs. */
interface Found {
  /** Every way that works, strongest first. */
  readonly ways: readonly Wrapping[];
  readonly limits: boolean;
  /** Arguments without network, for ways that have no network namespace. */
  readonly networkless: readonly string[];
  /** Arguments with which a program ends with the server, for ways that do not see to that. */
  readonly withServer: readonly string[];
}

/**
 * Confines programs that read documents by every layer that works on this machine. That is found out once, by starting
 * a small program.
 */
export class ProgramIsolation {
  readonly #users = new UserNumbers(firstUserNumber.programs);
  readonly #system: readonly string[];
  #found: Promise<Found> | undefined;

  constructor(private readonly rules: ProgramRules) {
    const java = names('/etc').filter((name) => JAVA_CONFIGURATION.test(name));
    this.#system = [...programSystem, ...java.map((name) => join('/etc', name)), ...rules.readable];
  }

  /** The layers that a program gets. */
  async layers(
    program: Pick<ProgramLine, 'uses' | 'needsProc'> & { readonly file: string },
  ): Promise<readonly Layer[]> {
    const found = await this.#find();
    const files = this.#filesOf(program.file, program.uses);
    const { layers } = strongest(found.ways, program.needsProc, files);
    return layerNames.filter((name) => layers.includes(name) || (name === 'limits' && found.limits));
  }

  /** Returns the command line that starts the program confined. */
  async confine({ command, uses = [], needsProc, limits, reach }: ProgramLine): Promise<ProgramStartLine> {
    const { searchPath, hidden } = this.rules;
    const found = await this.#find();
    const files = this.#filesOf(command[0], uses);
    const wrapping = strongest(found.ways, needsProc, files);
    const user = wrapping.layers.includes('user') ? this.#users.take() : undefined;
    const shown = [...files.flatMap((path) => installation(path)), ...(reach.shown ?? [])];
    const around = wrapping.line({ ...reach, readable: this.#system, hidden, shown }, user ?? 0);
    const given = user === undefined ? limits : { ...limits, threads: MOST_THREADS };
    const line = [
      ...(wrapping.depth === 0 ? found.networkless : []),
      ...(found.limits ? limitLine(searchPath, given) : []),
      // A new user namespace would undo it, so that it comes after `networkless` and before all that start a process.
      ...(wrapping.depth < 2 ? found.withServer : []),
      ...around,
    ];
    // A link from a folder that the program does not see would lead nowhere.
    const file = isOfSystem(command[0]) ? command[0] : realpathSync(command[0]);
    const [first = file, ...rest] = [...line, file, ...command.slice(1)];
    return {
      line: [first, ...rest],
      user,
      depth: wrapping.depth,
      proc: wrapping.proc,
      ended: () => {
        if (user !== undefined) this.#users.giveBack(user);
      },
    };
  }

  /** The program and those that it starts. */
  #filesOf(file: string, uses: readonly string[] = []): readonly string[] {
    return [file, ...uses.flatMap((name) => findProgram(name, this.rules.searchPath) ?? [])];
  }

  #find(): Promise<Found> {
    this.#found ??= this.#try();
    return this.#found;
  }

  async #try(): Promise<Found> {
    const { use, searchPath, folder } = this.rules;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const trial = await mkdtemp(join(folder, 'trial-'));
    try {
      const wanted = wrappings(searchPath).filter(({ layers }) => layers.every((name) => use.includes(name)));
      const reach = { folder: trial, temporary: trial, readable: this.#system, hidden: this.rules.hidden };
      const ways = await thatWork(wanted, reach, searchPath);
      const limits = limitLine(searchPath, { addressMb: 2048, cpuSeconds: 60, fileMb: 1024 });
      return {
        ways,
        limits: use.includes('limits') && limits.length > 0 && (await succeeds([...limits, 'true'])),
        networkless: await firstOf('unshare', searchPath, [['-n'], ['-c', '-n'], ['-r', '-n']]),
        withServer: await firstOf('setpriv', searchPath, [['--pdeathsig', 'KILL']]),
      };
    } finally {
      await rm(trial, { recursive: true, force: true });
    }
  }
}

/** Returns the strongest way for a program. One that only root may read can have no user number of its own. */
function strongest(ways: readonly Wrapping[], needsProc: boolean, files: readonly string[]): Wrapping {
  const isOpen = files.every((file) => isOfSystem(file) || installation(file).every(isOpenToAll));
  const fit = ways.find(({ proc, layers }) => (proc || !needsProc) && (isOpen || !layers.includes('user')));
  return fit ?? nothing;
}

/** True for a file or folder that every user of the machine may read. */
function isOpenToAll(path: string): boolean {
  const facts = statSync(path);
  return (facts.mode & (facts.isDirectory() ? 0o005 : 0o004)) === (facts.isDirectory() ? 0o005 : 0o004);
}

/** Returns the program with the first of these arguments that work; nothing if none do. */
async function firstOf(
  name: string,
  searchPath: string,
  all: readonly (readonly string[])[],
): Promise<readonly string[]> {
  const file = findProgram(name, searchPath);
  if (file === undefined) return [];
  for (const args of all) if (await succeeds([file, ...args, '--', 'true'])) return [file, ...args, '--'];
  return [];
}

/**
 * Returns what a program needs that is installed outside the folders of the system: its folder in /opt, otherwise the
 * folder of its file (of LibreOffice and Java the one above).
 */
function installation(file: string): string[] {
  const real = realpathSync(file);
  if (isOfSystem(real)) return [];
  const product = /^\/opt\/[^/]+(?=\/)/.exec(real)?.[0];
  if (product !== undefined) return [product];
  const folder = dirname(real);
  const isWithin = basename(folder) === 'program' || (basename(folder) === 'bin' && basename(real) === 'java');
  const whole = isWithin ? dirname(folder) : folder;
  return [TOO_MUCH.test(whole) ? real : whole];
}

function isOfSystem(path: string): boolean {
  return programSystem.some((folder) => path.startsWith(`${folder}/`));
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
