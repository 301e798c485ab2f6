import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Server as HapiServer, ServerInjectOptions, ServerInjectResponse } from '@hapi/hapi';
import { loadCatalog, type Catalog } from '@quire/catalog';
import { OperationalError, tokens, type Principal } from '@quire/registry';
import Joi from 'joi';
import { openStoreSecret } from '../secrets/index.js';
import { type LoginRooms, type AvailabilityTable, type SwitchBoard } from '../access/index.js';
import type { PasswordCost } from '../accounts/index.js';
import type { AuditLog } from '../audit/index.js';
import type { Callbacks } from '../jobs/callbacks/index.js';
import type { KeptAnswers } from '../jobs/idempotency/index.js';
import { nodeRole } from '../jobs/cluster/index.js';
import { Runner, sweepScratch } from '../operations/runner/index.js';
import { WorkerPool, killLeftoverWorkers, workerTasksOf } from '../operations/workers/index.js';
import type { FolderScanner } from '../watched-folders/index.js';
import { coreEndpoints } from './core-endpoints.js';
import { createHttpServer, type EndpointParts, type HttpDeps } from '../http/index.js';
import type { EndpointDays } from '../metrics/index.js';
import { createJobService, type JobService } from '../jobs/index.js';
import type { Allowance } from '../billing/index.js';
import { createMailer } from '../network/mail/index.js';
import type { MobileScanner } from '../mobile-scanner/index.js';
import { TesseractRecognizeText } from '../engines/ocr/index.js';
import { createOutbound } from '../network/outbound/index.js';
import { JobPipelineRuns, PipelineService } from '../operations/pipelines/index.js';
import { installCommand, officeFolder, ProgramSupervisor, sweepOffice } from '../engines/programs/index.js';
import { sizeToBytes, type Settings } from '../settings/index.js';
import { StoredFiles, type Store } from '../store/index.js';
import { ServerTrust } from '../network/trust/index.js';
import { createAccess } from '../access/create-access.js';
import { auditFolderRun, auditJobEnd, capturesOf, makeAudit } from '../audit/create-audit.js';
import { makeCallbacks } from '../jobs/callbacks/create-callbacks.js';
import { makeKeptAnswers } from '../jobs/idempotency/create-kept-answers.js';
import { makeCluster, type Cluster } from '../jobs/cluster/create-cluster.js';
import { allowanceOf, dailyLimitsOf } from '../billing/allowance-settings.js';
import { makeAdministration } from '../administration/create-administration.js';
import { Containers } from './bindings.js';
import { makeFolderScanner } from '../watched-folders/create-folder-scanner.js';
import { createJobExecutor } from './job-executor.js';
import { jobLimits, limitsOf, poolSettings, uploadLimit, workerSettings } from './worker-limits.js';
import { asLogger, createLog } from './log.js';
import { savedPipelinesOf } from '../operations/pipelines/saved-pipelines.js';
import { openServerStore, whenStoreAnswers } from './store-start.js';
import { makeSwitching, type Switching } from '../access/create-switching.js';
import { createMonitoring } from '../metrics/create-monitoring.js';
import { makeMobileScanner } from '../mobile-scanner/create-mobile-scanner.js';
import { makeStorage, type StorageRoom } from '../storage/create-storage.js';

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
  /** Ends this server so that it is started again; absent where nothing would. */
  readonly restart?: () => void;
  /**
   * Shows the operator what is shown once, as the first administrator's password; it must not go into a log. Default:
   * standard output.
   */
  readonly announce?: (text: string) => void;
  /** Cost of a password's hash; for tests, which hash many. */
  readonly passwordCost?: PasswordCost;
}

/** Puts all rooms together. Throws CatalogError or StartupError with every fault before anything listens. */
export async function createServer({
  settings,
  resolveFrom,
  version,
  restart,
  passwordCost,
  announce = (text) => void process.stdout.write(`${text}\n`),
}: ServerOptions): Promise<QuireServer> {
  const { paths } = settings;
  const pino = await createLog(settings);
  const log = asLogger(pino);
  const clock = { now: () => new Date() };
  const scratchRoot = join(paths.tmp, 'runs');
  const markerFolder = join(paths.tmp, 'workers');
  const role = nodeRole(settings);
  const store = await openServerStore({ settings, log, version });
  const life: Life = { accepting: true };
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
    await sweepOffice(officeFolder(settings));
    const secret = await whenStoreAnswers(store, log, () =>
      openStoreSecret({
        store,
        setting: settings.get('store.secret'),
        file: join(paths.store, 'server.key'),
        clock,
        log,
        version,
      }),
    );
    const { guard, login } = await whenStoreAnswers(store, log, () =>
      createAccess({
        settings,
        store,
        secret,
        clock,
        log,
        announce,
        passwordCost,
        standingOf: (caller) => allowance.standing(caller),
      }),
    );
    const programs = new ProgramSupervisor(settings, log);
    const recognition = new TesseractRecognizeText({ programs, settings, log });
    const allowance = allowanceOf({
      settings,
      store,
      clock,
      log,
      teamOf: async ({ id }) => (await login?.accounts.byId(id))?.teamId ?? undefined,
    });
    const monitoring = await createMonitoring({
      settings,
      store,
      programs,
      version,
      clock,
      log,
      allowance: () => allowance.stats(),
      pool: () => rooms().pool,
      jobs: () => life.jobs,
      accepting: () => life.accepting,
    });
    const { counters, browsers, metrics } = monitoring;
    const mailer = createMailer(settings, log);
    const outbound = createOutbound(settings);
    const trust = new ServerTrust({
      settings,
      paths,
      outbound,
      log,
      serverKeystore: () => containers.use(undefined, tokens.serverKeystore),
    });
    const sharedFiles = new StoredFiles(store, secret, clock, store.kind === 'mongodb');
    const runs = new JobPipelineRuns({
      pipelines: () => rooms().pipelines,
      jobs: () => jobsReady.promise,
      needsOf: (entries) => cluster.needsOf(entries),
      ownerOf: (principal) => ownerOf(principal),
    });
    const containers: Containers = new Containers({
      settings,
      savedSettings: { onSaved: (listener) => admin.settingsFile.onSaved(listener) },
      sharedFiles,
      store,
      secret,
      log,
      programs,
      clock,
      mailer,
      outbound,
      trust,
      recognizeText: recognition,
      pipelineRuns: runs,
      userNames: { onFreed: (listener) => login?.accounts.users.onNameFreed(listener) },
      teams: {
        exists: async (id) =>
          login !== undefined &&
          id !== login.accounts.teams.internalId &&
          (await login.accounts.teams.byId(id)) !== undefined,
      },
      savedPipelines: savedPipelinesOf({ settings, log }),
      workerTasks: (plugin) => workerTasksOf(plugin, () => rooms().pool),
    });
    const dailyLimits = dailyLimitsOf({ settings, store, clock });
    const ownerOf = (principal: Principal): string => (guard.loginEnabled ? principal.id : '');
    const storageRoom = makeStorage({
      settings,
      store,
      login,
      mailer,
      outbound,
      clock,
      log,
      leases: () => cluster.leases,
    });
    const { storage } = storageRoom;
    const audit = await makeAudit({ settings, store, login, clock, log });
    const jobsReady = deferred<JobService>();
    jobsReady.promise.catch(() => undefined);
    login?.accounts.users.onUserChange((id, what) => {
      // Beside the call: no job of theirs can begin any more, and those that run are stopped as soon as the store takes
      // it.
      if (what === 'gone')
        void jobsReady.promise
          .then((service) => service.cancelAllOf(id))
          .catch((error: unknown) => log.warn({ err: error }, 'jobs of a deleted user run to their end'));
    });
    const admin = makeAdministration({
      settings,
      programs,
      store,
      log,
      clock,
      folder: paths.tmp,
      catalog: () => rooms().catalog,
      version,
      restart,
    });
    const cluster = makeCluster({
      settings,
      store,
      log,
      programs,
      role,
      version,
      catalog: () => rooms().catalog,
      availability: () => rooms().availability,
    });
    const { needsOf, takenElsewhere } = cluster;
    const callbacks = makeCallbacks({ settings, store, outbound, log, clock, steady: cluster.jobs.clock });
    const keptAnswers = makeKeptAnswers({ settings, store, secret, log, steady: cluster.jobs.clock });
    const mobileScanner = makeMobileScanner({ settings, store, secret, log, steady: cluster.jobs.clock });
    const endpointParts: EndpointParts = {
      callbacks,
      outbound,
      mobileScanner,
      nodes: cluster.nodes,
      needsOf,
      takenElsewhere,
      storage,
      audit,
      settings,
      log,
      guard,
      login,
      mailer,
      allowance,
      ...monitoring,
      version,
      scratchRoot,
      ownerOf,
      admin,
      availability: () => rooms().availability,
      switches: () => rooms().switches,
      catalog: () => rooms().catalog,
      runner: () => rooms().runner,
      pool: () => rooms().pool,
      pipelines: () => rooms().pipelines,
      jobs: () => jobsReady.promise,
      accepting: () => life.accepting,
      programs: () =>
        programs.list().map(({ name, path }) => ({ name, found: path !== undefined, install: installCommand(name) })),
      storeReady: async () => {
        if (!(await store.ready())) throw new OperationalError('STORE_DOWN');
      },
    };
    const endpoints = coreEndpoints(endpointParts);
    const catalog = await loadCatalog({
      plugins: settings.get('plugins'),
      resolveFrom,
      joi: Joi,
      reserved: endpoints,
      operations: settings.get('operations'),
      operationOrigin: (path) => settings.operationOrigin(path),
    });
    for (const { plugin, problems } of catalog.warnings) log.warn({ plugin, problems }, 'optional plugin left out');
    containers.adopt(catalog);
    const switching = makeSwitching({ catalog, endpoints, settings, programs, store, log, clock });
    const { availability } = switching;
    // A store of our own answers at once; a shared one may be away, and is waited for at the start.
    if (store.kind === 'embedded') await Promise.all([switching.start(), admin.firstRun.start()]);
    const sizes = poolSettings(settings, markerFolder, role);
    const pool = new WorkerPool(sizes, log);
    const runner = new Runner({
      pool,
      availability,
      log,
      policy: {
        signedInput: settings.get('policy.signedInput'),
        rewriteAlways: settings.get('document.write') === 'rewrite',
      },
      workerSettings: workerSettings(settings),
      allowance,
      ...(store.kind === 'mongodb'
        ? {
            clusterPlace: (path: string, places: number, signal: AbortSignal) =>
              cluster.leases.place(`operation ${path}`, places, signal),
          }
        : {}),
      limitsOf: (entry, origin) => limitsOf(settings, entry, origin),
      serviceOf: (entry, token) => containers.use(entry.plugin, token),
      record: (path, seconds, outcome) => metrics.run(path, seconds, outcome),
    });
    const pipelines = new PipelineService({
      catalog,
      availability,
      runner,
      allowance,
      log,
      maxSteps: settings.get('limits.maxPipelineSteps'),
      parallel: pool.stats().size,
      mayCall: (entry, principal) => guard.allows(entry.operation.access, principal),
    });
    made = { availability, switches: switching.board, catalog, runner, pool, pipelines };
    const deps: HttpDeps = {
      allowance,
      callbacks,
      keptAnswers,
      outbound,
      settings,
      catalog,
      guard,
      availability,
      runner,
      pipelines,
      counters,
      browsers,
      scratchRoot,
      version,
      endpoints,
      ownerOf,
      storage,
      jobs: () => jobsReady.promise,
      accepting: () => life.accepting,
      role,
      needsOf,
      takenElsewhere,
      serviceOf: (plugin, token) => containers.use(plugin, token),
      ...(dailyLimits === undefined ? {} : { dailyLimits }),
      ...(audit === undefined
        ? {}
        : {
            audit: {
              audit,
              captures: capturesOf(settings),
              nameOf: async (username: string) => (await login?.accounts.byName(username))?.username,
            },
          }),
      formLimits: {
        maxBytes: uploadLimit(settings),
        maxFieldBytes: sizeToBytes(settings.get('limits.maxFieldSize')) ?? 0,
        maxParts: settings.get('limits.maxParts'),
        stallMs: settings.get('server.uploadIdleSeconds') * 1000,
        minRate: settings.get('server.uploadMinBytesPerSecond'),
      },
    };
    const hapi = await createHttpServer(deps, metrics, pino);
    const startJobs = async (): Promise<void> => {
      if (sharedFiles.shared)
        void sharedFiles
          .sweep()
          .catch((error: unknown) =>
            log.warn({ err: error }, 'left-over shared files are looked for at the next start'),
          );
      // Before the jobs of an earlier life run again: what they were charged then is given back.
      await allowance
        .open()
        .catch((error: unknown) => log.warn({ err: error }, 'the allowance opens with the first charge'));
      const service = createJobService({
        store,
        log,
        clock,
        secretKey: secret.keyFor('jobs'),
        temporaryFolder: scratchRoot,
        settings: {
          resultExpiryMinutes: settings.get('jobs.resultExpiryMinutes'),
          cleanupIntervalMinutes: settings.get('jobs.cleanupIntervalMinutes'),
          timeoutMs: settings.get('limits.jobTimeoutSeconds') * 1000,
          ...jobLimits(settings, sizes),
        },
        cluster: cluster.jobs,
        ...(audit === undefined ? {} : { onEnd: (record) => auditJobEnd(audit, record) }),
        execute: createJobExecutor({
          availability,
          catalog,
          runner,
          pipelines,
          scratchRoot,
          resume: (caller) => guard.resume(caller),
        }),
      });
      life.jobs = service;
      await cluster.nodes.start();
      await service.recover();
      await callbacks.start(service.callbacks);
      jobsReady.resolve(service);
      // Also where runs of an earlier life begin again; a node that runs no jobs watches nothing.
      if (role.runsJobs && life.accepting)
        life.folders = makeFolderScanner({
          settings,
          log,
          clock,
          guard,
          pipelines,
          scratchRoot,
          jobs: jobLimits(settings, sizes).concurrency,
          ...(store.kind === 'mongodb' ? { leases: cluster.leases } : {}),
          ...(audit === undefined ? {} : { ended: (end) => auditFolderRun(audit, end) }),
        });
      await life.folders?.start();
    };
    const startSwitching = async (): Promise<void> => {
      if (store.kind !== 'embedded') await Promise.all([switching.start(), admin.firstRun.start()]);
    };
    return assemble({
      audit,
      days: monitoring.days,
      switching,
      startSwitching,
      login,
      hapi,
      catalog,
      settings,
      store,
      pool,
      programs,
      recognition,
      outbound,
      trust,
      containers,
      allowance,
      cluster,
      callbacks,
      keptAnswers,
      mobileScanner,
      storageRoom,
      life,
      log,
      startJobs,
      failJobs: jobsReady.reject,
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** What begins with the start and ends with the stop. */
interface Life {
  accepting: boolean;
  jobs?: JobService;
  folders?: FolderScanner | undefined;
}

interface Rooms {
  readonly availability: AvailabilityTable;
  readonly switches: SwitchBoard;
  readonly catalog: Catalog;
  readonly runner: Runner;
  readonly pool: WorkerPool;
  readonly pipelines: PipelineService;
}

interface Assembly {
  readonly audit: AuditLog | undefined;
  readonly days: EndpointDays;
  readonly switching: Switching;
  startSwitching(): Promise<void>;
  readonly login: LoginRooms | undefined;
  readonly hapi: HapiServer;
  readonly catalog: Catalog;
  readonly settings: Settings;
  readonly store: Store;
  readonly pool: WorkerPool;
  readonly programs: ProgramSupervisor;
  readonly recognition: TesseractRecognizeText;
  readonly outbound: ReturnType<typeof createOutbound>;
  readonly trust: ServerTrust;
  readonly containers: Containers;
  readonly allowance: Allowance;
  readonly cluster: Cluster;
  readonly callbacks: Callbacks;
  readonly keptAnswers: KeptAnswers;
  readonly mobileScanner: MobileScanner;
  readonly storageRoom: StorageRoom;
  readonly life: Life;
  readonly log: ReturnType<typeof asLogger>;
  startJobs(): Promise<void>;
  failJobs(error: unknown): void;
}

function assemble({
  audit,
  days,
  switching,
  startSwitching,
  login,
  hapi,
  catalog,
  settings,
  store,
  pool,
  programs,
  recognition,
  outbound,
  trust,
  containers,
  allowance,
  cluster,
  callbacks,
  keptAnswers,
  mobileScanner,
  storageRoom,
  life,
  log,
  startJobs,
  failJobs,
}: Assembly): QuireServer {
  const url = (): string => `${hapi.info.uri.replace('0.0.0.0', '127.0.0.1')}${settings.get('system.rootUriPath')}`;
  let jobsStarted: Promise<void> | undefined;
  return {
    catalog,
    settings,
    get url() {
      return url();
    },
    workerPids: () => pool.stats().pids,
    inject: (options) => hapi.inject(options),
    async start() {
      for (const plugin of catalog.plugins) await plugin.plugin.start?.(containers.context(plugin));
      await keptAnswers.start();
      await startSwitching();
      // Before anything can be taken in.
      storageRoom.start();
      mobileScanner.start();
      audit?.start();
      await hapi.start();
      trust.start();
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
      await Promise.all([hapi.stop({ timeout: patience }), life.jobs?.drain(patience), life.folders?.stop(patience)]);
      await life.jobs?.close();
      await callbacks.stop();
      keptAnswers.stop();
      await storageRoom.stop();
      await mobileScanner.stop();
      await cluster.nodes.close();
      await allowance.close();
      await login?.close();
      await days.close();
      await audit?.close();
      for (const plugin of catalog.plugins) await plugin.plugin.stop?.(containers.context(plugin));
      await pool.close();
      switching.board.stop();
      await programs.stop();
      recognition.stop();
      await trust.stop();
      await outbound.close();
      await store.close();
      await rm(join(settings.paths.tmp, 'runs'), { recursive: true, force: true });
    },
  };
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
