import type { Logger } from '@quire/registry';
import { StartupError } from '@quire/registry/errors';
import { findIsolation, layerNames, type Layer } from '../isolation/index.js';
import type { NodeRole } from '../jobs/cluster/index.js';
import type { Settings } from '../settings/index.js';
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
  /** Entry modules of all plugins; called when the first worker starts. */
  modules(): readonly string[];
}

/** Creates the worker pool with the strongest confinement that this machine allows. */
export async function createWorkerPool(deps: WorkerPoolDeps): Promise<WorkerPool> {
  const { settings, role, log, markerFolder, scratchRoot } = deps;
  const limits = poolLimits(settings, role);
  const { base, store, tmp } = settings.paths;
  const isolation = await findIsolation({
    use: layersIn(settings, 'security.isolation'),
    searchPath: process.env['PATH'] ?? '',
    memoryMb: limits.memoryMb,
    fileMb: FILE_MB,
    folder: markerFolder,
    hidden: [base, store, tmp],
    code: () => [workerEntry, ...deps.modules()],
  });
  report(isolation.layers, layersIn(settings, 'security.requireIsolation'), log);
  return new WorkerPool({ ...limits, markerFolder, temporary: scratchRoot, isolation }, log);
}

/** Layers that keep a worker from the server's secrets; the others limit what it can use up. */
const keepApart: readonly Layer[] = ['permissions', 'namespaces', 'files'];

/** Returns a setting that lists layers. Throws SETTINGS_INVALID for another name. */
function layersIn(settings: Settings, where: 'security.isolation' | 'security.requireIsolation'): readonly Layer[] {
  return settings.get(where).map((name) => {
    const layer = layerNames.find((known) => known === name);
    if (layer !== undefined) return layer;
    const detail = `"${name}" is not a layer; the layers are ${layerNames.join(', ')}`;
    throw new StartupError('SETTINGS_INVALID', { where, detail });
  });
}

/** Logs what confines the workers. Throws SETTINGS_INVALID if a layer is missing that the settings require. */
function report(layers: readonly Layer[], required: readonly Layer[], log: Logger): void {
  const absent = required.filter((name) => !layers.includes(name));
  if (absent.length > 0)
    throw new StartupError('SETTINGS_INVALID', {
      where: 'security.requireIsolation',
      detail:
        `this machine cannot confine workers by: ${absent.join(', ')} (it can by: ${layers.join(', ') || 'nothing'}). ` +
        'Install bubblewrap and util-linux, allow user namespaces, or remove the layer from the setting',
    });
  log.info({ layers }, 'workers are confined');
  const missing = keepApart.filter((name) => !layers.includes(name));
  if (missing.length > 0)
    log.warn(
      { missing },
      `workers read documents of strangers and are not confined by: ${missing.join(', ')}. Install bubblewrap; in a ` +
        'container, use the seccomp profile in deploy/kubernetes',
    );
}
