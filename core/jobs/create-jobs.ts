import type { Clock, Endpoint, Logger, Outbound, Principal } from '@quire/registry';
import type { Guard } from '../access/index.js';
import type { LoginServices } from '../accounts/index.js';
import type { ServerSecret } from '../secrets/index.js';
import type { Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';
import { createCallbacks } from './callbacks/create-callbacks.js';
import type { Callbacks } from './callbacks/index.js';
import type { Cluster } from './cluster/create-cluster.js';
import { jobAdminEndpoints } from './endpoints/job-admin.endpoint.js';
import { jobEndpoints } from './endpoints/job.endpoint.js';
import { nodeEndpoints } from './endpoints/nodes.endpoint.js';
import { deferred } from './deferred.js';
import { createJobExecutor, type JobExecutorDeps } from './run-job.js';
import { createJobService, type JobRecord, type JobService, type JobSettings } from './index.js';

export interface CreateJobsDeps extends Omit<JobExecutorDeps, 'resume'> {
  readonly settings: Settings;
  readonly store: Store;
  readonly secret: ServerSecret;
  readonly clock: Clock;
  readonly log: Logger;
  readonly outbound: Outbound;
  readonly login: LoginServices | undefined;
  readonly guard: Pick<Guard, 'loginEnabled' | 'resume'>;
  readonly cluster: Cluster;
  readonly limits: Pick<JobSettings, 'concurrency' | 'maxQueued' | 'maxQueuedPerOwner' | 'waitForNodeMs'>;
  ownerOf(principal: Principal): string;
  accepting(): boolean;
  /** Called for every job that has ended, with its last record. */
  jobEnded(record: JobRecord): void;
}

export interface JobsFeature {
  readonly callbacks: Callbacks;
  readonly endpoints: readonly Endpoint[];
  /** Resolves once the jobs of the last run are recovered; calls that come earlier wait for it. */
  jobs(): Promise<JobService>;
  /** Undefined until `start` was called. */
  running(): JobService | undefined;
  start(): Promise<void>;
  /** Rejects every `jobs()`, because the start failed. */
  fail(error: unknown): void;
  /** Starts no more jobs and waits for running ones; the rest is left for the next start. */
  drain(patienceMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Creates jobs with their call-backs and endpoints. The job service itself, and Agenda, are loaded by `start`. */
export function createJobs(deps: CreateJobsDeps): JobsFeature {
  const { settings, cluster, accepting } = deps;
  const callbacks = createCallbacks({ ...deps, steady: cluster.jobs.clock });
  const ready = deferred<JobService>();
  // Nobody may be waiting when the start fails.
  ready.promise.catch(() => undefined);
  const jobs = (): Promise<JobService> => ready.promise;
  let running: JobService | undefined;
  cancelJobsOfDeletedUsers(deps, jobs);
  return {
    callbacks,
    jobs,
    running: () => running,
    endpoints: [
      ...jobEndpoints({ ...deps, settings, callbacks, jobs, accepting }),
      ...jobAdminEndpoints({ jobs }),
      ...nodeEndpoints({ nodes: cluster.nodes }),
    ],
    async start() {
      running = openJobService(deps);
      await cluster.nodes.start();
      await running.recover();
      await callbacks.start(running.callbacks);
      ready.resolve(running);
    },
    fail: (error) => ready.reject(error),
    drain: async (patienceMs) => running?.drain(patienceMs),
    async stop() {
      await running?.close();
      await callbacks.stop();
    },
  };
}

function openJobService(deps: CreateJobsDeps): JobService {
  const { settings, store, secret, clock, log, cluster, scratchRoot, limits, jobEnded, guard } = deps;
  return createJobService({
    store,
    log,
    clock,
    execute: createJobExecutor({ ...deps, resume: (caller) => guard.resume(caller) }),
    secretKey: secret.keyFor('jobs'),
    temporaryFolder: scratchRoot,
    settings: {
      resultExpiryMinutes: settings.get('jobs.resultExpiryMinutes'),
      cleanupIntervalMinutes: settings.get('jobs.cleanupIntervalMinutes'),
      timeoutMs: settings.get('limits.jobTimeoutSeconds') * 1000,
      ...limits,
    },
    cluster: cluster.jobs,
    onEnd: jobEnded,
  });
}

function cancelJobsOfDeletedUsers({ login, log }: CreateJobsDeps, jobs: () => Promise<JobService>): void {
  login?.accounts.users.onUserChange((id, what) => {
    // Not awaited: no job of the user can start any more, and running ones are stopped once the store is there.
    if (what === 'gone')
      void jobs()
        .then((service) => service.cancelAllOf(id))
        .catch((error: unknown) => log.warn({ err: error }, 'jobs of a deleted user run to their end'));
  });
}
