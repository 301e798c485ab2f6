import { StartupError } from '@quire/registry';
import type { Settings } from '../../settings/index.js';

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
 * Reads `cluster.node.role`; `all` means `both`, and `api` means `web`. Throws SETTINGS_INVALID for `web` or `worker`
 * on a store that cannot be shared.
 */
export function nodeRole(settings: Settings): NodeRole {
  const written = settings.get('cluster.node.role');
  const name = meanings[written] ?? 'both';
  if (name !== 'both' && settings.get('store.mongodb.url') === '') {
    const detail =
      `cluster.node.role is ${written}, but store.mongodb.url is empty: the store in the base folder belongs ` +
      'to one server, which must do everything. Set store.mongodb.url on every node, or set cluster.node.role ' +
      'to both';
    throw new StartupError('SETTINGS_INVALID', { where: settings.origin('cluster.node.role'), detail });
  }
  return { name, serves: name !== 'worker', runsJobs: name !== 'web' };
}
