import type { Clock, Endpoint, Logger, Outbound, Principal } from '@quire/registry';
import type { Guard } from '../access/index.js';
import type { LoginServices } from '../accounts/index.js';
import type { ServerSecret } from '../secrets/index.js';
import type { Settings } from '../settings/index.js';
import type { Blobs, Store } from '../store/index.js';
import { createCallbacks } from './callbacks/create-callbacks.js';
import type { Callbacks } from './callbacks/index.js';
import type { Backplane } from './backplane/index.js';
import type { Cluster } from './cluster/create-cluster.js';
import { jobAdminEndpoints } from './endpoints/job-admin.endpoint.js';
import { jobListEndpoints } from './endpoints/job-list.endpoint.js';
import { jobEndpoints } from './endpoints/job.endpoint.js';
import { nodeEndpoints } from './endpoints/nodes.endpoint.js';
import { createJobExecutor, type JobExecutorDeps } from './create-job-executor.js';
import { createJobService, type JobRecord, type JobService, type JobSettings } from './index.js';

export interface CreateJobsDeps extends Omit<JobExecutorDeps, 'resume' | 'recheck'> {
  readonly settings: Settings;
  readonly store: Store;
  /** Files of jobs, where they are not in the store. */
  readonly artifacts: Blobs | undefined;
  readonly secret: ServerSecret;
  readonly clock: Clock;
  readonly log: Logger;
  readonly outbound: Outbound;
  readonly login: LoginServices | undefined;
  readonly guard: Pick<Guard, 'loginEnabled' | 'resume' | 'recheck'>;
  readonly cluster: Cluster;
  readonly backplane: Backplane;
  readonly limits: Pick<JobSettings, 'limit' | 'concurrency' | 'maxQueued' | 'maxQueuedPerOwner' | 'waitForNodeMs'>;
  ownerOf(principal: Principal): string;
  /** Most jobs of a caller that may wait, as the role says. */
  mostWaitingOf(caller: Principal): number | undefined;
  /** How many jobs of a caller may run at once, as the roles say. */
  readonly atOnce: JobSettings['atOnce'];
  accepting(): boolean;
  /** Called with the final record of every job that has ended. */
  jobEnded(record: JobRecord): void;
}

export interface JobsFeature {
  readonly callbacks: Callbacks;
  readonly endpoints: readonly Endpoint[];
  /** Resolves once the jobs of the last run are recovered; earlier calls wait for that. */
  jobs(): Promise<JobService>;
  /** Undefined until `start` was called. */
  running(): JobService | undefined;
  start(): Promise<void>;
  /** Rejects every `jobs()`, because the start failed. */
  fail(error: unknown): void;
  /** Starts no more jobs and waits for running ones; the next start runs the rest. */
  drain(patienceMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Creates the job feature with callbacks and endpoints. `start` loads the job service itself and Agenda. */
export function createJobs(deps: CreateJobsDeps): JobsFeature {
  const { settings, cluster, accepting } = deps;
  const callbacks = createCallbacks({ ...deps, steady: cluster.jobs.clock });
  const ready = Promise.withResolvers<JobService>();
  // Prevents an unhandled rejection when the start fails and nobody is waiting.
  ready.promise.catch(() => undefined);
  const jobs = (): Promise<JobService> => ready.promise;
  let running: JobService | undefined;
  cancelJobsOfFormerUsers(deps, jobs);
  return {
    callbacks,
    jobs,
    running: () => running,
    endpoints: [
      ...jobEndpoints({ ...deps, settings, callbacks, jobs, accepting }),
      ...jobListEndpoints({ ownerOf: deps.ownerOf, jobs }),
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
  const { settings, store, artifacts, secret, clock, log, cluster, scratchRoot, limits, jobEnded, guard, disk } = deps;
  const { backplane } = deps;
  return createJobService({
    store,
    ...(artifacts === undefined ? {} : { artifacts }),
    log,
    clock,
    execute: createJobExecutor({
      ...deps,
      resume: (caller) => guard.resume(caller),
      recheck: ({ operation: { access, path } }, caller) =>
        guard.recheck(access, caller, { method: 'POST', path: `/api/v1/${path}` }),
    }),
    secretKey: secret.keyFor('jobs'),
    temporaryFolder: scratchRoot,
    settings: {
      resultExpiryMinutes: settings.get('jobs.resultExpiryMinutes'),
      cleanupIntervalMinutes: settings.get('jobs.cleanupIntervalMinutes'),
      ...limits,
      mostWaitingOf: deps.mostWaitingOf,
      ...(deps.atOnce === undefined ? {} : { atOnce: deps.atOnce }),
    },
    cluster: cluster.jobs,
    backplane,
    admit: () => disk.admit(),
    onEnd: jobEnded,
  });
}

/** An account that is deleted or disabled does no more work. */
function cancelJobsOfFormerUsers({ login, log }: CreateJobsDeps, jobs: () => Promise<JobService>): void {
  login?.accounts.users.onUserChange((id, what) => {
    // Not awaited: no new job of the user can start, and the running ones are cancelled as soon as the store is
    // reachable.
    if (what !== 'changed')
      void jobs()
        .then((service) => service.cancelAllOf(id))
        .catch((error: unknown) =>
          log.warn({ err: error }, `jobs of a user who is ${what} could not be cancelled and run to their end`),
        );
  });
}
