import { spawn } from 'node:child_process';
import { chown, mkdir, rm } from 'node:fs/promises';
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeFolders } from './code-folders.js';
import { findProgram } from '../engines/programs/index.js';

export const layerNames = ['permissions', 'namespaces', 'files', 'limits', 'user'] as const;
/** One kind of confinement (README.md). */
export type Layer = (typeof layerNames)[number];

/** How one worker is started. */
export interface WorkerStart {
  readonly execPath: string;
  readonly execArgv: readonly string[];
  /** User number that the worker's files must belong to; undefined: the server's own. */
  readonly uid?: number;
}

/** What of a machine is used to confine workers. */
export interface WorkerIsolation {
  readonly layers: readonly Layer[];
  /** `folder`: the worker's own, which exists; `slot`: number of the worker, from 0; `flags`: of V8. */
  start(folder: string, slot: number, flags: readonly string[]): WorkerStart;
}

export interface IsolationRules {
  /** The layers to try. */
  readonly use: readonly Layer[];
  readonly searchPath: string;
  /** Memory limit of a worker in MB. */
  readonly memoryMb: number;
  /** Largest file that a worker may write, in MB. */
  readonly fileMb: number;
  /** Parent of the workers' own folders. */
  readonly folder: string;
  /** Folders of the server's own data, hidden also where they lie in a folder with code. */
  readonly hidden: readonly string[];
  /** Modules that workers load; read when a worker starts. */
  code(): readonly string[];
}

/** First user number of workers; worker n gets this plus n. Beyond the numbers that systems give to people. */
const FIRST_UID = 64_000;
/** Data beyond the memory limit: V8 and WebAssembly reserve some, and the server itself watches the limit. */
const SPARE_MB = 1024;
/** What Node and its libraries need of a system: no shell and no other program. */
const systemPaths = [
  '/lib',
  '/lib64',
  '/usr/lib',
  '/usr/lib64',
  '/usr/local/lib',
  '/usr/share/fonts',
  '/usr/share/zoneinfo',
  '/etc/fonts',
  '/etc/ld.so.cache',
  '/etc/localtime',
];
/** Most threads and processes of one worker, where it has a user number of its own. */
const MOST_THREADS = 256;

/** What a process may see beside its own folder. */
interface Reach {
  readonly readable: readonly string[];
  readonly hidden: readonly string[];
}

/** A way to start a program under some layers. */
interface Wrapping {
  readonly layers: readonly Layer[];
  line(folder: string, uid: number, reach: Reach): readonly string[];
}

/**
 * Finds the strongest way to start workers that works on this machine, by starting a small program under it. Falls back
 * to less where programs are missing or the system refuses (usual in containers).
 */
export async function findIsolation(rules: IsolationRules): Promise<WorkerIsolation> {
  const trial = join(rules.folder, 'trial');
  await mkdir(trial, { recursive: true, mode: 0o700 });
  try {
    const limits = limitLine(rules);
    const wanted = wrappings(rules.searchPath).filter(({ layers }) => layers.every((name) => rules.use.includes(name)));
    const wrapping = await firstThatWorks(wanted, trial, findProgram('test', rules.searchPath) ?? '/usr/bin/test');
    const limited = rules.use.includes('limits') && limits.length > 0 && (await succeeds([...limits, 'true']));
    return isolation(rules, wrapping, limited ? limits : []);
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}

function isolation(rules: IsolationRules, wrapping: Wrapping, limits: readonly string[]): WorkerIsolation {
  const permission = rules.use.includes('permissions')
    ? ['--permission', '--experimental-permission'].find((flag) => process.allowedNodeEnvironmentFlags.has(flag))
    : undefined;
  let code: readonly string[] | undefined;
  return {
    layers: layerNames.filter((name) =>
      name === 'permissions'
        ? permission !== undefined
        : name === 'limits'
          ? limits.length > 0
          : wrapping.layers.includes(name),
    ),
    start: (folder, slot, flags) => {
      code ??= codeFolders(rules.code());
      const uid = FIRST_UID + slot;
      const node = realpathSync(process.execPath);
      const may =
        permission === undefined
          ? []
          : [
              permission,
              '--allow-addons',
              '--allow-worker',
              ...[...code, folder].map((path) => `--allow-fs-read=${path}`),
              `--allow-fs-write=${folder}`,
            ];
      const [execPath = node, ...execArgv] = [
        ...(limits.length > 0 && wrapping.layers.includes('user') ? threads(limits) : limits),
        ...wrapping.line(folder, uid, { readable: [...code, node], hidden: rules.hidden }),
        node,
        ...may,
        ...flags,
      ];
      return { execPath, execArgv, ...(wrapping.layers.includes('user') ? { uid } : {}) };
    },
  };
}

/** All ways that the installed programs offer, strongest first; the last one adds nothing and always works. */
function wrappings(searchPath: string): readonly Wrapping[] {
  const [bwrap, unshare, setpriv] = ['bwrap', 'unshare', 'setpriv'].map((name) => findProgram(name, searchPath));
  const root = process.getuid?.() === 0;
  const found: Wrapping[] = [];
  if (bwrap !== undefined) {
    if (root && setpriv !== undefined)
      found.push({
        layers: ['namespaces', 'files', 'user'],
        line: (folder, uid, reach) => [
          bwrap,
          ...bubble(folder, { ...reach, readable: [...reach.readable, setpriv] }),
          '--cap-add',
          'CAP_SETUID',
          '--cap-add',
          'CAP_SETGID',
          '--cap-add',
          'CAP_SETPCAP',
          '--',
          setpriv,
          `--reuid=${uid}`,
          `--regid=${uid}`,
          '--clear-groups',
          '--bounding-set=-all',
          '--inh-caps=-all',
          '--',
        ],
      });
    // A container that hides parts of /proc lets nobody mount another one; Node works without.
    for (const proc of [true, false])
      found.push({
        layers: ['namespaces', 'files'],
        line: (folder, _uid, reach) => [bwrap, '--unshare-user', ...bubble(folder, reach, proc), '--'],
      });
  }
  if (unshare !== undefined) {
    const apart = ['--net', '--ipc', '--uts', '--pid', '--fork', '--mount-proc', '--kill-child', '--'];
    for (const user of root ? [[], ['--map-root-user']] : [['--map-current-user'], ['--map-root-user']])
      found.push({ layers: ['namespaces'], line: () => [unshare, ...user, ...apart] });
  }
  found.push({ layers: [], line: () => [] });
  return found;
}

/** Arguments of bubblewrap: nothing of the file system but system and code, read-only, and the worker's own folder. */
function bubble(folder: string, { readable, hidden }: Reach, proc = true): string[] {
  const shown = [...systemPaths, ...readable].filter((path) => existsSync(path));
  // A bound link would be a folder, whose own relative links lead elsewhere.
  const links = shown.filter((path) => lstatSync(path).isSymbolicLink());
  const readOnly = [...new Set(shown.map((path) => realpathSync(path)))];
  return [
    '--die-with-parent',
    '--new-session',
    '--unshare-net',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    ...(proc ? ['--proc', '/proc'] : []),
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
    // Bubblewrap would create these for the first user of the namespace alone.
    ...foldersAbove([...readOnly, ...links, folder]).flatMap((path) => ['--perms', '0755', '--dir', path]),
    ...readOnly.flatMap((path) => ['--ro-bind', path, path]),
    ...links.flatMap((path) => ['--symlink', realpathSync(path), path]),
    ...hidden
      .filter((path) => readOnly.some((open) => path === open || path.startsWith(`${open}/`)))
      .flatMap((path) => ['--tmpfs', path]),
    '--bind',
    folder,
    folder,
    '--chdir',
    folder,
  ];
}

/** Adds a limit that counts all processes of a user, so that it suits only a worker's own. */
function threads([prlimit = '', ...rest]: readonly string[]): string[] {
  return [prlimit, `--nproc=${MOST_THREADS}`, ...rest];
}

/** Returns every folder on the way to these paths, outermost first. */
function foldersAbove(paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of paths)
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) found.add(folder);
  return [...found].filter((path) => !systemPaths.includes(path) && path !== '/tmp').sort();
}

function limitLine({ searchPath, memoryMb, fileMb }: IsolationRules): string[] {
  const prlimit = findProgram('prlimit', searchPath);
  const mega = 1024 * 1024;
  return prlimit === undefined
    ? []
    : [prlimit, `--data=${(memoryMb + SPARE_MB) * mega}`, `--fsize=${fileMb * mega}`, '--core=0', '--'];
}

async function firstThatWorks(all: readonly Wrapping[], trial: string, tester: string): Promise<Wrapping> {
  for (const wrapping of all) {
    if (process.getuid?.() === 0) {
      const owner = wrapping.layers.includes('user') ? FIRST_UID : 0;
      await chown(trial, owner, owner).catch(() => undefined);
    }
    const line = wrapping.line(trial, FIRST_UID, { readable: [tester], hidden: [] });
    if (line.length === 0 || (await succeeds([...line, tester, '-w', trial]))) return wrapping;
  }
  return { layers: [], line: () => [] };
}

function succeeds([file = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: 'ignore', timeout: 2000 });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
