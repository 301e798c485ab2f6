import { realpathSync } from 'node:fs';
import { codeFolders } from './code-folders.js';
import { layerNames, type Layer } from './layers.js';
import { limitLine, type ResourceLimits, type Wrapping } from './wrappings.js';

/** How one worker is started. */
export interface WorkerStart {
  readonly execPath: string;
  readonly execArgv: readonly string[];
  /** User number that the worker's files must belong to; undefined: the server's own. */
  readonly uid?: number;
}

/** One worker. */
export interface WorkerPlan {
  /** Its own folder, which exists. */
  readonly folder: string;
  /** Its user number, where it gets one of its own. */
  readonly user: number;
  /** Flags of V8. */
  readonly flags: readonly string[];
  /** Files and folders that it may read beside system and code. */
  readonly shown?: readonly string[];
}

/** What of a machine is used to confine workers, which are processes of Node. */
export interface WorkerIsolation {
  readonly layers: readonly Layer[];
  /** Looks for the folders with code before the first worker needs them: they are many. */
  prepare(): void;
  start(plan: WorkerPlan): WorkerStart;
}

export interface WorkerRules {
  readonly wrapping: Wrapping;
  /** True if Node's permission model and the limits are to be used. */
  readonly permissions: boolean;
  readonly limits: boolean;
  readonly searchPath: string;
  /** Memory limit of a worker in MB. */
  readonly memoryMb: number;
  /** Largest file that a worker may write, in MB. */
  readonly fileMb: number;
  /** Folders of the server's own data; hidden even if they are inside a folder with code. */
  readonly hidden: readonly string[];
  /** Modules that workers load; read once, when the first worker starts or before. */
  code(): readonly string[];
}

/** Data beyond the memory limit: V8 and WebAssembly reserve some, and the server itself watches the limit. */
const SPARE_MB = 1024;
/** What Node and its libraries need of a system: no shell and no other program. */
export const workerSystem: readonly string[] = [
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

/** Returns how workers are started under these rules. */
export function workerIsolation(rules: WorkerRules): WorkerIsolation {
  const { wrapping } = rules;
  const permission = rules.permissions
    ? ['--permission', '--experimental-permission'].find((flag) => process.allowedNodeEnvironmentFlags.has(flag))
    : undefined;
  const ownUser = wrapping.layers.includes('user');
  const limits: ResourceLimits = {
    dataMb: rules.memoryMb + SPARE_MB,
    fileMb: rules.fileMb,
    ...(ownUser ? { threads: MOST_THREADS } : {}),
  };
  const before = rules.limits ? limitLine(rules.searchPath, limits) : [];
  const used: readonly Layer[] = [
    ...(permission === undefined ? [] : ['permissions' as const]),
    ...(before.length === 0 ? [] : ['limits' as const]),
    ...wrapping.layers,
  ];
  let found: readonly string[] | undefined;
  const readable = (): readonly string[] => (found ??= codeFolders(rules.code()));
  return {
    prepare: () => void readable(),
    layers: layerNames.filter((name) => used.includes(name)),
    start: ({ folder, user, flags, shown = [] }) => {
      const code = readable();
      const node = realpathSync(process.execPath);
      const may =
        permission === undefined
          ? []
          : [
              permission,
              '--allow-addons',
              '--allow-worker',
              // Node warns of the two above at each start.
              '--disable-warning=SecurityWarning',
              ...[...code, ...shown, folder].map((path) => `--allow-fs-read=${path}`),
              `--allow-fs-write=${folder}`,
            ];
      const [execPath = node, ...execArgv] = [
        ...before,
        ...wrapping.line({ folder, readable: [...workerSystem, ...code, node], hidden: rules.hidden, shown }, user),
        node,
        ...may,
        ...flags,
      ];
      return { execPath, execArgv, ...(ownUser ? { uid: user } : {}) };
    },
  };
}
