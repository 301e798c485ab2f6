import { spawn } from 'node:child_process';
import { findProgram } from './find-program.js';

/** Limits that the kernel enforces for a program. */
export interface ResourceLimits {
  /** Address space; absent for a program that reserves far more of it than it uses. */
  readonly memoryMb?: number;
  /** Absent for a program that keeps running. */
  readonly cpuSeconds?: number;
  /** Largest file that it may write, in MB. */
  readonly fileMb: number;
}

/** Wraps a program in `unshare`, `prlimit` and `setpriv` where this machine has them and they work. */
export class Confinement {
  readonly #prlimit: string | undefined;
  readonly #unshare: string | undefined;
  readonly #setpriv: string | undefined;
  #namespaceArguments: Promise<readonly string[] | undefined> | undefined;

  #limitsWork: Promise<boolean> | undefined;
  #deathSignalWorks: Promise<boolean> | undefined;

  constructor(searchPath: string) {
    this.#prlimit = findProgram('prlimit', searchPath);
    this.#unshare = findProgram('unshare', searchPath);
    this.#setpriv = findProgram('setpriv', searchPath);
  }

  /** Returns the command line with its limits and, unless `network`, in an empty network namespace. */
  async wrap(
    file: string,
    args: readonly string[],
    limits: ResourceLimits,
    network: boolean,
  ): Promise<readonly [string, ...string[]]> {
    const line: [string, ...string[]] = [file, ...args];
    // Innermost, because a new user namespace would clear it: the program ends with the server, even when that is
    // killed.
    const withServer = ['--pdeathsig', 'KILL', '--'];
    if (
      this.#setpriv !== undefined &&
      (await (this.#deathSignalWorks ??= succeeds(this.#setpriv, [...withServer, 'true'])))
    )
      line.unshift(this.#setpriv, ...withServer);
    const { memoryMb, cpuSeconds, fileMb } = limits;
    const ceilings = [
      ...(memoryMb === undefined ? [] : [`--as=${memoryMb * 1024 * 1024}`]),
      ...(cpuSeconds === undefined ? [] : [`--cpu=${cpuSeconds}`]),
      `--fsize=${fileMb * 1024 * 1024}`,
      '--core=0',
      '--',
    ];
    if (this.#prlimit !== undefined && (await this.#canLimit(this.#prlimit, ceilings)))
      line.unshift(this.#prlimit, ...ceilings);
    const namespace = network ? undefined : await this.networkless();
    if (this.#unshare !== undefined && namespace !== undefined) line.unshift(this.#unshare, ...namespace, '--');
    return line;
  }

  /**
   * Returns the arguments with which `unshare` works here, tried once: as root, otherwise in a user namespace, if
   * possible under the user's own number. Undefined when none works.
   */
  networkless(): Promise<readonly string[] | undefined> {
    this.#namespaceArguments ??= this.#tryNamespaces();
    return this.#namespaceArguments;
  }

  // The processes of a machine may have lower limits already; then these cannot be set, and need not be.
  #canLimit(prlimit: string, ceilings: readonly string[]): Promise<boolean> {
    this.#limitsWork ??= succeeds(prlimit, [...ceilings, 'true']);
    return this.#limitsWork;
  }

  async #tryNamespaces(): Promise<readonly string[] | undefined> {
    if (this.#unshare === undefined) return undefined;
    for (const args of [['-n'], ['-c', '-n'], ['-r', '-n']])
      if (await succeeds(this.#unshare, [...args, '--', 'true'])) return args;
    return undefined;
  }
}

function succeeds(file: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: 'ignore', timeout: 2000 });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
