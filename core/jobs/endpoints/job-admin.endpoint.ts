import { defineEndpoint, type Endpoint, type JoiRoot } from '@quire/registry';
import type { JobService } from '../index.js';

export interface JobAdminDeps {
  /** Resolves once the jobs of the last run are recovered. */
  jobs(): Promise<JobService>;
}

/** Statistics and clean-up of jobs, for administrators. */
export function jobAdminEndpoints(deps: JobAdminDeps): Endpoint[] {
  const admin = {
    tag: 'admin',
    access: { role: 'admin' as const, area: 'jobs' },
    errors: ['KEY_INVALID' as const, 'ADMIN_ONLY' as const],
    since: '1.0.0',
  };
  const count = (joi: JoiRoot) => joi.number().integer().required();
  return [
    defineEndpoint({
      ...admin,
      id: 'getJobStats',
      method: 'GET',
      path: 'admin/job/stats',
      summary: 'Get job statistics',
      returns: {
        description: 'Statistics',
        json: (joi) =>
          joi
            .object({
              totalJobs: count(joi),
              activeJobs: count(joi),
              completedJobs: count(joi),
              failedJobs: count(joi),
              successfulJobs: count(joi),
              fileResultJobs: count(joi),
              oldestActiveJobTime: joi.string().isoDate().allow(null),
              newestActiveJobTime: joi.string().isoDate().allow(null),
              averageProcessingTimeMs: count(joi),
            })
            .label('JobStats'),
      },
      handle: async () => ({ json: await (await deps.jobs()).stats() }),
    }),
    defineEndpoint({
      ...admin,
      id: 'getJobQueueStats',
      method: 'GET',
      path: 'admin/job/queue/stats',
      summary: 'Get job queue statistics',
      returns: {
        description: 'Statistics',
        json: (joi) =>
          joi
            .object({
              queuedJobs: count(joi),
              queueCapacity: count(joi),
              totalQueuedJobs: count(joi),
              rejectedJobs: count(joi),
              resourceStatus: joi.string().valid('OK', 'WARNING', 'CRITICAL').required(),
            })
            .label('JobQueueStats'),
      },
      handle: async () => ({ json: await (await deps.jobs()).queueStats() }),
    }),
    defineEndpoint({
      ...admin,
      id: 'cleanUpJobs',
      method: 'POST',
      path: 'admin/job/cleanup',
      summary: 'Remove expired jobs now',
      returns: {
        description: 'Numbers of removed and remaining jobs',
        json: (joi) =>
          joi
            .object({ message: joi.string().required(), removedJobs: count(joi), remainingJobs: count(joi) })
            .label('JobCleanup'),
      },
      handle: async () => {
        const jobs = await deps.jobs();
        const { removedJobs, remainingJobs } = await jobs.cleanup();
        return { json: { message: 'Cleanup complete', removedJobs, remainingJobs } };
      },
    }),
  ];
}
