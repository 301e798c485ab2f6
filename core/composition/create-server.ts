import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Server as HapiServer, ServerInjectOptions, ServerInjectResponse } from '@hapi/hapi';
import { loadCatalog, type Catalog } from '@quire/catalog';
import { OperationalError, type Principal } from '@quire/registry';
import Joi from 'joi';
import { AvailabilityTable, Guard } from '../access/index.js';
import { Runner, WorkerPool, killLeftoverWorkers, sweepScratch } from '../execution/index.js';
import { coreEndpoints, createHttpServer, type EndpointParts, type HttpDeps } from '../http/index.js';
import { Counters, noMetrics, prometheusMetrics } from '../info/index.js';
import { createJobService, loadSecretKey, type JobService } from '../jobs/index.js';
import { limitedAllowance, unlimitedAllowance, type AllowanceRecord } from '../limits/index.js';
import { PipelineService } from '../pipeline/index.js';
import { ProgramSupervisor } from '../programs/index.js';
import { sizeToBytes, type Settings } from '../settings/index.js';
import { openStore, type Store } from '../store/index.js';
import { Containers } from './bindings.js';
import { createJobExecutor } from './job-executor.js';
import { limitsOf, poolSettings, uploadLimit, workerSettings } from './limits.js';
import { asLogger, createLog } from './log.js';

/** A server that can be started, asked and stopped. */
export interface QuireServer {
  readonly catalog: Catalog;
  readonly settings: Settings;
  /** Base address; right after `start`. */
  readonly url: string;
  /** Processes of this server beside the main one. */
  workerPids(): readonly number[];
  inject(options: string | ServerInjectOptions): Promise<ServerInjectResponse>;
  /** Listens, then brings the jobs of an earlier life back. Gives the base address. */
  start(): Promise<string>;
  /** Takes no more work, lets running work finish, hands back what does not, and ends. */
  stop(): Promise<void>;
}

/** What a server is made of beside its settings. */
export interface ServerOptions {
  readonly settings: Settings;
  /** Folders from which plugins are resolved, first one first. */
  readonly resolveFrom: readonly string[];
  readonly version: string;
}

/** Puts all rooms together. Throws CatalogError or StartupError with every fault before anything listens. */
export async function createServer({ settings, resolveFrom, version }: ServerOptions): Promise<QuireServer> {
  const { paths } = settings;
  const pino = await createLog(settings);
  const log = asLogger(pino);
  const clock = { now: () => new Date() };
  const scratchRoot = join(paths.tmp, 'runs');
  const markerFolder = join(paths.tmp, 'workers');
  const store = await openStore(storeSettings(settings));
  const life: { accepting: boolean; jobs?: JobService } = { accepting: true };
  let made: Rooms | undefined;
  const rooms = (): Rooms => {
    if (made === undefined) throw new Error('the server is not put together yet');
    return made;
  };
  try {
    // Only now is the folder ours alone: what lies there belongs to a dead process.
    await mkdir(markerFolder, { recursive: true, mode: 0o700 });
    await killLeftoverWorkers(markerFolder);
    await sweepScratch(scratchRoot);
    const guard = new Guard({ loginEnabled: settings.get('security.enableLogin'), globalKey: settings.get('security.customGlobalAPIKey'), tier: settings.get('licence.tier'), hosting: settings.get('hosting') });
    const metrics = settings.get('management.prometheus.metrics.export.enabled') ? await prometheusMetrics() : noMetrics;
    const programs = new ProgramSupervisor(settings, log);
    const containers = new Containers({ settings, log, programs, clock });
    const counters = new Counters();
    const ownerOf = (principal: Principal): string => (guard.loginEnabled ? principal.id : '');
    const jobsReady = deferred<JobService>();
    jobsReady.promise.catch(() => undefined);
    const endpointParts: EndpointParts = {
      settings, guard, counters, metrics, version, scratchRoot, ownerOf,
      availability: () => rooms().availability, catalog: () => rooms().catalog, runner: () => rooms().runner, pool: () => rooms().pool, pipelines: () => rooms().pipelines,
      jobs: () => jobsReady.promise, accepting: () => life.accepting,
      programs: () => programs.list().map(({ name, path }) => ({ name, found: path !== undefined, install: 'sudo sh scripts/install-programs.sh' })),
      storeReady: async () => {
        if (!(await store.ready())) throw new OperationalError('STORE_DOWN');
      },
    };
    const endpoints = coreEndpoints(endpointParts);
    const catalog = await loadCatalog({
      plugins: settings.get('plugins'), resolveFrom, joi: Joi, reserved: endpoints, operations: settings.get('operations'), operationOrigin: (path) => settings.operationOrigin(path),
    });
    for (const { plugin, problems } of catalog.warnings) log.warn({ plugin, problems }, 'optional plugin left out');
    containers.adopt(catalog);
    const availability = new AvailabilityTable(catalog, {
      toRemove: settings.get('endpoints.toRemove'), groupsToRemove: settings.get('endpoints.groupsToRemove'),
      disabled: [...catalog.operations.values()].filter(({ overrides }) => !overrides.enabled).map(({ operation }) => operation.path),
    }, (name) => programs.has(name));
    const pool = new WorkerPool(poolSettings(settings, markerFolder), log);
    const limit = settings.get('licence.allowance');
    const runner = new Runner({
      pool, availability, log, policy: { signedInput: settings.get('policy.signedInput'), rewriteAlways: settings.get('document.write') === 'rewrite' }, workerSettings: workerSettings(settings),
      allowance: limit < 0 ? unlimitedAllowance : limitedAllowance(store.records<AllowanceRecord>('allowance'), limit, settings.get('hosting')),
      limitsOf: (entry, origin) => limitsOf(settings, entry, origin),
      serviceOf: (entry, token) => containers.use(entry.plugin, token),
      record: (path, seconds, outcome) => metrics.run(path, seconds, outcome),
    });
    const pipelines = new PipelineService({
      catalog, availability, runner, log, maxSteps: settings.get('limits.maxPipelineSteps'), parallel: pool.stats().size,
      mayCall: (entry, principal) => guard.allows(entry.operation.access, principal),
    });
    made = { availability, catalog, runner, pool, pipelines };
    const deps: HttpDeps = {
      settings, catalog, guard, runner, pipelines, counters, scratchRoot, version, endpoints, ownerOf,
      jobs: () => jobsReady.promise, accepting: () => life.accepting, serviceOf: (plugin, token) => containers.use(plugin, token),
      formLimits: {
        maxBytes: uploadLimit(settings), maxFieldBytes: sizeToBytes(settings.get('limits.maxFieldSize')) ?? 0, maxParts: settings.get('limits.maxParts'),
        stallMs: settings.get('server.uploadIdleSeconds') * 1000, minRate: settings.get('server.uploadMinBytesPerSecond'),
      },
    };
    const hapi = await createHttpServer(deps, metrics, pino);
    const startJobs = async (): Promise<void> => {
      const secretKey = await loadSecretKey(join(paths.store, 'jobs.key'));
      const service = createJobService({
        store, log, clock, secretKey, temporaryFolder: scratchRoot,
        settings: {
          resultExpiryMinutes: settings.get('jobs.resultExpiryMinutes'), cleanupIntervalMinutes: settings.get('jobs.cleanupIntervalMinutes'), timeoutMs: settings.get('limits.jobTimeoutSeconds') * 1000,
          concurrency: settings.get('jobs.concurrency') || pool.stats().size, maxQueued: poolSettings(settings, markerFolder).queueLength * 10,
        },
        execute: createJobExecutor({ catalog, runner, pipelines, scratchRoot, principalOf: (jobId) => jobPrincipal(guard, jobId) }),
      });
      life.jobs = service;
      await service.recover();
      jobsReady.resolve(service);
    };
    return assemble({ hapi, catalog, settings, store, pool, programs, containers, life, log, startJobs, failJobs: jobsReady.reject });
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface Rooms {
  readonly availability: AvailabilityTable;
  readonly catalog: Catalog;
  readonly runner: Runner;
  readonly pool: WorkerPool;
  readonly pipelines: PipelineService;
}

interface Assembly {
  readonly hapi: HapiServer;
  readonly catalog: Catalog;
  readonly settings: Settings;
  readonly store: Store;
  readonly pool: WorkerPool;
  readonly programs: ProgramSupervisor;
  readonly containers: Containers;
  readonly life: { accepting: boolean; jobs?: JobService };
  readonly log: ReturnType<typeof asLogger>;
  startJobs(): Promise<void>;
  failJobs(error: unknown): void;
}

function assemble({ hapi, catalog, settings, store, pool, programs, containers, life, log, startJobs, failJobs }: Assembly): QuireServer {
  const url = (): string => `${hapi.info.uri.replace('0.0.0.0', '127.0.0.1')}${settings.get('system.rootUriPath')}`;
  let jobsStarted: Promise<void> | undefined;
  return {
    catalog, settings,
    get url() {
      return url();
    },
    workerPids: () => pool.stats().pids,
    inject: (options) => hapi.inject(options),
    async start() {
      for (const plugin of catalog.plugins) await plugin.plugin.start?.(containers.context(plugin));
      await hapi.start();
      jobsStarted = startJobs().catch((error: unknown) => {
        log.error({ err: error }, 'jobs could not be started; the server stops');
        failJobs(error);
        process.exitCode = 1;
        setImmediate(() => void this.stop());
      });
      return url();
    },
    async stop() {
      if (!life.accepting) return;
      life.accepting = false;
      const patience = settings.get('server.shutdownSeconds') * 1000;
      await jobsStarted;
      await Promise.all([hapi.stop({ timeout: patience }), life.jobs?.drain(patience)]);
      await life.jobs?.close();
      for (const plugin of catalog.plugins) await plugin.plugin.stop?.(containers.context(plugin));
      await pool.close();
      await programs.stop();
      await store.close();
      await rm(join(settings.paths.tmp, 'runs'), { recursive: true, force: true });
    },
  };
}

function storeSettings(settings: Settings): Parameters<typeof openStore>[0] {
  const url = settings.get('store.mongodb.url');
  return url === '' ? { kind: 'embedded', folder: settings.paths.store } : { kind: 'mongodb', url, database: settings.get('store.mongodb.database') };
}

/** The caller behind a job: its owner stands in the id while login is on (`contract/jobs.yml`). */
function jobPrincipal(guard: Guard, jobId: string): Principal {
  if (!guard.loginEnabled) return { id: '', name: 'anonymous', role: 'anonymous', via: 'none' };
  const owner = jobId.slice(0, jobId.lastIndexOf(':'));
  return { id: owner, name: owner, role: 'user', via: 'key' };
}

function deferred<T>(): { promise: Promise<T>; resolve(value: T): void; reject(error: unknown): void } {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
