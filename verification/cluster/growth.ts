import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ChangeStreamBackplane } from '../../core/jobs/backplane/change-stream-backplane.js';
import { noBackplane, type Backplane } from '../../core/jobs/backplane/index.js';
import { createJobService, type JobService } from '../../core/jobs/index.js';
import { openStore } from '../../core/store/index.js';
import { loneCluster } from '../../test/suites/lone-cluster.js';

/** Jobs per second of a number of worker nodes. */
export interface Growth {
  readonly nodes: number;
  readonly jobsPerSecond: number;
  /** Jobs per second for each node, as a part of what one node does alone. */
  readonly ofLinear: number;
  /** Part of the time in which nodes worked, between the start of the first job and the end of the last one. */
  readonly busy: number;
}

export interface GrowthOptions {
  readonly storeUrl: string;
  readonly counts: readonly number[];
  readonly jobsPerNode: number;
  /** How long a job takes: it waits and costs no processor time, so that one machine can stand for several. */
  readonly jobMs: number;
  readonly changeStreams: boolean;
}

const quiet = { debug: (): void => undefined, info: (): void => undefined, warn: console.warn, error: console.error };

/**
 * Measures how jobs per second grow with worker nodes: queue, claims and ends are real, on a real store, and only the
 * work is a pause. The jobs wait in the queue before the first node starts.
 */
export async function measureGrowth(options: GrowthOptions): Promise<readonly Growth[]> {
  const rows: Growth[] = [];
  let one: number | undefined;
  for (const nodes of options.counts) {
    const { jobsPerSecond, busy } = await run(nodes, options);
    one ??= jobsPerSecond / nodes;
    rows.push({ nodes, jobsPerSecond, ofLinear: jobsPerSecond / nodes / one, busy });
  }
  return rows;
}

async function run(
  nodes: number,
  { storeUrl, jobsPerNode, jobMs, changeStreams }: GrowthOptions,
): Promise<{ readonly jobsPerSecond: number; readonly busy: number }> {
  const database = `quire_growth_${randomBytes(6).toString('hex')}`;
  const jobs = nodes * jobsPerNode;
  const ends: (() => Promise<unknown>)[] = [];
  const times: { readonly begun: number; readonly ended: number }[] = [];
  const node = async (runsJobs: boolean): Promise<JobService> => {
    const store = await openStore({ kind: 'mongodb', url: storeUrl, database });
    ends.push(() => store.close());
    const { watch } = store;
    const backplane: Backplane =
      changeStreams && watch !== undefined
        ? new ChangeStreamBackplane({ watch, nodes: async () => nodes + 1, serves: !runsJobs, log: quiet })
        : noBackplane;
    ends.push(() => backplane.close());
    const service = createJobService({
      store,
      backplane,
      log: quiet,
      clock: { now: () => new Date() },
      secretKey: Buffer.alloc(32, 7),
      settings: {
        resultExpiryMinutes: 30,
        cleanupIntervalMinutes: 10,
        limit: { limitMs: 60_000, totalTimes: 1 },
        concurrency: 1,
        maxQueued: jobs + 1,
      },
      cluster: loneCluster(store, runsJobs),
      execute: async () => {
        const begun = performance.now();
        await delay(jobMs);
        times.push({ begun, ended: performance.now() });
        return { files: [], json: 'done' };
      },
    });
    ends.push(() => service.close());
    return service;
  };
  try {
    const front = await node(false);
    await front.recover();
    for (let i = 0; i < jobs; i++)
      await front.start({ kind: 'operation', path: 'general/rotate-pdf', params: {}, inputs: [], owner: '' });
    const workers = await Promise.all(Array.from({ length: nodes }, () => node(true)));
    await Promise.all(workers.map((worker) => worker.recover()));
    while (times.length < jobs) await delay(10);
    const took = Math.max(...times.map(({ ended }) => ended)) - Math.min(...times.map(({ begun }) => begun));
    const worked = times.reduce((sum, { begun, ended }) => sum + ended - begun, 0);
    return { jobsPerSecond: (1000 * jobs) / took, busy: worked / nodes / took };
  } finally {
    for (const end of ends.reverse()) await end();
    const store = await openStore({ kind: 'mongodb', url: storeUrl, database });
    await store.mongo?.database.dropDatabase();
    await store.close();
  }
}
