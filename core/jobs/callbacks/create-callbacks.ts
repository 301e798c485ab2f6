import type { Clock, Logger, Outbound } from '@quire/registry';
import { Callbacks } from './index.js';
import type { SteadyClock } from '../cluster/index.js';
import type { Settings } from '../../settings/index.js';
import type { Store } from '../../store/index.js';

export function createCallbacks({
  settings,
  ...deps
}: {
  readonly settings: Settings;
  readonly store: Store;
  readonly outbound: Outbound;
  readonly log: Logger;
  readonly clock: Clock;
  readonly steady: SteadyClock;
}): Callbacks {
  const address = settings.get('system.backendUrl').replace(/\/+$/, '') || settings.get('system.rootUriPath');
  return new Callbacks({
    ...deps,
    resultUrl: (jobId) => `${address}/api/v1/general/job/${encodeURIComponent(jobId)}/result`,
    settings: {
      secret: settings.get('jobs.callbacks.secret'),
      timeoutMs: settings.get('jobs.callbacks.timeoutSeconds') * 1000,
      retryMs: settings.get('jobs.callbacks.retrySeconds').map((seconds) => Math.max(0, seconds) * 1000),
      maxPendingPerOwner: settings.get('jobs.callbacks.maxPendingPerOwner'),
    },
  });
}
