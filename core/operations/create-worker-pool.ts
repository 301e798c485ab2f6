import type { Logger } from '@quire/registry';
import type { Isolation } from '../isolation/index.js';
import type { NodeRole } from '../jobs/cluster/index.js';
import type { Settings } from '../settings/index.js';
import { editorFont } from './editor-font.js';
import { poolLimits } from './limits.js';
import { WorkerPool, workerEntry } from './workers/index.js';

/** Largest file that a worker may write, in MB: beyond any upload limit in use. */
const FILE_MB = 16_384;

export interface WorkerPoolDeps {
  readonly settings: Settings;
  readonly role: NodeRole;
  readonly log: Logger;
  readonly markerFolder: string;
  readonly scratchRoot: string;
  readonly isolation: Isolation;
  /** Entry modules of all plugins; called when the first worker starts. */
  modules(): readonly string[];
}

/** Creates the pool of confined workers. */
export function createWorkerPool(deps: WorkerPoolDeps): WorkerPool {
  const { settings, role, log, markerFolder, scratchRoot } = deps;
  const limits = poolLimits(settings, role);
  const isolation = deps.isolation.workers({
    memoryMb: limits.memoryMb,
    fileMb: FILE_MB,
    code: () => [workerEntry, ...deps.modules()],
  });
  const font = editorFont(settings, log);
  const shown = font === undefined ? [] : [font];
  return new WorkerPool({ ...limits, markerFolder, temporary: scratchRoot, isolation, shown }, log);
}
