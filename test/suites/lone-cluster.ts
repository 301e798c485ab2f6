import { Leases, SteadyClock, type LeaseRecord } from '../../core/jobs/cluster/index.js';
import type { JobCluster } from '../../core/jobs/index.js';
import type { Store } from '../../core/store/index.js';

/**
 * What a job service needs of the other nodes of its store, without knowing any. `behindMs`: how far its time is behind
 * that of the store.
 */
export function loneCluster(store: Store, runsJobs: boolean, behindMs?: number): JobCluster {
  const clock = new SteadyClock();
  if (behindMs !== undefined) clock.set(new Date(Date.now() - behindMs));
  return {
    runsJobs,
    clock,
    leases: new Leases({ records: store.records<LeaseRecord>('leases'), now: () => clock.now() }),
    unmetHere: () => [],
    unmetAnywhere: async () => [],
    readAttached: async () => true,
    sweep: async () => undefined,
  };
}
