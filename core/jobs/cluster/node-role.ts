import { StartupError } from '@quire/registry';
import type { Settings } from '../../settings/index.js';
import { storeAddress } from '../../store/index.js';

/** Values of `cluster.node.role`, without their second names. */
export type NodeRoleName = 'both' | 'web' | 'worker';

export interface NodeRole {
  readonly name: NodeRoleName;
  /** Answers calls, accepts jobs and returns their results. */
  readonly serves: boolean;
  /** Takes jobs from the queue. */
  readonly runsJobs: boolean;
}

const meanings: Readonly<Record<string, NodeRoleName>> = {
  both: 'both',
  all: 'both',
  web: 'web',
  api: 'web',
  worker: 'worker',
};

/**
 * Reads `cluster.node.role`; `all` means `both`, and `api` means `web`. Throws SETTINGS_INVALID for `web` or `worker`,
 * and for `cluster.enabled`, on a store that cannot be shared.
 */
export function nodeRole(settings: Settings): NodeRole {
  const written = settings.get('cluster.node.role');
  const name = meanings[written] ?? 'both';
  if (storeAddress(settings) === undefined) {
    if (name !== 'both') throw notShared(settings, 'cluster.node.role', written, 'both');
    if (settings.get('cluster.enabled')) throw notShared(settings, 'cluster.enabled', 'true', 'false');
  }
  return { name, serves: name !== 'worker', runsJobs: name !== 'web' };
}

function notShared(settings: Settings, path: string, written: string, single: string): StartupError {
  const detail =
    `${path} is ${written}, but store.mongodb.url is empty: ` +
    'the store in the base folder belongs to one server, which ' +
    `must do everything. Set store.mongodb.url on every node, or set ${path} to ${single}`;
  return new StartupError('SETTINGS_INVALID', { where: settings.origin(path), detail });
}
