import { defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import type { JobService } from '../../jobs/index.js';
import type { PoolStats } from '../../operations/workers/index.js';
import type { Counters } from '../index.js';

export interface LoadDeps {
  readonly counters: Pick<Counters, 'total'>;
  readonly pool: { stats(): PoolStats };
  /** Undefined until the jobs have started. */
  runningJobs(): JobService | undefined;
}

/** The current load of the server. It is not recorded: callers who want a curve poll. */
export function loadEndpoint({ counters, pool, runningJobs }: LoadDeps): Endpoint {
  const count = (joi: JoiRoot, meaning: string) => joi.number().integer().min(0).required().description(meaning);
  return defineEndpoint({
    id: 'getServerLoad',
    method: 'GET',
    path: 'admin/load',
    since: '1.3.0',
    tag: 'admin',
    summary: 'Get the load of this moment',
    notes: 'Of the node that answers. Ask every few seconds to draw a curve; `requests` is a counter since the start.',
    access: { role: 'admin', area: 'jobs' },
    returns: {
      description: 'The load',
      json: (joi) =>
        joi
          .object({
            time: joi.string().isoDate().required(),
            requests: count(joi, 'Requests since the start'),
            busyWorkers: count(joi, 'Workers with a task'),
            workers: count(joi, 'Most workers'),
            waitingCalls: count(joi, 'Calls that wait for a worker'),
            queuedJobs: count(joi, 'Jobs that wait'),
            runningJobs: count(joi, 'Jobs that run'),
            memoryBytes: count(joi, 'Resident memory of the server process, workers excluded'),
          })
          .label('Load'),
    },
    errors: ['KEY_INVALID', 'ADMIN_ONLY'],
    handle: async () => {
      const { size, busy, queued } = pool.stats();
      const jobs = await runningJobs()?.states();
      return {
        json: {
          time: new Date().toISOString(),
          requests: counters.total('GET', false) + counters.total('POST', false),
          busyWorkers: busy,
          workers: size,
          waitingCalls: queued,
          queuedJobs: jobs?.byState.queued ?? 0,
          runningJobs: jobs?.byState.running ?? 0,
          memoryBytes: process.memoryUsage.rss(),
        },
      };
    },
  });
}
