import { spawn } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { bubble, type Reach } from './bubble.js';
import { findProgram } from './find-program.js';
import type { Layer } from './layers.js';
import { firstUserNumber } from './user-numbers.js';

/** A way to start a program under some layers. */
export interface Wrapping {
  readonly layers: readonly Layer[];
  /** Number of processes from the one that is started down to the program. */
  readonly depth: number;
  /** True if the program has a /proc. */
  readonly proc: boolean;
  /** Returns what is put before the program's command line. `user`: its user number, where it gets one. */
  line(reach: Reach, user: number): readonly string[];
}

/** Limits that the kernel enforces for a process, unless the processes of this machine have lower ones already. */
export interface ResourceLimits {
  /** Address space, in MB. */
  readonly addressMb?: number;
  /** Data, in MB; for programs that reserve far more address space than they use. */
  readonly dataMb?: number;
  readonly cpuSeconds?: number;
  /** Largest file that it may write, in MB. */
  readonly fileMb: number;
  /** Threads and processes of one user number. */
  readonly threads?: number;
}

/** Adds nothing, and always works. */
export const nothing: Wrapping = { layers: [], depth: 0, proc: true, line: () => [] };
/** Long, because a busy machine must not be taken for one that confines nothing. */
const TRIAL_MS = 10_000;

/** All ways that the installed programs offer, strongest first. */
export function wrappings(searchPath: string): readonly Wrapping[] {
  const [bwrap, unshare, setpriv] = ['bwrap', 'unshare', 'setpriv'].map((name) => findProgram(name, searchPath));
  const root = process.getuid?.() === 0;
  const found: Wrapping[] = [];
  if (bwrap !== undefined) {
    if (root && setpriv !== undefined)
      found.push({
        layers: ['namespaces', 'files', 'user'],
        depth: 2,
        proc: true,
        line: (reach, user) => [
          bwrap,
          ...bubble({ ...reach, readable: [...reach.readable, setpriv] }, true),
          ...['CAP_SETUID', 'CAP_SETGID', 'CAP_SETPCAP'].flatMap((name) => ['--cap-add', name]),
          '--',
          setpriv,
          `--reuid=${user}`,
          `--regid=${user}`,
          '--clear-groups',
          '--bounding-set=-all',
          '--inh-caps=-all',
          '--',
        ],
      });
    // A container that hides parts of /proc lets nobody mount another one; most programs work without.
    for (const proc of [true, false])
      found.push({
        layers: ['namespaces', 'files'],
        depth: 2,
        proc,
        line: (reach) => [bwrap, '--unshare-user', ...bubble(reach, proc), '--'],
      });
  }
  if (unshare !== undefined) {
    const apart = ['--net', '--ipc', '--uts', '--pid', '--fork', '--mount-proc', '--kill-child', '--'];
    for (const user of root ? [[], ['--map-root-user']] : [['--map-current-user'], ['--map-root-user']])
      found.push({ layers: ['namespaces'], depth: 1, proc: true, line: () => [unshare, ...user, ...apart] });
  }
  return found;
}

/**
 * Returns those of these ways by which a small program starts and can write to its own folder; no more than `most`,
 * because each costs the server milliseconds.
 */
export async function thatWork(
  all: readonly Wrapping[],
  reach: Reach,
  searchPath: string,
  most = Infinity,
): Promise<readonly Wrapping[]> {
  const tester = findProgram('test', searchPath) ?? '/usr/bin/test';
  const within = { ...reach, readable: [...reach.readable, tester] };
  const user = firstUserNumber.programs;
  const found: Wrapping[] = [];
  for (const wrapping of all) {
    if (found.length >= most) break;
    // One that can do the same and less is not needed.
    if (found.some(({ layers, proc }) => proc && layers.join() === wrapping.layers.join())) continue;
    const owner = wrapping.layers.includes('user') ? user : 0;
    if (process.getuid?.() === 0) await chown(reach.folder, owner, owner).catch(() => undefined);
    if (await succeeds([...wrapping.line(within, user), tester, '-w', reach.folder])) found.push(wrapping);
  }
  return found;
}

/** The arguments of `prlimit`; empty where it is not installed. */
export function limitLine(searchPath: string, limits: ResourceLimits): string[] {
  const prlimit = findProgram('prlimit', searchPath);
  if (prlimit === undefined) return [];
  const { addressMb, dataMb, cpuSeconds, fileMb, threads } = limits;
  const bytes = (mb: number | undefined): number | undefined => (mb === undefined ? undefined : mb * 1024 * 1024);
  const given = { as: bytes(addressMb), data: bytes(dataMb), cpu: cpuSeconds, fsize: bytes(fileMb), nproc: threads };
  const options = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
  return [prlimit, ...options, '--core=0', '--'];
}

/** True when the command ends with success soon. */
export function succeeds([file = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: 'ignore', timeout: TRIAL_MS });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
