import { Leases, SteadyClock, type LeaseRecord } from '../../core/jobs/cluster/index.js';
import type { JobCluster } from '../../core/jobs/index.js';
import type { Store } from '../../core/store/index.js';

/** What a job service needs of the other nodes of its store, without knowing any. */
export function loneCluster(store: Store, runsJobs: boolean): JobCluster {
  const clock = new SteadyClock();
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
